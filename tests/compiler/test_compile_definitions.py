"""`floe compile` holds definitions to contracts: inside git by the gate's base, elsewhere as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.defined import CONTRACT, DBT, DBT_INCIDENTS, DDL, DDL_INCIDENTS, EVENTS, MODEL, SQL, Files, start
from support.git_sandbox import Clone, Sandbox
from support.platform_example import run_compile

PRODUCT = """apiVersion: floe.dev/v1
kind: DataProduct
metadata: {name: shop, version: 1.0.0, owner: shop@example.com}
"""
SEEDS = ("user_id becomes userId", "event_ts is dropped", "not null is lost")


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    for name in ("CI", "GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    clone = Sandbox(tmp_path).init()
    clone.commit({"README.md": "x\n"})
    monkeypatch.chdir(clone.path)
    return clone


@pytest.mark.parametrize("name", SEEDS)
@pytest.mark.parametrize("kind", ["dbt", "ddl"])
def test_the_seeds_incidents_stop_compile(
    repo: Clone, capsys: pytest.CaptureFixture[str], kind: str, name: str
) -> None:
    files, incidents = (DBT, DBT_INCIDENTS) if kind == "dbt" else (DDL, DDL_INCIDENTS)
    start(repo, {**files, "floe.yaml": PRODUCT})
    code, text = run_compile(capsys, ".")
    assert code == 0, text
    change, expected = incidents[name]
    repo.write(change)
    repo.git("add", "--all")
    code, text = run_compile(capsys, ".")
    assert code == 1, text
    assert "Compilation FAILED" in text
    assert f"at {expected.split()[1]}" in text
    repo.git("reset", "--hard", "--quiet")
    assert run_compile(capsys, ".")[0] == 0


INCIDENTS = {
    "a column is renamed": ("user_id,", "user_id as userId,", ["FLOE-E531", "at models/events.sql:8"]),
    "a column is dropped": (
        "    cast(event_ts as timestamp) as event_ts,\n",
        "",
        ["FLOE-E531: event_ts", "events.sql:8"],
    ),
    "another type": ("as timestamp)", "as date)", ["FLOE-E530: Type mismatch for column 'event_ts'", "events.sql:9"]),
}


@pytest.mark.parametrize("name", INCIDENTS)
def test_outside_git_every_mismatch_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    old, new, expected = INCIDENTS[name]
    _write(tmp_path, {**DBT, CONTRACT: EVENTS, "floe.yaml": PRODUCT + "transforms: [{type: dbt, path: models}]\n"})
    assert run_compile(capsys, ".")[0] == 0
    model = tmp_path / MODEL
    assert old in model.read_text("utf-8")
    model.write_text(model.read_text("utf-8").replace(old, new), "utf-8")
    code, text = run_compile(capsys, ".")
    assert code == 1, text
    assert [words for words in expected if words not in text] == []
    assert not (tmp_path / "target/floe/compiled.json").exists() or "Compilation FAILED" in text


def test_outside_git_a_type_mismatch_is_shown_as_both_sides_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    model = SQL.replace("    user_id,", "    cast(user_id as integer) as user_id,")
    files = {**DBT, MODEL: model, CONTRACT: EVENTS.replace("integer, physicalType: bigint", "string")}
    _write(tmp_path / "shop", {**files, "floe.yaml": PRODUCT + "transforms: [{type: dbt, path: .}]\n"})
    code, text = run_compile(capsys, "shop")
    assert code == 1, text
    block = text[text.index("✗ FLOE-E530") :].splitlines()[:4]
    assert [line.strip() for line in block] == [
        "✗ FLOE-E530: Type mismatch for column 'user_id'",
        "Contract: string, Table: INT",
        "Suggestion: Update contract schema or table definition to match",
        "at shop/models/events.sql:8",
    ]


def test_outside_git_a_draft_and_what_is_not_known_fail_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    product = {"floe.yaml": PRODUCT + "transforms: [{type: dbt, path: .}]\n"}
    _write(tmp_path, {**DBT, **product, MODEL: "select 1 as id", CONTRACT: EVENTS.replace("active", "draft")})
    assert run_compile(capsys, ".")[0] == 0
    _write(tmp_path, {MODEL: "select * from elsewhere", CONTRACT: EVENTS})
    code, text = run_compile(capsys, ".")
    assert code == 0, text
    assert "cannot tell the columns of events" in text


def _write(folder: Path, files: Files) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text or "", "utf-8")
