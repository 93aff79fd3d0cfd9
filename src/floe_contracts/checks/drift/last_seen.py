"""What changed in a table since the last check, and whether a contract would have needed a MAJOR version for it.

Removing or retyping a promised column, or dropping the NOT NULL of a required one, breaks readers; a text that may be
longer does not, nor does a column that only now is what the contract says. Columns without a promise, and new ones,
are told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ... import codes
from ...codes import Code
from ...contract.meaning.typenames import Family, TypeExpr
from ...contract.model import Contract, Property, SchemaObject
from ...results import Finding
from ...results.facts import FindingFacts
from ..measure import Path
from ..measured import ITEM, KEY, VALUE, ActualColumn
from ..names import element_of, is_column, name_in_table
from .type_match import Reading, expand_type, matches

_SIDES = frozenset({ITEM, KEY, VALUE})
Promised = tuple[Path, Property]  # a property with its path in the contract


def changes_since(
    contract: Contract,
    table: SchemaObject,
    last: tuple[ActualColumn, ...],
    actual: tuple[ActualColumn, ...],
    reading: Reading,
) -> tuple[Finding, ...]:
    """One finding per change, in the order of the columns as they were, then of the new ones."""
    promised = dict(_list_promised(table.properties, (), reading))
    return tuple(_Change(contract, table, reading, promised).compare(last, actual, ()))


def _list_promised(props: tuple[Property, ...], path: Path, reading: Reading) -> Iterator[tuple[Path, Promised]]:
    """Every promised column by its name in the table, folded where the engine folds it."""
    for prop in props:
        if is_column(prop):
            yield from _inside(expand_type(prop), (*path, _key(name_in_table(prop), reading)), (prop.name,), reading)


def _inside(prop: Property, at: Path, path: Path, reading: Reading) -> Iterator[tuple[Path, Promised]]:
    yield at, (path, prop)
    for child in prop.properties:
        yield from _inside(expand_type(child), (*at, _key(name_in_table(child), reading)), (*path, child.name), reading)
    for label, side in ((ITEM, prop.items), (KEY, prop.map_key), (VALUE, prop.map_value)):
        if side is not None:
            yield from _inside(expand_type(side), (*at, label), (*path, label), reading)


def _key(name: str, reading: Reading) -> str:
    return name if reading.case_sensitive else name.casefold()


@dataclass(frozen=True, slots=True)
class _Change:
    contract: Contract
    table: SchemaObject
    reading: Reading
    promised: dict[Path, Promised]

    def compare(self, last: tuple[ActualColumn, ...], now: tuple[ActualColumn, ...], path: Path) -> Iterator[Finding]:
        before = {_key(column.name, self.reading): column for column in last}
        after = {_key(column.name, self.reading): column for column in now}
        for name, column in before.items():
            at = (*path, name)
            if name in after:
                yield from self._column(column, after[name], at)
            else:
                code = codes.E533 if at in self.promised else codes.E534
                yield self._finding(code, "column-removed", at, column, "was removed", column.shown, "no such column")
        for name, column in after.items():
            if name not in before:
                yield self._finding(
                    codes.E534, "column-added", (*path, name), column, "was added", "no such column", column.shown
                )

    def _column(self, last: ActualColumn, now: ActualColumn, at: Path) -> Iterator[Finding]:
        if _level(last.type) != _level(now.type):
            says = f"changed its type from {last.shown} to {now.shown}"
            yield self._finding(
                self._retype_code(last, now, at), "column-retyped", at, now, says, last.shown, now.shown
            )
            return
        if last.nullable != now.nullable:
            promise = self.promised.get(at)
            broken = now.nullable and promise is not None and (promise[1].required or promise[1].primary_key)
            says = "may be null now" if now.nullable else "may no longer be null"
            sides = ("not null", "nullable") if now.nullable else ("nullable", "not null")
            yield self._finding(codes.E533 if broken else codes.E534, "column-nullable", at, now, says, *sides)
        yield from self.compare(last.children, now.children, at)

    def _retype_code(self, last: ActualColumn, now: ActualColumn, at: Path) -> Code:
        promise = self.promised.get(at)
        if promise is None or _longer_text(last.type, now.type):
            return codes.E534
        fixed = matches(promise[1], now, self.reading) and not matches(promise[1], last, self.reading)
        return codes.E534 if fixed else codes.E533

    def _finding(self, code: Code, rule: str, at: Path, column: ActualColumn, says: str, *sides: str) -> Finding:
        path = (
            self.promised[at][0] if at in self.promised else (*at[:-1], column.name if at[-1] not in _SIDES else at[-1])
        )
        element = element_of(self.contract, self.table, path)
        return Finding.of(
            code,
            rule,
            f"{element} {says} since the last check",
            element=element,
            expected=sides[0],
            actual=sides[1],
            facts=FindingFacts(table=self.table.name),
        )


def _level(kind: TypeExpr) -> tuple[object, ...]:
    """A type without its inside, which is compared on its own."""
    text = kind.text if kind.family in (Family.INTERVAL, Family.UNKNOWN) else ""
    return kind.family, kind.params, kind.zone, kind.unsigned, text


def _longer_text(last: TypeExpr, now: TypeExpr) -> bool:
    if last.family is not Family.STRING or now.family is not Family.STRING or not last.params:
        return False
    return not now.params or now.params > last.params
