"""Random names, texts and JSON values: what people write, and what YAML readers stumble over."""

from __future__ import annotations

from typing import Any, TypeVar

from hypothesis import strategies as st

from floe_contracts.contract.model import CustomProperty, Json

T = TypeVar("T")

TRICKY: tuple[str, ...] = (
    "yes",
    "no",
    "on",
    "y",
    "null",
    "~",
    "1.10",
    "2.1.0",
    "017",
    "0o17",
    "1e5",
    "1_000",
    "12:30",
    "2026-01-03",
)
TRICKY += ("", " ", "a: b", "a #b", "- x", "#x", "key:", "'q'", '"q"', "[a]", "{a: b}", "*a", "&a", "!x", "%", "@", "`")
TRICKY += ("first\nsecond", "first\nsecond\n", "\nlead", "two ends\n\n", "  indented\nmore", "tab\tinside", "a\n\tb")
TRICKY += (
    "Größe",
    "日本語",
    "🚀 launch",
    "trailing ",
    "=",
    "<<",
    "a,b",
    "?",
    "true",
    "-",
    "---",
    "...",
    "\u2028",
    "\x85",
)

words = st.sampled_from(("orders", "amount", "customer_id", "updated_at", "status", "region", "e_mail", "No", "on"))
names = st.one_of(
    words, st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True), st.sampled_from(("Größe", "1st", "a b"))
)
texts = st.one_of(
    st.sampled_from(TRICKY),
    st.text(st.characters(codec="utf-8", categories=("L", "M", "N", "P", "S", "Z")), max_size=20),
)
ids = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)
numbers = st.one_of(st.integers(-(10**12), 10**12), st.floats(allow_nan=False, allow_infinity=False, width=32))
scalars: st.SearchStrategy[Json] = st.one_of(texts, numbers, st.booleans())
json_values: st.SearchStrategy[Json] = st.recursive(
    st.one_of(scalars, st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(names, inner, max_size=3)),
    max_leaves=6,
)


def maybe(strategy: st.SearchStrategy[T]) -> st.SearchStrategy[T | None]:
    return st.one_of(st.none(), strategy)


def tuples_of(strategy: st.SearchStrategy[T], most: int = 2) -> st.SearchStrategy[tuple[T, ...]]:
    return st.lists(strategy, max_size=most).map(tuple)


def docs(**known: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=known)


definitions = st.lists(
    st.fixed_dictionaries({"url": texts, "type": texts}, optional={"id": ids, "description": texts}), max_size=2
)
extras: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.just({}), st.dictionaries(st.sampled_from(("x-note", "x_level", "ticket")), json_values, max_size=2)
)
tags = st.lists(texts, max_size=3)
customs = tuples_of(
    st.builds(
        CustomProperty,
        property=st.sampled_from(("team.cost", "floe.unheard", "x", "reviewed")),
        value=json_values,
        docs=docs(id=ids, description=texts, vendor=texts),
    )
)
