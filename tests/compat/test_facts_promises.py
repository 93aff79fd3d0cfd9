"""Quality rules and service levels: paired by what they are about, compared by what they let through."""

from __future__ import annotations

from typing import Any

import pytest
from support.builders import column, contract, table, told

from floe_contracts.contract.model import Contract, CustomProperty, QualityRule, Sla, Threshold

T = Threshold


def rule(operator: Threshold | None = T.MUST_BE, operand: Any = 0, **more: Any) -> QualityRule:
    metric = more.pop("metric", "nullValues")
    return QualityRule("library", metric=metric, thresholds=((operator, operand),) if operator else (), **more)


def sql(query: str = "select count(*) from orders where amount < 0", operand: Any = 0, **more: Any) -> QualityRule:
    return QualityRule("sql", query=query, thresholds=((T.MUST_BE, operand),), **more)


TIGHTENED, RELAXED, INCOMPARABLE = (f"quality-threshold-{word}" for word in ("tightened", "relaxed", "incomparable"))
ROWS: dict[str, Any] = {"metric": "rowCount"}
PERCENT: dict[str, Any] = {"unit": "percent"}
# what, old rule, new rule, kinds
THRESHOLDS: tuple[tuple[str, QualityRule, QualityRule, list[str]], ...] = (
    ("a count of at most 0 is 0", rule(), rule(T.LESS_OR_EQUAL, 0), []),
    ("a count below 1 is 0", rule(), rule(T.LESS_THAN, 1), []),
    ("a count below 0.5 is 0", rule(), rule(T.LESS_THAN, 0.5), []),
    (
        "but a query may be negative",
        sql(name="q"),
        QualityRule("sql", name="q", query=sql().query, thresholds=((T.LESS_OR_EQUAL, 0),)),
        [RELAXED],
    ),
    ("more than 4 is at least 5", rule(T.GREATER_THAN, 4, **ROWS), rule(T.GREATER_OR_EQUAL, 5, **ROWS), []),
    ("row floor lowered", rule(T.GREATER_THAN, 50_000, **ROWS), rule(T.GREATER_THAN, 10_000, **ROWS), [RELAXED]),
    ("row floor raised", rule(T.GREATER_OR_EQUAL, 10, **ROWS), rule(T.GREATER_OR_EQUAL, 11, **ROWS), [TIGHTENED]),
    ("at least 0 rows is nothing", rule(None, **ROWS), rule(T.GREATER_OR_EQUAL, 0, **ROWS), []),
    ("a range inside a range", rule(T.BETWEEN, [1, 10], **ROWS), rule(T.BETWEEN, [2, 9], **ROWS), [TIGHTENED]),
    ("ranges that overlap", rule(T.BETWEEN, [1, 10], **ROWS), rule(T.BETWEEN, [2, 11], **ROWS), [INCOMPARABLE]),
    ("not between is two ranges", rule(T.NOT_BETWEEN, [5, 9], **ROWS), rule(T.LESS_THAN, 5, **ROWS), [TIGHTENED]),
    ("anything but 0", rule(T.MUST_NOT_BE, 0, **ROWS), rule(T.GREATER_THAN, 0, **ROWS), []),
    ("between from either spelling", rule(T.BETWEEN, [0, 5]), rule(T.LESS_OR_EQUAL, 5), []),
    ("rows are what is counted unless said", rule(), rule(unit="rows"), []),
    ("none is none in any unit", rule(), rule(**PERCENT), []),
    ("5 rows and 5 percent", rule(T.LESS_THAN, 5), rule(T.LESS_THAN, 5, **PERCENT), [INCOMPARABLE]),
    ("less than 1 percent is not none", rule(), rule(T.LESS_THAN, 1, **PERCENT), [INCOMPARABLE]),
    ("100 percent is all", rule(T.LESS_OR_EQUAL, 100, **PERCENT), rule(None, **PERCENT), []),
    ("threshold gone", rule(), rule(None), [RELAXED]),
    (
        "texts have no order",
        rule(T.MUST_BE, "ok", metric="custom"),
        rule(T.MUST_BE, "fine", metric="custom"),
        [INCOMPARABLE],
    ),
    ("true is not 1", rule(T.MUST_BE, 1, metric="custom"), rule(T.MUST_BE, True, metric="custom"), [INCOMPARABLE]),
)


@pytest.mark.parametrize(("old", "new", "kinds"), [row[1:] for row in THRESHOLDS], ids=[row[0] for row in THRESHOLDS])
def test_thresholds_are_compared_as_sets(old: QualityRule, new: QualityRule, kinds: list[str]) -> None:
    sides = [contract(table(quality=(one,))) for one in (old, new)]
    assert [line.split()[0] for line in told(sides[0], sides[1])] == kinds


NEGATIVE = "select count(*) from orders where amount < 0"
# what, old rules, new rules, facts
RULES: tuple[tuple[str, tuple[QualityRule, ...], tuple[QualityRule, ...], list[str]], ...] = (
    ("other order", (rule(), sql()), (sql(), rule()), []),
    (
        "by id, with another name",
        (rule(id="1", name="a"),),
        (rule(id="1", name="b"),),
        ["quality-docs-changed quality:orders#a"],
    ),
    (
        "by name, with another metric",
        (rule(name="a"),),
        (rule(name="a", **ROWS),),
        ["quality-metric-changed quality:orders#a"],
    ),
    ("by content, named now", (rule(),), (rule(name="a"),), ["quality-docs-changed quality:orders#nullValues"]),
    (
        "by metric",
        (rule(), rule(T.LESS_THAN, 9, **ROWS)),
        (rule(T.LESS_THAN, 10, **ROWS), rule()),
        ["quality-threshold-relaxed quality:orders#rowCount"],
    ),
    ("the metric of 3.0 and of 3.1", (rule(metric="duplicateCount"),), (rule(metric="duplicateValues"),), []),
    ("a query on other lines", (sql("select  1\n from t"),), (sql("select 1 from t"),), []),
    (
        "blanks inside quotes count",
        (sql("select 'a  b'", name="q"),),
        (sql("select 'a b'", name="q"),),
        ["quality-query-changed quality:orders#q"],
    ),
    (
        "a query without a name, edited",
        (sql(NEGATIVE),),
        (sql(NEGATIVE + " or amount is null"),),
        ["quality-query-changed quality:orders#sql"],
    ),
    (
        "a query without a name, replaced",
        (sql(NEGATIVE),),
        (sql("select max(x) from y"),),
        ["quality-removed quality:orders#sql", "quality-added quality:orders#sql"],
    ),
    (
        "words reworded",
        (QualityRule("text", docs={"description": "clean"}),),
        (QualityRule("text", docs={"description": "very clean"}),),
        ["quality-docs-changed quality:orders#text"],
    ),
    (
        "engine",
        (QualityRule("custom", name="s", engine="soda", implementation="x"),),
        (QualityRule("custom", name="s", engine="gx", implementation="x"),),
        ["quality-query-changed quality:orders#s"],
    ),
    (
        "valid value added",
        (rule(metric="invalidValues", arguments={"validValues": ["a"]}),),
        (rule(metric="invalidValues", arguments={"validValues": ["a", "b"]}),),
        ["enum-value-added quality:orders#invalidValues"],
    ),
    (
        "valid value removed",
        (rule(metric="invalidValues", arguments={"validValues": ["a", "b"]}),),
        (rule(metric="invalidValues", arguments={"validValues": ["b"]}),),
        ["enum-value-removed quality:orders#invalidValues"],
    ),
    (
        "valid values in other order",
        (rule(metric="invalidValues", arguments={"validValues": ["a", "b"]}),),
        (rule(metric="invalidValues", arguments={"validValues": ["b", "a"]}),),
        [],
    ),
    (
        "pattern in the arguments",
        (rule(name="p", arguments={"pattern": "a"}),),
        (rule(name="p", arguments={"pattern": "b"}),),
        ["pattern-changed quality:orders#p"],
    ),
    (
        "columns of a rule in other order",
        (rule(name="p", arguments={"properties": ["a", "b"]}),),
        (rule(name="p", arguments={"properties": ["b", "a"]}),),
        [],
    ),
    ("error is the severity unless said", (rule(),), (rule(severity="ERROR"),), []),
    (
        "a severity of unknown rank may be lower",
        (rule(),),
        (rule(severity="gentle"),),
        ["quality-severity-lowered quality:orders#nullValues"],
    ),
    (
        "weight",
        (rule(),),
        (rule(custom=(CustomProperty("floe.weight", 3),)),),
        ["custom-property-changed custom:quality:orders#nullValues#floe.weight"],
    ),
)


@pytest.mark.parametrize(("old", "new", "facts"), [row[1:] for row in RULES], ids=[row[0] for row in RULES])
def test_rules_are_matched_by_id_name_and_content(
    old: tuple[QualityRule, ...], new: tuple[QualityRule, ...], facts: list[str]
) -> None:
    assert told(contract(table(quality=old)), contract(table(quality=new))) == facts


def test_a_rule_of_a_nested_column_is_about_that_column() -> None:
    inner = column("zip", quality=(rule(name="filled"),))
    old = contract(column("address", "object", properties=(inner,)))
    new = contract(column("address", "object", properties=(column("zip"),)))
    assert told(old, new) == ["quality-removed quality:orders.address.zip#filled"]


def promises(*slas: Sla, **more: Any) -> Contract:
    return contract(
        column("id"), column("updated_at", "timestamp"), column("placed_at", "timestamp"), slas=slas, **more
    )


def fresh(value: Any = "PT6H", element: str | None = "updated_at", **more: Any) -> Sla:
    return Sla("freshness", value, element=element, **more)


FRESH = "sla:freshness(updated_at)"
# what, old, new, facts
LEVELS: tuple[tuple[str, Contract, Contract, list[str]], ...] = (
    ("other order", promises(fresh(), Sla("latency", "5s")), promises(Sla("latency", "5s"), fresh()), []),
    ("other spelling of a duration", promises(fresh("PT6H")), promises(fresh(360, unit="m")), []),
    ("other spelling of a share", promises(Sla("availability", "99.9%")), promises(Sla("availability", 0.999)), []),
    ("other spelling of a kind", promises(Sla("latency", "5s")), promises(Sla("ly", 5, unit="s")), []),
    (
        "fractions of an hour",
        promises(fresh(1.25, unit="h")),
        promises(fresh(1.75, unit="h")),
        [f"sla-relaxed {FRESH}"],
    ),
    ("days and hours", promises(fresh("P1D")), promises(fresh("PT36H")), [f"sla-relaxed {FRESH}"]),
    ("fresher", promises(fresh("PT6H")), promises(fresh(30, unit="minutes")), [f"sla-tightened {FRESH}"]),
    (
        "less available",
        promises(Sla("availability", "99.9%")),
        promises(Sla("availability", "99.5%")),
        ["sla-relaxed sla:availability"],
    ),
    ("slower", promises(Sla("latency", "5s")), promises(Sla("latency", "10s")), ["sla-relaxed sla:latency"]),
    (
        "p99 slower",
        promises(Sla("latency_p99", "5s")),
        promises(Sla("latency_p99", "6s")),
        ["sla-relaxed sla:latency_p99"],
    ),
    ("rarer", promises(Sla("frequency", "hourly")), promises(Sla("frequency", "daily")), ["sla-relaxed sla:frequency"]),
    (
        "rarer by cron",
        promises(Sla("frequency", "0 * * * *")),
        promises(Sla("frequency", "0 6 * * *")),
        ["sla-relaxed sla:frequency"],
    ),
    (
        "as often but later",
        promises(Sla("frequency", "0 6 * * *")),
        promises(Sla("frequency", "0 9 * * *")),
        ["sla-incomparable sla:frequency"],
    ),
    (
        "kept shorter",
        promises(Sla("retention", 2, unit="y")),
        promises(Sla("retention", "P18M")),
        ["sla-relaxed sla:retention"],
    ),
    (
        "kept for ever",
        promises(Sla("retention", "P7Y")),
        promises(Sla("retention", "unlimited")),
        ["sla-tightened sla:retention"],
    ),
    (
        "no longer kept for ever",
        promises(Sla("retention", "forever")),
        promises(Sla("retention", "P7Y")),
        ["sla-relaxed sla:retention"],
    ),
    (
        "due later",
        promises(Sla("timeOfAvailability", "06:00 UTC")),
        promises(Sla("timeOfAvailability", "08:00+01:00")),
        ["sla-relaxed sla:timeOfAvailability"],
    ),
    (
        "due in a zone with daylight saving",
        promises(Sla("timeOfAvailability", "06:00 UTC")),
        promises(Sla("timeOfAvailability", "06:00 Europe/Berlin")),
        ["sla-incomparable sla:timeOfAvailability"],
    ),
    (
        "fewer rows",
        promises(Sla("min_rows_per_day", 50_000)),
        promises(Sla("min_rows_per_day", 10_000)),
        ["sla-relaxed sla:min_rows_per_day"],
    ),
    ("more errors", promises(Sla("errorRate", "1%")), promises(Sla("errorRate", "2%")), ["sla-relaxed sla:errorRate"]),
    (
        "supported shorter",
        promises(Sla("endOfSupport", "2030-01-01")),
        promises(Sla("endOfSupport", "2029-01-01")),
        ["sla-relaxed sla:endOfSupport"],
    ),
    (
        "a month is not a fixed time",
        promises(Sla("retention", "P1M")),
        promises(Sla("retention", "P30D")),
        ["sla-incomparable sla:retention"],
    ),
    ("no meaning at all", promises(fresh("soon")), promises(fresh("sooner")), [f"sla-incomparable {FRESH}"]),
    (
        "no meaning, unchanged",
        promises(fresh("soon")),
        promises(fresh("soon", driver="analytics")),
        [f"sla-docs-changed {FRESH}"],
    ),
    ("extended value", promises(fresh(value_ext="x")), promises(fresh(value_ext="y")), [f"sla-incomparable {FRESH}"]),
    (
        "two of a kind, the first relaxed",
        promises(fresh(), fresh(element="placed_at")),
        promises(fresh("PT7H"), fresh(element="placed_at")),
        [f"sla-relaxed {FRESH}"],
    ),
    (
        "two of a kind, one gone",
        promises(fresh(), fresh(element="placed_at")),
        promises(fresh(element="placed_at")),
        [f"sla-removed {FRESH}"],
    ),
    (
        "element with and without its table",
        promises(fresh(element="updated_at")),
        promises(fresh(element="orders.updated_at")),
        [],
    ),
    ("element by default", promises(fresh(element=None), sla_default_element="updated_at"), promises(fresh()), []),
    (
        "another default element",
        promises(fresh(element=None), sla_default_element="updated_at"),
        promises(fresh(element=None), sla_default_element="placed_at"),
        [f"sla-element-changed {FRESH}"],
    ),
    (
        "a default element nobody uses",
        promises(fresh()),
        promises(fresh(), sla_default_element="placed_at"),
        ["sla-docs-changed contract:slaDefaultElement"],
    ),
    (
        "the only table is the whole contract",
        promises(Sla("availability", 99)),
        promises(Sla("availability", 99, element="orders")),
        [],
    ),
    (
        "another element and relaxed",
        promises(fresh()),
        promises(fresh("PT7H", element="placed_at")),
        [f"sla-element-changed {FRESH}", f"sla-relaxed {FRESH}"],
    ),
    (
        "percentile",
        promises(Sla("latency_p99", "5s")),
        promises(Sla("latency_p95", "5s")),
        ["sla-removed sla:latency_p99", "sla-added sla:latency_p95"],
    ),
    (
        "schedule of some tool",
        promises(fresh(schedule="dag-1", scheduler="airflow")),
        promises(fresh(schedule="dag-2", scheduler="airflow")),
        [f"sla-docs-changed {FRESH}"],
    ),
    (
        "falls due less often",
        promises(fresh(schedule="0 * * * *")),
        promises(fresh(schedule="0 6 * * *")),
        [f"sla-relaxed {FRESH}"],
    ),
    ("same schedule in other words", promises(fresh(schedule="0 0 * * *")), promises(fresh(schedule="@daily")), []),
    ("description", promises(fresh()), promises(fresh(docs={"description": "by noon"})), [f"sla-docs-changed {FRESH}"]),
)


@pytest.mark.parametrize(("old", "new", "facts"), [row[1:] for row in LEVELS], ids=[row[0] for row in LEVELS])
def test_service_levels_are_compared_by_meaning(old: Contract, new: Contract, facts: list[str]) -> None:
    assert told(old, new) == facts


def test_an_element_follows_its_renamed_column() -> None:
    old = promises(fresh())
    new = contract(
        column("id"),
        column("updatedAt", "timestamp"),
        column("placed_at", "timestamp"),
        slas=(fresh(element="updatedAt"),),
    )
    assert told(old, new) == ["property-renamed orders.updated_at"]


def test_a_second_table_does_not_change_whom_a_promise_is_about() -> None:
    visits = table(column("visit"), column("updated_at", "timestamp"), name="visits")
    old = contract(table(column("updated_at", "timestamp")), slas=(fresh(),))
    new = contract(table(column("updated_at", "timestamp")), visits, slas=(fresh(),))
    assert told(old, new) == ["object-added visits"]
