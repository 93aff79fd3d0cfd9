"""The commit of an outcome: everything that one attempt found, written inside one transaction.

Whoever commits locks its slot first, then its series, then tables by name: always in this order, so nobody waits for
somebody who waits for him. The lock on the series also keeps its messages in the order of its commits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, select

from ...monitor.store.memory_store import TAKEN
from ...monitor.store.outbox import Message
from ...monitor.store.protocol import Committed, Lost, SeriesTotals, SlotOutcome, Violation
from ...monitor.store.slots import Series
from ...monitor.store.totals import add_outcome, add_violations
from .database import Database, Insert
from .records import columns_text, gauges_text, outcome_text, read_totals, totals_text
from .slots import pruned_us
from .tables import counted, outbox, schemas, series, slots, states


def commit_outcome(
    database: Database, outcome: SlotOutcome, now_us: int, messages: Sequence[Message]
) -> Committed | Lost:
    with database.write() as connection:
        database.locking.lock_shared(connection)
        if not _fill_slot(connection, outcome):
            return Lost(TAKEN)
        commit = _Commit(database, connection, outcome)
        new = commit.add_up()
        commit.keep_schemas()
        commit.keep_states()
        commit.post(messages, now_us)
        return Committed(new)


def _fill_slot(connection: Connection, outcome: SlotOutcome) -> bool:
    """A lease that ended is no reason to refuse as long as nobody else took the slot."""
    values = {
        "of": str(outcome.key),
        "held": outcome.claim.token,
        "moment_us": outcome.slot_us,
        "token": None,
        "expires_us": None,
        "outcome": outcome.result.outcome.value,
        "gauges": gauges_text(outcome.gauges),
        "record": outcome_text(outcome),
    }
    return bool(connection.execute(_FILL, values).rowcount)


@dataclass(frozen=True, slots=True)
class _Commit:
    database: Database
    connection: Connection
    outcome: SlotOutcome

    @property
    def series(self) -> Series:
        return self.outcome.key.series

    def add_up(self) -> tuple[Violation, ...]:
        """The new totals; what is given back are the violations that were not counted before."""
        before = self._totals()
        new = self._count() if self.outcome.published else ()
        totals = add_violations(add_outcome(before, self.outcome), new)
        values = {"of": str(self.series), "last_run_us": totals.last_run_us, "totals": totals_text(totals)}
        self.connection.execute(_ADD_UP, values)
        return new

    def _totals(self) -> SeriesTotals:
        """Where the series stands, locked; one that is new begins with nothing."""
        name = {"of": str(self.series)}
        totals = self.connection.execute(_TOTALS, name).scalar_one_or_none()
        if totals is None:
            self.database.insert_new(self.connection, series, _new_series(self.series, self.outcome.slot_us))
            totals = self.connection.execute(_TOTALS, name).scalar_one()
        return read_totals(totals)

    def _count(self) -> tuple[Violation, ...]:
        """What is new; from before the last pruning nothing is, because it may have been counted and forgotten."""
        if not self.outcome.violations:
            return ()
        before_us, known, new = pruned_us(self.connection), self._known(), []
        seen: dict[tuple[int, str], int] = {}
        for violation in self.outcome.violations:
            mark = (violation.slot_us, violation.fingerprint)
            if mark not in known and violation.slot_us < before_us:
                continue
            if mark not in known:
                new.append(violation)
            known[mark] = seen[mark] = max(known.get(mark, 0), violation.slot_us, self.outcome.slot_us)
        self._note(seen)
        return tuple(new)

    def _known(self) -> dict[tuple[int, str], int]:
        times = sorted({violation.slot_us for violation in self.outcome.violations})
        rows = self.connection.execute(_COUNTED, {"of": str(self.series), "times": times})
        return {(slot_us, mark): seen_us for slot_us, mark, seen_us in rows}

    def _note(self, seen: dict[tuple[int, str], int]) -> None:
        if not seen:
            return
        rows = [
            {"series": str(self.series), "slot_us": slot_us, "fingerprint": mark, "seen_us": seen_us}
            for (slot_us, mark), seen_us in seen.items()
        ]
        self.connection.execute(_note_statement(self.database.insert), rows)

    def keep_schemas(self) -> None:
        """An older slot does not overwrite what a newer one saw."""
        write = _schema_statement(self.database.insert)
        for seen in sorted(self.outcome.schemas, key=lambda schema: schema.table):
            row = {"table_key": seen.table, "slot_us": self.outcome.slot_us, "columns": columns_text(seen.columns)}
            self.connection.execute(write, [row])

    def keep_states(self) -> None:
        """The states of a table are those of its newest plan; others would never be asked for again."""
        tables = sorted({state.table for state in self.outcome.states or ()})
        for table in tables:
            self.database.locking.lock_table(self.connection, table)
        if tables:
            self.connection.execute(states.delete().where(states.c.table_key.in_(tables)))
            rows = [
                {
                    "table_key": state.table,
                    "place": place,
                    "plan_hash": state.plan_hash,
                    "partition": state.partition,
                    "files": state.files,
                    "state": state.state,
                }
                for place, state in enumerate(self.outcome.states or ())
            ]
            self.connection.execute(states.insert(), rows)

    def post(self, messages: Iterable[Message], now_us: int) -> None:
        rows = [
            {
                "sink": message.sink,
                "dead": False,
                "kind": message.kind,
                "body": message.body,
                "series": str(self.series),
                "slot": str(self.outcome.key),
                "attempt": self.outcome.claim.attempt,
                "sequence": sequence,
                "since_us": now_us,
                "tries": 0,
                "due_us": 0,
                "reason": "",
            }
            for sequence, message in enumerate(messages)
        ]
        if rows:
            self.connection.execute(_POST, rows)


def mark_series_gone(database: Database, gone: Sequence[Series], now_us: int) -> int:
    """One transaction for all, in the order of their names, so that two who mark the same never wait for each other."""
    marked = 0
    with database.write() as connection:
        for name in sorted(map(str, gone)):
            text = connection.execute(_TOTALS, {"of": name}).scalar()
            before = None if text is None else read_totals(text)
            if before is not None and before.gone_us is None:
                values = {"of": name, "totals": totals_text(replace(before, gone_us=now_us))}
                marked += connection.execute(_ADD_UP, values).rowcount
    return marked


def _new_series(line: Series, slot_us: int) -> dict[str, object]:
    return {
        "series": str(line),
        "namespace": line.namespace,
        "contract": line.contract,
        "major": line.major,
        "check_type": line.check_type,
        "commits": 0,
        "last_run_us": slot_us,
        "totals": totals_text(SeriesTotals()),
    }


# Made once: to build a statement takes longer than to run it.
_FILL = slots.update().where(slots.c.slot == bindparam("of"), slots.c.token == bindparam("held"))
_TOTALS = select(series.c.totals).where(series.c.series == bindparam("of")).with_for_update()
_ADD_UP = series.update().where(series.c.series == bindparam("of")).values(commits=series.c.commits + 1)
_COUNTED = select(counted.c.slot_us, counted.c.fingerprint, counted.c.seen_us).where(
    counted.c.series == bindparam("of"), counted.c.slot_us.in_(bindparam("times", expanding=True))
)
_POST = outbox.insert()


@cache
def _note_statement(insert: Insert) -> Any:
    row = insert(counted)
    key = ["series", "slot_us", "fingerprint"]
    return row.on_conflict_do_update(index_elements=key, set_={"seen_us": row.excluded.seen_us})


@cache
def _schema_statement(insert: Insert) -> Any:
    row = insert(schemas)
    return row.on_conflict_do_update(
        index_elements=["table_key"],
        set_={"slot_us": row.excluded.slot_us, "columns": row.excluded.columns},
        where=schemas.c.slot_us <= row.excluded.slot_us,
    )
