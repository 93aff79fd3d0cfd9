"""A shop with a contract that every scheduler can have checked."""

from __future__ import annotations

from pathlib import Path

SHOP = """\
schema: shop.orders
version: 1.2.0
owner: shop@example.com
status: deprecated
deprecation: {announced: "2020-01-01", sunset_date: "2020-03-01"}
fields:
  - {name: order_id, type: STRING, nullable: false}
"""


def write_shop(place: Path) -> Path:
    """A project with one contract whose time is over, which the lifecycle check says without any Spark."""
    (place / "contracts").mkdir(parents=True)
    (place / ".floe").mkdir()
    (place / "contracts/orders.yaml").write_text(SHOP)
    return place
