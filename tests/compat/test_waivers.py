"""Waivers: in force, run out, never valid, needed or not, and the block that a report offers to paste."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from support.orders import loaded, orders

from floe_contracts.compat.ruleset import make_ruleset
from floe_contracts.compat.settings import Settings, read_settings
from floe_contracts.compat.verdict import GatePolicy, judge
from floe_contracts.compat.waivers import waiver_block
from floe_contracts.results import Disposition, Finding

TODAY = date(2026, 2, 1)
PRINT = "00ff00ff00ff00ff"


def settings(text: str) -> Settings:
    return read_settings({".floe/waivers.yaml": text.encode()}, TODAY)


def waiver(**words: str) -> str:
    given = {"fingerprint": PRINT, "reason": "agreed", "approver": "dana", "expires": "2026-03-01"} | words
    pairs = [f'{key}: "{value}"' for key, value in given.items() if value != "-"]
    return "waivers:\n  - " + "\n    ".join(pairs) + "\n"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        pytest.param({}, "", id="in force"),
        pytest.param({"expires": "2026-02-01"}, "", id="on its last day"),
        pytest.param({"expires": "2026-05-02"}, "", id="for ninety days"),
        pytest.param({"expires": "2026-01-31"}, "expired on 2026-01-31", id="expired yesterday"),
        pytest.param({"expires": "2026-05-03"}, "more than 90 days", id="for too long"),
        pytest.param({"expires": "soon"}, "no expiry date that can be read", id="no date"),
        pytest.param({"expires": "2026-02-30"}, "no expiry date that can be read", id="not in the calendar"),
        pytest.param({"expires": "20260301"}, "no expiry date that can be read", id="without dashes"),
        pytest.param({"expires": "-"}, "no expiry date that can be read", id="without a date"),
        pytest.param({"reason": " "}, "gives no reason", id="an empty reason"),
        pytest.param({"reason": "-"}, "gives no reason", id="without a reason"),
        pytest.param({"approver": ""}, "names no approver", id="an empty approver"),
        pytest.param({"approver": "-"}, "names no approver", id="without an approver"),
    ],
)
def test_when_a_waiver_counts(words: dict[str, str], problem: str) -> None:
    found = settings(waiver(**words))
    assert found.findings == ()
    assert (found.waivers.find_in_force(PRINT, "orders", "property-removed", "orders.total") is None) is bool(problem)
    told = found.waivers.problems()
    assert [item.message.partition(" ")[0] for item in told] == (["the"] if problem else [])
    for item in told:
        assert problem in item.message
        assert (item.code.id, item.blocks) == ("FLOE-E526", True)
        assert str(item.location) == ".floe/waivers.yaml:2:5"
        assert item.expected
        assert item.suggestions


@pytest.mark.parametrize(
    ("words", "actual", "fix"),
    [
        pytest.param({"reason": ""}, "no reason", "Write after reason:", id="no reason"),
        pytest.param({"approver": ""}, "no approver", "Write after approver:", id="no approver"),
        pytest.param({"expires": "-"}, "no expiry date", "Write after expires:", id="no date"),
        pytest.param({"expires": "soon"}, "expires soon", "Renew it", id="no date that can be read"),
        pytest.param({"expires": "2026-01-31"}, "expires 2026-01-31", "Renew it", id="expired"),
    ],
)
def test_what_to_fill_in(words: dict[str, str], actual: str, fix: str) -> None:
    (told,) = settings(waiver(**words)).waivers.problems()
    assert told.actual == actual
    assert told.suggestions[0].startswith(fix)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("waivers:\n  - reason: none\n", id="without a fingerprint"),
        pytest.param(waiver(fingerprint="xyz"), id="a fingerprint that is none"),
        pytest.param("waivers:\n  - fingerprint: 1234567890123456\n", id="a fingerprint read as a number"),
        pytest.param(waiver(approved_by="dana"), id="an unknown key"),
        pytest.param("waivers: all\n", id="no list"),
    ],
)
def test_mistakes_in_the_file(text: str) -> None:
    found = settings(text)
    assert {item.code.id for item in found.findings} == {"FLOE-E590"}
    assert all(item.location and item.location.line for item in found.findings)
    assert found.waivers.items == ()


def changed(waivers: str = "waivers: []\n") -> tuple[Finding, ...]:
    terms = GatePolicy(make_ruleset(), settings(waivers).waivers)
    return judge(loaded(orders()), loaded(orders("1.0.1", columns=("order_id",))), terms).findings


def test_a_waiver_excuses_the_finding_it_names_and_no_other() -> None:
    (open_,) = changed()
    assert open_.blocks
    (waived,) = changed(waiver(fingerprint=open_.fingerprint))
    assert waived.standing is Disposition.WAIVED
    assert dict(waived.context)["waiver"] == "waived until 2026-03-01 by dana: agreed"
    (other,) = changed(waiver())
    assert other.blocks


@pytest.mark.parametrize(
    "named",
    [
        pytest.param({"contract": "sandbox"}, id="another contract"),
        pytest.param({"rule": "description-changed"}, id="another rule"),
        pytest.param({"element": "orders.note"}, id="another element"),
    ],
)
def test_a_waiver_that_reads_as_another_finding_excuses_nothing(named: dict[str, str]) -> None:
    (open_,) = changed()
    honest = {"contract": open_.contract, "rule": open_.rule, "element": open_.element}
    (waived,) = changed(waiver(fingerprint=open_.fingerprint, **honest))
    assert waived.standing is Disposition.WAIVED
    text = waiver(fingerprint=open_.fingerprint, **(honest | named))
    (still,) = changed(text)
    assert still.blocks
    (note,) = settings(text).waivers.note_unused([still])
    assert (note.rule, note.severity.value, note.blocks) == ("waiver-of-another", "warning", False)
    assert note.expected == f"{open_.contract} {open_.rule} {open_.element}"


def test_a_waiver_that_ran_out_excuses_nothing() -> None:
    (open_,) = changed()
    (still,) = changed(waiver(fingerprint=open_.fingerprint, expires="2026-01-01"))
    assert still.blocks


def test_the_waived_change_costs_nothing() -> None:
    (open_,) = changed()
    terms = GatePolicy(make_ruleset(), settings(waiver(fingerprint=open_.fingerprint)).waivers)
    result = judge(loaded(orders()), loaded(orders("1.0.0", columns=("order_id",))), terms)
    assert result.version is not None
    assert (result.version.required.value, result.version.next) == ("none", None)


def test_a_waiver_nobody_needs_is_told_and_does_not_block() -> None:
    waivers = settings(waiver()).waivers
    (found,) = changed()
    assert waivers.note_unused([replace(found, fingerprint=PRINT)]) == ()
    (note,) = waivers.note_unused([found])
    assert not note.blocks
    assert note.rule == "waiver-unused"


@pytest.mark.parametrize("fingerprint", [PRINT, "1234567890123456", "12345678901234e5"])
def test_the_offered_block_can_be_pasted(fingerprint: str) -> None:
    (found,) = changed()
    named = replace(found, fingerprint=fingerprint, element='a "quoted" one')
    block = "\n".join(waiver_block([named], date(2026, 3, 3)))
    signed = block.replace('reason: ""', "reason: agreed").replace('approver: ""', "approver: dana")
    pasted = settings(f"{signed}\n")
    assert pasted.findings == ()
    wanted = (fingerprint, named.contract, named.rule, named.element)
    assert pasted.waivers.find_in_force(*wanted) is not None
    assert pasted.waivers.items[0].element == 'a "quoted" one'
    assert settings(f"{block}\n").waivers.find_in_force(*wanted) is None  # nobody has signed it
