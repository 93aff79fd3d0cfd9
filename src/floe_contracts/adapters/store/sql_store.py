"""A store of results in a SQL database, shared by processes; all rules are those of `monitor.store.protocol`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select

from ...checks.measured import ActualColumn
from ...monitor.store.outbox import Message
from ...monitor.store.protocol import (
    LEASE_US,
    STREAM,
    Claim,
    Claimed,
    Committed,
    Filled,
    Lost,
    PartitionState,
    Pruned,
    SeriesTotals,
    SlotOutcome,
    stream_names,
)
from ...monitor.store.slots import Series, SlotKey
from .commit import commit_outcome, mark_series_gone
from .database import Database
from .records import read_columns, read_gauge, read_outcome, read_totals
from .slots import claim_slot, is_slot_done, prune_before, release_slot
from .sql_outbox import SqlOutbox
from .tables import schemas, series, slots, states


@dataclass(frozen=True, slots=True)
class SqlStore:
    """Every method is one transaction; outcomes read back have neither schemas nor states, which are kept apart."""

    database: Database

    @property
    def outbox(self) -> SqlOutbox:
        return SqlOutbox(self.database)

    def close(self) -> None:
        """Give the connections back; the next call opens new ones."""
        self.database.engine.dispose()

    def claim(
        self, key: SlotKey, *, now_us: int, lease_us: int = LEASE_US, recheck: bool = False, promise: str = ""
    ) -> Claimed:
        return claim_slot(self.database, key, now_us, lease_us, recheck=recheck, promise=promise)

    def is_done(self, key: SlotKey, promise: str = "") -> bool:
        return is_slot_done(self.database, key, promise)

    def commit(self, outcome: SlotOutcome, *, now_us: int, messages: Sequence[Message] = ()) -> Committed | Lost:
        return commit_outcome(self.database, outcome, now_us, messages)

    def release(self, claim: Claim) -> None:
        release_slot(self.database, claim)

    def history(
        self,
        series: Series,
        since_us: int,
        until_us: int | None = None,
        limit: int | None = None,
        like: SlotKey | None = None,
    ) -> tuple[SlotOutcome, ...]:
        columns = (slots.c.interval_us, slots.c.start_us, slots.c.run_id, slots.c.record, slots.c.gauges)
        query = _order_newest_first(select(*columns), series, since_us, until_us).limit(limit)
        query = query if like is None else query.where(_is_alike(like.run_id))
        line = (series.namespace, series.contract, series.major, series.check_type)
        with self.database.read() as connection:
            rows = connection.execute(query).all()
        return tuple(
            read_outcome(SlotKey(*line, interval_us, start_us, run_id), record, gauges)
            for interval_us, start_us, run_id, record, gauges in rows
        )

    def gauge_history(
        self, series: Series, name: str, since_us: int, until_us: int | None = None
    ) -> tuple[tuple[int, Decimal], ...]:
        query = _order_newest_first(select(slots.c.moment_us, slots.c.gauges), series, since_us, until_us)
        with self.database.read() as connection:
            rows = connection.execute(query).all()
        return tuple((moment_us, value) for moment_us, text in rows for _, value in read_gauge(text, name))

    def last_schema(self, table: str) -> tuple[ActualColumn, ...] | None:
        with self.database.read() as connection:
            text = connection.execute(select(schemas.c.columns).where(schemas.c.table_key == table)).scalar()
        return None if text is None else read_columns(text)

    def partition_states(self, table: str, plan_hash: str) -> tuple[PartitionState, ...]:
        query = select(states.c.partition, states.c.files, states.c.state).where(
            states.c.table_key == table, states.c.plan_hash == plan_hash
        )
        with self.database.read() as connection:
            rows = connection.execute(query.order_by(states.c.place)).all()
        return tuple(
            PartitionState(table, plan_hash, partition, files, bytes(state)) for partition, files, state in rows
        )

    def totals(self, namespace: str) -> Mapping[Series, SeriesTotals]:
        query = select(*_LINE, series.c.totals).where(series.c.namespace == namespace)
        with self.database.read() as connection:
            rows = connection.execute(query).all()
        return {Series(*line): read_totals(text) for *line, text in rows}

    def namespaces(self) -> tuple[str, ...]:
        with self.database.read() as connection:
            names = connection.execute(select(series.c.namespace).distinct()).scalars()
            return tuple(sorted(names))

    def filled(self, namespace: str, since_us: int) -> Mapping[tuple[Series, int], Filled]:
        query = (
            select(*_LINE, slots.c.interval_us, func.min(slots.c.moment_us), func.count())
            .join(slots, slots.c.series == series.c.series)
            .where(series.c.namespace == namespace, slots.c.moment_us >= since_us)
            .where(slots.c.run_id == "", slots.c.outcome.is_not(None))
            .group_by(*_LINE, slots.c.interval_us)
        )
        with self.database.read() as connection:
            rows = connection.execute(query).all()
        return {(Series(*line), interval_us): Filled(first_us, count) for *line, interval_us, first_us, count in rows}

    def prune(self, before_us: int) -> Pruned:
        return prune_before(self.database, before_us)

    def mark_gone(self, gone: Sequence[Series], now_us: int) -> int:
        return mark_series_gone(self.database, gone, now_us)

    def lock(self, name: str, wait_s: float) -> AbstractContextManager[bool]:
        return self.database.lock(name, wait_s)


_LINE = (series.c.namespace, series.c.contract, series.c.major, series.c.check_type)


def _order_newest_first(query: Select[Any], of: Series, since_us: int, until_us: int | None) -> Select[Any]:
    query = query.where(slots.c.series == str(of), slots.c.moment_us >= since_us, slots.c.outcome.is_not(None))
    if until_us is not None:
        query = query.where(slots.c.moment_us < until_us)
    return query.order_by(slots.c.moment_us.desc(), slots.c.slot.desc())


def _is_alike(run_id: str) -> ColumnElement[bool]:
    if not run_id:
        return slots.c.run_id == ""
    names = stream_names(run_id)
    return or_(*map(_begins, names)) if names else and_(slots.c.run_id != "", ~_begins(STREAM))


def _begins(name: str) -> ColumnElement[bool]:
    """Not LIKE, which SQLite reads without regard to case."""
    return func.substr(slots.c.run_id, 1, len(name)) == name
