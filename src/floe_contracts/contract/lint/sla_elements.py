"""Remarks about elements of service levels that name no column: errors where the contract lists all there can be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...codes import Severity
from ..meaning.memo import remember_last
from ..meaning.phrase import closest, did_you_mean
from ..model import Contract, Dialect, Pointer, Property
from .remark import Remark

_GUESSES = 20  # names that are compared with every column; more wrong ones than that have a cause in common
_PLAIN = re.compile(r"[\w$ .-]+")  # no pattern, no variable that is filled in later
_WRITTEN_BY_LOADS = re.compile(r"_?[a-z]\w*_(at|ts|time|timestamp|date|datetime|synced)", re.IGNORECASE)


def element_remarks(contract: Contract) -> Iterator[Remark]:
    """A remark for every element that names no column or table of the contract."""
    known = _elements(contract)
    default: Pointer = ("sla", "element") if contract.dialect is Dialect.FIELDS else ("slaDefaultElement",)
    written = [(contract.sla_default_element, "the default of the SLAs", default, "sla")]
    written += [(sla.element, f"the SLA {sla.property!r}", (*sla.at, "element"), sla.property) for sla in contract.slas]
    unknown = (
        (name, what, at, element)
        for names, what, at, element in written
        for name in (part.strip() for part in (names or "").split(","))
        if name and name not in known
    )
    for count, (name, what, at, element) in enumerate(unknown):
        meant = _closest_element(name, contract) if count < _GUESSES else None
        yield _remark(contract, name, what, at, element, meant)


def _remark(contract: Contract, name: str, what: str, at: Pointer, element: str, meant: str | None) -> Remark:
    certain = _is_nowhere(name, contract) and (meant is not None or not _may_be_unlisted_clock(name, contract))
    return Remark(
        "sla-element-unknown",
        f"{what} names {name!r}, which is not a column or table of this contract",
        at,
        severity=Severity.ERROR if certain else Severity.WARNING,
        element=element,
        expected="a column as table.column or column, or a table",
        actual=name,
        suggestion=did_you_mean(meant) if meant else f"Add the column {name!r}, or name one that exists.",
    )


def _elements(contract: Contract) -> set[str]:
    names: set[str] = set()
    for table in contract.objects:
        for prefix in {table.name, table.physical_name or table.name}:
            names.add(prefix)
            for path, prop in table.columns():
                dotted = ".".join(path)
                names |= {dotted, f"{prefix}.{dotted}"}
                if prop.physical_name:
                    names |= {prop.physical_name, f"{prefix}.{prop.physical_name}"}
    return names


def _closest_element(name: str, contract: Contract) -> str | None:
    """The nearest column, with the table's name in front where the written name has one."""
    tables = [(table.name, [".".join(path) for path, _ in table.columns()]) for table in contract.objects]
    full = [f"{table}.{column}" for table, columns in tables for column in columns]
    short = [column for _, columns in tables for column in columns]
    first, then = (full, short) if "." in name else (short, full)
    same_column = [column for column in full if column.partition(".")[2] == name.partition(".")[2]]
    if same_column:
        return same_column[0]  # the same column under another name of the table
    return closest(name, first) or closest(name, [*then, *(table for table, _ in tables)])


def _is_nowhere(name: str, contract: Contract) -> bool:
    """Whether no column can be meant: every table lists its columns, and none has this name under any table's name.

    A name of a table that nobody else uses may be what the platform calls it, so only the column behind it counts; and
    a column that does not list what is inside it may hold anything.
    """
    if not _PLAIN.fullmatch(name) or not contract.objects or not all(table.properties for table in contract.objects):
        return False
    path = [part.strip().casefold() for part in name.split(".")]
    ways = [path[start:] for start in range(len(path))]
    if path[-1] in _folded_tables(contract):
        return False  # the table, with the name of its schema in front
    columns = _by_folded_name(contract)
    return not any(_may_be(way, prop) for way in ways for prop in columns.get(way[0], ()))


def _may_be_unlisted_clock(name: str, contract: Contract) -> bool:
    """Whether the name is called like the time that a load writes beside the promised columns, as `updated_at`."""
    table, _, column = name.rpartition(".")
    own = {word.casefold() for item in contract.objects for word in (item.name, item.physical_name or item.name)}
    return table.casefold() in {"", *own} and _WRITTEN_BY_LOADS.fullmatch(column) is not None


def _may_be(path: list[str], prop: Property) -> bool:
    return len(path) == 1 or not any(prop.children()) or _is_inside(path[1:], prop)


@remember_last
def _folded_tables(contract: Contract) -> frozenset[str]:
    return frozenset(table.name.casefold() for table in contract.objects)


@remember_last
def _by_folded_name(contract: Contract) -> dict[str, list[Property]]:
    """The columns of every table by their names in one case; of a table with several the first."""
    names: dict[str, list[Property]] = {}
    for table in contract.objects:
        for name, prop in _first_of_each(table.properties).items():
            names.setdefault(name, []).append(prop)
    return names


def _first_of_each(properties: tuple[Property, ...]) -> dict[str, Property]:
    first: dict[str, Property] = {}
    for prop in properties:
        for name in (prop.name, prop.physical_name or prop.name):
            first.setdefault(name.casefold(), prop)
    return first


def _is_inside(path: list[str], prop: Property) -> bool:
    """Whether a path leads on below a column, through the items of lists and the sides of maps."""
    sides = [side for side in (prop.items, prop.map_key, prop.map_value) if side is not None]
    through = any(not side.properties or _is_inside(path, side) for side in sides)
    inner = _first_of_each(prop.properties).get(path[0])
    return through or (inner is not None and _may_be(path, inner))
