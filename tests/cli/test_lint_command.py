"""`floe lint` from the outside: which files, which exit code, which output."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from support.contracts import COMPOSE, DANGLING, FIELDS, MISSPELT, ORDERS
from support.running import Floe


def put(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(text.encode())


def checked(output: str) -> list[str]:
    return [result["path"] for result in json.loads(output)["results"]]


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        pytest.param(ORDERS, (), 0, id="a sound contract"),
        pytest.param(FIELDS, (), 0, id="a sound contract in the fields dialect"),
        pytest.param(MISSPELT, (), 1, id="a misspelt key"),
        pytest.param(DANGLING, (), 0, id="a warning"),
        pytest.param(DANGLING, ("--strict",), 1, id="a warning under --strict"),
        pytest.param(COMPOSE, (), 1, id="a file that is not a contract"),
        pytest.param("a: [", (), 1, id="a file that is not YAML"),
    ],
)
def test_exit_code(floe: Floe, text: str, options: tuple[str, ...], code: int) -> None:
    put("some.yaml", text)
    assert floe("lint", "some.yaml", *options).code == code


def test_an_error_names_file_line_column_code_and_cure(floe: Floe) -> None:
    put("contracts/orders.yaml", MISSPELT)
    out = floe("lint").out
    assert out.startswith("BLOCKED: 1 error in contracts/orders.yaml:13:9. ")
    assert "contracts/orders.yaml:13:9: FLOE-E501 [" in out
    assert "required" in out


def test_without_paths_the_default_globs_decide(floe: Floe) -> None:
    for path in (
        "contracts/a.yaml",
        "contracts/deep/b.yml",
        "x/datacontract.yaml",
        "x/c.odcs.yaml",
        "x/d.datacontract.yml",
    ):
        put(path, ORDERS)
    for path in ("other.yaml", "x/e.yaml", ".hidden/contracts/f.odcs.yaml", "contracts/readme.md"):
        put(path, ORDERS)
    assert checked(floe("lint", "--format", "json").out) == [
        "contracts/a.yaml",
        "contracts/deep/b.yml",
        "x/c.odcs.yaml",
        "x/d.datacontract.yml",
        "x/datacontract.yaml",
    ]


def test_in_a_named_folder_contracts_are_recognised_and_other_yaml_is_left_alone(floe: Floe) -> None:
    put("data/orders.yaml", ORDERS)
    put("data/docker-compose.yaml", COMPOSE)
    put("data/customers.odcs.yaml", COMPOSE)
    ran = floe("lint", "data", "--format", "json")
    assert checked(ran.out) == ["data/customers.odcs.yaml", "data/orders.yaml"]
    assert ran.code == 1


def test_in_a_named_folder_a_contract_that_is_no_yaml_is_not_passed_over(floe: Floe) -> None:
    put("data/orders.yaml", ORDERS.replace("    properties:", "\tproperties:"))
    put("data/template.yaml", "{{ if a }}\nb: [\n")
    ran = floe("lint", "data", "--format", "json")
    assert (ran.code, checked(ran.out)) == (1, ["data/orders.yaml"])


HERE = {
    "the top": (".", ["contracts/orders.yaml", "x/datacontract.yaml"]),
    "a folder that the globs name": ("contracts", ["orders.yaml"]),
    "a folder beside it": ("x", ["contracts/own.yaml", "datacontract.yaml"]),
    "a folder without contracts": ("empty", []),
}


@pytest.mark.parametrize(("folder", "paths"), HERE.values(), ids=HERE)
def test_the_globs_of_the_repository_count_in_its_folders(
    floe: Floe, monkeypatch: pytest.MonkeyPatch, folder: str, paths: list[str]
) -> None:
    for path in ("contracts/orders.yaml", "x/datacontract.yaml", "x/contracts/own.yaml", "x/other.yaml"):
        put(path, ORDERS)
    Path(".git").mkdir()
    Path("empty").mkdir()
    monkeypatch.chdir(folder)
    assert checked(floe("lint", "--format", "json", "--allow-empty").out) == paths


def test_what_the_repository_excludes_is_excluded_in_its_folders(floe: Floe, monkeypatch: pytest.MonkeyPatch) -> None:
    put("old/contracts/a.yaml", ORDERS)
    put("old/tables/b.yaml", ORDERS)
    put(".floe/config.yaml", "contracts: ['old/tables/*.yaml']\nexclude: ['old/contracts/**']\n")
    Path(".git").mkdir()
    monkeypatch.chdir("old")
    assert checked(floe("lint", "--format", "json").out) == ["tables/b.yaml"]


def test_a_quoted_glob_is_expanded(floe: Floe) -> None:
    put("a/one.yaml", ORDERS)
    put("a/b/two.yaml", ORDERS)
    put("a/b/three.txt", ORDERS)
    assert checked(floe("lint", "a/**/*.yaml", "--format", "json").out) == ["a/b/two.yaml", "a/one.yaml"]


def test_a_dash_is_standard_input(floe: Floe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(MISSPELT.encode())))
    ran = floe("lint", "-")
    assert ran.code == 1
    assert "<stdin>:13:9: FLOE-E501" in ran.out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        pytest.param(("lint",), 2, "NOTHING CHECKED: 0 contracts checked (FLOE-E593)", id="an empty folder is loud"),
        pytest.param(("lint", "--allow-empty"), 0, "PASS: 0 contracts checked", id="an empty folder may be allowed"),
        pytest.param(("lint", "absent.yaml"), 2, "absent.yaml: FLOE-E500", id="a file that is not there"),
        pytest.param(
            ("lint", "absent.yaml", "--allow-empty"), 2, "FLOE-E500", id="--allow-empty excuses no typing error"
        ),
        pytest.param(("lint", "none/*.yaml"), 2, "FLOE-E500", id="a glob that matches nothing"),
        pytest.param(("lint", "."), 2, "the folder '.' holds no YAML file", id="a folder without YAML"),
        pytest.param(("lint", "none/*.yaml", "--allow-empty"), 0, "PASS", id="a glob that may match nothing"),
    ],
)
def test_nothing_to_check(floe: Floe, arguments: tuple[str, ...], code: int, words: str) -> None:
    ran = floe(*arguments)
    assert (ran.code, words in ran.out) == (code, True), ran.out


def test_one_bad_file_does_not_keep_the_others_from_being_checked(floe: Floe) -> None:
    put("contracts/a.yaml", "\x00")
    put("contracts/b.yaml", MISSPELT)
    put("contracts/c.yaml", ORDERS)
    Path("contracts/d.yaml").symlink_to("c.yaml")
    report = json.loads(floe("lint", "--format", "json").out)
    assert [result["outcome"] for result in report["results"]] == ["violated", "violated", "passed", "errored"]
    assert report["exit_code"] == 2


def test_output_is_written_whole_and_the_verdict_is_said(floe: Floe) -> None:
    put("orders.yaml", ORDERS)
    ran = floe("lint", "orders.yaml", "--format", "json", "--output", "report.json")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "PASS: 1 contract checked, no errors. Report written to report.json.\n"
    assert json.loads(Path("report.json").read_text())["verdict"] == "pass"
    assert sorted(path.name for path in Path().iterdir()) == ["orders.yaml", "report.json"]


def test_output_to_a_dash_is_printed(floe: Floe) -> None:
    put("orders.yaml", ORDERS)
    ran = floe("lint", "orders.yaml", "--format", "json", "--output", "-")
    assert (ran.code, json.loads(ran.out)["verdict"], ran.err) == (0, "pass", "")
    assert not Path("-").exists()


def test_messages_beside_the_report_are_json_lines_when_asked_for(floe: Floe) -> None:
    put("orders.yaml", ORDERS)
    ran = floe("lint", "orders.yaml", "--output", "report.txt", "--log-format", "json")
    assert json.loads(ran.err) == {
        "level": "info",
        "message": "PASS: 1 contract checked, no errors. Report written to report.txt.",
    }


def test_output_that_cannot_be_written_is_no_verdict(floe: Floe) -> None:
    put("orders.yaml", ORDERS)
    ran = floe("lint", "orders.yaml", "--output", "absent/report.json")
    assert ran.code == 2
    assert ran.err.startswith("FLOE-E592 absent/report.json cannot be written: No such file or directory\n  fix: ")


def test_the_dialect_is_always_said(floe: Floe) -> None:
    put("contracts/a.yaml", ORDERS)
    put("contracts/b.yaml", FIELDS)
    assert "2 contracts checked (1 fields, 1 odcs)" in floe("lint").out
    verbose = floe("lint", "-v").out
    assert "orders  contracts/a.yaml  odcs v3.1.0  passed" in verbose
    assert "customers  contracts/b.yaml  fields  passed" in verbose


def test_same_input_same_bytes(floe: Floe) -> None:
    put("contracts/a.yaml", MISSPELT)
    put("contracts/b.yaml", DANGLING)
    assert floe("lint", "--format", "json") == floe("lint", "--format", "json")
