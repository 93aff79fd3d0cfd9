"""A result as tests that passed, failed or were skipped: what most receivers show, whatever they do with our facets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..checks.names import name_in_table, quote_name
from ..codes import Severity
from ..contract.model import Contract, Json, SchemaObject
from ..results import CheckResult, Finding, Outcome
from ..results.facts import FindingFacts, QualityFacts, StreamFacts, shown, threshold_and_value
from .lineage_facets import Facet, floe_head, standard_head

Status = Literal["pass", "fail", "skip"]
_STATUS: dict[Outcome, Status] = {Outcome.PASSED: "pass", Outcome.VIOLATED: "fail"}


@dataclass(frozen=True, slots=True)
class Assertion:
    """One promise and what came of it; without a table it is about the whole contract."""

    name: str
    type: str
    status: Status
    table: str = ""
    column: str = ""  # by the name that the table itself uses
    severity: Severity | None = None
    expected: str = ""
    actual: str = ""

    @property
    def weight(self) -> str:
        """The standard knows two severities: what only warns, and what would block."""
        grave = self.severity is not None and self.severity.rank >= Severity.ERROR.rank
        return "" if self.severity is None else "error" if grave else "warn"

    def details(self) -> dict[str, Json]:
        known = {"severity": self.weight, "expected": self.expected, "actual": self.actual}
        return {key: text for key, text in known.items() if text}


def tests_of(result: CheckResult, contract: Contract) -> tuple[Assertion, ...]:
    """Every rule of a quality check with its own status; of other checks what is wrong, else the check itself."""
    broken = [item for item in result.findings if item.violation_type is not None]
    failed = [_failed_test(item, result.check, contract) for item in broken]
    listed = _rules(result, contract)
    known = {(test.name, test.table, test.column) for test in failed}
    passed_over = [
        test for test in listed if test.status != "fail" and (test.name, test.table, test.column) not in known
    ]
    tests = (*failed, *passed_over)
    return tests or (_whole(result, contract),)


def tests_facet(tests: Sequence[Assertion]) -> Facet:
    listed: list[Json] = [
        {"name": _full(test), "status": test.status, "type": test.type, **test.details()} for test in tests
    ]
    return {**standard_head("TestRunFacet", "1-0-1"), "tests": listed}


def assertions_facet(tests: Sequence[Assertion], table: str) -> Facet | None:
    """The tests of one table that were run."""
    listed: list[Json] = [_assertion(test) for test in tests if test.table == table and test.status != "skip"]
    return {**standard_head("DataQualityAssertionsDatasetFacet", "1-1-0"), "assertions": listed} if listed else None


def quality_facet(result: CheckResult, contract: Contract) -> Facet | None:
    """The rules with their statuses, the share of columns that some rule looked at, and the score."""
    facts = _quality(result)
    if facts is None or facts.rules is None:
        return None
    listed: list[Json] = [_rule(test) for test in _rules(result, contract)]
    numbers = {"coverage": facts.coverage, "score": facts.score}
    known = {name: float(number) for name, number in numbers.items() if number is not None}
    return {**floe_head("QualityRunFacet"), "tests": listed, **known}


def _rule(test: Assertion) -> dict[str, Json]:
    known = {"name": test.name, "table": test.table, "column": test.column, "status": test.status}
    return {key: text for key, text in known.items() if text}


def _assertion(test: Assertion) -> dict[str, Json]:
    column = {"column": test.column} if test.column else {}
    return {"assertion": test.type, "name": test.name, "success": test.status == "pass", **column, **test.details()}


def _full(test: Assertion) -> str:
    """The name with table and column: rules such as not_null differ only by these."""
    return ".".join(part for part in (test.table, test.column, test.name) if part)


def _whole(result: CheckResult, contract: Contract) -> Assertion:
    table = _table("", "", contract)
    status = _STATUS.get(result.outcome, "skip")
    threshold, value = threshold_and_value(result.facts)
    place = table.name if table else ""
    return Assertion(result.check, result.check, status, place, expected=shown(threshold), actual=shown(value))


def _failed_test(item: Finding, check: str, contract: Contract) -> Assertion:
    about = item.facts or FindingFacts()
    table = _table(about.table or "", item.element, contract)
    return Assertion(
        name=about.rule_name or item.rule,
        type=about.rule_name or check,
        status="fail",
        table=table.name if table else "",
        column=_column(item.element, table, contract),
        severity=item.severity,
        expected=item.expected,
        actual=item.actual,
    )


def _rules(result: CheckResult, contract: Contract) -> list[Assertion]:
    """What a quality check says of each rule."""
    facts = _quality(result)
    assertions = []
    for rule in facts.tests if facts else ():
        table = _table("", rule.column, contract)
        status: Status = "pass" if rule.status == "pass" else "fail" if rule.status == "fail" else "skip"
        place = (table.name if table else "", _column(rule.column, table, contract))
        assertions.append(Assertion(rule.name, rule.name, status, *place))
    return assertions


def _quality(result: CheckResult) -> QualityFacts | None:
    facts = result.facts.check if isinstance(result.facts, StreamFacts) else result.facts
    return facts if isinstance(facts, QualityFacts) else None


def _table(named: str, element: str, contract: Contract) -> SchemaObject | None:
    """The only table, the one that is named, or the one whose name stands before the column's."""
    if len(contract.objects) == 1:
        return contract.objects[0]
    for table in contract.objects:
        if named == table.name or element == table.name or element.startswith(f"{quote_name(table.name)}."):
            return table
    return None


def _column(element: str, table: SchemaObject | None, contract: Contract) -> str:
    """The column as the table calls it; nothing where the element is not a column of the contract."""
    if table is None:
        return ""
    bare = element.removeprefix(f"{quote_name(table.name)}.") if len(contract.objects) > 1 else element
    top = {quote_name(prop.name): name_in_table(prop) for prop in table.properties}
    return top.get(bare, bare if _is_nested(bare, top) else "")


def _is_nested(bare: str, top: dict[str, str]) -> bool:
    return any(bare.startswith((f"{name}.", f"{name}[", f"{name}{{")) for name in top)
