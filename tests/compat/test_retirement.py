"""The end of a contract: notice, new readers, retirement and deletion."""

from __future__ import annotations

from datetime import date

import pytest
from support.orders import ending, loaded, orders, read_by

from floe_contracts.compat.gate import Comparison, gate
from floe_contracts.compat.retirement import deletion_finding, pair_findings
from floe_contracts.compat.ruleset import make_ruleset
from floe_contracts.compat.verdict import GatePolicy
from floe_contracts.contract.load import Loaded
from floe_contracts.contract.model import Contract
from floe_contracts.results import Disposition, Finding, Reader

TODAY = date(2026, 2, 1)
ACTIVE = ""
DEPRECATED = ending("2026-01-15", "2026-03-01")
SUNSET = ending("2025-12-20", "2026-01-30")
RETIRED = ending("2025-10-01", "2026-01-10")


def found(old: str, new: str, notice_days: int = 30) -> list[Finding]:
    before, after = (loaded(orders(status=None if "status:" in more else "active", more=more)) for more in (old, new))
    assert before.contract is not None
    assert after.contract is not None, after.findings
    return list(pair_findings(before.contract, after.contract, after, TODAY, notice_days))


def rules(findings: list[Finding]) -> list[str]:
    return [f"{item.rule} {item.severity.value}" for item in findings]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(ACTIVE, DEPRECATED, [], id="announced with enough notice"),
        pytest.param(DEPRECATED, DEPRECATED, [], id="unchanged"),
        pytest.param(DEPRECATED, ACTIVE, [], id="taken back"),
        pytest.param(SUNSET, SUNSET, [], id="nobody is blamed for old dates"),
        pytest.param(DEPRECATED, ending("2026-01-15", "2026-04-01"), [], id="postponed"),
        pytest.param(
            DEPRECATED, ending("2026-01-15", "2026-02-20"), ["sunset-moved-up error"], id="moved up, with notice enough"
        ),
        pytest.param(
            ending("2026-03-01", "2026-06-01"),
            ending("2026-03-01", "2026-05-01"),
            [],
            id="moved up before it is announced",
        ),
        pytest.param(ACTIVE, ending("2026-02-01", "2026-03-02"), ["notice-too-short error"], id="29 days of notice"),
        pytest.param(ACTIVE, ending("2026-02-01", "2026-03-03"), [], id="30 days of notice"),
        pytest.param(
            ACTIVE,
            ending("2025-12-01", "2026-02-10"),
            ["notice-too-short error"],
            id="announced in the past, over soon",
        ),
        pytest.param(ACTIVE, ending("2026-01-28", "2026-02-27"), [], id="waited a few days for its review"),
        pytest.param(
            ACTIVE,
            "status: retired\n",
            ["deprecation-incomplete warning", "retired-early error"],
            id="retired without notice",
        ),
        pytest.param(
            ACTIVE, "status: deprecated\n", ["deprecation-incomplete warning"], id="deprecated without a notice"
        ),
        pytest.param("status: deprecated\n", "status: deprecated\n", [], id="nobody is blamed for an old gap"),
        pytest.param(
            ACTIVE,
            'deprecation: {announced: "2026-02-01", sunset_date: "2026-04-01"}\n',
            ["deprecation-incomplete warning"],
            id="announced without a replacement",
        ),
        pytest.param(
            DEPRECATED,
            ending("2026-01-15", "2026-02-02"),
            ["sunset-moved-up error"],
            id="moved up, with too little notice",
        ),
        pytest.param(
            DEPRECATED, ending("2026-01-01", "2026-01-20"), ["sunset-moved-up error"], id="moved up into the past"
        ),
        pytest.param(SUNSET, f"{SUNSET}status: retired\n", [], id="dates beat a status that is early"),
        pytest.param(
            ACTIVE,
            ending("2025-10-01", "2026-01-10"),
            ["notice-too-short error", "retired-early error"],
            id="retired by dates that nobody had seen",
        ),
    ],
)
def test_notice(old: str, new: str, expected: list[str]) -> None:
    assert rules(found(old, new)) == expected


@pytest.mark.parametrize("sunset", ["2026-02-20", "2026-02-02", "2026-01-20"])
def test_a_sunset_that_moved_up_is_told_once_and_its_cure_works(sunset: str) -> None:
    base = loaded(orders(more=DEPRECATED))
    blocking = _blocking(base, loaded(orders("1.1.0", more=ending("2026-01-01", sunset))))
    assert [item.rule for item in blocking] == ["sunset-moved-up"]
    assert blocking[0].suggestions[0].startswith('Write sunset_date: "2026-03-01"')
    assert _blocking(base, loaded(orders("1.1.0", more=ending("2026-01-01", "2026-03-01")))) == []


@pytest.mark.parametrize("path", ["contracts/orders.v1.yaml", "contracts/orders.yaml"])
@pytest.mark.parametrize(
    ("notice", "expected"),
    [
        pytest.param(RETIRED, [], id="after the sunset week"),
        pytest.param(SUNSET, ["status-retired"], id="in the sunset week"),
        pytest.param(DEPRECATED, ["status-retired"], id="before the sunset date"),
        pytest.param("", ["retired-early"], id="without a notice"),
    ],
)
def test_a_contract_may_be_called_retired_once_it_is(path: str, notice: str, expected: list[str]) -> None:
    base = loaded(orders(status="deprecated", more=notice), path)
    assert [item.rule for item in _blocking(base, loaded(orders("1.0.1", status="retired", more=notice), path))] == (
        expected
    )


def test_what_is_retired_by_its_dates_is_told_to_raise_the_version() -> None:
    notice = ending("2025-01-01", "2025-03-01")
    base = loaded(orders(status="deprecated", more=notice), "orders.v1.yaml")
    (finding,) = _blocking(base, loaded(orders(status="retired", more=notice), "orders.v1.yaml"))
    assert finding.suggestions == ("Raise the version; `floe bump` writes it.",)


def test_a_deleted_contract_without_a_version_is_named_by_its_name() -> None:
    contract = Contract("orders", "", status="active")
    finding = deletion_finding("orders.yaml", contract, (), TODAY)
    assert finding.message == "orders is deleted while readers may still use it"


def _blocking(base: Loaded, new: Loaded) -> list[Finding]:
    report = gate(Comparison((base,), (new,), GatePolicy(make_ruleset()), TODAY), tool_version="0")
    return [item for item in report.all_findings() if item.blocks]


def test_a_repository_may_settle_for_less_notice() -> None:
    short = ending("2026-02-01", "2026-02-16")
    assert rules(found(ACTIVE, short, notice_days=14)) == []
    (told,) = found(ACTIVE, short, notice_days=28)
    assert told.message == "readers get 15 days of notice instead of 28"
    assert told.suggestions == ('Write sunset_date: "2026-03-01".',)


@pytest.mark.parametrize(
    ("stage", "expected"),
    [
        pytest.param(ACTIVE, [], id="active"),
        pytest.param(DEPRECATED, ["consumer-of-ending-contract warning"], id="deprecated"),
        pytest.param(SUNSET, ["consumer-of-ending-contract error"], id="in its sunset week"),
        pytest.param(RETIRED, ["consumer-of-ending-contract error"], id="retired"),
    ],
)
def test_new_readers_of_a_contract_on_its_way_out(stage: str, expected: list[str]) -> None:
    assert rules(found(stage + read_by("old"), stage + read_by("old", "new"))) == expected


def test_a_reader_cannot_join_in_the_change_that_announces_the_end() -> None:
    assert rules(found(ACTIVE, DEPRECATED + read_by("new"))) == ["consumer-of-ending-contract warning"]


def test_the_replacement_is_named_to_a_new_reader() -> None:
    (told,) = found(SUNSET, SUNSET + read_by("new"))
    assert (told.code.id, told.expected, told.actual) == ("FLOE-E527", "orders-2", "sunset")
    assert told.suggestions == ("Read orders-2 instead.",)
    assert told.location is not None
    assert told.location.line


@pytest.mark.parametrize(
    ("more", "silent", "standing", "missing"),
    [
        pytest.param(RETIRED, (), Disposition.ALLOWED, "", id="retired and acknowledged"),
        pytest.param(RETIRED, ("bi",), Disposition.OPEN, "no acknowledgement from bi", id="retired, one reader silent"),
        pytest.param(ACTIVE, (), Disposition.OPEN, "it is active, not retired", id="active without readers"),
        pytest.param(DEPRECATED, (), Disposition.OPEN, "it is deprecated, not retired", id="deprecated"),
        pytest.param(SUNSET, (), Disposition.OPEN, "it is sunset, not retired", id="in its sunset week"),
        pytest.param(
            DEPRECATED,
            ("bi", "ml"),
            Disposition.OPEN,
            "it is deprecated, not retired; no acknowledgement from bi, ml",
            id="both",
        ),
    ],
)
def test_deletion(more: str, silent: tuple[str, ...], standing: Disposition, missing: str) -> None:
    item = loaded(orders(more=more))
    assert item.contract is not None
    told = deletion_finding(item.path, item.contract, tuple(map(Reader, silent)), TODAY)
    assert (told.standing, told.actual, told.blocks) == (standing, missing, standing is Disposition.OPEN)
    assert told.code.id == ("FLOE-E529" if standing is Disposition.ALLOWED else "FLOE-E525")


@pytest.mark.parametrize("text", [orders(status="draft"), orders("1.0.0-rc.1"), orders(status="proposed")])
def test_deleting_what_was_never_released_is_reported(text: str) -> None:
    item = loaded(text)
    assert item.contract is not None
    told = deletion_finding(item.path, item.contract, (), TODAY)
    assert (told.standing, told.blocks) == (Disposition.REPORTED, False)
