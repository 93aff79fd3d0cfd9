"""Quality rules are counted once per slot, over runs as they come: rechecks, tables that are down, enforcement."""

from __future__ import annotations

import pytest
from support.lineage_told import PEOPLE, people
from support.monitored import HOUR, Desk, settings, targets

from floe_contracts.monitor.store.protocol import RuleCount
from floe_contracts.monitor.store.totals import rules_in
from floe_contracts.results import CheckResult, Outcome
from floe_contracts.results.facts import read_result

ONCE = RuleCount(3, 1)  # three of four rules are met by customers of whom one has no address


@pytest.mark.parametrize(
    ("attempts", "counted"),
    [
        pytest.param(["up"], ONCE, id="one attempt"),
        pytest.param(["up", "up", "up"], ONCE, id="rechecks"),
        pytest.param(["up", "better"], ONCE, id="a recheck that finds other numbers"),
        pytest.param(["down"], RuleCount(), id="not done"),
        pytest.param(["down", "up"], ONCE, id="done in the second attempt"),
        pytest.param(["up", "down", "up"], ONCE, id="not done between"),
        pytest.param(["warn"], RuleCount(), id="not published"),
        pytest.param(["warn", "up"], ONCE, id="published in the second attempt"),
        pytest.param(["up", "warn", "up"], ONCE, id="not published between"),
    ],
)
def test_a_slot_counts_once(attempts: list[str], counted: RuleCount) -> None:
    desk = Desk()
    for attempt in attempts:
        desk.engine.tables["customers"] = people(
            *([HOUR] if attempt == "better" else [HOUR, HOUR]), down="it is away" if attempt == "down" else ""
        )
        enforcement = "warn" if attempt == "warn" else "alert_only"
        config = settings(data_contracts={"enforcement": enforcement})
        desk.run("quality", targets(PEOPLE, config=config), recheck=True)
    (totals,) = desk.store.totals("shop").values()
    (slot,) = desk.store.history(next(iter(desk.store.totals("shop"))), 0)
    assert (totals.rules, slot.claim.attempt) == (counted, len(attempts))


@pytest.mark.parametrize(
    ("outcome", "context", "found"),
    [
        pytest.param(Outcome.VIOLATED, {"rules": "4", "rules_failed": "1"}, ONCE, id="some not met"),
        pytest.param(Outcome.PASSED, {"rules": "4", "rules_failed": "0"}, RuleCount(4, 0), id="all met"),
        pytest.param(Outcome.ERRORED, {"rules": "4", "rules_failed": "0"}, None, id="not done"),
        pytest.param(Outcome.PASSED, {"rules": "0", "rules_failed": "0"}, None, id="no rule was judged"),
        pytest.param(Outcome.PASSED, {}, None, id="nothing is said"),
        pytest.param(Outcome.VIOLATED, {"rules": "1", "rules_failed": "2"}, None, id="more failed than were judged"),
        pytest.param(Outcome.PASSED, {"rules": "-1", "rules_failed": "many"}, None, id="no numbers"),
    ],
)
def test_what_a_result_says(outcome: Outcome, context: dict[str, str], found: RuleCount | None) -> None:
    assert rules_in(read_result(CheckResult("quality", "orders", outcome), context.items())) == found
