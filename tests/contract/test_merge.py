"""Merging by presence, where each attribute comes from, and which file is written for which port."""

from __future__ import annotations

from typing import Any

import pytest

from floe_contracts.codes import Severity
from floe_contracts.contract.attributes import Layer, Origin
from floe_contracts.contract.generate import contract_prefix, generate_contracts
from floe_contracts.contract.load import Loaded, load
from floe_contracts.contract.merge import merge_contracts, merge_layers
from floe_contracts.contract.model import Contract, Pointer, Property
from floe_contracts.contract.port_pairs import PortPairs, pair_with_ports
from floe_contracts.results import Finding, Location

PRODUCT = {"name": "customer-360", "version": "1.0.0", "owner": "crm@acme.com", "domain": "sales"}
COLUMN: dict[str, Any] = {"name": "email", "type": "string", "required": True, "unique": True, "primaryKey": True}
PORT: dict[str, Any] = {
    "name": "customers",
    "table": "gold.dim_customers",
    "schema": [COLUMN],
    "sla": {"freshness": {"value": "PT6H", "element": "email"}},
}
HEAD = {"apiVersion": "v3.0.2", "kind": "DataContract", "owner": "sales@acme.com", "domain": "sales"}


def port_contract(**column: Any) -> Contract:
    (generated,) = generate_contracts([{**PORT, "schema": [{**COLUMN, **column}]}], [], PRODUCT)
    return generated.contract


def written(name: str = "sales-customer-360-customers", path: str = "datacontract.yaml", **more: Any) -> Loaded:
    """A contract in the floe dialect; `models` unless given has one bare column."""
    import json

    keys = {"models": {"customers": {"elements": {"email": {"type": "string"}}}}, "version": "1.0.0", **more}
    file = load(json.dumps({**HEAD, "name": name, **keys}).encode(), path)
    assert file.contract is not None, file.findings
    return file


def explicit(**column: Any) -> Contract:
    file = written(models={"customers": {"elements": {"email": {"type": "string", **column}}}})
    assert file.contract is not None
    return file.contract


def merged_column(generated: Contract, ours: Contract) -> Property:
    return merge_contracts(generated, ours).objects[0].properties[0]


@pytest.mark.parametrize("attribute", ["required", "unique", "primary_key"])
def test_a_truth_value_that_the_file_does_not_mention_stays_the_ports(attribute: str) -> None:
    assert getattr(merged_column(port_contract(), explicit()), attribute) is True


@pytest.mark.parametrize(
    ("key", "attribute"), [("required", "required"), ("unique", "unique"), ("primaryKey", "primary_key")]
)
def test_false_that_is_written_down_overrides(key: str, attribute: str) -> None:
    assert getattr(merged_column(port_contract(), explicit(**{key: False})), attribute) is False


@pytest.mark.parametrize("dialect", ["odcs", "fields"])
def test_false_is_seen_in_every_dialect(dialect: str) -> None:
    texts = {
        "odcs": b"""{apiVersion: v3.1.0, kind: DataContract, id: customers, name: customers, version: 1.0.0,
            status: active,
            schema: [{name: customers, properties: [{name: email, logicalType: string, required: false}]}]}""",
        "fields": b"{schema: customers, version: 1.0.0, fields: [{name: email, type: string, nullable: true}]}",
    }
    ours = load(texts[dialect], "c.yaml").contract
    assert ours is not None
    column = merged_column(port_contract(), ours)
    assert (column.required, column.unique) == (False, True)


@pytest.mark.parametrize(
    ("port", "file", "expected"),
    [
        pytest.param({"type": "decimal(12,2)"}, {}, ("string", "string"), id="the file's word for the type"),
        pytest.param({"type": "decimal(12,2)"}, {"type": None}, ("number", "decimal(12,2)"), id="the port's word"),
        pytest.param(
            {"type": "decimal(12,2)"},
            {"type": None, "logicalType": "integer"},
            ("integer", None),
            id="a physical type that does not fit the file's kind of value is dropped",
        ),
        pytest.param(
            {"type": "varchar(20)"},
            {"type": None, "logicalType": "string"},
            ("string", "varchar(20)"),
            id="a physical type that fits is kept",
        ),
        pytest.param(
            {"type": "decimal(12,2)"},
            {"type": None, "physicalType": "varchar(20)"},
            ("string", "varchar(20)"),
            id="a kind of value that does not fit the file's physical type follows it",
        ),
    ],
)
def test_types_stay_whole(port: dict[str, Any], file: dict[str, Any], expected: tuple[str | None, str | None]) -> None:
    generated = port_contract(**port)
    elements = {"email": {key: value for key, value in {"type": "string", **file}.items() if value is not None}}
    ours = load_unchecked(elements)
    column = merged_column(generated, ours)
    assert (column.logical_type, column.physical_type) == expected


def load_unchecked(elements: dict[str, Any]) -> Contract:
    from floe_contracts.contract.read.floe import read

    return read({**HEAD, "name": "customers", "version": "1.0.0", "models": {"customers": {"elements": elements}}})


def test_a_service_level_keeps_the_element_that_only_the_port_names() -> None:
    ours = written(slaProperties={"freshness": "PT4H"}).contract
    assert ours is not None
    (level,) = merge_contracts(port_contract(), ours).slas
    assert (level.value, level.element) == ("PT4H", "email")


def test_a_key_that_the_file_denies_has_no_position() -> None:
    column = merged_column(port_contract(primaryKeyPosition=1), explicit(primaryKey=False))
    assert (column.primary_key, column.primary_key_position) == (False, None)


def test_one_table_each_is_the_same_table_whatever_its_name() -> None:
    ours = written(models={"clients": {"elements": {"phone": {"type": "string"}}}}).contract
    assert ours is not None
    merged = merge_contracts(port_contract(), ours)
    assert [(table.name, [column.name for column in table.properties]) for table in merged.objects] == [
        ("clients", ["phone", "email"])
    ]
    assert [level.element for level in merged.slas] == ["clients.email"]


def test_every_attribute_knows_where_it_comes_from() -> None:
    ours = explicit(classification="pii", required=False)
    result = merge_layers((Layer(Origin.FILE, ours), Layer(Origin.PORT, port_contract())))
    assert {
        path: origin.value
        for path, origin in result.provenance.items()
        if path.startswith(("schema.customers.email.", "slaProperties.", "owner"))
    } == {
        "owner": "file",
        "schema.customers.email.classification": "file",
        "schema.customers.email.logicalType": "file",
        "schema.customers.email.physicalType": "file",
        "schema.customers.email.primaryKey": "port",
        "schema.customers.email.required": "file",
        "schema.customers.email.unique": "port",
        "slaProperties.freshness": "port",
        "slaProperties.freshness.element": "port",
        "slaProperties.freshness.value": "port",
    }


def paired(files: list[Loaded], *ports: dict[str, Any]) -> PortPairs:
    generated = generate_contracts(ports or (PORT,), [], PRODUCT)

    def place(pointer: Pointer) -> Location:
        return Location("floe.yaml:" + ".".join(map(str, pointer)))

    return pair_with_ports(generated, files, contract_prefix(PRODUCT), place)


@pytest.mark.parametrize(
    ("name", "table", "origin"),
    [
        pytest.param("sales-customer-360-customers", "x", "merged", id="the whole name"),
        pytest.param("customers", "x", "merged", id="the short name"),
        pytest.param("Sales_Customer_360-customers", "x", "merged", id="as ids write it"),
        pytest.param("crm", "customers", "merged", id="the table's name"),
        pytest.param("crm", "dim_customers", "merged", id="the last part of the port's table"),
        pytest.param("crm", "clients", "port", id="neither"),
    ],
)
def test_a_file_is_written_for_a_port(name: str, table: str, origin: str) -> None:
    file = written(name, models={table: {"elements": {"email": {"type": "string"}}}})
    assert paired([file]).contracts[0].origin == origin


def test_a_file_for_no_port_is_a_contract_of_its_own() -> None:
    file = written("crm", models={"clients": {"elements": {"email": {"type": "string"}}}})
    pairs = paired([file])
    assert [(item.short, item.origin) for item in pairs.contracts] == [("customers", "port"), ("crm", "file")]
    assert pairs.findings == ()


def test_a_name_beats_the_name_of_a_table() -> None:
    files = [written("customers", "a.yaml"), written("crm", "b.yaml")]
    pairs = paired(files)
    assert [(item.short, item.file.path if item.file else "") for item in pairs.contracts] == [
        ("customers", "a.yaml"),
        ("crm", "b.yaml"),
    ]


def codes_of(findings: tuple[Finding, ...]) -> list[tuple[str, str, Severity]]:
    return [(item.code.id, item.rule, item.severity) for item in findings]


def test_two_files_for_one_port_are_a_clash() -> None:
    pairs = paired([written("customers", "a.yaml"), written("sales-customer-360-customers", "b.yaml")])
    (clash,) = pairs.findings
    assert codes_of(pairs.findings) == [("FLOE-E525", "port-contract-twice", Severity.ERROR)]
    assert "a.yaml, b.yaml" in clash.message


def test_one_file_for_two_ports_is_a_clash() -> None:
    tables = {name: {"elements": {"email": {"type": "string"}}} for name in ("customers", "orders")}
    pairs = paired([written("crm", models=tables)], PORT, {"name": "orders"})
    assert codes_of(pairs.findings)[:1] == [("FLOE-E525", "port-contract-twice", Severity.ERROR)]


@pytest.mark.parametrize(
    ("port_version", "version", "findings"),
    [
        pytest.param("2.0.0", "2.0.0", [], id="the same version"),
        pytest.param("2.0.0", "2.1.0", [("FLOE-E501", "port-version-differs", Severity.WARNING)], id="another one"),
        pytest.param(None, "2.1.0", [("FLOE-E501", "port-version-differs", Severity.WARNING)], id="not the product's"),
        pytest.param(None, "1.0.0", [], id="the product's"),
    ],
)
def test_versions_of_port_and_file(port_version: str | None, version: str, findings: list[Any]) -> None:
    pairs = paired([written(version=version)], {**PORT, "version": port_version})
    assert codes_of(pairs.findings) == findings
    assert merge_layers(pairs.contracts[0].layers).contract.version == version


def test_a_denied_truth_value_is_noted_with_both_places() -> None:
    file = written(models={"customers": {"elements": {"email": {"type": "string", "required": False}}}})
    (note,) = paired([file]).findings
    assert codes_of((note,)) == [("FLOE-E529", "port-value-denied", Severity.INFO)]
    assert note.location is not None
    assert note.location.path == "datacontract.yaml"
    assert note.message == (
        "customers.email says required: false, "
        "which overrides required: true at floe.yaml:output_ports.0.schema.0.required"
    )
