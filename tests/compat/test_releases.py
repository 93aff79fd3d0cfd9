"""Pre-releases and drafts promise nothing, and are no way around the promises of the last release."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.orders import loaded, orders

from floe_contracts.compat.gate import Comparison, as_base, gate
from floe_contracts.compat.release import is_release_of
from floe_contracts.compat.ruleset import make_ruleset
from floe_contracts.compat.verdict import GatePolicy
from floe_contracts.contract.load import Loaded
from floe_contracts.contract.version import declared_bump, needed_bump, parse_version
from floe_contracts.render.outline import step as describe_step
from floe_contracts.results import Bump, CheckResult

TODAY = date(2026, 5, 1)
SAME = ("order_id", "total")
LESS = ("order_id",)


@dataclass(frozen=True)
class State:
    """What the base branch holds at a time; no version means that the file is not there."""

    version: str
    columns: tuple[str, ...] = SAME
    status: str = "active"
    key: str = "shop-orders"

    @property
    def text(self) -> str:
        return orders(self.version, columns=self.columns, status=self.status, key=self.key)

    @property
    def is_release(self) -> bool:
        return bool(self.version) and "-" not in self.version and self.status != "draft"


def judged(past: list[State], new: State) -> CheckResult:
    """The answer of the gate to one more change of the file, with what the branch held before as its history."""

    def last_release(base: Loaded) -> Loaded | None:
        return next((item for item in _files(past[::-1]) if is_release_of(item, base)), None)

    report = gate(
        Comparison(
            tuple(_files(past[-1:])),
            tuple(_files([new])),
            GatePolicy(make_ruleset()),
            TODAY,
            last_release=last_release,
        ),
        tool_version="0",
        allow_empty=True,
    )
    return report.results[0]


def _files(states: list[State]) -> Iterator[Loaded]:
    yield from (as_base(loaded(state.text)) for state in states if state.version)


def rules(result: CheckResult) -> list[str]:
    return sorted(item.rule for item in result.findings if item.blocks)


ONE, RC, PATCH = State("1.0.0"), State("1.0.1-rc.1"), State("1.0.1")


@pytest.mark.parametrize(
    ("past", "new", "expected"),
    [
        pytest.param([ONE, RC], PATCH, [], id="a release without a break"),
        pytest.param([ONE, RC], State("1.0.1", LESS), ["property-removed"], id="a break on leaving the pre-release"),
        pytest.param(
            [ONE, RC, State("1.0.1-rc.2", LESS)],
            State("1.0.1", LESS),
            ["property-removed"],
            id="a break between pre-releases, released as it is",
        ),
        pytest.param([ONE, RC], State("1.0.1-rc.2", LESS), [], id="a break between two pre-releases"),
        pytest.param([ONE, State("1.1.0-rc.1", LESS)], State("2.0.0", LESS), [], id="released as MAJOR after all"),
        pytest.param([ONE, State("2.0.0-rc.1", LESS)], State("2.0.0", LESS), [], id="a pre-release of MAJOR"),
        pytest.param(
            [ONE, State("2.0.0-rc.1", LESS)], State("1.0.1", LESS), ["property-removed"], id="a MAJOR that was given up"
        ),
        pytest.param([State("0.1.0"), State("0.1.1-a", LESS)], State("0.1.1", LESS), ["property-removed"], id="0.x"),
        pytest.param([State("0.1.0"), State("0.2.0-a", LESS)], State("0.2.0", LESS), [], id="0.x with its MINOR"),
        pytest.param([RC], State("1.0.1", LESS), [], id="a first release"),
        pytest.param(
            [ONE, State("1.0.1-rc.1", LESS)],
            State("1.0.1-rc.1", LESS, key="b"),
            ["contract-id-changed", "property-removed"],
            id="another id",
        ),
        pytest.param([ONE, RC], State(""), ["contract-deleted"], id="a deletion"),
        pytest.param([RC], State(""), [], id="the deletion of what was never released"),
        pytest.param(
            [ONE, RC, State("1.0.1", LESS, "draft")], State("1.0.1", LESS), ["property-removed"], id="by way of a draft"
        ),
        pytest.param([ONE, State("2.0.0", LESS, "draft")], State("2.0.0", LESS), [], id="a draft of the next MAJOR"),
    ],
)
def test_leaving_what_promises_nothing(past: list[State], new: State, expected: list[str]) -> None:
    assert rules(judged(past, new)) == expected


def test_the_report_says_what_was_compared_and_what_to_write() -> None:
    result = judged([ONE, RC], State("1.0.1", LESS))
    (note,) = (item for item in result.findings if item.rule == "compared-with-release")
    assert "1.0.1-rc.1" in note.message
    assert "1.0.0" in note.message
    assert result.version is not None
    assert describe_step(result.version) == "1.0.0 → 1.0.1, needs 2.0.0"


@pytest.mark.parametrize(
    ("past", "new", "words"),
    [
        pytest.param([RC], State("1.0.1", LESS), "1.0.1-rc.1 → 1.0.1", id="a break that is only reported"),
        pytest.param([ONE], State("2.0.0", LESS), "1.0.0 → 2.0.0, covers a major change", id="a break with MAJOR"),
        pytest.param([State("0.1.0")], State("0.2.0", LESS), "0.1.0 → 0.2.0, covers a major change", id="below 1.0.0"),
        pytest.param([State("1.0.0", status="draft")], State("1.1.0", LESS, "draft"), "1.0.0 → 1.1.0", id="a draft"),
    ],
)
def test_only_what_is_covered_is_called_so(past: list[State], new: State, words: str) -> None:
    result = judged(past, new)
    assert result.version is not None
    assert describe_step(result.version) == words


versions = st.builds(
    lambda numbers, suffix: ".".join(map(str, numbers)) + suffix,
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)),
    st.sampled_from(["", "", "-rc.1", "-rc.2"]),
)
states = st.builds(
    State,
    version=versions,
    columns=st.sampled_from([SAME, LESS, (*SAME, "note")]),
    status=st.sampled_from(["active", "active", "active", "draft"]),
    key=st.sampled_from(["shop-orders"] * 5 + ["other"]),
)


@given(st.lists(states, min_size=3, max_size=9))
@settings(max_examples=150, deadline=None)
def test_no_break_is_released_without_its_bump_against_the_last_release(chain: list[State]) -> None:
    merged = chain[:1]
    for new in chain[1:]:
        if rules(judged(merged, new)):
            continue  # blocked, so it is never merged
        last = next((state for state in merged[::-1] if state.is_release), None)
        if last is not None and new.is_release and not set(last.columns) <= set(new.columns):
            old, version = parse_version(last.version), parse_version(new.version)
            assert old is not None
            assert version is not None
            assert declared_bump(old, version).rank >= needed_bump(old, Bump.MAJOR).rank
        merged.append(new)


VERSIONLESS = ["", '""', '"  "', "~", "[]", "1.0", "latest"]


@pytest.mark.parametrize("written", VERSIONLESS)
@pytest.mark.parametrize(
    ("columns", "version", "expected"),
    [
        pytest.param(SAME, "1.0.0", [], id="a change that only writes the version"),
        pytest.param((*SAME, "note"), "0.0.1", [], id="an addition with any version"),
        pytest.param(LESS, "7.0.0", ["property-removed"], id="a break with any version"),
    ],
)
def test_a_base_without_a_readable_version_is_compared(
    written: str, columns: tuple[str, ...], version: str, expected: list[str]
) -> None:
    result = judged([State(written or "#")], State(version, columns))
    assert rules(result) == expected
    assert "base-without-version" in {item.rule for item in result.findings}


def test_a_break_from_a_base_without_a_version_names_the_ways_out() -> None:
    result = judged([State('""')], State("2.0.0", LESS))
    (broken,) = (item for item in result.findings if item.blocks)
    assert "only writes the version" in broken.suggestions[0]
    assert "aive" in broken.suggestions[0]
    assert result.version is not None
    assert describe_step(result.version) == "no version → 2.0.0"


def test_a_draft_without_a_version_is_still_a_draft() -> None:
    assert rules(judged([State('""', status="draft")], State("1.0.0", LESS))) == []
