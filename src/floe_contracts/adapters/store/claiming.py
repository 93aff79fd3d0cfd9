"""Who may fill a slot: decided inside one transaction, for as long as a lease lasts."""

from __future__ import annotations

import secrets
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select

from ...monitor.store.protocol import AlreadyDone, Busy, Claim, Claimed, Expired
from ...monitor.store.slots import SlotKey
from ...results import Outcome
from .database import Database
from .pruning import pruned_us
from .records import read_outcome
from .tables import forgotten, slots


def claim_slot(database: Database, key: SlotKey, now_us: int, lease_us: int, recheck: bool) -> Claimed:
    with database.write() as connection:
        database.locking.lock_shared(connection)
        before_us = pruned_us(connection)
        if _is_forgotten(connection, key, before_us):
            return Expired(before_us)
        row = _lock_slot(database, connection, key)
        if row.token is not None and row.expires_us > now_us:
            return Busy(row.expires_us)
        previous = None if row.record is None else read_outcome(key, row.record, row.gauges)
        if previous is not None and row.outcome != Outcome.ERRORED.value and not recheck:
            return AlreadyDone(previous)
        claim = Claim(key, row.attempts + 1, secrets.token_hex(16), now_us + lease_us, previous)
        _lease(connection, claim, moved=bool(key.run_id) and previous is None)
        return claim


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


# Made once: to build a statement takes longer than to run it.
_SLOT = (
    select(slots.c.attempts, slots.c.token, slots.c.expires_us, slots.c.outcome, slots.c.gauges, slots.c.record)
    .where(slots.c.slot == bindparam("of"))
    .with_for_update()
)
_FORGOTTEN = select(forgotten.c.slot).where(forgotten.c.slot == bindparam("of"))
_LEASE = slots.update().where(slots.c.slot == bindparam("of"))
