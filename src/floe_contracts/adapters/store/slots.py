"""The slots of a store: claimed for as long as a lease lasts, given back, and forgotten when they are old.

The moment up to which everything was forgotten is remembered, so that nothing is ever counted twice.
"""

from __future__ import annotations

import secrets
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select

from ...monitor.store.memory_outbox import TOO_OLD
from ...monitor.store.protocol import AlreadyDone, Busy, Claim, Claimed, Expired, Pruned, is_done_for
from ...monitor.store.slots import SlotKey
from .database import Database
from .records import read_outcome
from .tables import counted, facts, forgotten, groups, outbox, series, slots


def claim_slot(database: Database, key: SlotKey, now_us: int, lease_us: int, *, recheck: bool, promise: str) -> Claimed:
    with database.write() as connection:
        database.locking.lock_shared(connection)
        before_us = pruned_us(connection)
        if _is_forgotten(connection, key, before_us):
            return Expired(before_us)
        row = _lock_slot(database, connection, key)
        if row.token is not None and row.expires_us > now_us:
            return Busy(row.expires_us)
        previous = None if row.record is None else read_outcome(key, row.record, row.gauges)
        if previous is not None and is_done_for(previous, promise) and not recheck:
            return AlreadyDone(previous)
        claim = Claim(key, row.attempts + 1, secrets.token_hex(16), now_us + lease_us, promise, previous)
        _lease(connection, claim, moved=bool(key.run_id) and previous is None)
        return claim


def is_slot_done(database: Database, key: SlotKey, promise: str) -> bool:
    with database.read() as connection:
        if _is_forgotten(connection, key, pruned_us(connection)):
            return True
        row = connection.execute(_KEPT, {"of": str(key)}).first()
    return row is not None and is_done_for(read_outcome(key, row.record, row.gauges), promise)


def release_slot(database: Database, claim: Claim) -> None:
    """Attempts go on counting; a run without a result is of no time at all, so that the next pruning takes it."""
    held = (slots.c.slot == str(claim.key)) & (slots.c.token == claim.token)
    with database.write() as connection:
        done = connection.execute(slots.update().where(held).values(token=None, expires_us=None)).rowcount
        if done and claim.key.run_id:
            unfinished = (slots.c.slot == str(claim.key)) & slots.c.record.is_(None)
            connection.execute(slots.update().where(unfinished).values(moment_us=0))


def _is_forgotten(connection: Connection, key: SlotKey, before_us: int) -> bool:
    if not key.run_id:
        return key.start_us < before_us
    return connection.execute(_FORGOTTEN, {"of": str(key)}).first() is not None


def _lock_slot(database: Database, connection: Connection, key: SlotKey) -> Row[Any]:
    """The row of a slot, locked; made when it is not there."""
    name = {"of": str(key)}
    row = connection.execute(_SLOT, name).first()
    if row is None:
        database.insert_new(connection, slots, _empty_slot(key))  # or somebody else was quicker
        row = connection.execute(_SLOT, name).one()
    return row


def _empty_slot(key: SlotKey) -> dict[str, object]:
    return {
        "slot": str(key),
        "series": str(key.series),
        "interval_us": key.interval_us,
        "start_us": key.start_us,
        "run_id": key.run_id,
        "moment_us": key.start_us,
        "attempts": 0,
        "gauges": "[]",
    }


def _lease(connection: Connection, claim: Claim, moved: bool) -> None:
    values: dict[str, object] = {
        "of": str(claim.key),
        "attempts": claim.attempt,
        "token": claim.token,
        "expires_us": claim.expires_us,
    }
    connection.execute(_LEASE, {**values, "moment_us": claim.expires_us} if moved else values)


def pruned_us(connection: Connection) -> int:
    """Up to when everything was forgotten."""
    return connection.execute(_PRUNED_US).scalar_one_or_none() or 0


def prune_before(database: Database, before_us: int) -> Pruned:
    with database.write() as connection:
        database.locking.lock_alone(connection)
        moment_us = max(before_us, pruned_us(connection))
        _remember(database, connection, moment_us)
        gone = _forget_slots(connection, moment_us)
        connection.execute(counted.delete().where(counted.c.seen_us < moment_us))
        return Pruned(gone, _forget_series(database, connection, moment_us), _forget_messages(connection, before_us))


def _remember(database: Database, connection: Connection, moment_us: int) -> None:
    insert = database.insert(facts)
    write = insert.on_conflict_do_update(index_elements=["name"], set_={"value": insert.excluded.value})
    connection.execute(write, [{"name": _PRUNED, "value": moment_us}])


def _forget_slots(connection: Connection, moment_us: int) -> int:
    """An interval's slots are refused by their time; a run has none, so its name is kept."""
    old = slots.c.moment_us < moment_us
    runs = select(slots.c.slot).where(old, slots.c.run_id != "", slots.c.record.is_not(None))
    connection.execute(forgotten.insert().from_select(["slot"], runs))
    return connection.execute(slots.delete().where(old)).rowcount


def _forget_series(database: Database, connection: Connection, moment_us: int) -> int:
    """The revision of a group goes on rising when it loses a series, so that mirrors are told."""
    old = series.c.last_run_us < moment_us
    name = (series.c.namespace, series.c.check_type)
    lost = select(*name, func.sum(series.c.commits).label("commits")).where(old).group_by(*name)
    insert = database.insert(groups)
    write = insert.on_conflict_do_update(
        index_elements=["namespace", "check_type"], set_={"lost": groups.c.lost + insert.excluded.lost}
    )
    for namespace, check_type, commits in connection.execute(lost).all():
        connection.execute(write, [{"namespace": namespace, "check_type": check_type, "lost": int(commits) + 1}])
    return connection.execute(series.delete().where(old)).rowcount


def _forget_messages(connection: Connection, before_us: int) -> int:
    """Dead letters that are older go, messages that wait become dead letters."""
    old = outbox.c.since_us < before_us
    gone = connection.execute(outbox.delete().where(old, outbox.c.dead)).rowcount
    connection.execute(outbox.update().where(old).values(dead=True, reason=TOO_OLD))
    return gone


# Made once: to build a statement takes longer than to run it.
_SLOT = (
    select(slots.c.attempts, slots.c.token, slots.c.expires_us, slots.c.outcome, slots.c.gauges, slots.c.record)
    .where(slots.c.slot == bindparam("of"))
    .with_for_update()
)
_KEPT = select(slots.c.gauges, slots.c.record).where(slots.c.slot == bindparam("of"), slots.c.record.is_not(None))
_FORGOTTEN = select(forgotten.c.slot).where(forgotten.c.slot == bindparam("of"))
_LEASE = slots.update().where(slots.c.slot == bindparam("of"))
_PRUNED = "pruned_us"
_PRUNED_US = select(facts.c.value).where(facts.c.name == _PRUNED)
