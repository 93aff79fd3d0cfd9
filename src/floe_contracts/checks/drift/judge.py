"""Judges drift: the columns of a table against the contract and against what they were at the last check.

Names are matched as Spark matches them, without regard to case, and a difference in case is told. Whether a column may
be null is not compared with the contract: files always allow it, so the promise is kept or broken by the data, and the
quality check counts it. A constraint that disappears from the table is told by the comparison with the last schema,
where Spark knows of constraints: tables of its catalogs, not those of databases by JDBC.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from ... import codes
from ...codes import Severity
from ...contract.meaning.phrase import closest, plural
from ...contract.meaning.privacy import PrivacyRules
from ...contract.meaning.typenames import Family
from ...contract.model import Contract, Property, SchemaObject
from ...results import CheckResult, Finding
from ...results.facts import DriftFacts, FindingFacts
from ..measure import Path
from ..measured import ITEM, KEY, VALUE, ActualColumn, Failure
from ..names import element_of, is_column, name_in_table, quote_name, unnamed
from ..verdict import PartResult, conclude, errored_part, gone_part, outcome_by_severity, skipped_part
from .last_seen import changes_since
from .type_match import Reading, expand_type, matches, promised_type, reading_for

Columns = tuple[ActualColumn, ...]
_SAME_CAUSE = ("column-removed", "column-retyped")  # changes that make a column missing or wrong
_DRIFT = frozenset({codes.E530, codes.E531, codes.E532, codes.E533, codes.E534})


@dataclass(frozen=True, slots=True)
class TableSchema:
    """What was read of one table; `last` is the schema of the last check, None when there was none."""

    table: SchemaObject
    actual: Columns | Failure
    last: Columns | None = None
    reading: Reading = field(default_factory=Reading)
    privacy: PrivacyRules = field(default_factory=PrivacyRules)


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
        gone = schema.actual.missing and schema.last is not None
        return (gone_part if gone else errored_part)(schema.table.name, schema.actual.reason)
    reading = reading_for(contract, schema.reading)
    differences = tuple(
        _Walk(contract, schema.table, reading, schema.privacy).fields(schema.table.properties, schema.actual, ())
    )
    findings = [item for item in differences if isinstance(item, Finding)]
    unknown = [item for item in differences if isinstance(item, str)]
    if schema.last is not None:
        changes = changes_since(contract, schema.table, schema.last, schema.actual, reading)
        findings = _join_changes(findings, changes)
    drift = DriftFacts(", ".join(unknown), any(item.code in _DRIFT for item in findings))
    return PartResult(outcome_by_severity(findings), tuple(findings), drift=drift)


def _join_changes(findings: list[Finding], changes: tuple[Finding, ...]) -> list[Finding]:
    """The findings with what changed since the last check; what both comparisons see is one finding that says so."""
    seen = {item.element: item for item in changes if item.rule in _SAME_CAUSE}
    joined = [
        replace(item, suggestions=(*item.suggestions, f"{change.message}."))
        if item.code in (codes.E530, codes.E531) and (change := seen.get(item.element))
        else item
        for item in findings
    ]
    known = {item.element for item in findings if item.code in (codes.E530, codes.E531)}
    return [*joined, *(item for item in changes if item.element not in known or item.rule not in _SAME_CAUSE)]


@dataclass(frozen=True, slots=True)
class _Walk:
    """The way down both trees of columns; a text is a column whose promised type nobody knows."""

    contract: Contract
    table: SchemaObject
    reading: Reading
    privacy: PrivacyRules

    def fields(self, props: tuple[Property, ...], actual: Columns, path: Path) -> Iterator[Finding | str]:
        """Columns of a table or fields of a struct; where the contract names none, any are fine."""
        if not props:
            yield from self._personal(() if path else actual, path)
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
        if not path and actual and [column.name for column in actual] == [unnamed(n) for n in range(len(left))]:
            yield self._unnamed(len(actual))
            return
        encrypted = {prop.encrypted_name for prop in props}
        for column in left.values():
            if column.name not in encrypted:  # the contract names it after all, beside the column it protects
                yield self._extra(column, path)
                yield from self._personal((column,), path)

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
        if column.variants:  # files differ, so each is compared by itself
            yield from (item for file, variant in column.variants for item in self._variant(prop, file, variant, path))
            return
        fits = matches(prop, column, self.reading)
        if fits is None:
            yield element_of(self.contract, self.table, path)
        if fits is False:
            yield self._type_differs(prop, column, path)
            return
        yield from self._children(prop, column, path)

    def _children(self, prop: Property, column: ActualColumn, path: Path) -> Iterator[Finding | str]:
        inside = {child.name: child for child in column.children}
        for label, side in ((ITEM, prop.items), (KEY, prop.map_key), (VALUE, prop.map_value)):
            if side is not None and label in inside:
                yield from self._column(side, inside[label], (*path, label))
        if column.type.family is Family.STRUCT:
            yield from self.fields(prop.properties, column.children, path)

    def _variant(self, prop: Property, file: str, column: ActualColumn, path: Path) -> Iterator[Finding]:
        """Types that one file has otherwise than promised; what the others have is compared as the column itself."""
        for item in self._column(prop, replace(column, name=name_in_table(prop)), path):
            if isinstance(item, Finding) and item.code is codes.E530:
                yield replace(item, message=f"in the file {file} {item.message}", actual=f"{item.actual} in {file}")

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

    def _personal(self, columns: Columns, path: Path) -> Iterator[Finding]:
        """Columns without a promise that hold personal data by their names, fields inside them included."""
        for column in columns:
            reason = self.privacy.pii_reason(column.name)
            if reason:
                yield self._undeclared(column, (*path, column.name), reason)
            yield from self._personal(column.children, (*path, column.name))

    def _undeclared(self, column: ActualColumn, path: Path, reason: str) -> Finding:
        element = element_of(self.contract, self.table, path)
        return self._finding(
            Finding.of(
                codes.E514,
                "pii-undeclared",
                f"{element} holds personal data ({reason}), and the contract does not name it",
                severity=Severity.WARNING,
                element=element,
                expected="a column of the contract with a classification",
                actual=column.shown,
                suggestions=("Add it to the contract with classification: pii, or drop it from the table.",),
            )
        )

    def _unnamed(self, number: int) -> Finding:
        """The columns of a CSV whose first line may hold values: counted, and not quoted."""
        columns = plural(number, "column")
        return self._finding(
            Finding.of(
                codes.E532,
                "column-extra",
                f"the first line of {self.table.name} names {columns}, and none of them is the contract's",
                element=self.table.name,
                expected="a first line with the contract's names",
                actual=f"{columns} by other names, or a row of data",
                suggestions=(
                    "If the file has no line of names, add the option header: false to its connection.",
                    "If another sign stands between values, or the text is not UTF-8, add the option sep or encoding.",
                ),
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
