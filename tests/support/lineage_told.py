"""Results to tell of in tests of lineage and telemetry: made by real runs of the checks over rows in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from floe_contracts.checks.verdict import Check
from floe_contracts.contract.model import Contract, CustomProperty, Server, Sla
from floe_contracts.emit.lineage_facets import Speaker
from floe_contracts.emit.lineage_parent import Parent, RunName
from floe_contracts.monitor.run.delivery import NewResult
from floe_contracts.monitor.run.run import Request, run_check
from floe_contracts.monitor.run.targets import Target, target_of
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.monitor.source.binding import SourceHints
from floe_contracts.product.data_contracts import Monitoring
from floe_contracts.product.observability import Observability, Product
from support.builders import column, contract, table
from support.monitored import FRESH, HOUR, NOW, Desk, orders, targets
from support.row_engine import RowTable, actual

MESH = Observability(
    mode="mesh", domain="sales", product=Product(name="customer-360", version="3.2.1"), enterprise="acme"
)
PARENT = Parent(
    RunName("airflow", "daily.check", "0198a0a5-2d4c-7a00-8000-00000000000a"),
    RunName("airflow", "daily", "0198a0a5-2d4c-7a00-8000-00000000000b"),
)
SPEAKER = Speaker(MESH, ("spark", "4.1.4"), PARENT)

PEOPLE = contract(
    table(
        column("id", primary_key=True, classification="identifier"),
        column("email", required=True, classification="pii", format="email", physical_name="e_mail"),
        column("phone", classification="pii", pii_type="mobile", custom=(CustomProperty("floe.sensitivity", "high"),)),
        column("placed_at", "timestamp"),
        name="customers",
        custom=(CustomProperty("layer", "gold"),),
    ),
    name="sales-customers",
    version="2.1.0",
    owner="team-sales",
    slas=(Sla("freshness", "PT6H", element="placed_at"), Sla("quality", "99%")),
    servers=(Server("here", "custom"),),
)
_COLUMNS = actual(id="string", e_mail="string", phone="string", placed_at="timestamp")


def people(*ages_us: int, **more: Any) -> RowTable:
    """Customers whose rows are that old; every second has no address."""
    found = [
        {"id": f"c{index}", "e_mail": None if index % 2 else "x@y.example", "placed_at": NOW - age}
        for index, age in enumerate(ages_us)
    ]
    return RowTable(found, more.pop("columns", _COLUMNS), **more)


def told_by(desk: Desk, check: Check, one: Contract, target: Target | None = None, **asked: Any) -> NewResult:
    """What a run of one check has to tell."""
    heard: list[NewResult] = []
    found = (target,) if target else targets(one)
    tools = desk.tools()

    def hear(told: NewResult) -> tuple[()]:
        before = told.before()
        heard.append(replace(told, before=lambda: before))
        return ()

    run_check(Request(check, "sales.customer-360", **asked), found, Monitoring(), replace(tools, messages=hear))
    assert not desk.crashes, desk.crashes
    (only,) = heard
    return only


def told_customers(check: Check, *ages_us: int, **more: Any) -> NewResult:
    """What a check of the customers tells; `down` is why their table cannot be opened."""
    desk = Desk()
    desk.engine.tables["customers"] = people(*ages_us, **more)
    return told_by(desk, check, PEOPLE)


def placed(one: Contract, kind: str, **coordinates: Any) -> Target:
    """The contract on another server."""
    moved = replace(one, servers=(Server("there", kind, coordinates=coordinates),))
    return target_of(moved, MonitoringConfig(), SourceHints(folder="contracts"), "contracts/one.yaml")


__all__ = ["FRESH", "HOUR", "NOW", "PEOPLE", "SPEAKER", "Desk", "orders", "placed", "told_by", "told_customers"]
