"""The outbox of a store in a SQL database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Integer, Row, bindparam, func, select

from ...monitor.store.outbox import Backlog, Message, MetricsGroup, Pending
from ...monitor.store.slots import Kind
from .database import Database
from .tables import groups, outbox, pushed, series

_Revisions = dict[tuple[str, Kind], int]


@dataclass(frozen=True, slots=True)
class SqlOutbox:
    """All rules of `monitor.store.outbox`."""

    database: Database

    def pending(self, sink: str, *, after: int = 0, limit: int = 100) -> tuple[Pending, ...]:
        values = {"to": sink, "after": after, "most": limit}
        with self.database.read() as connection:
            return tuple(_pending(row) for row in connection.execute(_PENDING, values))

    def mark_delivered(self, message: Pending) -> None:
        with self.database.write() as connection:
            connection.execute(_DELIVERED, {"which": message.id})

    def mark_failed(self, message: Pending, reason: str, due_us: int = 0) -> None:
        self._note(message, reason=reason, due_us=due_us)

    def bury(self, message: Pending, reason: str) -> None:
        self._note(message, reason=reason, dead=True)

    def _note(self, message: Pending, **values: object) -> None:
        with self.database.write() as connection:
            connection.execute(outbox.update().where(_waiting(message)).values({"tries": outbox.c.tries + 1, **values}))

    def revive(self, sink: str) -> int:
        dead = outbox.update().where(outbox.c.sink == sink, outbox.c.dead)
        with self.database.write() as connection:
            return connection.execute(dead.values(dead=False, due_us=0)).rowcount

    def backlog(self) -> tuple[Backlog, ...]:
        counts = select(outbox.c.sink, outbox.c.dead, func.count()).group_by(outbox.c.sink, outbox.c.dead)
        with self.database.read() as connection:
            waiting = {(sink, dead): count for sink, dead, count in connection.execute(counts)}
            oldest = _first(connection, outbox.c.since_us, ~outbox.c.dead)
            reasons = _first(connection, outbox.c.reason, outbox.c.reason != "")
        return tuple(
            Backlog(
                sink,
                waiting.get((sink, False), 0),
                waiting.get((sink, True), 0),
                oldest.get(sink),
                reasons.get(sink, ""),
            )
            for sink in sorted({sink for sink, _ in waiting})
        )

    def groups(self) -> tuple[MetricsGroup, ...]:
        with self.database.read() as connection:
            return _groups(_revisions(connection))

    def unpushed(self, mirror: str) -> tuple[MetricsGroup, ...]:
        query = select(pushed.c.namespace, pushed.c.check_type, pushed.c.revision).where(pushed.c.mirror == mirror)
        with self.database.read() as connection:
            now = _revisions(connection)
            seen: _Revisions = {
                (namespace, check): revision for namespace, check, revision in connection.execute(query)
            }
        gone = {key: 0 for key in seen if key not in now}
        changed = {key: revision for key, revision in now.items() if seen.get(key) != revision}
        return _groups({**changed, **gone})

    def mark_pushed(self, mirror: str, group: MetricsGroup) -> None:
        row = {"mirror": mirror, "namespace": group.namespace, "check_type": group.check_type}
        insert = self.database.insert(pushed)
        write = insert.on_conflict_do_update(index_elements=list(row), set_={"revision": insert.excluded.revision})
        with self.database.write() as connection:
            if group.revision:
                connection.execute(write, [{**row, "revision": group.revision}])
            else:
                connection.execute(pushed.delete().where(*(pushed.c[name] == value for name, value in row.items())))


_PENDING = (
    select(outbox)
    .where(outbox.c.sink == bindparam("to"), ~outbox.c.dead, outbox.c.id > bindparam("after"))
    .order_by(outbox.c.id)
    .limit(bindparam("most", type_=Integer))
)
_DELIVERED = outbox.delete().where(outbox.c.id == bindparam("which"), ~outbox.c.dead)


def _waiting(message: Pending) -> ColumnElement[bool]:
    return (outbox.c.id == message.id) & ~outbox.c.dead


def _pending(row: Row[Any]) -> Pending:
    return Pending(
        id=row.id,
        message=Message(row.sink, row.kind, bytes(row.body)),
        series=row.series,
        slot=row.slot,
        attempt=row.attempt,
        sequence=row.sequence,
        since_us=row.since_us,
        tries=row.tries,
        due_us=row.due_us,
        reason=row.reason,
    )


def _first(connection: Connection, column: ColumnElement[Any], those: ColumnElement[bool]) -> dict[str, Any]:
    """By sink, a column of the oldest of those messages."""
    ids = select(func.min(outbox.c.id)).where(those).group_by(outbox.c.sink)
    return {row[0]: row[1] for row in connection.execute(select(outbox.c.sink, column).where(outbox.c.id.in_(ids)))}


def _revisions(connection: Connection) -> _Revisions:
    """Commits of all series of a group, with those of series that were forgotten."""
    name = (series.c.namespace, series.c.check_type)
    commits = select(*name, func.sum(series.c.commits)).group_by(*name)
    lost = select(groups.c.namespace, groups.c.check_type, groups.c.lost)
    before = {(namespace, check): count for namespace, check, count in connection.execute(lost)}
    return {
        (namespace, check): int(count) + before.get((namespace, check), 0)
        for namespace, check, count in connection.execute(commits)
    }


def _groups(revisions: _Revisions) -> tuple[MetricsGroup, ...]:
    return tuple(MetricsGroup(*key, revision) for key, revision in sorted(revisions.items()))
