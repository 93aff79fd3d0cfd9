"""Quality rules of the standard as rules to measure: library metrics, SQL, and the reason why the rest is skipped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...contract.meaning.metrics import COLUMN_KEYS, measured_metric, unit_of
from ...contract.model import Json, QualityRule
from .. import measure as m
from ..names import RulePlace, find_column, weight_of
from ..verdict import read_severity
from .check import QualityCheck, SkippedRule
from .thresholds import is_comparable
from .values import scalars

_DIMENSIONS = {
    "nullvalues": "completeness",
    "missingvalues": "completeness",
    "invalidvalues": "conformity",
    "duplicatevalues": "uniqueness",
    "rowcount": "coverage",
}
_VARIABLE = re.compile(r"\$\{\s*([^}]*?)\s*\}")
_FILLED = frozenset({"object", "table", "model", "schema", "property", "column", "field"})


@dataclass(frozen=True, slots=True)
class _Question:
    measure: m.Measure
    of: m.Measure | None
    columns: tuple[RulePlace, ...]
    says: str


def quality_rules(place: RulePlace, rules: tuple[QualityRule, ...]) -> Iterator[QualityCheck | SkippedRule]:
    """The rules written at a column or at the table."""
    for number, rule in enumerate(rules, 1):
        yield _quality_rule(place, rule, number)


def _quality_rule(place: RulePlace, rule: QualityRule, number: int) -> QualityCheck | SkippedRule:
    metric = measured_metric(rule)
    kind = (rule.type or "library").casefold()
    name = rule.name or rule.id or rule.metric or kind
    rule_id = f"{place.id}.{rule.id or f'quality_{number}'}"
    dimension = rule.dimension or _DIMENSIONS.get(metric)
    question = _question(place, rule, kind, metric)
    reason = question if isinstance(question, str) else _why_unusable(rule, needs=kind == "sql" or metric == "rowcount")
    if reason or isinstance(question, str):
        return SkippedRule(rule_id, name, place.element, reason, place.column or None, dimension)
    columns, percent = question.columns, unit_of(rule) == "percent"
    return QualityCheck(
        id=rule_id,
        name=name,
        element=columns[0].element if len(columns) == 1 else place.element,
        measure=question.measure,
        column=columns[0].column if len(columns) == 1 else None,
        columns=tuple(dict.fromkeys(column.column[0] for column in columns)),
        dimension=dimension,
        severity=read_severity(rule.severity),
        weight=weight_of(rule.custom),
        thresholds=rule.thresholds,
        unit="percent" if percent else "rows",
        of=question.of if percent else None,
        source="quality",
        says=rule.name or question.says,
        at=rule.at,
    )


def _question(place: RulePlace, rule: QualityRule, kind: str, metric: str) -> _Question | str:
    """What to measure, or why nothing can be."""
    if kind == "sql":
        return _sql(place, rule)
    if kind == "text":
        return "it is written for people, and nothing can run it"
    if kind == "custom":
        return f"it is a check of {rule.engine or 'another engine'}, which only that engine can run"
    if kind != "library" or metric not in _METRICS:
        return f"{rule.metric or kind!r} is not a metric of the standard's library"
    return _METRICS[metric](place, rule)


def _sql(place: RulePlace, rule: QualityRule) -> _Question | str:
    if not rule.query or not rule.query.strip():
        return "it has no query"
    open_variables = sorted({word for word in _VARIABLE.findall(rule.query) if word.casefold() not in _FILLED})
    if open_variables:
        return f"its query has the variable {open_variables[0]}, and nothing gives it a value"
    if place.repeats:
        return "an item of an array or map is not a column that a query could name"
    columns = (place,) if place.prop else ()
    return _Question(m.SqlNumber(rule.query, place.path or None), None, columns, f"the query of {place.element}")


def _nulls(place: RulePlace, rule: QualityRule) -> _Question | str:
    column = _only_column(place, rule)
    if isinstance(column, str):
        return column
    return _Question(m.NullCount(column.path), column.whole, (column,), f"nulls in {column.element}")


def _missing(place: RulePlace, rule: QualityRule) -> _Question | str:
    column = _only_column(place, rule)
    if isinstance(column, str):
        return column
    listed = _argument(rule, "missingValues")
    measure = m.MissingCount(column.path, scalars(listed, column.prop) if isinstance(listed, list) else ())
    return _Question(measure, column.whole, (column,), f"missing values in {column.element}")


def _invalid(place: RulePlace, rule: QualityRule) -> _Question | str:
    column = _only_column(place, rule)
    if isinstance(column, str):
        return column
    tests: list[m.ValidTest] = []
    listed, pattern = _argument(rule, "validValues"), _argument(rule, "pattern")
    if isinstance(listed, list):
        tests.append(m.OneOf(scalars(listed)))
    if isinstance(pattern, str):
        tests.append(m.Matches(pattern))
    if not tests:
        return "it says neither validValues nor a pattern"
    test = tests[0] if len(tests) == 1 else m.AllOf(tuple(tests))
    return _Question(m.InvalidCount(column.path, test), column.whole, (column,), f"invalid values in {column.element}")


def _duplicates(place: RulePlace, rule: QualityRule) -> _Question | str:
    columns = _listed_columns(place, rule)
    if isinstance(columns, str):
        return columns
    if place.prop:
        columns = (place, *(column for column in columns if column.path != place.path))
    if not columns:
        return "it does not say which columns; write arguments: {properties: [...]}"
    if any(column.repeats for column in columns):
        return "uniqueness across the items of many rows is not measured"
    paths = tuple(column.path for column in columns)
    measure = m.DuplicateCount(paths, count_rows=unit_of(rule) == "percent")
    names = ", ".join(column.element for column in columns)
    return _Question(measure, m.RowCount(whole=True), columns, f"duplicates of {names}")


def _rows(place: RulePlace, rule: QualityRule) -> _Question | str:
    if unit_of(rule) == "percent":
        return "rows are not a percentage of anything"
    return _Question(m.RowCount(), None, (), f"rows of {place.table.name}")


_METRICS: dict[str, Callable[[RulePlace, QualityRule], _Question | str]] = {
    "nullvalues": _nulls,
    "missingvalues": _missing,
    "invalidvalues": _invalid,
    "duplicatevalues": _duplicates,
    "rowcount": _rows,
}


def _only_column(place: RulePlace, rule: QualityRule) -> RulePlace | str:
    """The column itself, or the one that a rule at the table names."""
    if place.prop:
        return place
    columns = _listed_columns(place, rule)
    if isinstance(columns, str):
        return columns
    return columns[0] if len(columns) == 1 else "a rule at the table must say which column it is about"


def _listed_columns(place: RulePlace, rule: QualityRule) -> tuple[RulePlace, ...] | str:
    listed = next((value for key in COLUMN_KEYS if (value := _argument(rule, key)) is not None), None)
    names = listed if isinstance(listed, list) else [listed] if listed is not None else []
    columns: list[RulePlace] = []
    for name in names:
        column = find_column(place.contract, place.table, name) if isinstance(name, str) else None
        if column is None:
            return f"{name!r} is not a column of {place.table.name}"
        columns.append(column)
    return tuple(columns)


def _argument(rule: QualityRule, key: str) -> Json:
    """An argument; ODCS 3.0 wrote them beside the rule."""
    return rule.arguments.get(key, rule.extras.get(key))


def _why_unusable(rule: QualityRule, *, needs: bool) -> str:
    """Why the number could not be compared; `needs` says that no threshold is natural for it."""
    if unit_of(rule) not in ("rows", "percent"):
        return f"{rule.unit!r} is neither rows nor percent"
    if needs and not rule.thresholds:
        return "it does not say what the number must be, for instance mustBe: 0"
    wrong = next((operator for operator, operand in rule.thresholds if not is_comparable(operator, operand)), None)
    return f"{wrong.value} compares with something that is not a number" if wrong else ""


_TABLE = frozenset({"object", "table", "model", "schema"})
_COLUMN = frozenset({"property", "column", "field"})
_PLACEHOLDER = re.compile(r"\$?\{\s*([A-Za-z]+)\s*\}")


def fill_query(query: str, table: str, column: str | None) -> str:
    """The query as it can be run; both names come quoted as the engine wants them.

    ODCS writes `${table}` and `${column}` (3.0) or `{object}` and `{property}`; other braces stay as they are.
    """

    def name(match: re.Match[str]) -> str:
        word = match[1].casefold()
        if word in _TABLE:
            return table
        return column if word in _COLUMN and column is not None else match[0]

    return _PLACEHOLDER.sub(name, query.strip().rstrip(";").rstrip())
