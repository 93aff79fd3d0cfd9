"""Mistakes in the structure of ODCS documents: what is said about them, and where."""

from __future__ import annotations

import textwrap

import pytest
from support.structural import Case, check
from support.structural import findings as findings_in

from floe_contracts.codes import Severity
from floe_contracts.contract.model import Dialect, Pointer
from floe_contracts.contract.structure.words import StructuralError

HEAD = {
    version: f"apiVersion: {version}\nkind: DataContract\nid: x\nversion: 1.0.0\n{status}"
    for version, status in (("v3.0.2", "status: active\n"), ("v3.1.0", "status: active\n"), ("v3.2.0", ""))
}
COLUMN: Pointer = ("schema", 0, "properties", 0)
RULE: Pointer = ("schema", 0, "quality", 0)


def findings(text: str) -> tuple[StructuralError, ...]:
    return findings_in(text, Dialect.ODCS)


def column(text: str, version: str = "v3.2.0") -> str:
    return HEAD[version] + f"schema: [{{name: t, properties: [{{name: a, {text}}}]}}]\n"


def rule(text: str, version: str = "v3.2.0") -> str:
    return HEAD[version] + f"schema: [{{name: t, quality: [{{{text}}}]}}]\n"


def server(text: str, version: str = "v3.2.0") -> str:
    return HEAD[version] + f"servers: [{{server: s, {text}}}]\n"


UNKNOWN_KEYS = {
    "requird": (column("requird: true"), "requird", "Did you mean 'required'?"),
    "classifcation": (column("classifcation: pii"), "classifcation", "Did you mean 'classification'?"),
    "nullable: false": (column("nullable: false"), "nullable", "Write required: true instead."),
    "nullable: true": (column("nullable: true"), "nullable", "Write required: false instead."),
    "type": (column("type: string"), "type", "Did you mean 'logicalType'?"),
    "primary_key": (column("primary_key: true"), "primary_key", "Did you mean 'primaryKey'?"),
    "desc": (column("desc: text"), "desc", "Did you mean 'description'?"),
    "PhysicalType": (column("PhysicalType: int"), "PhysicalType", "Did you mean 'physicalType'?"),
    "maxLength beside the type": (column("maxLength: 3"), "maxLength", "under logicalTypeOptions"),
    "unit": (column("unit: USD"), "unit", "property: floe.unit"),
    "an invention": (column("zebra: 1"), "zebra", "under customProperties"),
    "in 3.0.2": (column("requird: true", "v3.0.2"), "requird", "Did you mean 'required'?"),
    "in 3.1.0": (column("requird: true", "v3.1.0"), "requird", "Did you mean 'required'?"),
}


@pytest.mark.parametrize(("text", "key", "says"), UNKNOWN_KEYS.values(), ids=UNKNOWN_KEYS)
def test_an_unknown_key_of_a_column_is_an_error_with_advice(text: str, key: str, says: str) -> None:
    check(Case(text, "unknown-key", (*COLUMN, key), says, at_key=True), Dialect.ODCS)


ODCS_CASES = {
    "columns for properties": Case(
        HEAD["v3.2.0"] + "schema: [{name: t, columns: [{name: a}]}]",
        *("unknown-key", ("schema", 0, "columns"), "Did you mean 'properties'?"),
        at_key=True,
    ),
    "fields for properties in 3.0.2": Case(
        HEAD["v3.0.2"] + "schema: [{name: t, fields: [{name: a}]}]",
        *("unknown-key", ("schema", 0, "fields"), "Did you mean 'properties'?"),
        at_key=True,
    ),
    "a key of the floe dialect": Case(
        HEAD["v3.2.0"] + "consumers: [mart]",
        *("unknown-key", ("consumers",), "property: floe.consumers"),
        at_key=True,
    ),
    "a misspelt key three levels down": Case(
        column("logicalType: object, properties: [{name: b, logicalType: array, items: {logicaltype: string}}]"),
        *("unknown-key", (*COLUMN, "properties", 0, "items", "logicaltype"), "Did you mean 'logicalType'?"),
        at_key=True,
    ),
    "a misspelt key that is also missing": Case(
        column("logicalType: object, properties: [{nam: b}]"),
        *("unknown-key", (*COLUMN, "properties", 0, "nam"), "Did you mean 'name'?"),
        at_key=True,
    ),
    "a name that is missing": Case(
        HEAD["v3.2.0"] + "schema: [{physicalName: t}]",
        *("missing-key", ("schema", 0), "a schema object needs 'name'"),
    ),
    "a status that 3.0 demands": Case(
        HEAD["v3.0.2"].replace("status: active\n", "statsu: active\n"),
        *("unknown-key", ("statsu",), "Did you mean 'status'?"),
        at_key=True,
    ),
    "a version that YAML took for a number": Case(
        HEAD["v3.2.0"].replace("1.0.0", "1.10"), "wrong-type", ("version",), 'version: "1.10"'
    ),
    "a whole number as version": Case(HEAD["v3.2.0"].replace("1.0.0", "2"), "wrong-type", ("version",), 'version: "2"'),
    "yes for true": Case(column("required: yes"), "wrong-type", (*COLUMN, "required"), "Write required: true"),
    "text for a list": Case(HEAD["v3.2.0"] + "tags: gold", "wrong-type", ("tags",), "starting with a dash"),
    "a text as description": Case(
        HEAD["v3.2.0"] + "description: Orders", "wrong-type", ("description",), "description: {purpose: …}"
    ),
    "service levels as a map": Case(
        HEAD["v3.2.0"] + "slaProperties: {freshness: {value: PT6H}}",
        *("wrong-type", ("slaProperties",), "[{property: …, value: …}, …]"),
    ),
    "bare enum values": Case(column("enum: [a, b, c]"), "wrong-type", (*COLUMN, "enum", 0), "- value: 'a'"),
    "a list where a scalar belongs": Case(
        HEAD["v3.2.0"] + "slaProperties: [{property: freshness, value: [1]}]",
        *("wrong-type", ("slaProperties", 0, "value"), "must be text or a number"),
    ),
    "a database type as logical type": Case(
        column("logicalType: decimal"), "value-not-allowed", (*COLUMN, "logicalType"), "Write logicalType: number"
    ),
    "a misspelt logical type": Case(
        column("logicalType: strng"), "value-not-allowed", (*COLUMN, "logicalType"), "Did you mean 'string'?"
    ),
    "another kind": Case(
        HEAD["v3.2.0"].replace("DataContract", "DataProduct"), "value-not-allowed", ("kind",), "DataContract"
    ),
    "options without a logical type": Case(
        column("logicalTypeOptions: {minLength: 1, format: uuid}"), "missing-key", COLUMN, "needs 'logicalType'"
    ),
    "options of another logical type": Case(
        column("logicalType: string, logicalTypeOptions: {minimum: 1}"),
        *("unknown-key", (*COLUMN, "logicalTypeOptions", "minimum"), "Known here: format, maxLength"),
        at_key=True,
    ),
    "a negative length": Case(
        column("logicalType: string, logicalTypeOptions: {minLength: -1}"),
        *("out-of-range", (*COLUMN, "logicalTypeOptions", "minLength"), "a value of at least 0"),
    ),
    "items of a string": Case(
        column("logicalType: string, items: {logicalType: string}"),
        *("misplaced-key", (*COLUMN, "items"), "write logicalType: array"),
        at_key=True,
    ),
    "columns of an item that is not an object": Case(
        column("logicalType: array, items: {logicalType: string, properties: [{name: b}]}"),
        *("misplaced-key", (*COLUMN, "items", "properties"), "write logicalType: object"),
        at_key=True,
    ),
    "a map without its sides": Case(
        column("logicalType: map"), "missing-key", COLUMN, "of logicalType 'map' needs 'map'"
    ),
    "an empty enum": Case(column("enum: []"), "wrong-size", (*COLUMN, "enum"), "at least 1 entry"),
    "an enum value twice": Case(
        column("enum: [{value: 1}, {value: 1}]"), "duplicate-entry", (*COLUMN, "enum"), "no entry twice"
    ),
    "bounds that are equal": Case(
        rule("metric: rowCount, mustBeBetween: [5, 5]"),
        *(
            "duplicate-entry",
            (*RULE, "mustBeBetween"),
            "two different numbers, not 5 twice | two different numbers | Write mustBe: 5,",
        ),
    ),
    "excluded bounds that are equal": Case(
        rule("metric: rowCount, mustNotBeBetween: [0.5, 0.5]"),
        *("duplicate-entry", (*RULE, "mustNotBeBetween"), "two different numbers | Write mustNotBe: 0.5,"),
    ),
    "an id with a dot": Case(column("id: a.b"), "bad-name", (*COLUMN, "id"), "none of . # /"),
    "an id with a space before 3.2": Case(
        column("id: a b", "v3.1.0"), "bad-name", (*COLUMN, "id"), "letters, digits, _ and -"
    ),
    "a relationship to a bare column": Case(
        column("relationships: [{to: b}]"), "bad-name", (*COLUMN, "relationships", 0, "to"), "table.column"
    ),
    "from in a column's relationship": Case(
        column("relationships: [{from: t.a, to: b.c}]"),
        *("misplaced-key", (*COLUMN, "relationships", 0, "from"), "move the relationship to the schema object"),
        at_key=True,
    ),
    "a rule without a comparison": Case(
        rule("metric: rowCount"), "missing-operator", RULE, "exactly one of mustBe, mustNotBe"
    ),
    "a rule with two comparisons": Case(
        rule("metric: rowCount, mustBe: 1, mustBeLessThan: 5"), "several-operators", RULE, "2 comparisons"
    ),
    "a comparison with text": Case(
        rule("metric: rowCount, mustBeLessThan: '5'"), "wrong-type", (*RULE, "mustBeLessThan"), "without quotes"
    ),
    "a misspelt comparison": Case(
        rule("metric: rowCount, mustBeGreatherThan: 5"),
        *("unknown-key", (*RULE, "mustBeGreatherThan"), "Did you mean 'mustBeGreaterThan'?"),
        at_key=True,
    ),
    "rule for metric after 3.0": Case(
        rule("type: library, rule: rowCount, mustBe: 1"), "missing-key", RULE, "Rename 'rule' to 'metric'"
    ),
    "a query without a type": Case(rule("query: select 1, mustBe: 1"), "missing-key", RULE, "type: library or sql"),
    "a sql rule without its query": Case(
        rule("type: sql, mustBe: 1"), "missing-key", RULE, "of type 'sql' needs 'query'"
    ),
    "a metric that does not exist": Case(
        rule("metric: rowCounts, mustBe: 1"), "value-not-allowed", (*RULE, "metric"), "Did you mean 'rowCount'?"
    ),
    "a server without its coordinates": Case(
        server("type: postgres, host: h"), "missing-key", ("servers", 0), "needs 'port', 'database', 'schema'"
    ),
    "a misspelt server type": Case(
        server("type: postgress, host: h"), "value-not-allowed", ("servers", 0, "type"), "Did you mean 'postgres'?"
    ),
    "a misspelt coordinate": Case(
        server("type: s3, locaton: s3://b"), "unknown-key", ("servers", 0, "locaton"), "'location'?", at_key=True
    ),
    "a coordinate of another server type": Case(
        server("type: s3, location: s3://b, host: h"),
        *("misplaced-key", ("servers", 0, "host"), "'host' means nothing in a server with type: 's3'"),
        at_key=True,
    ),
    "a team member without a user name": Case(
        HEAD["v3.2.0"] + "team: {members: [{role: owner}]}", "missing-key", ("team", "members", 0), "needs 'username'"
    ),
    "a team that is a name": Case(HEAD["v3.2.0"] + "team: shop", "wrong-type", ("team",), "a mapping or a list"),
}


@pytest.mark.parametrize("case", ODCS_CASES.values(), ids=ODCS_CASES)
def test_an_odcs_document_with_one_mistake_gets_one_error(case: Case) -> None:
    check(case, Dialect.ODCS)


OPEN_PLACES = {
    "a misspelt key of a 3.0 rule": Case(
        rule("rule: rowCount, mustBe: 1, severty: error", "v3.0.2"),
        *("unknown-key", (*RULE, "severty"), "Did you mean 'severity'?"),
        at_key=True,
    ),
    "a misspelt key of a 3.0 service level": Case(
        HEAD["v3.0.2"] + "slaProperties: [{property: latency, value: 4, unti: d}]",
        *("unknown-key", ("slaProperties", 0, "unti"), "Did you mean 'unit'?"),
        at_key=True,
    ),
    "a misspelt key of the description": Case(
        HEAD["v3.2.0"] + "description: {purpos: text}",
        *("unknown-key", ("description", "purpos"), "Did you mean 'purpose'?"),
        at_key=True,
        severity=Severity.WARNING,
    ),
    "a comment on a member of a 3.0 team": Case(
        HEAD["v3.0.2"] + "team: [{username: ann, comment: text}]",
        *("unknown-key", ("team", 0, "comment"), "Did you mean 'description'?"),
        at_key=True,
        severity=Severity.WARNING,
    ),
    "a misspelt key of a 3.0 price": Case(
        HEAD["v3.0.2"] + "price: {priceAmmount: 1}",
        *("unknown-key", ("price", "priceAmmount"), "Did you mean 'priceAmount'?"),
        at_key=True,
        severity=Severity.WARNING,
    ),
    "a misspelt key of a 3.0 support channel": Case(
        HEAD["v3.0.2"] + "support: [{channel: a, url: b, descripton: text}]",
        *("unknown-key", ("support", 0, "descripton"), "Did you mean 'description'?"),
        at_key=True,
        severity=Severity.WARNING,
    ),
    "a comment on a 3.0 rule": Case(
        rule("rule: rowCount, mustBe: 1, comment: text", "v3.0.2"),
        *("unknown-key", (*RULE, "comment"), "Did you mean 'description'?"),
        at_key=True,
        severity=Severity.WARNING,
    ),
    "a key that 3.1 knows": Case(
        HEAD["v3.0.2"] + "slaProperties: [{property: latency, value: 4, description: text}]",
        *("unknown-key", ("slaProperties", 0, "description"), "exists here from apiVersion v3.1.0 on"),
        at_key=True,
        severity=Severity.WARNING,
    ),
    "somebody's own key": Case(
        HEAD["v3.0.2"] + "roles: [{role: reader, department: sales}]",
        *("unknown-key", ("roles", 0, "department"), "so no tool has to read it"),
        at_key=True,
        severity=Severity.WARNING,
    ),
}


@pytest.mark.parametrize("case", OPEN_PLACES.values(), ids=OPEN_PLACES)
def test_where_the_standard_allows_any_key_only_slips_are_errors(case: Case) -> None:
    check(case, Dialect.ODCS)


FREE_PLACES = {
    "arguments of a metric": rule("metric: invalidValues, mustBe: 0, arguments: {anything: 1}"),
    "the value of a custom property": HEAD["v3.2.0"] + "customProperties: [{property: p, value: {requird: 1}}]",
    "a custom engine's implementation": rule("type: custom, engine: e, implementation: {requird: 1}"),
    "comparisons of a sql rule in 3.0": rule("type: sql, query: q, mustBeGreaterThan: 1", "v3.0.2"),
    "columns of a 3.0 item of any type": column(
        "logicalType: array, items: {logicalType: string, properties: [{name: b}]}", "v3.0.2"
    ),
}


@pytest.mark.parametrize("text", FREE_PLACES.values(), ids=FREE_PLACES)
def test_free_places_stay_free(text: str) -> None:
    assert findings(text) == ()


API_VERSION_CASES = {
    "missing": (HEAD["v3.2.0"].replace("apiVersion: v3.2.0\n", ""), (), "Write apiVersion: v3.2.0."),
    "missing in a document that only 3.0 accepts": (
        rule("type: library, rule: rowCount, mustBe: 1", "v3.0.2").replace("apiVersion: v3.0.2\n", ""),
        *((), "Write apiVersion: v3.0.2."),
    ),
    "without its v": (HEAD["v3.0.2"].replace("v3.0.2", "3.0.2"), ("apiVersion",), "Write apiVersion: v3.0.2."),
    "a number": (HEAD["v3.1.0"].replace("v3.1.0", "3.1"), ("apiVersion",), "Write apiVersion: v3.1.0."),
    "version 2": (HEAD["v3.2.0"].replace("v3.2.0", "v2.2.2"), ("apiVersion",), "floe reads v3.0.0 to v3.2.0"),
    "from the future": (HEAD["v3.2.0"].replace("v3.2.0", "v3.9.0"), ("apiVersion",), "floe reads v3.0.0 to v3.2.0"),
    "a list": (HEAD["v3.2.0"].replace("v3.2.0", "[v3.2.0]"), ("apiVersion",), "floe reads v3.0.0 to v3.2.0"),
    "a timestamp in 3.0.2": (column("logicalType: timestamp", "v3.0.2"), ("apiVersion",), "Write apiVersion: v3.1.0."),
    "a team with members in 3.0.2": (
        HEAD["v3.0.2"] + "team: {name: t, members: [{username: u}]}",
        *(("apiVersion",), "Write apiVersion: v3.1.0."),
    ),
    "metric for rule in 3.0.2": (
        rule("type: library, metric: rowCount, mustBe: 1", "v3.0.2"),
        *(("apiVersion",), "Write apiVersion: v3.1.0."),
    ),
    "an enum in 3.1.0": (
        column("enum: [{value: 1}]", "v3.1.0"),
        *(("apiVersion",), "valid in ODCS v3.1.0, but it is in v3.2.0: schema.0.properties.0.enum"),
    ),
    "an iceberg server in 3.0.2": (
        server("type: iceberg, catalog: c, catalogUrl: u", "v3.0.2"),
        *(("apiVersion",), "Write apiVersion: v3.2.0."),
    ),
    "no status in 3.1.0": (
        HEAD["v3.1.0"].replace("status: active\n", ""),
        *(("apiVersion",), "Or stay with v3.1.0: the contract needs 'status'."),
    ),
}


@pytest.mark.parametrize(("text", "pointer", "says"), API_VERSION_CASES.values(), ids=API_VERSION_CASES)
def test_a_wrong_api_version_is_one_e502_with_the_version_to_write(text: str, pointer: Pointer, says: str) -> None:
    check(Case(text, "api-version", pointer, says, code="FLOE-E502"), Dialect.ODCS)


def test_a_newer_key_beside_another_mistake_is_told_with_its_version() -> None:
    found = findings(column("enum: [{value: 1}], requird: true", "v3.1.0"))
    assert [error.suggestions[0] for error in found] == [
        "'enum' exists here from apiVersion v3.2.0 on.",
        "Did you mean 'required'?",
    ]


def test_a_version_that_was_clearly_meant_is_checked_further() -> None:
    found = findings(column("requird: true").replace("v3.2.0", "3.2.0"))
    assert [error.rule for error in found] == ["api-version", "unknown-key"]


def test_every_mistake_is_told_at_once() -> None:
    text = HEAD["v3.1.0"] + textwrap.dedent("""\
        owner: x
        servers: [{server: s, type: s3}]
        schema:
          - name: t
            columns: []
            quality: [{metric: rowCount}, {type: sql}]
            properties: [{name: a, logicalType: text}, {nam: b}]
        slaProperties: [{property: p}]
    """)
    assert [(error.rule, error.pointer) for error in findings(text)] == [
        ("unknown-key", ("owner",)),
        ("unknown-key", ("schema", 0, "columns")),
        ("value-not-allowed", ("schema", 0, "properties", 0, "logicalType")),
        ("unknown-key", ("schema", 0, "properties", 1, "nam")),
        ("missing-operator", ("schema", 0, "quality", 0)),
        ("missing-key", ("schema", 0, "quality", 1)),
        ("missing-operator", ("schema", 0, "quality", 1)),
        ("missing-key", ("servers", 0)),
        ("missing-key", ("slaProperties", 0)),
    ]


def test_long_and_secret_values_are_not_shown() -> None:
    long = findings(HEAD["v3.2.0"] + f"tags: {'x' * 500}")[0]
    assert len(long.message) < 150
    assert len(long.actual) < 70
    secret = findings(server("type: s3, location: {password: hunter2}"))[0]
    assert "hunter2" not in f"{secret.message}{secret.actual}{secret.suggestions}"


def test_the_same_document_gets_the_same_errors_in_the_same_order() -> None:
    text = column("zebra: 1, alpha: 2, requird: 3, logicalType: strng")
    assert [findings(text) for _ in range(3)] == [findings(text)] * 3
