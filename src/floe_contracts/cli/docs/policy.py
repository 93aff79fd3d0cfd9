"""docs/policy.md, from the one table of keys."""

from __future__ import annotations

from collections.abc import Iterator

from ...policy.merge import show_value
from ...policy.row import KeyRow, Order, Strategy
from ...policy.table import ROWS
from ...product.aliases import MANIFEST_MOVES

_INTRODUCTION = """\
# Keys of a manifest

Every key that a `manifest.yaml` may set, and what becomes of it when a manifest below sets it too. A child may only be
stricter: equal is allowed, an absent value inherits, a weaker one is [FLOE-E513](errors.md#floe-e513). Defaults are no
tier: they hold when no manifest says anything. `floe policy explain KEY` shows who set a key, and where.

| strategy | what becomes of a key that both tiers write |
|---|---|
| OVERRIDE | the child's value replaces the parent's |
| EXTEND | both lists hold, the parent's first, duplicates dropped |
| INTERSECT | the child must choose from the parent's list; an empty list is an error |
| OVERRIDE_IF_STRICTER | the child's value holds where it is as strict or stricter; a weaker one is an error |

| key | strategy | stricter is | default | meaning |
|---|---|---|---|---|
"""
_ALIASES = """\

## Other places

These places are read too. A key written in both places with different values is an error.

| written as | is read as |
|---|---|
"""


def key_page(notice: str) -> str:
    """docs/policy.md as text."""
    lines = [notice, *_INTRODUCTION.splitlines(), *(_line(row) for row in ROWS), *_ALIASES.splitlines()]
    return "\n".join([*lines, *_other_places()]) + "\n"


def _line(row: KeyRow) -> str:
    stricter = " < ".join(f"`{word}`" for word in row.words) if row.words else row.order.value
    direction = f"{row.order.value}: {stricter}" if row.words else stricter
    shown = direction if row.strategy is not Strategy.OVERRIDE or row.order is not Order.NONE else Order.NONE.value
    default = f"`{show_value(row.default)}`" if row.default is not None else ""
    key = (
        row.key.replace("*", "&lt;name&gt;")
        if not row.names
        else row.key.replace("*", f"&lt;{'/'.join(row.names)}&gt;")
    )
    return f"| <code>{key}</code> | {row.strategy.value} | {shown} | {default} | {row.meaning} |"


def _other_places() -> Iterator[str]:
    for move in MANIFEST_MOVES:
        written, own = (".".join(str(part) for part in pointer) for pointer in (move.written, move.own))
        yield f"| `{written}`{' (with a warning)' if move.misplaced else ''} | `{own}` |"
