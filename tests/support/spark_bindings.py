"""Bindings by hand, for tests that open and measure tables without a contract file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from floe_contracts.contract.model import Property
from floe_contracts.monitor.source.binding import Binding
from floe_contracts.monitor.source.server_types import Reach
from support.builders import column, table

NOWHERE = "/nowhere"
ID, AMOUNT, PLACED = column("id", "integer"), column("amount", "number"), column("placed_at", "timestamp")


def files(place: Path | str, format_: str, *columns: Property, **more: Any) -> Binding:
    made = table(*(columns or (ID,)), name=more.pop("table", "orders"))
    return Binding("orders", made, Reach.FILES, "local", format_, str(place), **more)


def catalog(name: str, *columns: Property, **more: Any) -> Binding:
    return Binding("orders", table(*(columns or (ID,))), Reach.TABLE, "spark", name=name, **more)


def registered(name: str, *columns: Property, **more: Any) -> Binding:
    return Binding("orders", table(*(columns or (ID,))), Reach.DATAFRAME, "dataframe", name=name, **more)


def jdbc(url: str, name: str, *columns: Property, user: str = "floe", **more: Any) -> Binding:
    """A table of the PostgreSQL at an address such as postgresql://floe@127.0.0.1:5432/shop."""
    location = "jdbc:postgresql://" + url.partition("@")[2]
    options = (*more.pop("options", ()), ("user", user))
    made = table(*(columns or (ID,)))
    return Binding("orders", made, Reach.JDBC, "postgres", location=location, name=name, options=options, **more)


def topic(address: str, name: str, *columns: Property, **more: Any) -> Binding:
    made = table(*(columns or (ID,)))
    return Binding("orders", made, Reach.KAFKA, "kafka", more.pop("format", ""), address, name, **more)
