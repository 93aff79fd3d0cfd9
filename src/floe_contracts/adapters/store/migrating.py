"""Brings a database to the newest schema: a new one at once, an older one step by step, in one transaction.

To change the schema: change `tables`, raise VERSION, and add the step from the version before to STEPS. A step says
what it does in SQL of its own, because `tables` goes on changing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from sqlalchemy import Connection, bindparam, inspect, select, text

from .database import Database
from .failure import StoreFailed
from .tables import METADATA, facts

VERSION = 2
_VERSION = "version"


def bring_up_to_date(database: Database) -> None:
    """Others wait meanwhile; whoever comes second finds the work done."""
    with database.reading() as connection:
        if _version(connection) == VERSION:
            return
    with database.writing() as connection:
        database.locking.alone(connection)
        found = _version(connection)
        if found is None:
            METADATA.create_all(connection)
            connection.execute(facts.insert(), [{"name": _VERSION, "value": VERSION}])
        elif found != VERSION:
            _step_up(connection, found)


def _version(connection: Connection) -> int | None:
    """None where floe has never been; a schema that this floe does not know is refused."""
    if not inspect(connection).has_table(facts.name):
        return None
    found = connection.execute(select(facts.c.value).where(facts.c.name == _VERSION)).scalar_one_or_none()
    if found is not None and (found > VERSION or found < 1):
        raise StoreFailed(
            f"the store of results has schema {found}, and this floe knows schemas up to {VERSION}",
            fix="Use a floe that is as new as the one which wrote the store, or another store.",
        )
    return found


def _step_up(connection: Connection, found: int) -> None:
    for version in range(found, VERSION):
        STEPS[version](connection)
    connection.execute(facts.update().where(facts.c.name == _VERSION).values(value=VERSION))


def _gauges_of_their_own(connection: Connection) -> None:
    """From 1 to 2: gauges move out of the record, so that months of them are read without the findings."""
    connection.execute(text("ALTER TABLE floe_slots ADD COLUMN gauges TEXT NOT NULL DEFAULT '[]'"))
    rows = connection.execute(text("SELECT slot, record FROM floe_slots WHERE record IS NOT NULL")).all()
    move = text("UPDATE floe_slots SET gauges = :gauges, record = :record WHERE slot = :of").bindparams(
        bindparam("gauges"), bindparam("record"), bindparam("of")
    )
    for slot, said in rows:
        record = json.loads(said)
        gauges = json.dumps(record.pop("gauges", []), separators=(",", ":"))
        connection.execute(move, {"of": slot, "gauges": gauges, "record": json.dumps(record, separators=(",", ":"))})


STEPS: Mapping[int, Callable[[Connection], None]] = {1: _gauges_of_their_own}
