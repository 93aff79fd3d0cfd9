"""Judges drift: the columns of a table against the contract and against what they were at the last check.

Names are matched as Spark matches them, without regard to case, and a difference in case is told. Whether a column may
be null is not compared with the contract: files always allow it, so the promise is kept or broken by the data, and the
quality check counts it. A constraint that disappears from the table is told by the comparison with the last schema.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from ... import codes
from ...contract.meaning.phrase import closest
from ...contract.meaning.typenames import Family
from ...contract.model import Contract, Property, SchemaObject
from ...results import CheckResult, Finding
from ...results.facts import DriftFacts, FindingFacts
from ..measure import Path
from ..measured import ITEM, KEY, VALUE, ActualColumn, Failure
from ..names import element_of, is_column, name_in_table, quote_name
from ..verdict import PartResult, conclude, errored_part, outcome_by_severity, skipped_part
from .last_seen import changes_since
from .type_match import Reading, expand_type, matches, promised_type, reading_for

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
    parts = [_judge(contract, table) for table in tables]
    measured = [part.drift for part in parts if part.drift is not None]
    facts = DriftFacts(
        not_compared=", ".join(dict.fromkeys(drift.not_compared for drift in measured if drift.not_compared)),
        schema_drift_detected=any(drift.schema_drift_detected for drift in measured) if measured else None,
        status=() if parts else ("no_table",),
    )
    return conclude("schema_drift", contract, parts or [skipped_part()], facts)


def _judge(contract: Contract, schema: TableSchema) -> PartResult:
    if isinstance(schema.actual, Failure):
        return errored_part(schema.table.name, schema.actual.reason)
    reading = reading_for(contract, schema.reading)
    differences = tuple(_Walk(contract, schema.table, reading).fields(schema.table.properties, schema.actual, ()))
    findings = [item for item in differences if isinstance(item, Finding)]
    unknown = [item for item in differences if isinstance(item, str)]
    if schema.last is not None:
        findings += changes_since(contract, schema.table, schema.last, schema.actual, reading)
    drift = DriftFacts(", ".join(unknown), any(item.code in _DRIFT for item in findings))
    return PartResult(outcome_by_severity(findings), tuple(findings), drift=drift)


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
        columns = {prop.name: self._take(prop, left, wanted) for prop in wanted}
        for prop in wanted:
            column = columns[prop.name]
            if column is None:
                yield self._missing(prop, (*path, prop.name), tuple(left))
            else:
                yield from self._column(prop, column, (*path, prop.name))
        encrypted = {prop.encrypted_name for prop in props}
        for column in left.values():
            if column.name not in encrypted:  # the contract names it after all, beside the column it protects
                yield self._extra(column, path)

    def _take(self, prop: Property, left: dict[str, ActualColumn], wanted: list[Property]) -> ActualColumn | None:
        """The column of that name, in another case only when no property claims that spelling."""
        name = name_in_table(prop)
        if name in left:
            return left.pop(name)
        if self.reading.case_sensitive:
            return None
        claimed = {name_in_table(other) for other in wanted}
        alike = [other for other in left if other.casefold() == name.casefold() and other not in claimed]
        return left.pop(alike[0]) if alike else None

    def _column(self, prop: Property, column: ActualColumn, path: Path) -> Iterator[Finding | str]:
        if column.name != name_in_table(prop) and prop.name:
            yield self._case_differs(name_in_table(prop), column.name, path)
        prop = expand_type(prop)
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
        meant = closest(name_in_table(prop), left)
        hint = (
            (f"The table has {quote_name(meant)}, which the contract does not name; was it renamed?",) if meant else ()
        )
        called = f" (in the table: {quote_name(name_in_table(prop))})" if name_in_table(prop) != prop.name else ""
        return self._finding(
            Finding.of(
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
            Finding.of(
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
            Finding.of(
                codes.E532,
                "column-extra",
                f"{element} is a {what} that the contract does not name",
                element=element,
                expected=f"no such {what}",
                actual=column.shown,
            )
        )

    def _case_differs(self, wanted: str, actual: str, path: Path) -> Finding:
        element = element_of(self.contract, self.table, path)
        message = f"{element} is spelled {quote_name(actual)} in {self.table.name}"
        return self._finding(
            Finding.of(codes.E535, "column-case", message, element=element, expected=wanted, actual=actual)
        )

    def _finding(self, item: Finding) -> Finding:
        return replace(item, facts=FindingFacts(table=self.table.name))
