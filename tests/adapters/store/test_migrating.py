"""An older database is brought up to date in one transaction, and a newer one is left alone."""

from __future__ import annotations

from decimal import Decimal
from threading import Thread
from typing import Any

import pytest
from adapters.store.old_schema import make_first_schema
from sqlalchemy import Connection, inspect, select, text
from support.filled_slots import NOW, STALE, filled, key, stale, totals

from floe_contracts.adapters.store import tables as migrating
from floe_contracts.adapters.store.address import open_database, open_sql_store
from floe_contracts.adapters.store.sql_store import SqlStore
from floe_contracts.adapters.store.tables import METADATA, facts
from floe_contracts.errors import FloeError
from floe_contracts.monitor.store.protocol import AlreadyDone
from floe_contracts.results import Outcome


def _old(address: str, version: int = 1) -> None:
    database = open_database(address)
    make_first_schema(database.engine, version)
    database.engine.dispose()


def _shape(store: SqlStore) -> dict[str, Any]:
    found = inspect(store.database.engine)
    return {
        name: (
            {one["name"]: (str(one["type"]), one["nullable"]) for one in found.get_columns(name)},
            found.get_pk_constraint(name)["constrained_columns"],
            sorted((one["name"] or "", one["column_names"]) for one in found.get_indexes(name)),
        )
        for name in sorted(found.get_table_names())
    }


def test_a_first_schema_is_migrated_with_all_it_holds(address: str) -> None:
    _old(address)
    store = open_sql_store(address)
    (found,) = store.history(key().series, 0)
    assert (found.key, found.result.outcome) == (key(), Outcome.VIOLATED)
    assert found.gauges == (("age", Decimal("8.50")), ("up", Decimal(1)))
    assert store.gauge_history(key().series, "age", 0) == ((NOW, Decimal("8.50")),)
    assert isinstance(store.claim(key(), now_us=NOW), AlreadyDone)
    assert filled(store, key(), Outcome.VIOLATED, violations=(stale(),), recheck=True).counted == ()
    assert totals(store, key()).counters == {STALE: 1}
    store.close()


def test_a_migrated_database_has_the_shape_of_a_new_one(address: str) -> None:
    new = open_sql_store(address)
    shape = _shape(new)
    with new.database.write() as connection:
        METADATA.drop_all(connection)
    new.close()
    _old(address)
    old = open_sql_store(address)
    assert _shape(old) == shape
    assert len(shape) == len(METADATA.tables)
    old.close()


def test_opening_again_changes_nothing(address: str) -> None:
    for _ in range(2):
        store = open_sql_store(address)
        with store.database.read() as connection:
            found = [tuple(row) for row in connection.execute(select(facts.c.name, facts.c.value))]
        assert found == [("version", migrating.VERSION)]
        store.close()


@pytest.mark.parametrize("version", [migrating.VERSION + 1, 0], ids=["newer", "unheard of"])
def test_an_unknown_schema_is_refused_and_left_as_it_is(address: str, version: int) -> None:
    _old(address, version)
    with pytest.raises(FloeError) as caught:
        open_sql_store(address)
    assert f"schema {version}" in caught.value.message
    assert (caught.value.exit_code, "newer" in caught.value.fix or "as new" in caught.value.fix) == (2, True)
    database = open_database(address)
    assert "gauges" not in {one["name"] for one in inspect(database.engine).get_columns("floe_slots")}
    database.engine.dispose()


def test_a_migration_that_fails_leaves_the_old_database(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(connection: Connection) -> None:
        migrating._move_gauges(connection)
        connection.execute(text("SELECT nothing FROM nowhere"))

    _old(address)
    monkeypatch.setattr(migrating, "STEPS", {1: broken})
    with pytest.raises(FloeError):
        open_sql_store(address)
    monkeypatch.undo()
    store = open_sql_store(address)
    assert store.gauge_history(key().series, "age", 0) == ((NOW, Decimal("8.50")),)
    store.close()


@pytest.mark.parametrize("old", [False, True], ids=["new", "first schema"])
def test_many_who_open_at_once_find_one_schema(address: str, old: bool) -> None:
    if old:
        _old(address)
    failures: list[BaseException] = []

    def open_it() -> None:
        try:
            open_sql_store(address).close()
        except BaseException as error:
            failures.append(error)

    threads = [Thread(target=open_it) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert failures == []
