"""The jobs as schedulers start them: spark-submit, from a checkout that is not installed."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.answering import receiver
from support.running import Ran
from support.spark_jobs import BLOCK, FOUND, Submit, bare_python, found_in, lines_of, report_of, shop

from floe_contracts.cli.main import main

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from support.answering import Receiver

_LAST_WORDS_S = 10.0  # that a job may take after its last check


@pytest.fixture(scope="module")
def submit(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Submit:
    folder = tmp_path_factory.mktemp("jobs")
    return Submit(shop(folder / "shop", spark), bare_python(folder))


@pytest.fixture(scope="module")
def two_runs(submit: Submit) -> tuple[Ran, Ran, list[str]]:
    """The first while lineage and metrics vanish in a black hole, the second when both are taken; block for orders."""
    (submit.cwd / ".floe").mkdir()
    (submit.cwd / ".floe" / "monitoring.yaml").write_text(BLOCK)
    with receiver() as outside:
        outside.mute = True
        environ = {"OPENLINEAGE_URL": outside.url, "FLOE_PUSHGATEWAY_URL": outside.url}
        asked = ("--contracts", "contracts", "--format", "json", "--log-format", "json")
        first = submit(*asked, **environ)
        outside.mute = False
        slots = [one["context"]["slot"] for one in report_of(first)["results"] if one["check"] == "freshness"]
        second = submit(*asked, "--slot", slots[0], **environ)
        return first, second, _methods(outside)


def _methods(outside: Receiver) -> list[str]:
    return sorted({one.method for one in outside.asked})


def test_a_checkout_finds_what_there_is_to_find(two_runs: tuple[Ran, Ran, list[str]]) -> None:
    assert found_in(report_of(two_runs[0])) == FOUND


def test_a_file_that_cannot_be_read_may_be_the_one_that_blocks(two_runs: tuple[Ran, Ran, list[str]]) -> None:
    """Could not check beats blocked: the strictest enforcement holds for a contract that nobody can name."""
    first, second, _ = two_runs
    assert (first.code, second.code) == (2, 2)


def test_the_second_run_of_a_slot_finds_the_same_without_looking(two_runs: tuple[Ran, Ran, list[str]]) -> None:
    first, second = (report_of(one) for one in two_runs[:2])
    fresh = [one for one in second["results"] if one["check"] == "freshness" and one["outcome"] != "errored"]
    assert {one["context"].get("repeated") for one in fresh} == {"true"}
    assert found_in(second) == found_in(first)


def test_json_lines_say_everything_that_the_report_says(two_runs: tuple[Ran, Ran, list[str]]) -> None:
    lines, report = lines_of(two_runs[0]), report_of(two_runs[0])
    checked = sorted(
        f"{one['contract']} {one['check_type']} {one['outcome']}"
        for one in lines
        if one.get("message") == "Contract checked"
    )
    assert checked == [f"{one['contract']} {one['check']} {one['outcome']}" for one in report["results"]]
    assert lines[-2]["message"] == "Run finished"
    assert lines[-2]["exit_code"] == report["exit_code"]


def test_sinks_that_never_answer_cost_seconds_and_are_told_by_the_next_run(
    two_runs: tuple[Ran, Ran, list[str]],
) -> None:
    first, second, methods = two_runs
    lines = [one for one in lines_of(first) if "time" in one]
    last = max(number for number, one in enumerate(lines) if one.get("message") == "Contract checked")
    checked, finished = (datetime.fromisoformat(lines[at]["time"].replace("Z", "+00:00")) for at in (last, -1))
    assert (finished - checked).total_seconds() < _LAST_WORDS_S
    assert len(report_of(first)["notes"]) == 2
    assert report_of(second)["notes"] == []
    assert methods == ["POST", "PUT"]


def test_the_store_knows_what_the_jobs_found(
    two_runs: tuple[Ran, Ran, list[str]],
    submit: Submit,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(submit.cwd)
    assert main(["monitor", "status", "orders", "--format", "json"]) == 0
    status: dict[str, Any] = json.loads(capsys.readouterr().out)
    states = {one["check"]: (one["state"], one["violations"]) for one in status["checks"]}
    assert (states["quality"], states["freshness"]) == (("violated", 2), ("violated", 1))
    assert status["backlog"] == []


def test_java_that_is_not_there_is_one_clear_line(submit: Submit, tmp_path: Path) -> None:
    from support.running import fresh_floe

    ran = fresh_floe("monitor", "run", "quality", "contracts", cwd=submit.cwd, JAVA_HOME=str(tmp_path))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("FLOE-E592 pyspark ")
    assert f"JAVA_HOME is {tmp_path}, where there is no bin/java" in ran.err
    assert "Traceback" not in ran.err
