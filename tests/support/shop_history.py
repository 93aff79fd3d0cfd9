"""A shop over some days, checked by real runs: what the report page is made of in tests and in screenshots."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from floe_contracts.app.monitor.history import read_record
from floe_contracts.checks.moments import DAY, HOUR, MINUTE, utc_day
from floe_contracts.checks.verdict import Check
from floe_contracts.compat.consumers import Register
from floe_contracts.contract.lifecycle import lifecycle
from floe_contracts.contract.model import Consumer, Contract, Deprecation, EnumValue, Server, Sla
from floe_contracts.monitor.settings.model import CHECKS, MonitoringConfig
from floe_contracts.monitor.store.outbox import Backlog
from floe_contracts.render.html.board import Known, Record, SeriesRecord
from support.builders import column, contract, table
from support.monitored import NOW, Desk, targets
from support.row_engine import RowTable, actual

# How often each check runs here: seldom enough for a test to play many days in seconds.
EVERY: dict[Check, int] = {
    "availability": 3 * HOUR,
    "freshness": 2 * HOUR,
    "schema_drift": 12 * HOUR,
    "quality": 12 * HOUR,
    "lifecycle": DAY,
}
CONFIG = MonitoringConfig.model_validate(
    {
        "data_contracts": {
            "monitoring": {name: {"check_interval": f"{us // MINUTE}m"} for name, us in EVERY.items()},
        }
    }
)
COLUMNS = {"order_id": "string", "status": "string", "amount": "double", "placed_at": "timestamp"}
Rows = list[dict[str, Any]]
World = Callable[[int, int], RowTable]  # a table at a moment, so many hours before the end of the story


@dataclass(frozen=True)
class Story:
    """One contract, and how its table is at each moment; `until` is when its jobs stopped, in hours before now."""

    contract: Contract
    world: World
    until: int = 0


def _contract(name: str, owner: str, *slas: Sla, **more: Any) -> Contract:
    columns = (
        column("order_id", primary_key=True, required=True),
        column("status", enum=tuple(EnumValue(word) for word in ("open", "paid", "sent"))),
        column("amount", "number", minimum=0),
        column("placed_at", "timestamp", required=True),
    )
    found = contract(
        table(*columns, name=name),
        name=name,
        owner=owner,
        domain="shop",
        slas=slas,
        servers=(Server("here", "custom"),),
        **more,
    )
    return replace(found, version=more.get("version", "1.0.0"))


def _fresh(hours: int) -> Sla:
    return Sla("freshness", f"PT{hours}H", element="placed_at")


_UP = Sla("availability", "98%")
_GOOD = Sla("quality", "95%")


def _rows(now_us: int, age_h: float, *, nulls: int = 0, bad: int = 0) -> Rows:
    rows = [
        {"order_id": f"o{index}", "status": "paid", "amount": 10, "placed_at": now_us - int((age_h + index) * HOUR)}
        for index in range(12)
    ]
    for row in rows[:nulls]:
        row["order_id"] = None
    for row in rows[-bad:] if bad else []:
        row["status"], row["amount"] = "lost", -1
    return rows


def _table(
    now_us: int, age_h: float, *, columns: dict[str, str] | None = None, down: str = "", **more: int
) -> RowTable:
    return RowTable(_rows(now_us, age_h, **more), actual(**(columns or COLUMNS)), down=down)


def _wave(left_h: int, low: float, high: float, period: int = 24) -> float:
    """An age that grows until the next load."""
    return low + (high - low) * ((-left_h) % period) / period


def _orders(now_us: int, left: int) -> RowTable:
    return _table(now_us, 4 + max(0, 14 - left) if left < 14 else _wave(left, 1, 5.4))


def _customers(now_us: int, left: int) -> RowTable:
    return _table(now_us, _wave(left, 0.3, 2), nulls=2 if left < 60 else 0, bad=1 if 160 < left < 190 else 0)


def _payments(now_us: int, left: int) -> RowTable:
    dead = left < 7 or 200 < left < 204
    return _table(now_us, _wave(left, 0.1, 0.9, 6), down="connection refused" if dead else "")


def _products(now_us: int, left: int) -> RowTable:
    changed = dict(COLUMNS)
    if left < 80:
        changed["colour"] = "string"
    if left < 30:
        del changed["amount"]
        changed["status"] = "bigint"
    return _table(now_us, _wave(left, 2, 20), columns=changed)


def _calm(low: float, high: float) -> World:
    return lambda now_us, left: _table(now_us, _wave(left, low, high))


def stories(now_us: int = NOW) -> tuple[Story, ...]:
    """Every state that a contract can be in, as an on-call engineer meets it."""
    today = utc_day(now_us)
    notice = Deprecation(str(today - timedelta(days=20)), str(today + timedelta(days=19)), "orders")
    sunset = Deprecation(str(today - timedelta(days=36)), str(today - timedelta(days=2)), "customers")
    billing = Consumer("billing-service", "payments@shop.example", ("order_id", "amount"))
    forecast = Consumer("forecast", "team-ml")
    both = (billing, forecast)
    return (
        Story(_contract("orders", "team-orders", _fresh(6), _UP, _GOOD, version="2.3.0", consumers=both), _orders),
        Story(
            _contract("customers", "team-crm", _fresh(24), _GOOD, version="1.4.1", consumers=(forecast,)), _customers
        ),
        Story(_contract("payments", "team-payments", _fresh(2), _UP, version="3.0.0", consumers=(billing,)), _payments),
        Story(_contract("products", "team-catalogue", _fresh(24), version="1.9.0"), _products),
        Story(_contract("sessions", "team-web", _fresh(12), deprecation=notice, status="deprecated"), _calm(1, 9)),
        Story(_contract("visits", "team-web", _fresh(12), deprecation=sunset, status="deprecated"), _calm(1, 9)),
        Story(_contract("refunds", "team-payments", _fresh(12), _GOOD), _calm(1, 9), until=40),
        Story(_contract("stock", "team-catalogue", _fresh(12), _UP, _GOOD, version="1.2.0"), _calm(1, 8)),
        Story(_contract("suppliers", "team-catalogue", _fresh(48), _UP, version="0.4.0"), _calm(5, 30)),
        Story(_contract("shipments", "team-orders", _fresh(6), _UP, _GOOD, version="2.0.1"), _calm(0.5, 4)),
    )


def played(story: Story, days: int, now_us: int = NOW) -> Desk:
    """The desk after every check ran in every slot of some days."""
    desk = Desk(now_us=now_us - days * DAY)
    (target,) = targets(story.contract, config=CONFIG)
    while desk.now_us <= now_us:
        left_h = (now_us - desk.now_us) // HOUR
        if left_h >= story.until:
            desk.engine.tables[story.contract.name] = story.world(desk.now_us, left_h)
            for check in _due(desk.now_us, now_us):
                desk.run(check, (target,))
        desk.later(HOUR)
    assert not desk.crashes
    return desk


def _due(at_us: int, now_us: int) -> Iterator[Check]:
    yield from (check for check in CHECKS if (now_us - at_us) % EVERY[check] == 0)


def known(story: Story, now_us: int = NOW) -> Known:
    one = story.contract
    life = lifecycle(one, utc_day(now_us))
    return Known(one, int(one.version[0]), life, f"contracts/{one.name}.yaml", Register().readers(one))


def large_record(contracts: int, days: int = 1) -> Record:
    """The shop again and again under names of 60 letters, until there are so many contracts."""
    shop = shop_record(days)
    by_key: dict[str, list[SeriesRecord]] = {}
    for entry in shop.kept:
        by_key.setdefault(entry.standing.series.contract, []).append(entry)
    facts = {entry.contract.key: entry for entry in shop.known}
    kept: list[SeriesRecord] = []
    listed: list[Known] = []
    for number in range(contracts):
        key = tuple(by_key)[number % len(by_key)]
        name = f"{key}_{number}_".ljust(60, "x")
        kept += (_renamed(entry, name) for entry in by_key[key])
        owner = f"team-{number % 7}-".ljust(60, "y")
        again = replace(facts[key].contract, name=name, id=name, owner=owner)
        listed.append(replace(facts[key], contract=again, path=f"contracts/{name}.yaml"))
    return replace(shop, kept=tuple(kept), known=tuple(listed))


def _renamed(entry: SeriesRecord, name: str) -> SeriesRecord:
    standing = entry.standing
    totals = replace(standing.totals, label=name)
    return replace(entry, standing=replace(standing, series=replace(standing.series, contract=name), totals=totals))


def shop_record(days: int = 14, now_us: int = NOW, *, only: Container[str] | None = None) -> Record:
    """What the stores of all stories remember, as if it were one."""
    told = [one for one in stories(now_us) if only is None or one.contract.name in only]
    kept: list[SeriesRecord] = []
    for story in told:
        store = played(story, days, now_us).store
        kept += read_record(store, now_us=now_us, since_us=now_us - days * DAY).kept
    waiting = Backlog("openlineage", pending=14, dead=1, oldest_us=now_us - 3 * HOUR, reason="connection refused")
    facts = tuple(known(story, now_us) for story in told)
    return Record(now_us, now_us - days * DAY, tuple(kept), facts, (waiting,), "0.3.0")
