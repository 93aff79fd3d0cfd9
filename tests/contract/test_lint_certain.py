"""Typing mistakes that lint is certain of: misspelt types, open brackets, patterns, elements that name nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from floe_contracts.contract.load import load
from floe_contracts.contract.model import Dialect

ELSEWHERE = "element: shop.at"  # a table that only the platform may know


def written(dialect: Dialect, column: str, sla: str = "") -> str:
    """A table `orders` with the columns `id`, written so, and `at`."""
    if dialect is Dialect.FIELDS:
        levels = f"sla: {{freshness_minutes: 60, {sla}}}\n" if sla else ""
        fields = f"[{{name: id, {column}}}, {{name: at, type: DATE}}]"
        return f"schema: orders\nversion: 1.0.0\nfields: {fields}\n{levels}"
    if dialect is Dialect.FLOE:
        levels = f"slaProperties: {{freshness: {{value: PT1H, {sla}}}}}\n" if sla else ""
        elements = f"{{id: {{{column}}}, at: {{type: DATE}}}}"
        return f"name: orders\nversion: 1.0.0\nmodels: {{orders: {{elements: {elements}}}}}\n{levels}"
    levels = f"slaProperties: [{{property: freshness, value: PT1H, {sla}}}]\n" if sla else ""
    properties = f"[{{name: id, {column}}}, {{name: at, logicalType: date}}]"
    head = "apiVersion: v3.2.0\nkind: DataContract\nid: orders\nversion: 1.0.0\nstatus: active\n"
    return f"{head}schema: [{{name: orders, properties: {properties}}}]\n{levels}"


def findings(text: str) -> list[tuple[str, str, str]]:
    return [
        (item.rule, item.severity.value, " ".join(item.suggestions)) for item in load(text.encode(), "a.yaml").findings
    ]


every_dialect = pytest.mark.parametrize("dialect", list(Dialect), ids=[dialect.value for dialect in Dialect])

MISSPELT = {
    "a letter left out": ("strng", "string"),
    "a letter too many": ("integerr", "integer"),
    "two letters swapped": ("bolean", "boolean"),
    "a wrong letter": ("datw", "date"),
    "the first letter left out": ("imestamp", "timestamp"),
}


@every_dialect
@pytest.mark.parametrize(("word", "meant"), MISSPELT.values(), ids=MISSPELT)
def test_a_misspelt_type_is_an_error_with_the_right_word(dialect: Dialect, word: str, meant: str) -> None:
    key = "logicalType" if dialect is Dialect.ODCS else "type"
    ((_, severity, fix),) = findings(written(dialect, f"{key}: {word}"))
    assert severity == "error"
    assert meant in fix


LOGICAL = ("string", "date", "timestamp", "number", "integer", "object", "array", "boolean")
SLIPS = sorted(  # a letter left out, or two swapped
    {word[:at] + word[at + 1 :] for word in LOGICAL for at in range(len(word))}
    | {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for word in LOGICAL for at in range(len(word) - 1)}
    - {*LOGICAL}
)


@every_dialect
def test_every_slip_of_a_finger_in_a_logical_type_is_an_error(dialect: Dialect) -> None:
    key = "logicalType" if dialect is Dialect.ODCS else "type"
    taken = [slip for slip in SLIPS if [item[1] for item in findings(written(dialect, f"{key}: {slip}"))] != ["error"]]
    assert taken == []


OPEN = ["STRUCT<a:INT", "ARRAY<STRUCT<a:INT>", "DECIMAL(12,2", "DECIMAL 12,2)", "MAP<STRING,INT)", "int]"]


@every_dialect
@pytest.mark.parametrize("text", OPEN)
def test_brackets_that_do_not_match_are_an_error(dialect: Dialect, text: str) -> None:
    key = "physicalType" if dialect is Dialect.ODCS else "type"
    ((rule, severity, fix),) = findings(written(dialect, f"{key}: {json.dumps(text)}"))
    assert (rule, severity) == ("type-unknown", "error")
    assert "bracket" in fix


INSIDE = {
    "items": ("ARRAY<STRNG>", "ARRAY<STRING>"),
    "a field of a struct": ("STRUCT<strng: strng>", "STRUCT<strng: string>"),
    "a field of a row": ("row(a intt, b int)", "row(a int, b int)"),
    "two words": ("MAP<STRNG,INTT>", "MAP<STRING,INT>"),
    "a size": ("varchr(20)", "varchar(20)"),
    "several words": ("timestamp with time zon", "timestamp with time zone"),
    "an underscore": ("timestmp_ntz", "timestamp_ntz"),
    "a wrapper of one engine": ("Nullable(Strng)", "Nullable(string)"),
}


@pytest.mark.parametrize("dialect", [Dialect.FLOE, Dialect.FIELDS], ids=["floe", "fields"])
@pytest.mark.parametrize(("text", "meant"), INSIDE.values(), ids=INSIDE)
def test_a_misspelt_word_inside_a_type(dialect: Dialect, text: str, meant: str) -> None:
    assert findings(written(dialect, f"type: '{text}'")) == [("type-unknown", "error", f"Write {meant}.")]


WARNED = {
    "a near miss": ("physicalType", "STRNG", "Write STRING."),
    "a type of somebody's own": ("physicalType", "AccountNumber", "keep it if the platform has such a type"),
    "two edits": ("physicalType", "dubble", "Did you mean double?"),
    "Python's spelling": ("physicalType", "list[str]", "Write array<string>."),
    "a type of somebody's own, floe": ("type", "AccountNumber", "keep it if the platform has such a type"),
    "two edits, floe": ("type", "dubble", "Did you mean double?"),
    "Python's spelling, floe": ("type", "list[str]", "Write array<string>."),
    "Python's spelling of a map, floe": ("type", "map[str, int]", "Write map<string,int>."),
}


@pytest.mark.parametrize(("key", "text", "fix"), WARNED.values(), ids=WARNED)
def test_a_type_that_a_platform_may_have_is_a_warning(key: str, text: str, fix: str) -> None:
    dialect = Dialect.ODCS if key == "physicalType" else Dialect.FLOE
    ((rule, severity, advice),) = findings(written(dialect, f"{key}: '{text}'"))
    assert (rule, severity) == ("type-unknown", "warning")
    assert fix in advice


def test_both_types_of_a_column_are_looked_at() -> None:
    text = written(Dialect.FLOE, "type: strng, physicalType: Foo")
    assert [(rule, severity) for rule, severity, _ in findings(text)] == [
        ("type-unknown", "error"),
        ("type-unknown", "warning"),
    ]


KNOWN = [
    "UBIGINT",
    "uinteger",
    "int24",
    "LowCardinality(String)",
    "Enum8('a' = 1)",
    "geography",
    "DOUBLE UNSIGNED",
    "xml",
]


@every_dialect
@pytest.mark.parametrize("text", KNOWN)
def test_types_of_single_engines_are_silent(dialect: Dialect, text: str) -> None:
    key = "physicalType" if dialect is Dialect.ODCS else "type"
    assert findings(written(dialect, f"{key}: {json.dumps(text)}")) == []


CERTAIN = ["[a-", "(ab", "ab)", "*a", "(*a)", "a**", "a{3,2}", "[z-a]", "ab\\", "\\p{L}[", "(?<year>\\d+"]
UNSURE = ["\\p{L}+", "(?<year>\\d+)", "a(?i)b", "[^]", "^*", "a{2}{3}", "[\\w-z]", "\\Q(\\E"]


@every_dialect
@pytest.mark.parametrize("pattern", CERTAIN)
def test_a_pattern_that_no_engine_reads_is_an_error(dialect: Dialect, pattern: str) -> None:
    assert [item[:2] for item in findings(_matching(dialect, pattern))] == [("pattern-unreadable", "error")]


@every_dialect
@pytest.mark.parametrize("pattern", UNSURE)
def test_a_pattern_that_some_engine_reads_is_no_error(dialect: Dialect, pattern: str) -> None:
    assert {severity for _, severity, _ in findings(_matching(dialect, pattern))} <= {"warning"}


def test_a_pattern_of_a_quality_rule_is_read_too() -> None:
    rule = "{metric: invalidValues, arguments: {pattern: '[a-'}, mustBe: 0}"
    text = written(Dialect.FLOE, f"type: STRING, quality: [{rule}]")
    assert [item[:2] for item in findings(text)] == [("pattern-unreadable", "error")]


ELEMENTS = {
    "a misspelt column": ("element: att", "error", "Did you mean at?"),
    "a misspelt column of the table": ("element: orders.att", "error", "Did you mean orders.at?"),
    "a column that is not there": ("element: updated", "error", "Add the column 'updated', or name one that exists."),
    "a column that is not there, of a table that is not": ("element: shop.updated", "error", "Add the column"),
    "another name of the table": (ELSEWHERE, "warning", "Did you mean orders.at?"),
    "the table with its schema": ("element: shop.orders", "warning", ""),
    "another case": ("element: AT", "warning", "Did you mean at?"),
    "something inside a column that lists nothing": ("element: id.at", "warning", ""),
    "a variable": ("element: '${column}'", "warning", ""),
    "a time that loads write": ("element: updated_at", "warning", "Add the column 'updated_at'"),
    "a time that loads write, of the table": ("element: orders._loaded_at", "warning", "Add the column"),
    "a time that loads write, of a table that is not": ("element: shop.updated_at", "error", "Add the column"),
    "something that is not a time": ("element: customer_email", "error", "Add the column"),
}


def test_a_misspelt_time_of_the_table_is_an_error() -> None:
    text = written(Dialect.FLOE, "type: STRING", "element: updatd_at").replace("at: {type", "updated_at: {type")
    assert findings(text) == [("sla-element-unknown", "error", "Did you mean updated_at?")]


def test_the_floe_example_has_one_warning() -> None:
    text = (Path(__file__).parents[1] / "fixtures/contracts/floe/customers.yaml").read_text()
    assert [(rule, severity) for rule, severity, _ in findings(text)] == [("sla-element-unknown", "warning")]


@every_dialect
@pytest.mark.parametrize(("sla", "severity", "fix"), ELEMENTS.values(), ids=ELEMENTS)
def test_an_element_of_a_service_level_that_names_nothing(dialect: Dialect, sla: str, severity: str, fix: str) -> None:
    key = "logicalType: string" if dialect is Dialect.ODCS else "type: STRING"
    ((rule, actual, advice),) = findings(written(dialect, key, sla))
    assert (rule, actual) == ("sla-element-unknown", severity)
    assert fix in advice


@pytest.mark.parametrize("tables", ["[]", "[{name: orders}]"], ids=["no tables", "a table without columns"])
def test_columns_that_the_contract_does_not_list_may_be_there(tables: str) -> None:
    head = "apiVersion: v3.2.0\nkind: DataContract\nid: orders\nversion: 1.0.0\nstatus: active\n"
    text = f"{head}schema: {tables}\nslaProperties: [{{property: latency, value: 4, unit: d, element: orders.at}}]\n"
    assert [severity for _, severity, _ in findings(text)] == ["warning"]


def _matching(dialect: Dialect, pattern: str) -> str:
    text = json.dumps(pattern)
    if dialect is Dialect.ODCS:
        return written(dialect, f"logicalType: string, logicalTypeOptions: {{pattern: {text}}}")
    return written(dialect, f"type: STRING, pattern: {text}")


def limited(dialect: Dialect, kind: str, limits: str) -> str:
    """A column of a type with limits on its values."""
    if dialect is Dialect.FIELDS:
        return f"type: {kind.upper()}, {limits}"
    return f"{'logicalType' if dialect is Dialect.ODCS else 'type'}: {kind}, logicalTypeOptions: {{{limits}}}"


@every_dialect
@pytest.mark.parametrize(
    ("kind", "limits", "severity"),
    [
        pytest.param("integer", "minimum: abc", "error", id="a word as the least number"),
        pytest.param("number", 'maximum: "1,5"', "error", id="a number as people write it"),
        pytest.param("date", 'minimum: "2026-13-01"', "error", id="a day that does not exist"),
        pytest.param("date", 'minimum: "01.02.2026"', "warning", id="a day in another order"),
        pytest.param("boolean", "minimum: 1", "warning", id="the least truth"),
    ],
)
def test_a_limit_that_nothing_can_be_compared_with(dialect: Dialect, kind: str, limits: str, severity: str) -> None:
    ((rule, found, fix),) = findings(written(dialect, limited(dialect, kind, limits)))
    by_schema = dialect is Dialect.ODCS and kind in ("integer", "number")
    assert (rule, found) == ("wrong-type" if by_schema else "bound-unreadable", severity)
    assert fix.startswith(("Write", "Remove"))


@pytest.mark.parametrize("dialect", [Dialect.FLOE, Dialect.FIELDS], ids=["floe", "fields"])
@pytest.mark.parametrize(
    "column",
    [
        *("integer, minimum: 1", "number, maximum: 1e3", 'number, minimum: "1.5"', "number, minimum: -.inf"),
        *('date, minimum: "2026-01-01"', 'timestamp, maximum: "2026-01-01T00:00:00Z"', "string, minimum: a"),
    ],
)
def test_limits_that_can_be_compared(dialect: Dialect, column: str) -> None:
    kind, _, limits = column.partition(", ")
    assert findings(written(dialect, limited(dialect, kind, limits))) == []


PARTS = {
    Dialect.ODCS: {
        "fields": "properties: [{name: x, logicalType: string}]",
        "items": "items: {logicalType: string}",
    },
    Dialect.FLOE: {"fields": "elements: {x: {type: string}}", "items": "items: {type: string}"},
    Dialect.FIELDS: {"fields": "fields: [{name: x, type: STRING}]", "items": "items: {type: STRING}"},
}


@every_dialect
@pytest.mark.parametrize(("part", "kind"), [("fields", "integer"), ("items", "date"), ("fields", "array")])
def test_parts_of_what_has_none(dialect: Dialect, part: str, kind: str) -> None:
    key = "logicalType" if dialect is Dialect.ODCS else "type"
    text = written(dialect, f"{key}: {kind}, {PARTS[dialect][part]}")
    assert {(rule, severity) for rule, severity, _ in findings(text)} == {("misplaced-key", "error")}


@every_dialect
@pytest.mark.parametrize(("part", "kind"), [("fields", "object"), ("items", "array")])
def test_parts_of_what_has_some(dialect: Dialect, part: str, kind: str) -> None:
    key = "logicalType" if dialect is Dialect.ODCS else "type"
    assert findings(written(dialect, f"{key}: {kind}, {PARTS[dialect][part]}")) == []


BLANK = {
    "schema: ' '\nversion: 1.0.0\nfields: [{name: a, type: INT}]": "error schema",
    "id: ' '\nschema: t\nversion: 1.0.0\nfields: [{name: a, type: INT}]": "error id",
    "schema: t\nversion: 1.0.0\nfields: [{name: ' ', type: INT}]": "warning name",
    "name: ' '\nversion: 1.0.0\nmodels: {t: {elements: {a: {type: int}}}}": "error name",
    "name: t\nversion: 1.0.0\nmodels: {'': {elements: {a: {type: int}}}}": "warning name",
    "name: t\nversion: 1.0.0\nmodels: {t: {elements: {a: {type: object, elements: {'': {}}}}}}": "warning name",
    written(Dialect.ODCS, "logicalType: string").replace("id: orders", "id: ' '"): "error id",
    written(Dialect.ODCS, "logicalType: string").replace("name: id", "name: ''"): "warning name",
}


@pytest.mark.parametrize(("text", "expected"), BLANK.items(), ids=range(len(BLANK)))
def test_a_name_that_says_nothing(text: str, expected: str) -> None:
    (finding,) = load(text.encode(), "a.yaml").findings
    assert (finding.rule, f"{finding.severity.value} {finding.element}") == ("name-blank", expected)


@pytest.mark.parametrize("dialect", [Dialect.FLOE, Dialect.FIELDS], ids=["floe", "fields"])
def test_a_blank_type_is_none(dialect: Dialect) -> None:
    ((rule, severity, _),) = findings(written(dialect, "type: ' '"))
    assert (rule, severity) == ("type-unknown", "error")
