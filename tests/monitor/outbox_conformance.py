"""What the outbox of every store must do, as tests over a fixture `store`: messages, dead letters, groups, locks."""

from __future__ import annotations

from threading import Event, Thread, Timer

from support.filled_slots import NOW, claimed, filled, key, outcome

from floe_contracts.checks.moments import HOUR
from floe_contracts.monitor.store.outbox import Backlog, Message, MetricsGroup, Pending
from floe_contracts.monitor.store.protocol import Committed, Lost, Store
from floe_contracts.monitor.store.slots import SlotKey
from floe_contracts.results import Outcome

START, END = Message("lineage", "START", b"\x00{}\xff"), Message("lineage", "FAIL", b'{"run": 1}')
CHAT = Message("chat", "alert", b"hello")


def told(store: Store, one: SlotKey, *messages: Message, now_us: int = NOW) -> None:
    answer = store.commit(outcome(claimed(store, one)), now_us=now_us, messages=messages)
    assert isinstance(answer, Committed), answer


def waiting(store: Store, sink: str = "lineage") -> list[Pending]:
    return list(store.outbox.pending(sink))


class OutboxConformance:
    """Messages wait in order until they are delivered, and groups until every mirror has seen them."""

    def test_messages_wait_with_their_bytes_and_their_name(self, store: Store) -> None:
        told(store, key(), START, CHAT, END)
        first, last = waiting(store)
        assert (first.message, last.message) == (START, END)
        assert (first.series, first.slot, first.attempt) == (str(key().series), str(key()), 1)
        assert (first.sequence, last.sequence, first.since_us, first.tries) == (0, 2, NOW, 0)
        assert [one.message for one in waiting(store, "chat")] == [CHAT]

    def test_a_lost_commit_tells_nobody(self, store: Store) -> None:
        slow = claimed(store, key(), lease_us=1)
        claimed(store, key(), NOW + 1)
        assert isinstance(store.commit(outcome(slow), now_us=NOW, messages=(START,)), Lost)
        assert waiting(store) == []

    def test_messages_come_in_the_order_of_their_commits_and_by_pages(self, store: Store) -> None:
        for slot in range(3):
            told(store, key(slot), START, END)
        found = waiting(store)
        assert [one.slot for one in found] == [str(key(slot)) for slot in (0, 0, 1, 1, 2, 2)]
        assert list(store.outbox.pending("lineage", limit=2)) == found[:2]
        assert list(store.outbox.pending("lineage", after=found[1].id, limit=3)) == found[2:5]

    def test_what_was_delivered_is_gone_and_its_number_is_never_given_again(self, store: Store) -> None:
        told(store, key(), START)
        (one,) = waiting(store)
        store.outbox.mark_delivered(one)
        store.outbox.mark_delivered(one)
        assert waiting(store) == []
        told(store, key(1), START)
        assert waiting(store)[0].id > one.id

    def test_a_try_in_vain_is_remembered(self, store: Store) -> None:
        told(store, key(), START)
        for reason in ("no answer", "503"):
            store.outbox.mark_failed(waiting(store)[0], reason, due_us=NOW + HOUR)
        (one,) = waiting(store)
        assert (one.tries, one.reason, one.due_us) == (2, "503", NOW + HOUR)

    def test_what_is_refused_is_in_nobodys_way_until_it_is_revived(self, store: Store) -> None:
        told(store, key(), START, END)
        first, last = waiting(store)
        store.outbox.mark_failed(first, "503", due_us=NOW + HOUR)
        store.outbox.bury(first, "422")
        assert waiting(store) == [last]
        assert store.outbox.revive("chat") == 0
        assert store.outbox.revive("lineage") == 1
        again, _ = waiting(store)
        assert (again.id, again.message, again.tries, again.due_us) == (first.id, START, 2, 0)

    def test_a_dead_letter_is_neither_delivered_nor_tried(self, store: Store) -> None:
        told(store, key(), START)
        (one,) = waiting(store)
        store.outbox.bury(one, "422")
        store.outbox.mark_delivered(one)
        store.outbox.mark_failed(one, "503")
        store.outbox.bury(one, "400")
        assert store.outbox.backlog() == (Backlog("lineage", 0, 1, None, "422"),)

    def test_the_backlog_by_sink(self, store: Store) -> None:
        assert store.outbox.backlog() == ()
        told(store, key(), START, CHAT, now_us=NOW)
        told(store, key(1), START, END, now_us=NOW + 5)
        first, second, _ = waiting(store)
        store.outbox.mark_failed(second, "no answer")
        store.outbox.bury(first, "422")
        assert store.outbox.backlog() == (
            Backlog("chat", 1, 0, NOW),
            Backlog("lineage", 2, 1, NOW + 5, "422"),
        )

    def test_a_group_is_pushed_when_it_changed_and_to_each_mirror(self, store: Store) -> None:
        filled(store, key())
        filled(store, key(contract="items"))
        (group,) = store.outbox.unpushed("gateway")
        assert (group.namespace, group.check_type) == ("shop", "freshness")
        assert store.outbox.groups() == (group,)
        store.outbox.mark_pushed("gateway", group)
        assert store.outbox.unpushed("gateway") == ()
        assert store.outbox.unpushed("other") == (group,)
        filled(store, key(1), Outcome.ERRORED)
        (again,) = store.outbox.unpushed("gateway")
        assert again.revision > group.revision

    def test_a_push_that_was_overtaken_is_not_the_last(self, store: Store) -> None:
        filled(store, key())
        (old,) = store.outbox.unpushed("gateway")
        filled(store, key(1))
        store.outbox.mark_pushed("gateway", old)
        assert len(store.outbox.unpushed("gateway")) == 1

    def test_groups_stand_apart_and_in_order(self, store: Store) -> None:
        for one in (key(check_type="quality"), key(namespace="a"), key()):
            filled(store, one)
        found = [(one.namespace, one.check_type) for one in store.outbox.groups()]
        assert found == [("a", "freshness"), ("shop", "freshness"), ("shop", "quality")]

    def test_a_group_without_series_is_removed_from_who_had_it(self, store: Store) -> None:
        filled(store, key())
        store.outbox.mark_pushed("gateway", store.outbox.groups()[0])
        store.prune(NOW + HOUR)
        gone = MetricsGroup("shop", "freshness", 0)
        assert (store.outbox.groups(), store.outbox.unpushed("gateway")) == ((), (gone,))
        assert store.outbox.unpushed("other") == ()
        store.outbox.mark_pushed("gateway", gone)
        assert store.outbox.unpushed("gateway") == ()

    def test_a_group_that_lost_a_series_is_pushed_again(self, store: Store) -> None:
        filled(store, key(contract="retired"))
        filled(store, key(5))
        store.outbox.mark_pushed("gateway", store.outbox.groups()[0])
        store.prune(NOW + HOUR)
        assert len(store.outbox.unpushed("gateway")) == 1

    def test_a_group_that_comes_back_is_pushed_again(self, store: Store) -> None:
        filled(store, key())
        store.outbox.mark_pushed("gateway", store.outbox.groups()[0])
        store.prune(NOW + HOUR)
        filled(store, key(2))
        (group,) = store.outbox.unpushed("gateway")
        assert group.revision > 0

    def test_a_lock_is_held_by_one_at_a_time(self, store: Store) -> None:
        with store.lock("gateway", 0) as first, store.lock("gateway", 0) as second, store.lock("other", 0) as third:
            assert (first, second, third) == (True, False, True)
        with store.lock("gateway", 0) as free:
            assert free

    def test_a_lock_is_freed_by_an_error(self, store: Store) -> None:
        try:
            with store.lock("gateway", 0):
                raise ValueError
        except ValueError:
            pass
        with store.lock("gateway", 0) as free:
            assert free

    def test_who_waits_for_a_lock_gets_it_when_it_is_free(self, store: Store) -> None:
        taken, free, found = Event(), Event(), []

        def hold() -> None:
            with store.lock("gateway", 0):
                taken.set()
                free.wait()

        holder = Thread(target=hold)
        holder.start()
        taken.wait()
        with store.lock("gateway", 0.05) as held:
            found.append(held)
        Timer(0.3, free.set).start()
        with store.lock("gateway", 20) as held:
            found.append(held)
        holder.join()
        assert found == [False, True]
