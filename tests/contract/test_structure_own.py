"""Mistakes in documents of the floe and fields dialects, and the schemas published for both."""

from __future__ import annotations

from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from support.damage import FIXTURES, damaged, fixture
from support.structural import Case, check, findings

from floe_contracts.codes import Severity
from floe_contracts.contract.model import Dialect
from floe_contracts.contract.schemas import dialect_schema
from floe_contracts.contract.structure import structural_findings

FLOE = "name: x\nversion: 1.0.0\nmodels: {t: {elements: {a: {type: string}}}}\n"
FIELDS = "schema: t\nversion: 1.0.0\nfields: [{name: a, type: STRING}]\n"

FLOE_CASES = {
    "columns for elements": Case(
        FLOE.replace("elements", "columns"),
        *("unknown-key", ("models", "t", "columns"), "Did you mean 'elements'?"),
        at_key=True,
    ),
    "properties for elements": Case(
        FLOE.replace("elements", "properties"),
        *("unknown-key", ("models", "t", "properties"), "Did you mean 'elements'?"),
        at_key=True,
    ),
    "nullable": Case(
        FLOE.replace("type: string", "type: string, nullable: false"),
        *("unknown-key", ("models", "t", "elements", "a", "nullable"), "Write required: true instead."),
        at_key=True,
    ),
    "a bare type": Case(
        FLOE.replace("{type: string}", "string"),
        *("wrong-type", ("models", "t", "elements", "a"), "Write a: {type: string}."),
    ),
    "an element without anything": Case(
        FLOE.replace("{type: string}", ""),
        *("wrong-type", ("models", "t", "elements", "a"), "Write a mapping there; a key that is not needed"),
    ),
    "elements as a list": Case(
        FLOE.replace("{a: {type: string}}", "[{name: a}]"),
        *("wrong-type", ("models", "t", "elements"), "without dashes: elements: {column: {…}}."),
    ),
    "a column called logicalTypeOptions": Case(
        FLOE.replace("a: {type: string}", "logicalTypeOptions: {typ: string}"),
        *("unknown-key", ("models", "t", "elements", "logicalTypeOptions", "typ"), "Did you mean 'type'?"),
        at_key=True,
    ),
    "no models": Case("name: x\nversion: 1.0.0\n", "missing-key", (), "the contract needs 'models'"),
    "no table": Case(FLOE.replace("{t: {elements: {a: {type: string}}}}", "{}"), "wrong-size", ("models",), "1 entry"),
    "an unknown service level key": Case(
        FLOE + "slaProperties: {freshness: {valu: PT6H}}",
        *("unknown-key", ("slaProperties", "freshness", "valu"), "Did you mean 'value'?"),
        at_key=True,
    ),
    "a version number": Case(FLOE.replace("1.0.0", "1.10"), "wrong-type", ("version",), 'version: "1.10"'),
    "an old apiVersion": Case(
        "apiVersion: v2.2.2\n" + FLOE, "api-version", ("apiVersion",), "floe reads", code="FLOE-E502"
    ),
    "a server without its coordinates": Case(
        FLOE + "servers: [{server: s, type: postgres, host: h}]",
        *("missing-key", ("servers", 0), "needs 'port', 'database', 'schema'"),
    ),
    "an unknown server key": Case(
        FLOE + "servers: [{server: s, type: s3, location: l, zebra: 1}]",
        *("unknown-key", ("servers", 0, "zebra"), "under customProperties"),
        at_key=True,
    ),
    "a rule without a comparison": Case(
        FLOE + "quality: [{metric: rowCount}]", "missing-operator", ("quality", 0), "needs a comparison"
    ),
    "a consumer without a name": Case(
        FLOE + "consumers: [mart, {owner: o}]", "missing-key", ("consumers", 1), "a consumer needs 'name'"
    ),
    "a misspelt sunset date": Case(
        FLOE + "deprecation: {sunsetDate: '2026-01-01'}",
        *("unknown-key", ("deprecation", "sunsetDate"), "Did you mean 'sunset_date'?"),
        at_key=True,
    ),
    "somebody's own key": Case(FLOE + "zebra: 1", "unknown-key", ("zebra",), "under customProperties", at_key=True),
}


@pytest.mark.parametrize("case", FLOE_CASES.values(), ids=FLOE_CASES)
def test_a_floe_document_with_one_mistake_gets_one_error(case: Case) -> None:
    check(case, Dialect.FLOE)


FIELDS_CASES = {
    "a limit that has no key": Case(
        FIELDS.replace("type: STRING", "type: STRING, maxLength: 5"),
        *("unknown-key", ("fields", 0, "maxLength"), "in the type as in VARCHAR(20)"),
        at_key=True,
    ),
    "limits as the others write them": Case(
        FIELDS.replace("type: STRING", "type: STRING, logicalTypeOptions: {maxLength: 5}"),
        *("unknown-key", ("fields", 0, "logicalTypeOptions"), "beside 'type'"),
        at_key=True,
    ),
    "logicalType": Case(
        FIELDS.replace("type: STRING", "logicalType: string"),
        *("unknown-key", ("fields", 0, "logicalType"), "Did you mean 'type'?"),
        at_key=True,
    ),
    "a map without its keys": Case(
        FIELDS.replace("type: STRING", "type: MAP, map: {value: {type: STRING}}"),
        *("missing-key", ("fields", 0, "map"), "'map' needs 'key'"),
    ),
    "items without a type": Case(
        FIELDS.replace("type: STRING", "type: ARRAY, items: {nullable: false}"),
        *("missing-key", ("fields", 0, "items"), "an item needs 'type'"),
    ),
    "a misspelt key of a part": Case(
        FIELDS.replace("type: STRING", "type: STRUCT, fields: [{name: a, type: INT, nulable: true}]"),
        *("unknown-key", ("fields", 0, "fields", 0, "nulable"), "Did you mean 'nullable'?"),
        at_key=True,
    ),
    "a rule without a comparison": Case(
        FIELDS.replace("type: STRING", "type: STRING, quality: [{metric: nullValues}]"),
        *("missing-operator", ("fields", 0, "quality", 0), "needs a comparison"),
    ),
    "required": Case(
        FIELDS.replace("type: STRING", "type: STRING, required: true"),
        *("unknown-key", ("fields", 0, "required"), "Write nullable: false instead."),
        at_key=True,
    ),
    "required, misspelt": Case(
        FIELDS.replace("type: STRING", "type: STRING, requird: true"),
        *("unknown-key", ("fields", 0, "requird"), "Write nullable: false instead."),
        at_key=True,
    ),
    "a limit of others, misspelt": Case(
        FIELDS.replace("type: STRING", "type: STRING, minlength: 3"),
        *("unknown-key", ("fields", 0, "minlength"), "Say it with minimum, maximum or pattern"),
        at_key=True,
    ),
    "a word that resembles none": Case(
        FIELDS.replace("type: STRING", "type: STRING, colour: red"),
        *("unknown-key", ("fields", 0, "colour"), "Remove it"),
        at_key=True,
    ),
    "primaryKey": Case(
        FIELDS.replace("type: STRING", "type: STRING, primaryKey: true"),
        *("unknown-key", ("fields", 0, "primaryKey"), "Did you mean 'primary_key'?"),
        at_key=True,
    ),
    "no type": Case(FIELDS.replace(", type: STRING", ""), "missing-key", ("fields", 0), "a field needs 'type'"),
    "no fields": Case("schema: t\nversion: 1.0.0\n", "missing-key", (), "the contract needs 'fields'"),
    "an empty list of fields": Case(
        FIELDS.replace("[{name: a, type: STRING}]", "[]"), "wrong-size", ("fields",), "at least 1 entry"
    ),
    "freshness without its unit": Case(
        FIELDS + "sla: {freshness: 30}", "unknown-key", ("sla", "freshness"), "'freshness_minutes'?", at_key=True
    ),
    "freshness in quotes": Case(
        FIELDS + "sla: {freshness_minutes: '30'}", "wrong-type", ("sla", "freshness_minutes"), "without quotes"
    ),
    "a freshness of zero": Case(
        FIELDS + "sla: {freshness_minutes: 0}", "out-of-range", ("sla", "freshness_minutes"), "a value above 0"
    ),
    "digits with underscores": Case(
        FIELDS + "sla: {min_rows_per_day: 10_000}", "wrong-type", ("sla", "min_rows_per_day"), "min_rows_per_day: 10000"
    ),
    "a freshness in words": Case(
        FIELDS + "sla: {freshness_minutes: lots}", "wrong-type", ("sla", "freshness_minutes"), "Write a number there."
    ),
    "a column of arrival that no promise needs": Case(
        FIELDS + "sla: {arrival: came_at}", "missing-key", ("sla",), "Add 'latency_p99'."
    ),
    "a column of arrival without a name": Case(
        FIELDS + "sla: {arrival: '', latency_p99: 30s}", "wrong-size", ("sla", "arrival"), "Write some text."
    ),
    "no value to choose from": Case(
        FIELDS.replace("type: STRING", "type: STRING, enum: []"),
        *("wrong-size", ("fields", 0, "enum"), "Write at least 1 entry in the list."),
    ),
    "a version number": Case(FIELDS.replace("1.0.0", "2.10"), "wrong-type", ("version",), 'version: "2.10"'),
    "a table as a list": Case(FIELDS.replace("schema: t", "schema: [t]"), "wrong-type", ("schema",), "must be text"),
}


@pytest.mark.parametrize("case", FIELDS_CASES.values(), ids=FIELDS_CASES)
def test_a_fields_document_with_one_mistake_gets_one_error(case: Case) -> None:
    check(case, Dialect.FIELDS)


@pytest.mark.parametrize(("dialect", "name"), [(Dialect.FLOE, "customers.yaml"), (Dialect.FIELDS, "orders.v2.yaml")])
def test_the_seeds_examples_are_sound(dialect: Dialect, name: str) -> None:
    assert findings((FIXTURES / dialect.value / name).read_text(encoding="utf-8"), dialect) == ()


@pytest.mark.parametrize("dialect", [Dialect.FLOE, Dialect.FIELDS])
def test_damaged_documents_of_our_dialects_never_pass_unexplained(dialect: Dialect) -> None:
    judge = jsonschema_rs.validator_for(dialect_schema(dialect))
    bases = [fixture(f"{dialect.value}/{path.name}") for path in sorted((FIXTURES / dialect.value).glob("*.yaml"))]
    donors = [*bases, fixture("odcs/full-3.2.0.odcs.yaml")]
    for one in damaged(5, 600, bases, donors):
        found = structural_findings(dialect, one)
        assert judge.is_valid(one) or any(error.severity is Severity.ERROR for error in found)


SHARED = ("Consumer", "Deprecation", "Server", "Role", "CustomProperties", "CustomProperty", "StableId")


@pytest.mark.parametrize("name", SHARED)
def test_what_both_published_schemas_define_is_the_same(name: str) -> None:
    assert dialect_schema(Dialect.FLOE)["$defs"][name] == dialect_schema(Dialect.FIELDS)["$defs"][name]


@pytest.mark.parametrize("dialect", [Dialect.FLOE, Dialect.FIELDS])
def test_the_published_schemas_are_sound_and_explain_every_key(dialect: Dialect) -> None:
    schema = dialect_schema(dialect)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert sorted(_unexplained(schema, schema)) == []


def _unexplained(root: dict[str, Any], node: Any, path: str = "") -> list[str]:
    """Keys of mappings that an editor could not say anything about."""
    if isinstance(node, list):
        return [gap for part in node for gap in _unexplained(root, part, path)]
    if not isinstance(node, dict):
        return []
    gaps = []
    for key, part in node.items():
        if key == "properties" and path.rpartition("/")[2] != "properties" and "/if" not in path:
            for name, schema in part.items():
                target = root["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
                if "description" not in schema and "description" not in target:
                    gaps.append(f"{path}/{name}")
        gaps += _unexplained(root, part, f"{path}/{key}")
    return gaps
