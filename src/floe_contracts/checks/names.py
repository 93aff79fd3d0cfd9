"""What findings call a column: its path in the contract, with the table in front when the contract has several."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from ..contract.meaning.exact import number_of, spell_number
from ..contract.model import Contract, CustomProperty, Property, SchemaObject
from .measure import ItemCount, Measure, Path, RowCount
from .measured import ITEM, KEY, VALUE

_PLAIN = re.compile(r"[^\W\d][\w$-]*")
_SIDES = frozenset({ITEM, KEY, VALUE})


def element_of(contract: Contract, table: SchemaObject, path: Path = ()) -> str:
    """`status`, `items[].sku`, `orders.status` where there are other tables, or the table's own name."""
    if not path:
        return table.name
    return f"{quote_name(table.name)}.{spell_path(path)}" if len(contract.objects) > 1 else spell_path(path)


def unnamed(number: int) -> str:
    """What a column is called, as Spark calls it, when its name is not known or may be a value."""
    return f"_c{number}"


def spell_path(path: Path) -> str:
    """A path in one word; names that a dot, a space or a quote would confuse stand in backticks."""
    words = [step if step in _SIDES else f".{quote_name(step)}" for step in path]
    return "".join(words).removeprefix(".")


def quote_name(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else "`" + name.replace("`", "``") + "`"


def name_in_table(prop: Property) -> str:
    """The name of the column in the table."""
    return prop.physical_name or prop.name


class ColumnName(str):
    """A name that a column really has, though it looks like the mark of an array's items or of a map's sides."""

    __slots__ = ()


def step_of(prop: Property) -> str:
    """The name of the column in the table, as a step of a path."""
    name = name_in_table(prop)
    return ColumnName(name) if name in _SIDES else name


def is_column(prop: Property) -> bool:
    """Whether a property is a column; a measure is computed by whoever reads, so no table has one for it."""
    return (prop.semantic_type or "").casefold() != "measure"


def below_items(path: Path) -> bool:
    """Whether a path leads into an array or a map, so that one row has many values or none."""
    return any(step in _SIDES and not isinstance(step, ColumnName) for step in path)


@dataclass(frozen=True, slots=True)
class RulePlace:
    """Where a rule is written; `column` is empty for the table itself."""

    contract: Contract
    table: SchemaObject
    column: Path = ()
    path: Path = ()
    prop: Property | None = None

    @property
    def element(self) -> str:
        return element_of(self.contract, self.table, self.column)

    @property
    def id(self) -> str:
        return ".".join((self.table.name, *self.column))

    @property
    def repeats(self) -> bool:
        """Whether one row holds any number of these values."""
        return below_items(self.path)

    @property
    def whole(self) -> Measure:
        """What a percentage of values here is a percentage of; below a struct, of the structs that are there."""
        return ItemCount(self.path) if self.repeats or len(self.path) > 1 else RowCount()


def rule_places(contract: Contract, table: SchemaObject) -> Iterator[RulePlace]:
    """Every column at any depth, in the order of the contract; computed measures are left out."""
    for prop in table.properties:
        if is_column(prop):
            yield from _inside(RulePlace(contract, table, (prop.name,), (step_of(prop),), prop), prop)


def _inside(place: RulePlace, prop: Property) -> Iterator[RulePlace]:
    yield place
    for child in prop.properties:
        if is_column(child):
            yield from _inside(_below(place, child, child.name, step_of(child)), child)
    for label, side in ((ITEM, prop.items), (KEY, prop.map_key), (VALUE, prop.map_value)):
        if side is not None:
            yield from _inside(_below(place, side, label, label), side)


def _below(place: RulePlace, prop: Property, name: str, physical_name: str) -> RulePlace:
    return RulePlace(place.contract, place.table, (*place.column, name), (*place.path, physical_name), prop)


def find_column(contract: Contract, table: SchemaObject, name: str) -> RulePlace | None:
    """The column that a text names: by its path with dots, by its name in the table, or by either in any case."""
    here = [place for place in rule_places(contract, table) if not place.repeats]
    for prefix in (table.name, table.physical_name or table.name):
        name = name[len(prefix) + 1 :] if name.startswith(f"{prefix}.") and not _match_name(here, name) else name
    column = _match_name(here, name)
    if column is None:
        folded = [place for place in here if ".".join(place.column).casefold() == name.casefold()]
        column = folded[0] if len(folded) == 1 else None
    return column


def _match_name(here: list[RulePlace], name: str) -> RulePlace | None:
    exact = (place for place in here if ".".join(place.column) == name)
    by_table = (place for place in here if ".".join(place.path) == name)
    return next(exact, None) or next(by_table, None)


def weight_of(custom: tuple[CustomProperty, ...]) -> Decimal:
    """`floe.weight`, or 1 where it is absent or no number of at least 0."""
    for entry in custom:
        if entry.property in ("floe.weight", "weight"):
            number = number_of(entry.value)
            if number is not None and number >= 0:
                return Decimal(spell_number(number))
    return Decimal(1)
