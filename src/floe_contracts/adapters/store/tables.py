"""The tables of the newest schema; `bring_up_to_date` brings older databases here.

Keys are the texts of `Series` and `SlotKey`, compared byte by byte. What floe never searches by is JSON in one column.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    bindparam,
    inspect,
    select,
    text,
)
from sqlalchemy.types import TypeEngine

from .database import Database, StoreFailed

METADATA = MetaData()


def _text() -> TypeEngine[str]:
    return Text().with_variant(Text(collation="C"), "postgresql")


facts = Table(  # the version of the schema, and up to when everything was forgotten
    "floe_facts",
    METADATA,
    Column("name", _text(), primary_key=True),
    Column("value", BigInteger, nullable=False),
)

slots = Table(
    "floe_slots",
    METADATA,
    Column("slot", _text(), primary_key=True),
    Column("series", _text(), nullable=False),
    Column("interval_us", BigInteger, nullable=False),
    Column("start_us", BigInteger, nullable=False),
    Column("run_id", _text(), nullable=False),
    Column("moment_us", BigInteger, nullable=False),  # when it is; a run without a result is as old as its lease
    Column("attempts", Integer, nullable=False),
    Column("token", _text()),  # of whoever works on it
    Column("expires_us", BigInteger),
    Column("outcome", _text()),  # of the last attempt that was committed
    Column("gauges", Text, nullable=False, server_default="[]"),
    Column("record", Text),  # everything else that attempt found
)
Index("floe_slots_by_series", slots.c.series, slots.c.moment_us, slots.c.interval_us, slots.c.run_id, slots.c.outcome)
Index("floe_slots_by_moment", slots.c.moment_us)

forgotten = Table("floe_forgotten_runs", METADATA, Column("slot", _text(), primary_key=True))

series = Table(
    "floe_series",
    METADATA,
    Column("series", _text(), primary_key=True),
    Column("namespace", _text(), nullable=False),
    Column("contract", _text(), nullable=False),
    Column("major", Integer, nullable=False),
    Column("check_type", _text(), nullable=False),
    Column("commits", BigInteger, nullable=False),
    Column("last_run_us", BigInteger, nullable=False),
    Column("totals", Text, nullable=False),
)
Index("floe_series_by_group", series.c.namespace, series.c.check_type)

groups = Table(  # commits of series that were forgotten, so that the revision of a group never falls
    "floe_groups",
    METADATA,
    Column("namespace", _text(), primary_key=True),
    Column("check_type", _text(), primary_key=True),
    Column("lost", BigInteger, nullable=False),
)

counted = Table(
    "floe_counted",
    METADATA,
    Column("series", _text(), primary_key=True),
    Column("slot_us", BigInteger, primary_key=True),
    Column("fingerprint", _text(), primary_key=True),
    Column("seen_us", BigInteger, nullable=False),  # the newest slot that saw it
)

schemas = Table(
    "floe_schemas",
    METADATA,
    Column("table_key", _text(), primary_key=True),
    Column("slot_us", BigInteger, nullable=False),
    Column("columns", Text, nullable=False),
)

states = Table(
    "floe_states",
    METADATA,
    Column("table_key", _text(), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("plan_hash", _text(), nullable=False),
    Column("partition", Text, nullable=False),
    Column("files", Text, nullable=False),
    Column("state", LargeBinary, nullable=False),
)

outbox = Table(
    "floe_outbox",
    METADATA,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("sink", _text(), nullable=False),
    Column("dead", Boolean, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("series", Text, nullable=False),
    Column("slot", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("since_us", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("due_us", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
    sqlite_autoincrement=True,  # an id is never given twice: a reader that pages by id must not miss a message
)
Index("floe_outbox_by_sink", outbox.c.sink, outbox.c.dead, outbox.c.id)

pushed = Table(
    "floe_pushed",
    METADATA,
    Column("mirror", _text(), primary_key=True),
    Column("namespace", _text(), primary_key=True),
    Column("check_type", _text(), primary_key=True),
    Column("revision", BigInteger, nullable=False),
)


VERSION = 2
_VERSION = "version"


def bring_up_to_date(database: Database) -> None:
    """Others wait meanwhile; whoever comes second finds the work done."""
    if is_current(database):
        return
    with database.write() as connection:
        database.locking.lock_alone(connection)
        version = _version(connection)
        if version is None:
            METADATA.create_all(connection)
            connection.execute(facts.insert(), [{"name": _VERSION, "value": VERSION}])
        elif version != VERSION:
            _migrate(connection, version)


def is_current(database: Database) -> bool:
    """Whether the tables are as this version of floe wants them."""
    with database.read() as connection:
        return _version(connection) == VERSION


def _version(connection: Connection) -> int | None:
    """None where floe has never been; a schema that this floe does not know is refused."""
    if not inspect(connection).has_table(facts.name):
        return None
    version = connection.execute(select(facts.c.value).where(facts.c.name == _VERSION)).scalar_one_or_none()
    if version is not None and (version > VERSION or version < 1):
        raise StoreFailed(
            f"the store of results has schema {version}, and this floe knows schemas up to {VERSION}",
            fix="Use a floe that is as new as the one which wrote the store, or another store.",
        )
    return version


def _migrate(connection: Connection, before: int) -> None:
    for version in range(before, VERSION):
        STEPS[version](connection)
    connection.execute(facts.update().where(facts.c.name == _VERSION).values(value=VERSION))


def _move_gauges(connection: Connection) -> None:
    """From 1 to 2: gauges move out of the record, so that months of them are read without the findings."""
    connection.execute(text("ALTER TABLE floe_slots ADD COLUMN gauges TEXT NOT NULL DEFAULT '[]'"))
    rows = connection.execute(text("SELECT slot, record FROM floe_slots WHERE record IS NOT NULL")).all()
    move = text("UPDATE floe_slots SET gauges = :gauges, record = :record WHERE slot = :of").bindparams(
        bindparam("gauges"), bindparam("record"), bindparam("of")
    )
    for slot, text_before in rows:
        record = json.loads(text_before)
        gauges = json.dumps(record.pop("gauges", []), separators=(",", ":"))
        connection.execute(move, {"of": slot, "gauges": gauges, "record": json.dumps(record, separators=(",", ":"))})


STEPS: Mapping[int, Callable[[Connection], None]] = {1: _move_gauges}
