"""What every store must do about time, as tests over a fixture `store`: what it forgets, and where series stand."""

from __future__ import annotations

from decimal import Decimal

from support.filled_slots import NOW, STALE, claimed, filled, key, outcome, stale, totals

from floe_contracts.checks.moments import HOUR, MINUTE
from floe_contracts.monitor.store.outbox import Message
from floe_contracts.monitor.store.protocol import Claim, Expired, Filled, Lost, Pruned, Store
from floe_contracts.monitor.store.slots import SlotKey
from floe_contracts.results import Outcome

CUT = NOW + 2 * HOUR


def run(name: str = "run-7") -> SlotKey:
    return key(interval_us=0, start_us=0, run_id=name)


class PruningConformance:
    """Nothing is counted twice, whatever was forgotten."""

    def test_older_slots_are_forgotten_and_refused(self, store: Store) -> None:
        for slot in range(4):
            filled(store, key(slot), gauges=(("age", Decimal(slot)),))
        assert store.prune(CUT) == Pruned(slots=2)
        assert [one.key for one in store.history(key().series, 0)] == [key(3), key(2)]
        assert len(store.gauge_history(key().series, "age", 0)) == 2
        assert store.claim(key(1), now_us=CUT, recheck=True) == Expired(CUT)
        assert claimed(store, key(2), CUT, recheck=True).attempt == 2

    def test_totals_stay_as_they_are(self, store: Store) -> None:
        for slot in range(3):
            filled(store, key(slot), violations=(stale(NOW + slot * HOUR),), gauges=(("age", Decimal(slot)),))
        before = totals(store, key())
        store.prune(CUT)
        assert totals(store, key()) == before
        assert before.counters == {STALE: 3}

    def test_series_that_are_older_altogether_are_forgotten(self, store: Store) -> None:
        filled(store, key(contract="retired"))
        filled(store, key(5))
        assert store.prune(CUT) == Pruned(slots=1, series=1)
        assert list(store.totals("shop")) == [key().series]
        assert store.namespaces() == ("shop",)

    def test_a_series_that_comes_back_begins_anew(self, store: Store) -> None:
        filled(store, key(), violations=(stale(),), gauges=(("age", Decimal(9)),))
        store.prune(CUT)
        filled(store, key(4), gauges=(("rows", Decimal(1)),))
        assert (totals(store, key()).counters, totals(store, key()).gauges) == ({}, {"rows": Decimal(1)})

    def test_pruning_again_finds_nothing_and_never_goes_back(self, store: Store) -> None:
        filled(store, key())
        store.prune(CUT)
        assert store.prune(CUT) == Pruned()
        assert store.prune(NOW - HOUR) == Pruned()
        assert store.claim(key(1), now_us=CUT) == Expired(CUT)

    def test_who_works_on_a_forgotten_slot_cannot_commit(self, store: Store) -> None:
        claim = claimed(store, key())
        assert store.prune(CUT).slots == 1
        assert isinstance(store.commit(outcome(claim, violations=(stale(),)), now_us=CUT), Lost)
        assert store.totals("shop") == {}

    def test_an_old_deadline_is_not_counted_again(self, store: Store) -> None:
        deadline = NOW - HOUR
        filled(store, key(), violations=(stale(deadline),))
        store.prune(CUT)
        assert filled(store, key(3), violations=(stale(deadline),)).counted == ()

    def test_a_deadline_that_is_still_seen_stays_known(self, store: Store) -> None:
        deadline = NOW - HOUR
        for slot in (0, 3):
            filled(store, key(slot), violations=(stale(deadline),))
        store.prune(CUT)
        assert filled(store, key(4), violations=(stale(deadline),)).counted == ()
        assert totals(store, key()).counters == {STALE: 1}

    def test_a_recheck_of_a_kept_slot_counts_only_what_is_new(self, store: Store) -> None:
        slot_us = NOW + 3 * HOUR
        filled(store, key(3), violations=(stale(slot_us),))
        store.prune(CUT)
        again = filled(store, key(3), violations=(stale(slot_us), stale(slot_us, "b")), recheck=True)
        assert again.counted == (stale(slot_us, "b"),)

    def test_a_forgotten_run_is_refused_by_its_name(self, store: Store) -> None:
        filled(store, run(), as_of_us=NOW)
        filled(store, run("newer"), as_of_us=CUT)
        assert store.prune(CUT).slots == 1
        assert store.claim(run(), now_us=CUT, recheck=True) == Expired(CUT)
        assert claimed(store, run("newer"), recheck=True).attempt == 2
        assert store.prune(CUT + HOUR).slots == 1
        assert isinstance(store.claim(run(), now_us=CUT), Expired)

    def test_a_run_without_a_result_may_begin_again(self, store: Store) -> None:
        claim = claimed(store, run(), lease_us=MINUTE)
        assert store.prune(NOW + MINUTE).slots == 0
        assert store.prune(NOW + MINUTE + 1).slots == 1
        assert isinstance(store.claim(run(), now_us=CUT), Claim)
        assert isinstance(store.commit(outcome(claim, label="late"), now_us=CUT), Lost)

    def test_a_run_that_was_given_back_is_of_no_time(self, store: Store) -> None:
        store.release(claimed(store, run()))
        assert store.prune(1).slots == 1

    def test_a_run_that_is_rechecked_is_as_old_as_its_result(self, store: Store) -> None:
        filled(store, run(), as_of_us=NOW)
        store.release(claimed(store, run(), CUT, recheck=True))
        assert [one.key for one in store.history(run().series, NOW)] == [run()]
        assert store.prune(CUT).slots == 1
        assert isinstance(store.claim(run(), now_us=CUT), Expired)

    def test_old_messages_become_dead_letters_and_then_go(self, store: Store) -> None:
        for slot in (0, 3):
            message = Message("lineage", "START", b"%d" % slot)
            store.commit(outcome(claimed(store, key(slot))), now_us=NOW + slot * HOUR, messages=(message,))
        assert store.prune(CUT).messages == 0
        (backlog,) = store.outbox.backlog()
        assert (backlog.pending, backlog.dead) == (1, 1)
        assert store.prune(CUT).messages == 1
        assert store.outbox.backlog()[0].dead == 0

    def test_where_a_series_stands_and_since_when(self, store: Store) -> None:
        for slot, result in enumerate((Outcome.PASSED, Outcome.VIOLATED, Outcome.VIOLATED)):
            filled(store, key(slot), result)
        found = totals(store, key())
        assert (found.state, found.since_us, found.interval_us) == (Outcome.VIOLATED, NOW + HOUR, HOUR)
        filled(store, key(1), Outcome.PASSED, recheck=True)
        assert totals(store, key()).state is Outcome.VIOLATED

    def test_names_are_those_of_the_last_outcome(self, store: Store) -> None:
        filled(store, key(), label="orders", version="1.0.0")
        filled(store, key(1), label="orders.v1", version="1.1.0")
        assert (totals(store, key()).label, totals(store, key()).version) == ("orders.v1", "1.1.0")

    def test_namespaces_are_those_with_results(self, store: Store) -> None:
        claimed(store, key(namespace="empty"))
        for name in ("shop", "bank"):
            filled(store, key(namespace=name))
        assert store.namespaces() == ("bank", "shop")

    def test_slots_with_a_result_by_series_and_interval(self, store: Store) -> None:
        for one in (key(1), key(2), key(4), key(2, interval_us=MINUTE), key(2, contract="items"), run()):
            filled(store, one)
        claimed(store, key(5))
        store.release(claimed(store, key(6)))
        filled(store, key(namespace="other"))
        assert store.filled("shop", NOW + 2 * HOUR) == {
            (key().series, HOUR): Filled(NOW + 2 * HOUR, 2),
            (key().series, MINUTE): Filled(NOW + 2 * HOUR, 1),
            (key(contract="items").series, HOUR): Filled(NOW + 2 * HOUR, 1),
        }

    def test_names_that_look_alike_stay_apart(self, store: Store) -> None:
        names = ("a|b", "a", "a%7Cb", "ä", "A", "a ")
        for name in names:
            filled(store, key(contract=name), violations=(stale(),))
        assert sorted(one.contract for one in store.totals("shop")) == sorted(names)
        assert all(total.counters == {STALE: 1} for total in store.totals("shop").values())
