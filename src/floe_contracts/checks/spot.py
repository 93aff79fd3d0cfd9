"""A property of a table with both of its paths: the contract's names for people, the table's names for engines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from ..contract.meaning.exact import number_of, spelled
from ..contract.model import Contract, CustomProperty, Property, SchemaObject
from .measure import ItemCount, Measure, Path, RowCount
from .measured import ITEM, KEY, VALUE
from .names import below_items, element_of, is_column, physical


@dataclass(frozen=True, slots=True)
class Spot:
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
        """What a percentage of values here is a percentage of."""
        return ItemCount(self.path) if self.repeats else RowCount()


def spots(contract: Contract, table: SchemaObject) -> Iterator[Spot]:
    """Every column at any depth, in the order of the contract; computed measures are left out."""
    for prop in table.properties:
        if is_column(prop):
            yield from _inside(Spot(contract, table, (prop.name,), (physical(prop),), prop), prop)


def _inside(spot: Spot, prop: Property) -> Iterator[Spot]:
    yield spot
    for child in prop.properties:
        if is_column(child):
            yield from _inside(_below(spot, child, child.name, physical(child)), child)
    for label, side in ((ITEM, prop.items), (KEY, prop.map_key), (VALUE, prop.map_value)):
        if side is not None:
            yield from _inside(_below(spot, side, label, label), side)


def _below(spot: Spot, prop: Property, name: str, physical_name: str) -> Spot:
    return Spot(spot.contract, spot.table, (*spot.column, name), (*spot.path, physical_name), prop)


def find_column(contract: Contract, table: SchemaObject, name: str) -> Spot | None:
    """The column that a text names: by its path with dots, by its name in the table, or by either in any case."""
    here = [spot for spot in spots(contract, table) if not spot.repeats]
    for prefix in (table.name, table.physical_name or table.name):
        name = name[len(prefix) + 1 :] if name.startswith(f"{prefix}.") and not _named(here, name) else name
    found = _named(here, name)
    if found is None:
        folded = [spot for spot in here if ".".join(spot.column).casefold() == name.casefold()]
        found = folded[0] if len(folded) == 1 else None
    return found


def _named(here: list[Spot], name: str) -> Spot | None:
    exact = (spot for spot in here if ".".join(spot.column) == name)
    by_table = (spot for spot in here if ".".join(spot.path) == name)
    return next(exact, None) or next(by_table, None)


def weight_of(custom: tuple[CustomProperty, ...]) -> Decimal:
    """`floe.weight`, or 1 where it is absent or no number of at least 0."""
    for one in custom:
        if one.property in ("floe.weight", "weight"):
            number = number_of(one.value)
            if number is not None and number >= 0:
                return Decimal(spelled(number))
    return Decimal(1)
