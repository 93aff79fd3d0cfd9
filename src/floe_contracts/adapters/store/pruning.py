"""Forgets what is older than a moment, and remembers that moment, so that nothing is ever counted twice."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from ...monitor.store.memory_outbox import TOO_OLD
from ...monitor.store.protocol import Pruned
from .database import Database
from .tables import counted, facts, forgotten, groups, outbox, series, slots

_PRUNED = "pruned_us"
_PRUNED_US = select(facts.c.value).where(facts.c.name == _PRUNED)


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
