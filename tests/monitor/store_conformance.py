"""What every store must do, as tests over a factory: `StoreConformance` is inherited by the tests of each store.

A test module gives a fixture `store` (an empty Store) and a class that inherits this one.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from threading import Barrier, Thread

import pytest
from support.filled_slots import NOW, STALE, claimed, filled, key, outcome, stale, totals
from support.row_engine import actual

from floe_contracts.checks.moments import HOUR, MINUTE
from floe_contracts.codes import E550, E553, Severity, ViolationType
from floe_contracts.monitor.store.protocol import (
    DURATION_BOUNDS,
    INTERVAL_GAUGE,
    AlreadyDone,
    Busy,
    Claim,
    Committed,
    Lost,
    PartitionState,
    RuleCount,
    SeenSchema,
    SeriesTotals,
    Store,
    Violation,
)
from floe_contracts.results import CheckResult, Finding, Location, Outcome
from floe_contracts.results.facts import FindingFacts


class StoreConformance:
    """Claims, immutability, counting, gauges, history, memory."""

    def test_a_free_slot_is_claimed_as_the_first_attempt(self, store: Store) -> None:
        found = claimed(store, key(), lease_us=MINUTE)
        assert (found.key, found.attempt, found.expires_us) == (key(), 1, NOW + MINUTE)

    def test_a_claimed_slot_is_busy_until_its_lease_ends(self, store: Store) -> None:
        claimed(store, key(), lease_us=MINUTE)
        assert store.claim(key(), now_us=NOW + MINUTE - 1) == Busy(NOW + MINUTE)
        assert claimed(store, key(), NOW + MINUTE).attempt == 2

    def test_another_slot_is_free_meanwhile(self, store: Store) -> None:
        claimed(store, key())
        others = (key(1), key(contract="items"), key(major=2), key(check_type="quality"), key(namespace="x"))
        assert [claimed(store, one).attempt for one in (*others, key(interval_us=MINUTE))] == [1] * 6

    def test_a_finished_slot_answers_with_what_was_found(self, store: Store) -> None:
        claim = claimed(store, key())
        done = outcome(claim, Outcome.VIOLATED, violations=(stale(),), gauges=(("age", Decimal("8.5")),))
        store.commit(done, now_us=NOW)
        assert store.claim(key(), now_us=NOW + 9 * HOUR) == AlreadyDone(done)

    def test_findings_survive_with_everything_they_say(self, store: Store) -> None:
        found = Finding.of(
            E550,
            "too-old",
            "Data is 8 hours old, SLA is 6 hours",
            contract="orders",
            element="updated_at",
            location=Location("contracts/orders.yaml", 3, 7),
            expected="PT6H",
            actual="PT8H",
            suggestions=("Look at the run.",),
            facts=FindingFacts(table="orders", sla="freshness"),
        )
        result = CheckResult("freshness", "orders", Outcome.VIOLATED, "contracts/orders.yaml", (found,))
        filled(store, key(), result=Outcome.PASSED)
        filled(store, key(1), Outcome.VIOLATED)
        claim = claimed(store, key(2))
        store.commit(replace(outcome(claim), result=result), now_us=NOW)
        assert store.history(key().series, 0)[0].result == result

    @pytest.mark.parametrize("first", [Outcome.PASSED, Outcome.VIOLATED, Outcome.SKIPPED])
    def test_a_finished_slot_is_immutable(self, store: Store, first: Outcome) -> None:
        claim = claimed(store, key())
        store.commit(outcome(claim, first), now_us=NOW)
        assert isinstance(store.commit(outcome(claim, Outcome.PASSED, label="forged"), now_us=NOW), Lost)
        found = store.claim(key(), now_us=NOW)
        assert isinstance(found, AlreadyDone)
        assert (found.outcome.result.outcome, found.outcome.label) == (first, "orders")

    def test_an_errored_slot_may_be_tried_again(self, store: Store) -> None:
        filled(store, key(), Outcome.ERRORED)
        assert claimed(store, key()).attempt == 2

    def test_a_recheck_is_a_new_attempt_and_replaces_the_last(self, store: Store) -> None:
        filled(store, key(), Outcome.VIOLATED)
        filled(store, key(), Outcome.PASSED, recheck=True)
        found = store.claim(key(), now_us=NOW)
        assert isinstance(found, AlreadyDone)
        assert (found.outcome.claim.attempt, found.outcome.result.outcome) == (2, Outcome.PASSED)
        assert len(store.history(key().series, 0)) == 1

    def test_a_new_attempt_knows_what_the_last_one_found(self, store: Store) -> None:
        assert claimed(store, key(1)).previous is None
        first = outcome(claimed(store, key()), Outcome.VIOLATED, violations=(stale(),), first_us=NOW)
        store.commit(first, now_us=NOW)
        assert claimed(store, key(), recheck=True).previous == first

    def test_a_recheck_of_a_busy_slot_waits_too(self, store: Store) -> None:
        claimed(store, key())
        assert isinstance(store.claim(key(), now_us=NOW, recheck=True), Busy)

    def test_who_lost_the_lease_cannot_commit(self, store: Store) -> None:
        slow = claimed(store, key(), lease_us=MINUTE)
        quick = claimed(store, key(), NOW + MINUTE)
        assert isinstance(store.commit(outcome(slow, violations=(stale(mark="slow"),)), now_us=NOW + MINUTE), Lost)
        assert store.commit(outcome(quick, violations=(stale(),)), now_us=NOW + MINUTE) == Committed((stale(),))
        assert totals(store, key()).counters == {STALE: 1}

    def test_a_late_commit_counts_when_nobody_took_the_slot(self, store: Store) -> None:
        claim = claimed(store, key(), lease_us=MINUTE)
        assert isinstance(store.commit(outcome(claim), now_us=NOW + HOUR), Committed)

    def test_a_slot_that_is_given_back_is_free_at_once(self, store: Store) -> None:
        claim = claimed(store, key())
        store.release(claim)
        assert claimed(store, key()).attempt == 2
        assert isinstance(store.commit(outcome(claim), now_us=NOW), Lost)

    def test_giving_back_what_another_holds_does_nothing(self, store: Store) -> None:
        slow = claimed(store, key(), lease_us=MINUTE)
        claimed(store, key(), NOW + MINUTE)
        store.release(slow)
        assert isinstance(store.claim(key(), now_us=NOW + MINUTE), Busy)

    def test_violations_add_up(self, store: Store) -> None:
        filled(store, key(), Outcome.VIOLATED, violations=(stale(), stale(mark="b", severity=Severity.ERROR)))
        filled(store, key(1), Outcome.VIOLATED, violations=(stale(NOW + HOUR),))
        assert totals(store, key()).counters == {STALE: 2, (ViolationType.FRESHNESS, Severity.ERROR): 1}

    def test_a_recheck_adds_only_what_is_new(self, store: Store) -> None:
        filled(store, key(), Outcome.VIOLATED, violations=(stale(),))
        new = stale(mark="b")
        again = filled(store, key(), Outcome.VIOLATED, violations=(stale(), new), recheck=True)
        assert again.counted == (new,)
        assert totals(store, key()).counters == {STALE: 2}

    def test_counters_never_fall(self, store: Store) -> None:
        filled(store, key(), Outcome.VIOLATED, violations=(stale(),))
        filled(store, key(), Outcome.PASSED, recheck=True)
        filled(store, key(1))
        assert totals(store, key()).counters == {STALE: 1}

    def test_rules_are_counted_once_per_slot(self, store: Store) -> None:
        """Also when the attempt between could not be done: each attempt knows what its slot has counted."""
        first, other = RuleCount(3, 1), RuleCount(2, 0)
        filled(store, key(), Outcome.ERRORED)
        filled(store, key(), Outcome.VIOLATED, rules=first)
        filled(store, key(), Outcome.ERRORED, rules=first, recheck=True)
        filled(store, key(), Outcome.PASSED, rules=first)
        filled(store, key(1), Outcome.PASSED, rules=other)
        filled(store, key(-1), Outcome.SKIPPED)
        assert totals(store, key()).rules == RuleCount(5, 1)

    def test_another_promise_is_a_new_attempt_of_a_finished_slot(self, store: Store) -> None:
        first = claimed(store, key(), promise="a")
        store.commit(outcome(first), now_us=NOW)
        assert isinstance(store.claim(key(), now_us=NOW, promise="a"), AlreadyDone)
        assert isinstance(store.claim(key(), now_us=NOW), AlreadyDone)
        again = claimed(store, key(), promise="b")
        assert (again.attempt, again.promise, again.previous and again.previous.claim.promise) == (2, "b", "a")

    def test_a_promise_that_nobody_kept_is_taken_for_the_same(self, store: Store) -> None:
        filled(store, key())
        assert isinstance(store.claim(key(), now_us=NOW, promise="a"), AlreadyDone)

    def test_a_slot_is_done_for_the_promise_it_was_filled_for(self, store: Store) -> None:
        assert not store.is_done(key(), "a")
        claim = claimed(store, key(), promise="a")
        assert not store.is_done(key(), "a")
        store.commit(outcome(claim), now_us=NOW)
        assert [store.is_done(key(), promise) for promise in ("a", "", "b")] == [True, True, False]

    def test_an_errored_slot_is_not_done(self, store: Store) -> None:
        filled(store, key(), Outcome.ERRORED)
        assert not store.is_done(key())

    def test_a_forgotten_slot_is_done(self, store: Store) -> None:
        filled(store, key())
        store.prune(NOW + HOUR)
        assert store.is_done(key(), "a")

    def test_rules_are_counted_once_per_slot_and_promise(self, store: Store) -> None:
        for promise, rules, counted in (("a", RuleCount(3, 1), ("a",)), ("b", RuleCount(2, 0), ("a", "b"))):
            claim = claimed(store, key(), promise=promise)
            store.commit(outcome(claim, rules=rules, counted=counted), now_us=NOW)
        back = claimed(store, key(), promise="a")
        store.commit(outcome(back, rules=RuleCount(9, 9), counted=("a", "b")), now_us=NOW)
        assert totals(store, key()).rules == RuleCount(5, 1)

    def test_the_worst_stream_of_a_series_is_its_state(self, store: Store) -> None:
        """Streams of several tables share a series: a good batch of one does not hide what another violates."""

        def batch(table: str, number: int, result: Outcome, score: int) -> SeriesTotals:
            run = key(run_id=f"stream:{table}@ab:{number}", interval_us=0, start_us=0)
            gauges = (("score", Decimal(score)),)
            filled(store, run, result, gauges=gauges, as_of_us=NOW + number)
            return totals(store, run)

        stands = [
            batch("orders", 1, Outcome.VIOLATED, 60),
            batch("items", 2, Outcome.PASSED, 100),
            batch("items", 3, Outcome.ERRORED, 0),
            batch("orders", 4, Outcome.PASSED, 99),
            batch("items", 5, Outcome.PASSED, 100),
        ]
        assert [(one.state, int(one.gauges["score"])) for one in stands] == [
            (Outcome.VIOLATED, 60),
            (Outcome.VIOLATED, 60),
            (Outcome.VIOLATED, 60),
            (Outcome.ERRORED, 0),
            (Outcome.PASSED, 100),
        ]
        assert [one.since_us for one in stands] == [NOW + 1, NOW + 1, NOW + 1, NOW + 4, NOW + 5]

    def test_a_check_of_all_tables_replaces_its_streams(self, store: Store) -> None:
        run = key(run_id="stream:orders@ab:1", interval_us=0, start_us=0)
        filled(store, run, Outcome.VIOLATED, as_of_us=NOW)
        filled(store, key(1), Outcome.PASSED)
        assert (totals(store, key()).state, totals(store, key()).streams) == (Outcome.PASSED, {})

    def test_a_series_that_is_gone_is_marked_once_and_told_of(self, store: Store) -> None:
        filled(store, key(), project="shop")
        filled(store, key(contract="items"))
        before = {group.check_type: group.revision for group in store.outbox.groups()}
        missing = key(contract="ghosts").series
        assert [store.mark_gone([key().series, missing], NOW + each) for each in (1, 2)] == [1, 0]
        assert (totals(store, key()).gone_us, totals(store, key()).project) == (NOW + 1, "shop")
        assert totals(store, key(contract="items")).gone_us is None
        assert {group.check_type: group.revision for group in store.outbox.groups()}["freshness"] > before["freshness"]
        assert len(store.history(key().series, 0)) == 1

    def test_a_series_that_is_gone_comes_back_with_its_next_result(self, store: Store) -> None:
        filled(store, key(), Outcome.VIOLATED, violations=(stale(),))
        store.mark_gone([key().series], NOW)
        filled(store, key(1))
        assert (totals(store, key()).gone_us, totals(store, key()).counters) == (None, {STALE: 1})

    def test_one_missed_deadline_is_one_violation_however_many_slots_see_it(self, store: Store) -> None:
        deadline = NOW - 5 * HOUR
        counted = [filled(store, key(slot), Outcome.VIOLATED, violations=(stale(deadline),)).counted for slot in (0, 1)]
        assert [len(one) for one in counted] == [1, 0]

    def test_the_same_violation_on_another_contract_counts_apart(self, store: Store) -> None:
        filled(store, key(), Outcome.VIOLATED, violations=(stale(),))
        filled(store, key(contract="items"), Outcome.VIOLATED, violations=(stale(),))
        assert totals(store, key(contract="items")).counters == {STALE: 1}

    def test_what_is_not_published_is_remembered_and_not_counted(self, store: Store) -> None:
        filled(store, key(), Outcome.VIOLATED, violations=(stale(),), gauges=(("up", Decimal(0)),), published=False)
        assert (totals(store, key()).counters, totals(store, key()).gauges) == ({}, {})
        assert store.history(key().series, 0)[0].violations == (stale(),)
        assert store.gauge_history(key().series, "up", 0) == ((NOW, Decimal(0)),)

    def test_gauges_move_forward_only(self, store: Store) -> None:
        filled(store, key(2), gauges=(("age", Decimal(2)),))
        filled(store, key(1), gauges=(("age", Decimal(1)), ("rows", Decimal(5))))
        assert totals(store, key()).gauges == {"age": Decimal(2)}
        filled(store, key(3), gauges=(("age", Decimal("3.25")),))
        assert totals(store, key()).gauges["age"] == Decimal("3.25")

    def test_a_recheck_of_the_newest_slot_moves_its_gauge(self, store: Store) -> None:
        filled(store, key(), gauges=(("age", Decimal(2)),))
        filled(store, key(), gauges=(("age", Decimal(1)),), recheck=True)
        assert totals(store, key()).gauges == {"age": Decimal(1)}

    def test_a_gauge_that_was_not_measured_stays(self, store: Store) -> None:
        filled(store, key(), gauges=(("age", Decimal(2)),))
        filled(store, key(1), Outcome.ERRORED)
        assert totals(store, key()).gauges == {"age": Decimal(2)}

    @pytest.mark.parametrize("result", [Outcome.PASSED, Outcome.VIOLATED])
    def test_a_gauge_that_is_no_longer_measured_goes(self, store: Store, result: Outcome) -> None:
        filled(store, key(), gauges=(("age", Decimal(2)), ("late_rows", Decimal(3))))
        filled(store, key(1), result, gauges=(("late_rows", Decimal(1)),))
        assert totals(store, key()).gauges == {"late_rows": Decimal(1)}

    def test_the_newest_measurement_wins_whether_scheduled_or_after_a_run(self, store: Store) -> None:
        run = key(interval_us=0, start_us=0, run_id="run-7")
        filled(store, run, Outcome.VIOLATED, as_of_us=NOW + MINUTE, gauges=(("age", Decimal(9)),))
        filled(store, key(), as_of_us=NOW + 2 * MINUTE, gauges=(("age", Decimal(1)),))
        found = totals(store, key())
        assert (found.state, found.gauges, found.interval_us) == (Outcome.PASSED, {"age": Decimal(1)}, HOUR)
        filled(store, key(1), as_of_us=NOW + MINUTE, gauges=(("age", Decimal(5)),))
        assert totals(store, key()).gauges == {"age": Decimal(1)}

    def test_a_check_after_a_run_leaves_how_often_the_check_is_scheduled(self, store: Store) -> None:
        every = (INTERVAL_GAUGE, Decimal(3600))
        filled(store, key(), gauges=(every, ("age", Decimal(2))))
        filled(store, key(interval_us=0, start_us=0, run_id="run-7"), as_of_us=NOW + MINUTE)
        found = totals(store, key())
        assert (found.interval_us, found.gauges) == (HOUR, dict([every]))

    def test_totals_say_whether_the_newest_measurement_is_published(self, store: Store) -> None:
        filled(store, key(), gauges=(("age", Decimal(2)),))
        filled(store, key(1), published=False)
        filled(store, key(0), recheck=True)
        assert (totals(store, key()).published, totals(store, key()).gauges) == (False, {})
        filled(store, key(2))
        assert totals(store, key()).published

    def test_errors_and_last_slots(self, store: Store) -> None:
        filled(store, key(0))
        filled(store, key(1), Outcome.ERRORED)
        found = totals(store, key())
        assert (found.errors, found.last_done_us, found.last_run_us) == (1, NOW, NOW + HOUR)

    def test_durations_fall_into_buckets(self, store: Store) -> None:
        for slot, seconds in enumerate(("0.5", "0.6", "99999")):
            filled(store, key(slot), seconds=Decimal(seconds))
        found = totals(store, key())
        assert (found.durations[0], found.durations[1], found.durations[-1]) == (1, 1, 1)
        assert (len(found.durations), found.duration_sum) == (len(DURATION_BOUNDS) + 1, Decimal("100000.1"))

    def test_totals_belong_to_one_namespace(self, store: Store) -> None:
        filled(store, key(namespace="other"))
        assert store.totals("shop") == {}
        assert [series.contract for series in store.totals("other")] == ["orders"]

    def test_history_is_newest_first_and_within_its_bounds(self, store: Store) -> None:
        for slot in (1, 3, 0, 2):
            filled(store, key(slot))
        found = store.history(key().series, NOW + HOUR, NOW + 3 * HOUR)
        assert [one.key for one in found] == [key(2), key(1)]
        assert [one.key for one in store.history(key().series, 0, limit=1)] == [key(3)]

    def test_history_belongs_to_one_series(self, store: Store) -> None:
        for one in (key(contract="items"), key(major=2), key(check_type="quality"), key(namespace="x")):
            filled(store, one)
        assert store.history(key().series, 0) == ()

    def test_history_of_runs_stands_at_the_moment_of_the_check(self, store: Store) -> None:
        run = key(interval_us=0, start_us=0, run_id="run-7")
        filled(store, run)
        assert [one.key.run_id for one in store.history(run.series, NOW)] == ["run-7"]

    @pytest.mark.parametrize(
        ("like", "found"),
        [
            pytest.param("", [""], id="intervals"),
            pytest.param("nightly", ["run-7"], id="runs of pipelines"),
            pytest.param("stream:orders@c2:0", ["stream:orders:stopped:5", "stream:orders@c1:1"], id="one stream"),
        ],
    )
    def test_history_of_one_kind_is_not_crowded_out_by_others(self, store: Store, like: str, found: list[str]) -> None:
        runs = ("run-7", "stream:orders@c1:1", "stream:orders:stopped:5", "stream:Orders@c1:2", "stream:orders_eu@c:3")
        filled(store, key())
        for minute, name in enumerate(runs):
            filled(store, key(interval_us=0, start_us=0, run_id=name), as_of_us=NOW + minute + 1)
        asked = key(interval_us=0, start_us=0, run_id=like)
        seen = store.history(key().series, 0, limit=len(found), like=asked)
        assert [one.key.run_id for one in seen] == found

    def test_the_values_of_one_gauge_over_time(self, store: Store) -> None:
        for slot, up in enumerate((1, 0, 1)):
            filled(store, key(slot), gauges=(("up", Decimal(up)), ("age", Decimal(9))))
        assert store.gauge_history(key().series, "up", NOW + HOUR) == (
            (NOW + 2 * HOUR, Decimal(1)),
            (NOW + HOUR, Decimal(0)),
        )

    def test_the_last_schema_comes_with_the_outcome(self, store: Store) -> None:
        columns = actual(id="bigint", amount="decimal(12,2)")
        assert store.last_schema("orders") is None
        filled(store, key(), schemas=(SeenSchema("orders", columns),))
        assert store.last_schema("orders") == columns

    def test_a_nested_schema_survives(self, store: Store) -> None:
        inner = actual(street="string", number="int")
        columns = (replace(actual(address="struct<street:string,number:int>")[0], children=inner, nullable=False),)
        filled(store, key(), schemas=(SeenSchema("orders", columns),))
        assert store.last_schema("orders") == columns

    def test_an_older_slot_does_not_overwrite_a_newer_schema(self, store: Store) -> None:
        new, old = actual(id="bigint"), actual(id="int")
        filled(store, key(1), schemas=(SeenSchema("orders", new),))
        filled(store, key(0), schemas=(SeenSchema("orders", old),))
        assert store.last_schema("orders") == new

    def test_states_come_with_the_outcome_and_replace_those_of_the_table(self, store: Store) -> None:
        def state(partition: str, plan: str = "p1", table: str = "orders") -> PartitionState:
            return PartitionState(table, plan, partition, "files", b"\x00\xff state")

        filled(store, key(0), states=(state("a"), state("b"), state("a", table="items")))
        assert store.partition_states("orders", "p1") == (state("a"), state("b"))
        filled(store, key(1), states=(state("b", "p2"),))
        assert store.partition_states("orders", "p1") == ()
        assert store.partition_states("orders", "p2") == (state("b", "p2"),)
        assert store.partition_states("items", "p1") == (state("a", table="items"),)

    def test_an_outcome_without_states_leaves_them(self, store: Store) -> None:
        kept = PartitionState("orders", "p1", "a", "f", b"1")
        filled(store, key(0), states=(kept,))
        filled(store, key(1))
        assert store.partition_states("orders", "p1") == (kept,)

    def test_a_lost_commit_writes_nothing_at_all(self, store: Store) -> None:
        slow = claimed(store, key(), lease_us=MINUTE)
        claimed(store, key(), NOW + MINUTE)
        lost = outcome(
            slow,
            violations=(stale(),),
            gauges=(("age", Decimal(1)),),
            schemas=(SeenSchema("orders", actual(id="int")),),
            states=(PartitionState("orders", "p", "a", "f"),),
        )
        assert isinstance(store.commit(lost, now_us=NOW + MINUTE), Lost)
        assert (store.last_schema("orders"), store.partition_states("orders", "p")) == (None, ())
        assert store.totals("shop").get(key().series, SeriesTotals()) == SeriesTotals()

    def test_of_many_who_claim_at_once_one_gets_the_slot(self, store: Store) -> None:
        found: list[object] = []
        ready = Barrier(8)

        def claim() -> None:
            ready.wait()
            found.append(store.claim(key(), now_us=NOW))

        threads = [Thread(target=claim) for _ in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert sum(isinstance(one, Claim) for one in found) == 1
        assert sum(isinstance(one, Busy) for one in found) == 7

    def test_every_kind_and_severity_counts_apart(self, store: Store) -> None:
        violations = tuple(
            Violation(kind, severity, f"{kind.value}{severity.value}", NOW)
            for kind in ViolationType
            for severity in Severity
        )
        filled(store, key(), Outcome.VIOLATED, violations=violations)
        assert len(totals(store, key()).counters) == len(ViolationType) * len(Severity)
        assert E553.violation_type in {kind for kind, _ in totals(store, key()).counters}
