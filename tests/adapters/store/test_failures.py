"""A database that is gone, refuses, or is none: one calm sentence, exit code 2, and never a word of the address."""

from __future__ import annotations

import socket
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.filled_slots import NOW, claimed, filled, key
from support.ports import free_port
from support.postgres_server import PostgresServer, postgres_server

from floe_contracts.adapters.store.address import open_sql_store, open_store
from floe_contracts.errors import FloeError
from floe_contracts.monitor.store.memory_store import MemoryStore

USER, PASSWORD = "somebody", "s3cr3t-pass"


def _refused(address: str) -> FloeError:
    with pytest.raises(FloeError) as caught:
        open_store(address)
    error = caught.value
    said = f"{error.message} {error.fix} {error!r} {error.__cause__}"
    assert error.exit_code == 2
    assert PASSWORD not in said
    assert "127.0.0.1" not in said
    assert USER not in said
    assert error.__context__ is None or error.__suppress_context__  # a trace would print what the library said
    return error


@pytest.fixture
def black_hole() -> Iterator[int]:
    """A port that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_nothing_listens() -> None:
    error = _refused(f"postgresql://{USER}:{PASSWORD}@127.0.0.1:{free_port()}/floe")
    assert "nothing listens" in error.message


def test_nobody_answers(black_hole: int) -> None:
    since = time.monotonic()
    error = _refused(f"postgresql://{USER}:{PASSWORD}@127.0.0.1:{black_hole}/floe?connect_timeout=2")
    assert "did not answer in time" in error.message
    assert time.monotonic() - since < 30


def test_an_unknown_host() -> None:
    assert "host is not known" in _refused(f"postgresql://{USER}:{PASSWORD}@floe-nowhere.invalid/floe").message


@pytest.mark.service
@pytest.mark.parametrize(
    ("user", "database", "reason"),
    [("floe", "nowhere", "does not exist"), ("stranger", "postgres", "refused the user")],
    ids=["no such database", "no such user"],
)
def test_a_server_that_refuses(postgres: PostgresServer, user: str, database: str, reason: str) -> None:
    address = postgres.url(database, user).replace(f"{user}@", f"{user}:{PASSWORD}@")
    assert reason in _refused(address).message


@pytest.mark.service
def test_a_user_who_may_not_create_tables(postgres: PostgresServer) -> None:
    address = postgres.new_database()
    postgres.run_sql("REVOKE ALL ON SCHEMA public FROM PUBLIC; CREATE ROLE reader LOGIN", address)
    assert "may not do this" in _refused(address.replace("floe@", f"reader:{PASSWORD}@")).message


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        (f"mysql://{USER}:{PASSWORD}@127.0.0.1/floe", "begins with mysql"),
        (f"{USER}:{PASSWORD}@127.0.0.1/floe", "no known beginning"),
        (f"postgresql://{USER}:{PASSWORD}@127.0.0.1:port/floe", "cannot be read"),
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
        ("env:FLOE_NO_SUCH_STORE", "FLOE_NO_SUCH_STORE"),
    ],
    ids=["another database", "no scheme", "no port", "no file", "SQLite's memory", "no such variable"],
)
def test_an_address_that_means_nothing(address: str, reason: str) -> None:
    assert reason in _refused(address).message


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "notes.db").write_text("just some words, many of them " * 100)
    assert "no database of SQLite" in _refused(f"sqlite:///{tmp_path}/notes.db").message


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "monitoring.db cannot be opened" in _refused(f"sqlite:///{tmp_path}/file/monitoring.db").message


def test_a_file_is_made_with_its_folder_for_its_owner_alone(tmp_path: Path) -> None:
    store = open_sql_store(f"sqlite:///{tmp_path}/a/b/monitoring.db")
    filled(store, key())
    with store.lock("name", 0):
        made = [path for path in (tmp_path / "a" / "b").rglob("*") if path.is_file()]
        assert {path.name.partition("-")[2] for path in made} >= {"", "wal", "shm"}
        assert {stat.S_IMODE(path.stat().st_mode) for path in made} == {0o600}
    store.close()


def test_sqlite_writes_ahead_and_to_disk(tmp_path: Path) -> None:
    store = open_sql_store(f"sqlite:///{tmp_path}/m.db")
    with store.database.read() as connection:
        asked = ("journal_mode", "synchronous", "busy_timeout")
        found = [connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in asked]
    assert found == ["wal", 2, 30_000]
    store.close()


def test_an_address_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLOE_STORE", f"sqlite:///{tmp_path}/m.db")
    open_store("env:FLOE_STORE").namespaces()
    assert (tmp_path / "m.db").exists()


def test_the_default_is_a_file_below_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    open_store().namespaces()
    assert (tmp_path / ".floe" / "monitoring.db").exists()


@pytest.mark.parametrize("address", ["memory:", "memory://"])
def test_a_store_in_memory(address: str) -> None:
    assert isinstance(open_store(address), MemoryStore)


def _broken_file(path: Path) -> None:
    """Somebody writes over the file while it is open."""
    with path.open("r+b") as file:
        file.write(b"\x00" * path.stat().st_size)


def _dropped_table(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE floe_slots")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("damage", [_broken_file, _dropped_table], ids=["overwritten", "without its tables"])
def test_a_file_that_breaks_while_it_is_open(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    store = open_sql_store(f"sqlite:///{tmp_path}/m.db")
    store.close()
    damage(tmp_path / "m.db")
    with pytest.raises(FloeError) as caught:
        store.claim(key(), now_us=NOW)
    assert str(tmp_path) not in caught.value.message
    store.close()


@pytest.mark.service
def test_a_server_that_dies_in_between() -> None:
    with postgres_server() as server:
        store = open_sql_store(server.new_database())
        claim = claimed(store, key())
    with pytest.raises(FloeError) as caught:
        store.release(claim)
    assert (caught.value.exit_code, "127.0.0.1" in caught.value.message) == (2, False)
    store.close()


@pytest.mark.service
def test_a_connection_that_was_cut_is_replaced(postgres: PostgresServer) -> None:
    address = postgres.new_database()
    store = open_sql_store(address)
    claimed(store, key())
    database = address.rpartition("/")[2]
    postgres.run_sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")
    claimed(store, key(1))
    store.close()
