"""Who reads a contract: its own `consumers:` list, the readers' own files, and what they have acknowledged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..contract.model import Contract, JsonMap
from ..contract.version import parse_version
from ..frozen import dataclass
from ..results import Reader
from .fact import Column, Fact


@dataclass(frozen=True, slots=True)
class Subscription:
    """One line of a `.floe/consumers/<name>.yaml`: a reader, a contract, and the columns it uses (none = all)."""

    consumer: str
    owner: str
    contract: str
    major: int | None = None
    columns: tuple[str, ...] = ()
    path: str = ""  # the file that says so

    def means(self, contract: Contract) -> bool:
        """Whether this line is about a contract at its present MAJOR."""
        return is_name_of(self.contract, contract) and self.major in (None, major_of(contract))


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """A reader's recorded word that it no longer needs a MAJOR version."""

    contract: str
    major: int
    consumer: str
    by: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Register:
    """Everything known about readers besides the contracts themselves."""

    subscriptions: tuple[Subscription, ...] = ()
    acknowledgements: tuple[Acknowledgement, ...] = ()

    def readers(self, contract: Contract) -> tuple[Reader, ...]:
        """Every reader of this contract's MAJOR, once, with the owner to tell."""
        listed = {
            consumer.name: Reader(consumer.name, consumer.owner or "", consumer.columns)
            for consumer in contract.consumers
        }
        own: dict[str, Reader] = {}  # what a reader says about itself beats what the contract says about it
        for line in self.subscriptions:
            if line.means(contract):
                known = own.get(line.consumer) or listed.get(line.consumer)
                columns = (
                    _join_columns(own[line.consumer].columns, line.columns) if line.consumer in own else line.columns
                )
                own[line.consumer] = Reader(line.consumer, line.owner or (known.owner if known else ""), columns)
        readers = {**listed, **own}
        return tuple(readers[name] for name in sorted(readers))

    def mark_affected(self, contract: Contract, facts: Iterable[Fact]) -> tuple[Reader, ...]:
        """The readers, each marked as affected when a fact touches a column that it uses, or there is none."""
        return self.mark_reading(contract, [fact.touched for fact in facts])

    def mark_reading(self, contract: Contract, touched: Sequence[tuple[Column, ...]]) -> tuple[Reader, ...]:
        """The readers by the columns of each change; one without columns, or no change at all, concerns everybody."""
        if not touched:
            return self.readers(contract)
        return tuple(
            Reader(
                reader.name, reader.owner, reader.columns, any(_touches(columns, reader.columns) for columns in touched)
            )
            for reader in self.readers(contract)
        )

    def silent(self, contract: Contract) -> tuple[Reader, ...]:
        """Readers of this MAJOR that have not acknowledged its end."""
        major = major_of(contract)
        acknowledged = {
            ack.consumer for ack in self.acknowledgements if is_name_of(ack.contract, contract) and ack.major == major
        }
        return tuple(reader for reader in self.readers(contract) if reader.name not in acknowledged)


def major_of(contract: Contract) -> int | None:
    """The MAJOR number of a contract's version."""
    version = parse_version(contract.version)
    return version.major if version else None


def is_name_of(name: str, contract: Contract) -> bool:
    """Whether a person's name for a contract means this one: its id, domain/name or name."""
    return name in (contract.key, contract.name, f"{contract.domain}/{contract.name}")


def subscriptions_from(value: JsonMap, path: str = "") -> tuple[Subscription, ...]:
    """The lines of one consumer file that its schema has accepted."""
    consumer, owner, lines = value.get("consumer"), value.get("owner"), value.get("consumes")
    return tuple(
        Subscription(
            consumer=str(consumer),
            owner=str(owner or ""),
            contract=str(line.get("contract")),
            major=_whole(line.get("major")),
            columns=tuple(str(name) for name in _list(line.get("columns"))),
            path=path,
        )
        for line in _list(lines)
        if isinstance(line, dict)
    )


def acknowledgements_from(value: JsonMap) -> tuple[Acknowledgement, ...]:
    """The rows of a `.floe/acks.yaml` that its schema has accepted."""
    return tuple(
        Acknowledgement(
            contract=str(row.get("contract")),
            major=_whole(row.get("major")) or 0,
            consumer=str(row.get("consumer")),
            by=str(row.get("by") or ""),
            date=str(row.get("date") or ""),
        )
        for row in _list(value.get("acks"))
        if isinstance(row, dict)
    )


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _join_columns(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """The columns of two lines about one contract; a line without columns means all of them."""
    return tuple(dict.fromkeys((*first, *second))) if first and second else ()


def _touches(changed: tuple[Column, ...], used: tuple[str, ...]) -> bool:
    """Whether a change reaches a reader; an unknown side counts as everything."""
    return not changed or not used or any(_reads(name, *column) for name in used for column in changed)


def _reads(name: str, table: str, column: str) -> bool:
    """Whether a reader's word for a column or a part of it means this column; warehouses do not look at case."""
    word = f"{name.casefold()}."
    return (
        any(word.startswith(f"{each.casefold()}.") for each in (column, f"{table}.{column}"))
        or word == f"{table}.".casefold()
    )
