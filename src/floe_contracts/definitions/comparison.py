"""A definition held to the table that a contract promises: what is missing, of another type, or no longer not null."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import codes
from ..checks.drift.type_match import matches, promised_type, reading_for
from ..checks.measured import ActualColumn
from ..checks.names import element_of, is_column, name_in_table, quote_name
from ..codes import Code
from ..contract.meaning.phrase import closest, plural
from ..contract.meaning.typenames import Family, parse_type
from ..contract.model import Contract, Property, SchemaObject
from ..frozen import dataclass
from ..results import Finding, Location
from .definition import DefinedColumn, Definition, Gap
from .engine_types import may_hold, readings_of, spell_type

_KEEP_CASE = frozenset({"postgres", "snowflake", "oracle", "materialize", "risingwave", "json", "avro"})


def compare_definition(
    contract: Contract, table: SchemaObject, definition: Definition, before: Definition | None = None
) -> list[Finding]:
    """The findings at the lines of the definition; `before` is the base's, which may have known more."""
    walk = _Comparison(contract, table, definition, before)
    return [*walk.columns(table.properties, definition.columns, ()), *walk.gaps()]


def broken_columns(contract: Contract, findings: Sequence[Finding]) -> list[tuple[tuple[str, str], ...]]:
    """The columns, with their tables, that each blocking finding takes from readers; none where all are gone."""
    return [_columns_at(contract, item) for item in findings if item.blocks]


def _columns_at(contract: Contract, item: Finding) -> tuple[tuple[str, str], ...]:
    tables = [table for table in contract.objects if item.rule != "table-missing" or table.name == item.element]
    return tuple(
        (table.name, prop.name)
        for table in tables
        for prop in table.properties
        if item.rule == "table-missing" or _reaches(item.element, element_of(contract, table, (prop.name,)))
    )


def _reaches(element: str, column: str) -> bool:
    return element == column or element.startswith((f"{column}.", f"{column}["))


def missing_table(contract: Contract, table: SchemaObject, where: Location, what: str) -> Finding:
    """E531 for a definition that is gone while its contract stays."""
    return _finding(
        contract,
        codes.E531,
        "table-missing",
        f"the definition of {table.name} is gone ({what}), and the contract still promises it",
        element=table.name,
        location=where,
        expected=f"a definition of {table.name}",
        actual="none",
        suggestions=("Bring it back, or retire the contract first.",),
    )


def gap_finding(contract: Contract, table: SchemaObject, gap: Gap, path: str) -> Finding:
    """E537: what is not known about a definition, and why."""
    return _finding(
        contract,
        codes.E537,
        "definition-unknown",
        f"cannot tell the columns of {table.name}: {gap.reason}",
        element=table.name,
        location=Location(gap.path or path, gap.line),
    )


@dataclass(frozen=True, slots=True)
class _Comparison:
    contract: Contract
    table: SchemaObject
    definition: Definition
    before: Definition | None

    def columns(
        self, props: Sequence[Property], columns: Sequence[DefinedColumn], path: tuple[str, ...]
    ) -> Iterator[Finding]:
        wanted = [prop for prop in props if is_column(prop)]
        if not wanted:
            return
        pairs = {prop.name: self._find(prop, columns) for prop in wanted}
        taken = {id(column) for column in pairs.values() if column is not None}
        left = [column for column in columns if id(column) not in taken]
        for prop in wanted:
            column, here = pairs[prop.name], (*path, prop.name)
            if column is not None:
                yield from self._column(prop, column, here)
            elif self.definition.complete:
                yield self._missing(prop, here, left)
        yield from (self._extra(column, path) for column in left if self.definition.complete or not path)

    def gaps(self) -> Iterator[Finding]:
        for gap in self.definition.unknown[:1]:
            yield gap_finding(self.contract, self.table, gap, self.definition.path)
        untyped = sum(1 for column in self.definition.columns if not (column.type or column.documented))
        if untyped and not self.definition.unknown:
            number = f"{untyped} of {plural(len(self.definition.columns), 'column')}"
            gap = Gap(f"the types of {number} are not written down", self.definition.line)
            yield gap_finding(self.contract, self.table, gap, self.definition.path)

    def _find(self, prop: Property, columns: Sequence[DefinedColumn]) -> DefinedColumn | None:
        name = name_in_table(prop)
        exact = next((column for column in columns if column.name == name), None)
        if exact is not None:
            return exact
        folded = [column for column in columns if column.name.casefold() == name.casefold()]
        loose = [column for column in folded if not column.quoted or not self._keeps_case(column, name)]
        return loose[0] if loose else None

    def _keeps_case(self, column: DefinedColumn, name: str) -> bool:
        """Whether the engine sees a quoted name as another one than the contract's."""
        dialect = self.definition.dialect
        if dialect not in _KEEP_CASE:
            return False
        native = name.upper() if dialect in ("snowflake", "oracle") else name.lower()
        return column.name not in (name, native)

    def _place(self, column: DefinedColumn) -> Location:
        return Location(column.path or self.definition.path, column.line)

    def _column(self, prop: Property, column: DefinedColumn, path: tuple[str, ...]) -> Iterator[Finding]:
        element = element_of(self.contract, self.table, path)
        place = self._place(column)
        if column.quoted and column.name != name_in_table(prop):
            message = f"{element} is spelled {quote_name(column.name)} in the definition"
            yield _finding(self.contract, codes.E535, "column-case", message, element=element, location=place)
        kind = column.type or column.documented
        if kind and self._fits(prop, column.name, kind) is False:
            yield _finding(
                self.contract,
                codes.E530,
                "column-type",
                f"{element} is {'' if column.type else 'described as '}{kind} in the definition,"
                f" the contract promises {promised_type(prop)}",
                element=element,
                location=place if column.type or not column.described else Location(*column.described),
                expected=promised_type(prop),
                actual=kind,
                suggestions=("Keep the type in the definition, or publish a new MAJOR version of the contract.",),
            )
            return
        if (prop.required or prop.primary_key) and (reason := self._allows_null(column, path)):
            yield _finding(
                self.contract,
                codes.E536,
                "column-nullable",
                f"{element} {reason}, the contract promises not null",
                element=element,
                location=Location(*column.described) if column.described else place,
                expected="not null",
                actual="nullable",
                suggestions=("Bring the constraint or test back, or publish a new MAJOR version of the contract.",),
            )
        if column.columns:
            yield from self.columns(prop.properties, column.columns, path)

    def _allows_null(self, column: DefinedColumn, path: tuple[str, ...]) -> str:
        if column.nullable:
            return "may be null in the definition"
        old = self.before.column(column.name) if self.before is not None and len(path) == 1 else None
        unsaid = column.nullable is None and self.definition.dialect != "json"  # there it is unknown, not left out
        lost = old is not None and old.nullable is False and unsaid
        return "is no longer held to be not null by the definition" if lost else ""

    def _fits(self, prop: Property, name: str, written: str) -> bool | None:
        """Whether the type is as promised, in any reading that the engine allows; None when nobody can tell."""
        dialect = self.definition.dialect
        kinds = [kind for kind in map(parse_type, spell_type(written, dialect)) if kind is not None]
        if not kinds or kinds[0].family is Family.UNKNOWN or may_hold(kinds[0], prop):
            return None
        readings = [reading_for(self.contract, reading) for reading in readings_of(dialect)]
        answers = [
            matches(prop, ActualColumn(name, kind, spelling=written), reading) for kind in kinds for reading in readings
        ]
        return True if True in answers else None if None in answers else False

    def _missing(self, prop: Property, path: tuple[str, ...], left: Sequence[DefinedColumn]) -> Finding:
        element = element_of(self.contract, self.table, path)
        likely = self._likely_rename(name_in_table(prop), left, path)
        old = quote_name(name_in_table(prop))
        new = self.before is not None and self.before.column(name_in_table(prop)) is None
        fix = "Bring it back, or publish a new MAJOR version without it."
        fix = "Add it there, or leave it out of the contract." if new else fix
        hint = f"Is it {quote_name(likely.name)} now? Readers still ask for {old}." if likely else ""
        return _finding(
            self.contract,
            codes.E531,
            "column-missing",
            f"{element} is missing from the definition of {self.table.name}"
            + (f"; it has {quote_name(likely.name)}, which the contract does not name" if likely else ""),
            element=element,
            location=self._missing_place(name_in_table(prop), likely),
            expected=promised_type(prop),
            actual=likely.name if likely else "no such column",
            suggestions=(hint or fix,),
        )

    def _missing_place(self, name: str, likely: DefinedColumn | None) -> Location:
        if likely is not None:
            return self._place(likely)
        gone = [item for item in self.definition.removed if item.name.casefold() == name.casefold()]
        if gone:
            return Location(gone[-1].path or self.definition.path, gone[-1].line)
        return Location(self.definition.path, self.definition.line)

    def _likely_rename(self, name: str, left: Sequence[DefinedColumn], path: tuple[str, ...]) -> DefinedColumn | None:
        """The closest name without case and underscores, else the only new column."""
        plain = {_plain(column.name): column for column in left}
        meant = closest(_plain(name), plain)
        if meant is not None:
            return plain[meant]
        if self.before is None or len(path) > 1:
            return None
        new = [column for column in left if self.before.column(column.name) is None]
        return new[0] if len(new) == 1 else None

    def _extra(self, column: DefinedColumn, path: tuple[str, ...]) -> Finding:
        element = element_of(self.contract, self.table, (*path, column.name))
        return _finding(
            self.contract,
            codes.E532,
            "column-extra",
            f"{element} is a column of the definition that the contract does not name",
            element=element,
            location=self._place(column),
            expected="no such column",
            actual=column.type or column.documented or "a column",
        )


def _plain(name: str) -> str:
    return name.casefold().replace("_", "")


def _finding(  # noqa: PLR0913 - one argument per field
    contract: Contract,
    code: Code,
    rule: str,
    message: str,
    *,
    element: str,
    location: Location,
    expected: str = "",
    actual: str = "",
    suggestions: tuple[str, ...] = (),
) -> Finding:
    return Finding.of(
        code,
        rule,
        message,
        contract=contract.key,
        element=element,
        location=location,
        expected=expected,
        actual=actual,
        suggestions=suggestions,
        fingerprint=_fingerprint(code.id, rule, contract.key, element),
    )


def _fingerprint(*words: str) -> str:
    import hashlib  # nobody pays for it where nothing differs

    framed = "".join(f"{len(word)}:{word}" for word in words)
    return hashlib.sha256(framed.encode("utf-8", "surrogatepass")).hexdigest()[:16]
