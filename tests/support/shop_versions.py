"""The example contracts as a repository with a past: what the catalogue is made of in tests and in screenshots."""

from __future__ import annotations

from pathlib import Path

from support.git_sandbox import Clone, Sandbox

EXAMPLES = Path(__file__).parents[2] / "examples" / "contracts"
ORDERS, CUSTOMERS, PAYMENTS = "contracts/orders.yaml", "contracts/customers.yaml", "contracts/payments.odcs.yaml"
_DEPRECATED = """
status: deprecated
deprecation:
  announced: "2026-01-02"
  sunset_date: "2026-03-01"
  replacement: shop-people
"""


def shop_repository(folder: Path) -> Clone:
    """orders came to 2.1.0 by a break and an addition; customers is deprecated; payments is as it was first written."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in EXAMPLES.iterdir()}
    orders, customers = texts["orders.yaml"], texts["customers.yaml"]
    before = orders.replace("  - name: coupon\n    type: STRING\n", "")
    clone = Sandbox(folder).init("shop")
    commit_in(clone, 1, {ORDERS: _version(before, "1.0.0").replace("name: total", "name: amount")})
    commit_in(clone, 2, {CUSTOMERS: _version(customers, "1.3.0"), PAYMENTS: texts["payments.odcs.yaml"]})
    commit_in(clone, 3, {ORDERS: _version(before, "2.0.0")})
    commit_in(clone, 4, {ORDERS: orders})
    commit_in(clone, 5, {CUSTOMERS: customers + _DEPRECATED})
    return clone


def _version(text: str, number: str) -> str:
    lines = (f'version: "{number}"' if line.startswith("version:") else line for line in text.splitlines())
    return "\n".join(lines) + "\n"


def commit_in(clone: Clone, month: int, files: dict[str, str] | None = None) -> None:
    """Commit everything, that many months into the story."""
    clone.write(dict(files or {}))
    clone.git("add", "--all")
    moment = f"2025-{month + 6:02}-0{month}T09:00:00 +0000"
    clone.git("commit", "--quiet", "--message", "change", GIT_AUTHOR_DATE=moment, GIT_COMMITTER_DATE=moment)
