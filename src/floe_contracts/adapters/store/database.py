"""One database behind a store: transactions that read or write, row locks, and locks by name, in either dialect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, TypeAlias

from sqlalchemy import Connection, Engine, Table
from sqlalchemy.exc import SQLAlchemyError

from .failure import failed

WRITES = "floe_writes"  # the execution option by which SQLite learns to begin with its lock


class Locking(Protocol):
    """What only the dialect can do: hold transactions apart, and names."""

    def share(self, connection: Connection) -> None:
        """Until the end of the transaction: nobody prunes or migrates."""

    def alone(self, connection: Connection) -> None:
        """Until the end of the transaction: nobody claims, commits, prunes or migrates."""

    def table(self, connection: Connection, name: str) -> None:
        """Until the end of the transaction: nobody else writes the states of this table."""

    def named(self, name: str, wait_s: float) -> AbstractContextManager[bool]:
        """Held across processes until the block ends or the process dies; False when it was not to be had."""


Insert: TypeAlias = "Callable[[Table], Any]"  # of the dialect, which has ON CONFLICT


@dataclass(frozen=True, slots=True)
class Database:
    """Whatever the libraries raise leaves here as a FloeError."""

    engine: Engine
    locking: Locking
    insert: Insert

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with translated(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction, committed when the block ends and undone when it fails."""
        with translated(), self.engine.connect() as connection:
            options: Mapping[str, bool] = {WRITES: True}
            with connection.execution_options(**options).begin():
                yield connection

    @contextmanager
    def lock(self, name: str, wait_s: float) -> Iterator[bool]:
        with translated(), self.locking.named(name, wait_s) as held:
            yield held

    def insert_new(self, connection: Connection, table: Table, row: Mapping[str, object]) -> bool:
        """Whether the row was new; one that stands already stays as it is."""
        return bool(connection.execute(_new(self.insert, table), [dict(row)]).rowcount)


@cache
def _new(insert: Insert, table: Table) -> Any:
    return insert(table).on_conflict_do_nothing()


@contextmanager
def translated() -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as error:
        raise failed(error) from None
