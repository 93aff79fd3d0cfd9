"""Runs from options to exit code, over rows in memory and a real SQLite store."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.job_desk import ORDERS, Project, no_judge
from support.monitored import HOUR, MINUTE

from floe_contracts.adapters.store.address import open_store
from floe_contracts.app.monitor.judge import RunJudge
from floe_contracts.app.monitor.request import StreamRequest
from floe_contracts.app.monitor.run import prepare
from floe_contracts.checks.moments import DAY
from floe_contracts.checks.verdict import Check
from floe_contracts.errors import SettingsError, UsageError
from floe_contracts.monitor.run.check import engine_judge
from floe_contracts.monitor.store.totals import list_statuses

BLOCK = "data_contracts: {enforcement: block}\n"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Orders that are fresh and in order."""
    monkeypatch.chdir(tmp_path)
    project = Project(tmp_path)
    project.contract()
    project.table("orders", HOUR)
    return project


def outcomes(report: dict[str, Any]) -> list[str]:
    return [f"{one['contract']} {one['check']} {one['outcome']}" for one in report["results"]]


def said(report: dict[str, Any], key: str) -> list[str]:
    return [one["context"].get(key, "") for one in report["results"]]


def test_several_checks_are_one_report(shop: Project) -> None:
    report = shop.report("freshness", "quality", "lifecycle")
    assert outcomes(report) == ["orders freshness passed", "orders lifecycle passed", "orders quality passed"]
    assert report["command"] == "monitor run all"
    assert report["context"]["check"] == "freshness, quality, lifecycle"


def test_a_finished_slot_is_shown_and_not_measured_again(shop: Project) -> None:
    first = shop.report("freshness")
    asked = len(shop.engine.asked)
    shop.table("orders", 9 * HOUR)
    again = shop.report("freshness")
    assert said(first, "repeated") == [""]
    assert said(again, "repeated") == ["true"]
    assert outcomes(again) == outcomes(first)
    assert len(shop.engine.asked) == asked


def test_settings_for_no_contract_are_told_when_every_contract_is_checked(shop: Project) -> None:
    other = shop.contract("items")
    shop.table("items", HOUR)
    shop.settings("contracts: {ordrs: {enforcement: block}}\n")
    assert "contracts.ordrs, which fits no contract. Write orders" in shop.report("freshness")["notes"][0]
    assert shop.report("freshness", contracts=("contracts",))["notes"]
    assert shop.report("freshness", contracts=(str(other),))["notes"] == []


def test_a_run_for_which_every_slot_is_over_is_no_pass(shop: Project) -> None:
    ran = shop.run("freshness", slot="2026-01-02T00:00:00Z")
    assert ran.code == 2
    assert ran.out.splitlines()[0] == (
        "COULD NOT CHECK: 1 check was not made: the slot is over, and its source keeps no history. "
        "Name a later --slot, or set a check_interval that fits the scheduler."
    )


def test_a_contract_that_must_block_and_is_misspelt_is_no_pass(shop: Project) -> None:
    shop.contract("items")
    shop.table("items", HOUR)
    shop.settings("contracts: {orders: {enforcement: block}}\n")
    shop.contract("orders", ORDERS.replace("nullable", "nulable"))
    assert shop.run("freshness").code == 2


NEWER = ORDERS.replace("{name}", "orders").replace("1.0.0", "3.0.0")


def test_a_newer_major_has_the_same_name_beside_the_older_one_and_alone(shop: Project) -> None:
    path = shop.contract("orders.v3", NEWER)
    assert outcomes(shop.report("freshness", contracts=(str(path),))) == ["orders.v3 freshness passed"]
    assert outcomes(shop.report("freshness")) == ["orders.v3 freshness passed", "orders freshness passed"]


def test_a_newer_major_keeps_its_name_when_the_older_one_is_gone(shop: Project) -> None:
    shop.contract("orders.v3", NEWER)
    shop.report("freshness")
    (shop.folder / "contracts" / "orders.yaml").unlink()
    assert outcomes(shop.report("freshness")) == ["orders.v3 freshness passed"]


def test_a_stream_is_told_of_settings_for_no_contract(shop: Project) -> None:
    shop.settings("contracts: {ordrs: {enforcement: block}}\n")
    (note,) = prepare(StreamRequest(), {}).notes
    assert "contracts.ordrs, which fits no contract. Write orders" in note


def test_a_stream_keeps_the_name_that_its_contract_had_before(shop: Project) -> None:
    shop.contract("orders.v3", NEWER)
    shop.report("freshness")
    (shop.folder / "contracts" / "orders.yaml").unlink()
    with prepare(StreamRequest(), {}).open_store() as (_, targets):
        assert [target.name for target in targets] == ["orders.v3"]


def test_a_stream_of_a_project_without_monitoring_is_idle(shop: Project) -> None:
    shop.settings("data_contracts: {monitoring: {enabled: false}}\n")
    prepared = prepare(StreamRequest(), {})
    assert prepared.idle[0].endswith("; nothing was followed.")
    assert prepared.targets == ()


def test_a_recheck_is_a_new_attempt_of_the_same_slot(shop: Project) -> None:
    shop.report("freshness")
    shop.table("orders", 9 * HOUR)
    again = shop.report("freshness", recheck=True)
    assert outcomes(again) == ["orders freshness violated"]
    assert said(again, "attempt") == ["2"]


def test_the_store_lies_beside_the_settings_wherever_the_job_starts(
    shop: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.settings("store: sqlite:///.floe/kept.db\n")
    (shop.folder / "elsewhere").mkdir()
    shop.report("freshness")
    monkeypatch.chdir(shop.folder / "elsewhere")
    again = shop.report("freshness", contracts=("../contracts/orders.yaml",))
    assert (shop.folder / ".floe" / "kept.db").exists()
    assert said(again, "repeated") == ["true"]


def test_a_dry_run_leaves_nothing_behind(shop: Project) -> None:
    report = shop.report("freshness", dry_run=True)
    assert outcomes(report) == ["orders freshness passed"]
    assert report["notes"] == ["Dry run: nothing was claimed, counted or remembered."]
    assert not (shop.folder / ".floe").exists()


@pytest.mark.parametrize(
    ("settings", "table", "more", "code"),
    [
        pytest.param("", HOUR, {}, 0, id="kept"),
        pytest.param("", 9 * HOUR, {}, 0, id="violated, alert only"),
        pytest.param(BLOCK, 9 * HOUR, {}, 0, id="violated by a warning, block"),
        pytest.param(BLOCK, 13 * HOUR, {}, 1, id="violated by an error, block"),
        pytest.param("", None, {}, 2, id="nothing could be checked"),
        pytest.param(BLOCK, None, {"checks": ("freshness", "lifecycle")}, 2, id="errored under block"),
        pytest.param("", None, {"checks": ("freshness", "lifecycle")}, 0, id="errored, another check passed"),
        pytest.param(
            "", None, {"checks": ("freshness", "lifecycle"), "fail_on_error": True}, 2, id="errored, fail on error"
        ),
        pytest.param("data_contracts: {enforcement: off}\n", 9 * HOUR, {}, 0, id="off"),
    ],
)
def test_exit_code(shop: Project, settings: str, table: int | None, more: dict[str, Any], code: int) -> None:
    shop.settings(settings)
    shop.engine.tables.clear()
    if table is not None:
        shop.table("orders", table)
    assert shop.run(*more.pop("checks", ("freshness",)), **more).code == code


def test_a_hostile_contract_does_not_stop_the_others(shop: Project) -> None:
    (shop.folder / "contracts" / "bomb.yaml").write_text("a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b\n")
    (shop.folder / "contracts" / "crash.yaml").write_text(ORDERS.replace("{name}", "crash"))
    shop.table("crash", crash=RuntimeError("the password is hunter2"))
    ran = shop.run("freshness", form="json")
    assert outcomes(json.loads(ran.out)) == [
        "bomb.yaml freshness errored",
        "crash freshness errored",
        "orders freshness passed",
    ]
    assert "hunter2" not in ran.out
    (trouble,) = json.loads(ran.out)["notes"]
    assert "contract=crash error=RuntimeError" in trouble
    assert "row_engine.py" in trouble


def test_contracts_that_do_not_exist_are_errored(shop: Project) -> None:
    ran = shop.run("freshness", contracts=("contracts/orders.yaml", "contracts/absent.yaml"))
    assert ran.code == 0
    assert "no file matches 'contracts/absent.yaml'" in ran.out
    assert "orders" in ran.out


@pytest.mark.parametrize(
    ("settings", "scheduled", "note"),
    [
        pytest.param("data_contracts: {monitoring: {enabled: false}}\n", False, "switched off", id="switched off"),
        pytest.param("data_contracts: {monitoring: {mode: on_demand}}\n", True, "on demand", id="on demand"),
    ],
)
def test_an_idle_run_starts_nothing(shop: Project, settings: str, scheduled: bool, note: str) -> None:
    shop.settings(settings)
    shop.judging = no_judge
    report = shop.report("freshness", scheduled=scheduled)
    assert (report["exit_code"], report["results"]) == (0, [])
    assert note in report["notes"][0]
    assert not (shop.folder / ".floe" / "monitoring.db").exists()


SCHEDULED = {
    "a slot by option": ({}, {"slot": "2026-01-03T10:00:00Z"}),
    "a slot by the environment": ({"FLOE_SLOT": "2026-01-03T10:00:00Z"}, {}),
    "a slot by Airflow 3": ({"AIRFLOW_CTX_LOGICAL_DATE": "2026-01-03T10:00:00+00:00"}, {}),
    "a slot by Airflow 2": ({"AIRFLOW_CTX_EXECUTION_DATE": "2026-01-03T10:00:00+00:00"}, {}),
    "a job": ({}, {"scheduled": True}),
    "a slot that is checked again": ({}, {"slot": "2026-01-03T10:00:00Z", "recheck": True}),
    "a dry run of a slot": ({}, {"slot": "2026-01-03T10:00:00Z", "dry_run": True}),
}


@pytest.mark.parametrize(("environ", "options"), SCHEDULED.values(), ids=SCHEDULED)
def test_every_scheduled_start_checks_nothing_on_demand(
    shop: Project, environ: dict[str, str], options: dict[str, Any]
) -> None:
    shop.settings("data_contracts: {monitoring: {mode: on_demand}}\n")
    shop.judging, shop.environ = no_judge, environ
    report = shop.report("freshness", "quality", **options)
    assert (report["exit_code"], report["results"]) == (0, [])
    assert report["notes"] == [
        "Monitoring is on demand (data_contracts.monitoring.mode); this scheduled job checked nothing."
    ]
    assert not (shop.folder / ".floe" / "monitoring.db").exists()


@pytest.mark.parametrize("check", ["availability", "freshness", "schema_drift", "quality"])
def test_a_refused_back_fill_leaves_no_missed_slots_in_a_database(shop: Project, check: Check) -> None:
    assert outcomes(shop.report(check, slot="2025-12-31T10:00:00Z")) == [f"orders {check} skipped"]
    shop.report(check)
    store = open_store(f"sqlite:///{shop.folder}/.floe/monitoring.db")
    (status,) = list_statuses(store, since_us=shop.now_us - 7 * DAY, now_us=shop.now_us)
    assert (status.missed, status.expected) == (0, 1)


def test_a_run_by_hand_checks_also_on_demand(shop: Project) -> None:
    shop.settings("data_contracts: {monitoring: {mode: on_demand}}\n")
    assert outcomes(shop.report("freshness")) == ["orders freshness passed"]


def test_no_contract_at_all_is_said_loudly(shop: Project) -> None:
    (shop.folder / "contracts" / "orders.yaml").unlink()
    shop.judging = no_judge
    ran = shop.run("freshness")
    assert (ran.code, ran.out.splitlines()[0]) == (2, "NOTHING CHECKED: 0 contracts found. Check the paths and globs.")


@pytest.mark.parametrize(
    ("environ", "asked", "slot"),
    [
        pytest.param({}, "", "2026-01-03T10:15:00Z", id="the clock"),
        pytest.param({}, "2026-01-03T10:00:00Z", "2026-01-03T10:00:00Z", id="said"),
        pytest.param({"FLOE_SLOT": "2026-01-03T09:47:00Z"}, "", "2026-01-03T09:45:00Z", id="by the environment"),
        pytest.param(
            {"AIRFLOW_CTX_LOGICAL_DATE": "2026-01-03T10:00:00+00:00"}, "", "2026-01-03T10:00:00Z", id="Airflow 3"
        ),
        pytest.param(
            {"AIRFLOW_CTX_EXECUTION_DATE": "2026-01-03T11:00:00+01:00"}, "", "2026-01-03T10:00:00Z", id="Airflow 2"
        ),
        pytest.param({"FLOE_SLOT": "2026-01-03T09:47:00Z"}, "20260103T1000", "2026-01-03T10:00:00Z", id="said wins"),
    ],
)
def test_the_slot_of_a_run(shop: Project, environ: dict[str, str], asked: str, slot: str) -> None:
    shop.environ = environ
    assert said(shop.report("freshness", slot=asked), "slot") == [slot]


def test_a_run_after_a_pipeline_belongs_to_its_run_id(shop: Project) -> None:
    first = shop.report("freshness", "quality", run_id="etl/42")
    shop.now_us += 3 * HOUR
    again = shop.report("freshness", "quality", run_id="etl/42", slot="2026-01-03T10:00:00Z")
    assert said(first, "slot") == said(again, "slot") == ["run etl/42", "run etl/42"]
    assert said(again, "repeated") == ["true", "true"]


def test_only_chooses_contracts(shop: Project) -> None:
    shop.contract("payments")
    shop.table("payments", MINUTE)
    assert outcomes(shop.report("freshness", only=("pay*",))) == ["payments freshness passed"]
    with pytest.raises(UsageError, match="fits no contract"):
        shop.run("freshness", only=("refunds",))


def test_a_connection_of_the_command_line_says_where_the_data_is(shop: Project) -> None:
    shop.table("copy", 9 * HOUR)
    report = shop.report("freshness", connection=("type=custom", "table=copy"))
    assert outcomes(report) == ["orders freshness violated"]


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        pytest.param(("table",), "KEY=VALUE", id="no value"),
        pytest.param(("tabel=x",), "tabel: no such key", id="unknown key"),
        pytest.param(("options.password=hunter2",), "it is a secret", id="a secret"),
        pytest.param(("options=x", "options.a=b"), "twice", id="a value and a block"),
    ],
)
def test_a_connection_that_cannot_be_meant(shop: Project, pairs: tuple[str, ...], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        shop.run("freshness", connection=pairs)
    assert words in caught.value.message
    assert "hunter2" not in caught.value.message


def test_settings_with_a_mistake_stop_the_run(shop: Project) -> None:
    shop.settings("data_contracts: {enforcment: block}\n")
    with pytest.raises(SettingsError, match="no key 'enforcment'"):
        shop.run("freshness")


def test_settings_that_are_named_must_exist(shop: Project) -> None:
    with pytest.raises(UsageError, match=r"no settings file absent\.yaml"):
        shop.run("freshness", config="absent.yaml")


def test_named_settings_count_from_their_own_folder(shop: Project) -> None:
    (shop.folder / "deploy").mkdir()
    (shop.folder / "deploy" / "prod.yaml").write_text("store: sqlite:///kept.db\n")
    shop.run("freshness", config="deploy/prod.yaml")
    assert (shop.folder / "deploy" / "kept.db").exists()


def test_samples_are_for_the_terminal_alone(shop: Project) -> None:
    rows = shop.table("orders", HOUR, 2 * HOUR)
    rows.rows = [{**one, "order_id": "same"} for one in rows.rows]
    ran = shop.run("quality", samples=2)
    assert ran.out.splitlines()[-1] == "2 rows of orders"
    with pytest.raises(UsageError, match="on the terminal only"):
        shop.run("quality", samples=2, form="json")
    with pytest.raises(UsageError, match="on the terminal only"):
        shop.run("quality", samples=2, output="report.txt")


def test_no_samples_without_a_broken_rule(shop: Project) -> None:
    assert "rows of orders" not in shop.run("quality", samples=2).out


def test_a_store_that_fails_after_the_checks_takes_no_report_with_it(shop: Project) -> None:
    @contextmanager
    def judging(*_: object) -> Iterator[RunJudge]:
        yield RunJudge(engine_judge(shop.engine), lambda *_: ())
        with closing(sqlite3.connect(shop.folder / ".floe" / "monitoring.db")) as store:
            store.execute("DROP TABLE floe_outbox")

    shop.judging = judging
    ran = shop.run("freshness", form="json")
    report = json.loads(ran.out)
    assert (ran.code, outcomes(report)) == (0, ["orders freshness passed"])
    assert report["notes"][0].startswith("What waits to be sent is not known: the store of results cannot be used")


def test_json_lines_tell_of_every_result_and_of_the_end(shop: Project) -> None:
    shop.contract("late")
    shop.table("late", 13 * HOUR)
    shop.contract("gone")
    shop.log_format = "json"
    ran = shop.run("freshness")
    lines = [json.loads(line) for line in ran.err.splitlines()]
    assert ran.out == ""
    told = [(one["level"], one["message"], one.get("contract", "")) for one in lines]
    assert sorted(told[:-1]) == [
        ("error", "Contract checked", "gone"),
        ("error", "Contract violation", "late"),
        ("info", "Contract checked", "orders"),
        ("warning", "Contract checked", "late"),
        ("warning", "Contract could not be checked", "gone"),
    ]
    end = {"level": "info", "message": "Run finished", "verdict": "pass", "exit_code": 0}
    assert lines[-1] | {"time": ""} == {"time": "", **end, "passed": 1, "violated": 1, "skipped": 0, "errored": 1}


def test_among_json_lines_the_report_is_one_line(shop: Project) -> None:
    shop.log_format = "json"
    (line,) = shop.run("freshness", form="json").out.splitlines()
    assert json.loads(line)["schema"] == "floe/report/v1"


def test_when_every_slot_is_done_no_engine_is_started(shop: Project) -> None:
    checks: tuple[Check, ...] = ("freshness", "quality")
    shop.run(*checks)
    shop.judging = no_judge
    again = shop.run(*checks)
    assert (again.code, said(shop.report(*checks), "repeated")) == (0, ["true", "true"])
    assert "All of it was checked before in this slot; --recheck measures again." in again.out.splitlines()[0]


def test_an_edited_promise_starts_an_engine(shop: Project) -> None:
    shop.run("freshness")
    shop.contract(text=ORDERS.replace("360", "30"))
    report = shop.report("freshness")
    assert (outcomes(report), said(report, "attempt")) == (["orders freshness violated"], ["2"])


@pytest.mark.parametrize("more", [{"recheck": True}, {"dry_run": True}, {"samples": 3}], ids=str)
def test_who_wants_to_look_again_starts_an_engine(shop: Project, more: dict[str, Any]) -> None:
    shop.run("freshness")
    shop.judging = no_judge
    with pytest.raises(AssertionError):
        shop.run("freshness", **more)
