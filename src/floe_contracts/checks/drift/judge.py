"""Judges drift: the columns of a table against the contract and against what they were at the last check.

Names are matched as Spark matches them, without regard to case, and a difference in case is told. Whether a column may
be null is not compared with the contract: files always allow it, so the promise is kept or broken by the data, and the
quality check counts it. A constraint that disappears from the table is told by the comparison with the last schema.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from ... import codes
from ...contract.lint.remark import closest
from ...contract.meaning.typenames import Family
from ...contract.model import Contract, Property, SchemaObject
from ...results import CheckResult, Finding, finding
from .. import context_keys as keys
from ..measure import Path
from ..measured import ITEM, KEY, VALUE, ActualColumn, Failure
from ..names import element_of, is_column, physical, quoted
from ..verdict import PartResult, concluded, errored, joined, judged, skipped
from .last_seen import changes_since
from .type_match import Reading, described, matches, promised_type, reading_for

Columns = tuple[ActualColumn, ...]
_DRIFT = frozenset({codes.E530, codes.E531, codes.E532, codes.E533, codes.E534})


@dataclass(frozen=True, slots=True)
class TableSchema:
    """What was read of one table; `last` is the schema of the last check, None when there was none."""

    table: SchemaObject
    actual: Columns | Failure
    last: Columns | None = None
    reading: Reading = field(default_factory=Reading)


def judge_schema_drift(contract: Contract, tables: Iterable[TableSchema]) -> CheckResult:
    """One result for all tables: wrong and missing columns violate, new ones are told."""
    parts = [_judge(contract, one) for one in tables]
    measured = [part for part in parts if keys.DRIFT in part.said]
    context = {keys.NOT_COMPARED: joined(parts, keys.NOT_COMPARED, ", ")}
    if measured:
        context[keys.DRIFT] = "1" if any(part.said[keys.DRIFT] == "1" for part in measured) else "0"
    if not parts:
        context[keys.STATUS] = "no_table"
    return concluded("schema_drift", contract, parts or [skipped("no_table")], context)


def _judge(contract: Contract, one: TableSchema) -> PartResult:
    if isinstance(one.actual, Failure):
        return errored(one.table.name, one.actual.reason)
    reading = reading_for(contract, one.reading)
    told = tuple(_Walk(contract, one.table, reading).fields(one.table.properties, one.actual, ()))
    found = [item for item in told if isinstance(item, Finding)]
    unknown = [item for item in told if isinstance(item, str)]
    if one.last is not None:
        found += changes_since(contract, one.table, one.last, one.actual, reading)
    drift = "1" if any(item.code in _DRIFT for item in found) else "0"
    return judged(*found, schema_drift_detected=drift, not_compared=", ".join(unknown))


@dataclass(frozen=True, slots=True)
class _Walk:
    """The way down both trees of columns; a text is a column whose promised type nobody knows."""

    contract: Contract
    table: SchemaObject
    reading: Reading

    def fields(self, props: tuple[Property, ...], actual: Columns, path: Path) -> Iterator[Finding | str]:
        """Columns of a table or fields of a struct; where the contract names none, any are fine."""
        if not props:
            return
        left = {column.name: column for column in actual}
        wanted = [prop for prop in props if is_column(prop)]
        found = {prop.name: self._taken(prop, left, wanted) for prop in wanted}
        for prop in wanted:
            column = found[prop.name]
            if column is None:
                yield self._missing(prop, (*path, prop.name), tuple(left))
            else:
                yield from self._column(prop, column, (*path, prop.name))
        encrypted = {prop.encrypted_name for prop in props}
        for column in left.values():
            if column.name not in encrypted:  # the contract names it after all, beside the column it protects
                yield self._extra(column, path)

    def _taken(self, prop: Property, left: dict[str, ActualColumn], wanted: list[Property]) -> ActualColumn | None:
        """The column of that name, in another case only when no property claims that spelling."""
        name = physical(prop)
        if name in left:
            return left.pop(name)
        if self.reading.case_sensitive:
            return None
        claimed = {physical(other) for other in wanted}
        alike = [one for one in left if one.casefold() == name.casefold() and one not in claimed]
        return left.pop(alike[0]) if alike else None

    def _column(self, prop: Property, column: ActualColumn, path: Path) -> Iterator[Finding | str]:
        if column.name != physical(prop) and prop.name:
            yield self._cased(physical(prop), column.name, path)
        prop = described(prop)
        fits = matches(prop, column, self.reading)
        if fits is None:
            yield element_of(self.contract, self.table, path)
        if fits is False:
            yield self._type_differs(prop, column, path)
            return
        inside = {child.name: child for child in column.children}
        for label, side in ((ITEM, prop.items), (KEY, prop.map_key), (VALUE, prop.map_value)):
            if side is not None and label in inside:
                yield from self._column(side, inside[label], (*path, label))
        if column.type.family is Family.STRUCT:
            yield from self.fields(prop.properties, column.children, path)

    def _missing(self, prop: Property, path: Path, left: tuple[str, ...]) -> Finding:
        element = element_of(self.contract, self.table, path)
        meant = closest(physical(prop), left)
        hint = (f"The table has {quoted(meant)}, which the contract does not name; was it renamed?",) if meant else ()
        called = f" (in the table: {quoted(physical(prop))})" if physical(prop) != prop.name else ""
        return self._finding(
            finding(
                codes.E531,
                "column-missing",
                f"{element}{called} is missing from {self.table.name}",
                element=element,
                expected=promised_type(prop),
                actual="no such column",
                suggestions=hint,
            )
        )

    def _type_differs(self, prop: Property, column: ActualColumn, path: Path) -> Finding:
        element = element_of(self.contract, self.table, path)
        message = f"{element} is {column.shown}, the contract promises {promised_type(prop)}"
        return self._finding(
            finding(
                codes.E530,
                "column-type",
                message,
                element=element,
                expected=promised_type(prop),
                actual=column.shown,
            )
        )

    def _extra(self, column: ActualColumn, path: Path) -> Finding:
        element = element_of(self.contract, self.table, (*path, column.name))
        what = "field" if path else "column"
        return self._finding(
            finding(
                codes.E532,
                "column-extra",
                f"{element} is a {what} that the contract does not name",
                element=element,
                expected=f"no such {what}",
                actual=column.shown,
            )
        )

    def _cased(self, wanted: str, found: str, path: Path) -> Finding:
        element = element_of(self.contract, self.table, path)
        message = f"{element} is spelled {quoted(found)} in {self.table.name}"
        return self._finding(
            finding(codes.E535, "column-case", message, element=element, expected=wanted, actual=found)
        )

    def _finding(self, found: Finding) -> Finding:
        return replace(found, context=((keys.TABLE, self.table.name),))
