"""The one small contract that a pull request of the end-to-end tests changes, in each way that matters."""

from __future__ import annotations

PATH = "contracts/orders.yaml"

_HEAD = """schema: shop.orders
version: "{version}"
fields:
"""
_KEY = """  - name: order_id
    type: STRING
    nullable: false
"""
_TOTAL = """  - name: total
    type: NUMERIC(12,2)
"""
_REST = """consumers: [finance-reports]
owner: checkout-team
"""


def orders(version: str = "1.0.0", *, columns: str = _TOTAL) -> str:
    """The contract as it is, or with other columns after the key."""
    return f"{_HEAD.format(version=version)}{_KEY}{columns}{_REST}"


def without_total(version: str = "1.0.0") -> str:
    """A column fewer: readers break, MAJOR."""
    return orders(version, columns="")


def with_coupon(version: str = "1.0.0") -> str:
    """A column more that may be empty: MINOR."""
    return orders(version, columns=f"{_TOTAL}  - name: coupon\n    type: STRING\n")


def wide(number: int) -> str:
    """So many columns that a report about them does not fit a comment."""
    return orders(columns="".join(f"  - name: column_{each}\n    type: STRING\n" for each in range(number)))


def hostile(planted: str) -> str:
    """A column, a reader and an owner whose names are commands."""
    quoted = '"' + planted.replace("\\", "\\\\").replace('"', '\\"') + '"'
    columns = f"  - name: {quoted}\n    type: STRING\n    description: {quoted}\n"
    return f"{_HEAD.format(version='1.0.0')}{_KEY}{columns}consumers: [{quoted}]\nowner: {quoted}\n"
