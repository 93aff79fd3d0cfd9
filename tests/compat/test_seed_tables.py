"""The two versioning tables that the gate was asked to keep, every row in every dialect, with and without the bump."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from floe_contracts import codes
from floe_contracts.compat.ruleset import make_ruleset
from floe_contracts.compat.verdict import GatePolicy, judge
from floe_contracts.contract.load import Loaded, load
from floe_contracts.contract.model import Dialect, Json
from floe_contracts.contract.write.yaml_text import yaml_text
from floe_contracts.results import Bump, CheckResult, Disposition, Outcome

OLD = "2.1.0"
NEXT = {Bump.MAJOR: "3.0.0", Bump.MINOR: "2.2.0", Bump.PATCH: "2.1.1"}


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    type: str = "string"
    required: bool = False
    enum: tuple[str, ...] = ()
    format: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Sketch:
    """A contract before it is written in a dialect."""

    columns: tuple[Column, ...]
    freshness_minutes: int = 30
    version: str = OLD


STATUS = Column("status", required=True, enum=("pending", "shipped"))
BEFORE = Sketch(
    (
        Column("order_id", required=True, description="What the shop calls the order"),
        Column("user_id", required=True),
        Column("total", "number"),
        STATUS,
    )
)


def with_column(name: str, /, **change: object) -> Sketch:
    columns = tuple(replace(each, **change) if each.name == name else each for each in BEFORE.columns)  # type: ignore[arg-type]  # checked by the dataclass
    return replace(BEFORE, columns=columns)


def without_column(name: str) -> Sketch:
    return replace(BEFORE, columns=tuple(each for each in BEFORE.columns if each.name != name))


def and_column(column: Column) -> Sketch:
    return replace(BEFORE, columns=(*BEFORE.columns, column))


def as_odcs(sketch: Sketch) -> Json:
    properties: list[Json] = [
        _said(
            name=each.name,
            logicalType=each.type,
            required=each.required,
            description=each.description,
            logicalTypeOptions=_said(format=each.format),
            enum=[{"value": value} for value in each.enum],
        )
        for each in sketch.columns
    ]
    return {
        "apiVersion": "v3.2.0",
        "kind": "DataContract",
        "id": "orders",
        "name": "orders",
        "version": sketch.version,
        "status": "active",
        "schema": [{"name": "orders", "properties": properties}],
        "slaProperties": [{"property": "freshness", "value": sketch.freshness_minutes, "unit": "minutes"}],
    }


def as_floe(sketch: Sketch) -> Json:
    elements: Json = {
        each.name: _said(
            type=each.type,
            required=each.required,
            description=each.description,
            format=each.format,
            enum=list(each.enum),
        )
        for each in sketch.columns
    }
    return {
        "apiVersion": "v3.0.2",
        "kind": "DataContract",
        "name": "orders",
        "version": sketch.version,
        "models": {"orders": {"elements": elements}},
        "slaProperties": {"freshness": {"value": f"PT{sketch.freshness_minutes}M"}},
    }


def as_fields(sketch: Sketch) -> Json:
    words = {"string": "STRING", "number": "number"}
    fields: list[Json] = [
        {
            **_said(name=each.name, type="UUID" if each.format == "uuid" else words[each.type]),
            "nullable": not each.required,
            **_said(description=each.description, enum=list(each.enum)),
        }
        for each in sketch.columns
    ]
    return {
        "schema": "orders",
        "version": sketch.version,
        "fields": fields,
        "sla": {"freshness_minutes": sketch.freshness_minutes},
    }


def _said(**values: Json) -> dict[str, Json]:
    return {key: value for key, value in values.items() if value}


WRITERS: dict[Dialect, Callable[[Sketch], Json]] = {
    Dialect.ODCS: as_odcs,
    Dialect.FLOE: as_floe,
    Dialect.FIELDS: as_fields,
}


@dataclass(frozen=True, slots=True)
class Row:
    after: Sketch
    bump: Bump
    rule: str


ARCHITECTURE = {
    "Remove column": Row(without_column("total"), Bump.MAJOR, "property-removed"),
    "Change column type": Row(with_column("total", type="string"), Bump.MAJOR, "type-changed"),
    "Add required column": Row(and_column(Column("region", required=True)), Bump.MAJOR, "property-added-required"),
    "Relax SLA": Row(replace(BEFORE, freshness_minutes=60), Bump.MAJOR, "sla-relaxed"),
    "Add optional column": Row(and_column(Column("note")), Bump.MINOR, "property-added-optional"),
    "Stricter SLA": Row(replace(BEFORE, freshness_minutes=15), Bump.MINOR, "sla-tightened"),
    "Documentation changes": Row(with_column("order_id", description="The shop's number"), Bump.PATCH, "docs-changed"),
}
BLOG = {
    "Add nullable field": Row(and_column(Column("note")), Bump.MINOR, "property-added-optional"),
    "Add new enum value": Row(
        with_column("status", enum=("pending", "shipped", "cancelled")), Bump.MINOR, "enum-value-added"
    ),
    "Remove field": Row(without_column("user_id"), Bump.MAJOR, "property-removed"),
    "Rename field": Row(with_column("user_id", name="userId"), Bump.MAJOR, "property-renamed"),
    "Change NOT NULL to nullable": Row(with_column("user_id", required=False), Bump.MAJOR, "property-became-nullable"),
    "Tighten type (STRING to UUID format)": Row(with_column("order_id", format="uuid"), Bump.MAJOR, "format-added"),
    "Loosen SLA": Row(replace(BEFORE, freshness_minutes=120), Bump.MAJOR, "sla-relaxed"),
}
ROWS = pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id=f"{table}, {name}")
        for table, rows in (("architecture", ARCHITECTURE), ("blog", BLOG))
        for name, row in rows.items()
    ],
)
DIALECTS = pytest.mark.parametrize("dialect", Dialect, ids=lambda dialect: dialect.value)


def loaded(sketch: Sketch, dialect: Dialect, version: str = OLD) -> Loaded:
    found = load(yaml_text(WRITERS[dialect](replace(sketch, version=version))).encode(), "contracts/orders.yaml")
    assert found.findings == ()
    return found


def verdict(row: Row, dialect: Dialect, version: str) -> CheckResult:
    return judge(loaded(BEFORE, dialect), loaded(row.after, dialect, version), GatePolicy(make_ruleset()))


@DIALECTS
@ROWS
def test_without_a_bump_it_is_blocked_and_the_version_to_write_is_named(row: Row, dialect: Dialect) -> None:
    result = verdict(row, dialect, OLD)
    (found,) = result.findings
    assert (found.rule, found.bump, found.blocks) == (row.rule, row.bump, True)
    assert found.code is (codes.E520 if row.bump is Bump.MAJOR else codes.E522)
    assert result.outcome is Outcome.VIOLATED
    assert result.version is not None
    assert (result.version.required, result.version.next) == (row.bump, NEXT[row.bump])


@DIALECTS
@ROWS
def test_with_its_bump_it_passes_and_stays_visible(row: Row, dialect: Dialect) -> None:
    result = verdict(row, dialect, NEXT[row.bump])
    (found,) = result.findings
    assert (found.rule, found.standing) == (row.rule, Disposition.ALLOWED)
    assert result.outcome is Outcome.PASSED
    assert result.version is not None
    assert result.version.enough


@DIALECTS
@ROWS
def test_with_a_smaller_bump_it_is_blocked(row: Row, dialect: Dialect) -> None:
    for bump in (each for each in NEXT if each.rank < row.bump.rank):
        assert verdict(row, dialect, NEXT[bump]).outcome is Outcome.VIOLATED


@ROWS
@pytest.mark.parametrize("before", Dialect, ids=lambda dialect: f"from {dialect.value}")
@pytest.mark.parametrize("after", Dialect, ids=lambda dialect: f"to {dialect.value}")
def test_another_dialect_in_the_same_commit_changes_no_verdict(row: Row, before: Dialect, after: Dialect) -> None:
    result = judge(loaded(BEFORE, before), loaded(row.after, after), GatePolicy(make_ruleset()))
    assert result.outcome is Outcome.VIOLATED
    assert result.version is not None
    assert result.version.next == NEXT[row.bump]
