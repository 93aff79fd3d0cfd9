"""Which documents are contracts, in which dialect, and what the others are called."""

from __future__ import annotations

import pytest
from hypothesis import given
from support.reading import fixture_texts
from support.strategy_values import json_values

from floe_contracts.contract.dialects import detect, looks_like_contract, why_not
from floe_contracts.contract.model import Dialect, Json
from floe_contracts.contract.source import read_document


def parsed(text: str) -> Json:
    return read_document(text.encode()).value


FIXTURES = [(dialect, text) for dialect in Dialect for text in fixture_texts(dialect).values()]


@pytest.mark.parametrize(
    ("dialect", "text"),
    FIXTURES,
    ids=[f"{dialect.value}/{name}" for dialect in Dialect for name in fixture_texts(dialect)],
)
def test_fixtures_are_recognised(dialect: Dialect, text: str) -> None:
    assert detect(parsed(text)) is dialect


CONTRACTS = {
    "kind alone": ("kind: DataContract", Dialect.ODCS),
    "a version of the standard and tables, kind forgotten": ("apiVersion: v3.1.0\nschema: []", Dialect.ODCS),
    "a version of the standard and an id, kind misspelt": (
        "apiVersion: 3.0.2\nkind: Datacontract\nid: x",
        Dialect.ODCS,
    ),
    "an older version of the standard": ("apiVersion: v2.2.2\nkind: DataContract", Dialect.ODCS),
    "models as a map": ("models: {orders: {}}", Dialect.FLOE),
    "models in a document that calls itself a contract": ("kind: DataContract\nmodels: []", Dialect.FLOE),
    "models beside a list of tables": ("kind: DataContract\nschema: []\nmodels: {}", Dialect.ODCS),
    "fields with a scalar schema": ("schema: orders\nfields: []", Dialect.FIELDS),
    "fields as a map by mistake": ("schema: orders\nfields: {a: STRING}", Dialect.FIELDS),
    "fields with the schema forgotten": ("version: 1.0.0\nfields: [{name: a}]", Dialect.FIELDS),
    "fields called columns": ("schema: orders\nversion: 1.0.0\ncolumns: [{name: a}]", Dialect.FIELDS),
    "fields misspelt, as a map": ("schema: orders\nfeilds: {a: {type: STRING}}", Dialect.FIELDS),
    "models misspelt": ("kind: DataContract\nmodel: {orders: {elements: {}}}", Dialect.FLOE),
    "models called tables": ("version: 1.0.0\ntables: {orders: {columns: {}}}", Dialect.FLOE),
}


@pytest.mark.parametrize(("text", "dialect"), CONTRACTS.values(), ids=CONTRACTS)
def test_contracts_are_recognised_by_their_keys(text: str, dialect: Dialect) -> None:
    assert detect(parsed(text)) is dialect


STRANGERS = {
    "docker compose": ("services: {web: {image: nginx}}", "Docker Compose"),
    "kubernetes": ("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}", "Kubernetes"),
    "dbt properties": ("version: 2\nmodels: [{name: orders}]", "dbt properties file"),
    "dbt project": ("name: x\nconfig-version: 2\nmodels: {x: {+materialized: table}}", "dbt project"),
    "dbt sources": ("version: 2\nsources: [{name: shop}]", "dbt sources"),
    "openapi": ("openapi: 3.1.0\ninfo: {title: x}", "OpenAPI"),
    "json schema": ("$schema: https://json-schema.org/draft/2020-12/schema\ntype: object", "JSON schema"),
    "json schema without its mark": ("type: object\nproperties: {a: {}}", "JSON schema"),
    "avro": ("type: record\nname: orders\nfields: []", "Avro"),
    "the old specification": ("dataContractSpecification: 1.1.0\nmodels: {orders: {}}", "Data Contract Specification"),
    "github workflow": ("on: push\njobs: {a: {}}", "GitHub workflow"),
    "github action": ("name: x\nruns: {using: composite}", "GitHub action"),
    "pre-commit": ("repos: []", "pre-commit"),
    "a data product": ("apiVersion: floe.dev/v1\nkind: DataProduct\nmetadata: {name: x}", "data product"),
    "fields of something else": ("fields: [{name: a}]", "list of fields without"),
    "a dbt seed's columns": ("schema: raw\ncolumns: [a, b]", "`schema`, `columns`"),
    "a data model of something else": ("version: 2\nmodel: {type: tree, depth: 3}", "`version`, `model`"),
    "a list": ("- a\n- b", "a list"),
    "a scalar": ("hello", "a single value"),
    "a large file that is elsewhere": ("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "LFS"),
    "nothing": ("", "empty"),
    "an empty map": ("{}", "no keys"),
    "anything else": ("foo: bar", "`foo`"),
    "a version of something else": ("apiVersion: v1\nid: x", "`apiVersion`, `id`"),
}


@pytest.mark.parametrize(("text", "name"), STRANGERS.values(), ids=STRANGERS)
def test_other_documents_are_refused_by_name(text: str, name: str) -> None:
    value = parsed(text)
    assert detect(value) is None
    assert name in why_not(value)


@given(json_values)
def test_every_document_gets_an_answer(value: Json) -> None:
    assert detect(value) is None
    assert why_not(value)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        pytest.param("kind: DataContract\n\tid: x\n", True, id="it says so"),
        pytest.param("version: 1\nmodels:\n  t:\n    elements:\n\t a: 1\n", True, id="models with elements"),
        pytest.param("schema: t\nversion: 1.0.0\nfields:\n\t- name: a\n", True, id="a schema with fields"),
        pytest.param("schema: t\r\nversion: 1.0.0\r\ncolumns: [\r\n", True, id="with columns instead"),
        pytest.param("{{ if .Values.kind }}\nkind: Deployment\n{{ end }}\n", False, id="a template"),
        pytest.param("schema:\n  a: [\nversion: 1\nfields: []\n", False, id="a schema of another kind"),
        pytest.param("", False, id="nothing"),
    ],
)
def test_what_is_no_yaml_may_be_meant_as_a_contract(text: str, meant: bool) -> None:
    assert looks_like_contract(text.encode()) is meant
