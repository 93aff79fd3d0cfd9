"""Who reads a contract: its own `consumers:` list, the readers' own files, and what they have acknowledged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..contract.model import Contract, JsonMap
from ..contract.version import parse_version
from ..results import Reader
from .fact import Fact


@dataclass(frozen=True, slots=True)
class Subscription:
    """One line of a `.floe/consumers/<name>.yaml`: a reader, a contract, and the columns it uses (none = all)."""

    consumer: str
    owner: str
    contract: str
    major: int | None = None
    columns: tuple[str, ...] = ()


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
        found: dict[str, Reader] = {
            one.name: Reader(one.name, one.owner or "", one.columns) for one in contract.consumers
        }
        for one in self.subscriptions:
            if _means(one.contract, contract) and one.major in (None, major_of(contract)):
                known = found.get(one.consumer)
                found[one.consumer] = Reader(one.consumer, one.owner or (known.owner if known else ""), one.columns)
        return tuple(found[name] for name in sorted(found))

    def affected(self, contract: Contract, facts: Iterable[Fact]) -> tuple[Reader, ...]:
        """Readers with a mark whether one of the facts touches a column that they use."""
        touched = [fact.columns for fact in facts]
        return tuple(
            Reader(one.name, one.owner, one.columns, any(_touches(columns, one.columns) for columns in touched))
            for one in self.readers(contract)
        )

    def silent(self, contract: Contract) -> tuple[Reader, ...]:
        """Readers of this MAJOR that have not acknowledged its end."""
        major = major_of(contract)
        heard = {one.consumer for one in self.acknowledgements if _means(one.contract, contract) and one.major == major}
        return tuple(reader for reader in self.readers(contract) if reader.name not in heard)


def major_of(contract: Contract) -> int | None:
    """The MAJOR number of a contract's version."""
    version = parse_version(contract.version)
    return version.major if version else None


def subscriptions_from(value: JsonMap) -> tuple[Subscription, ...]:
    """The lines of one consumer file that its schema has accepted."""
    consumer, owner, lines = value.get("consumer"), value.get("owner"), value.get("consumes")
    return tuple(
        Subscription(
            consumer=str(consumer),
            owner=str(owner or ""),
            contract=str(line.get("contract")),
            major=_whole(line.get("major")),
            columns=tuple(str(name) for name in _list(line.get("columns"))),
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


def _means(name: str, contract: Contract) -> bool:
    return name in (contract.key, contract.name)


def _touches(changed: tuple[str, ...], used: tuple[str, ...]) -> bool:
    """Whether a change reaches a reader: an unknown side counts as everything."""
    if not changed or not used:
        return True
    return any(_same(one, other) for one in changed for other in used)


def _same(changed: str, used: str) -> bool:
    return (
        changed == used
        or changed.endswith(f".{used}")
        or used.startswith(f"{changed}.")
        or changed.startswith(f"{used}.")
    )
