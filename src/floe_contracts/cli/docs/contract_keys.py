"""docs/contract-keys.md: every key of the three dialects with an example, from the schemas that floe reads with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...contract.structure.odcs_schema import NEWEST, schema
from .key_examples import EXAMPLES
from .schemas import read_schema

_DIALECTS = {
    "fields": "One table, in the short spelling: `schema`, `fields`, `sla`.",
    "floe": "One or more tables under `models`, columns under `elements`.",
    "odcs": f"The Open Data Contract Standard {NEWEST}; files of older versions have fewer of these keys.",
}
_INTRODUCTION = """\
# Every key of a contract

[Write a contract](guides/write-a-contract.md) shows how they play together. A contract is written in one of three
dialects, which floe tells apart by their keys; `floe contract convert` turns one into another. A key that is not on
this page is an error (FLOE-E501), and the message names the key that was probably meant. Servers have further keys:
those that the standard gives to their type.
"""


def contract_keys_page(notice: str) -> str:
    """docs/contract-keys.md as text."""
    lines = [notice, *_INTRODUCTION.splitlines()]
    for dialect, what in _DIALECTS.items():
        lines += ["", f"## The {dialect} dialect", "", what]
        for part, keys in dialect_parts(dialect).items():
            heading = f"{dialect}: {part or 'the contract'}"
            lines += ["", f"### {heading}", "", "| key | example | meaning |", "|---|---|---|"]
            lines += _rows(dialect, part, keys)
    return "\n".join(lines) + "\n"


def dialect_parts(dialect: str) -> dict[str, dict[str, Any]]:
    """The keys of the contract itself, under an empty name, and of every part of it."""
    whole = dialect_schema(dialect)
    parts = {name: _keys(part) for name, part in {"": whole, **whole["$defs"]}.items()}
    return {name: keys for name, keys in parts.items() if keys}


def dialect_schema(dialect: str) -> dict[str, Any]:
    """The JSON schema that a dialect is read with."""
    return schema(NEWEST) if dialect == "odcs" else read_schema("contract.schemas", f"{dialect}.schema.json")


def example(dialect: str, part: str, key: str) -> Any:
    """A value for the key; a key without one is a KeyError, so that none is forgotten."""
    names = (f"{dialect}.{part}.{key}", f"{part}.{key}", key)
    return EXAMPLES[next((name for name in names if name in EXAMPLES), key)]


def _keys(part: dict[str, Any]) -> dict[str, Any]:
    """The keys of a part, also those that it has by what it is made of or in one of its variants."""
    keys = dict(part.get("properties", {}))
    variants = [variant for word in ("allOf", "anyOf", "oneOf") for variant in part.get(word, ())]
    for variant in (*variants, *(part[word] for word in ("then", "else") if word in part)):
        keys = {**_keys(variant), **keys}
    return keys


def _rows(dialect: str, part: str, keys: dict[str, Any]) -> Iterator[str]:
    defs = dialect_schema(dialect)["$defs"]
    for key, entry in keys.items():
        reference = entry.get("$ref", "") if isinstance(entry, dict) else ""
        described = {**defs.get(reference.rpartition("/")[2], {}), **(entry if isinstance(entry, dict) else {})}
        meaning = " ".join(str(described.get("description", "")).split()).replace("|", "\\|").replace("<", "&lt;")
        shown = f"{key}: {json.dumps(example(dialect, part, key), ensure_ascii=False)}"
        yield f"| `{key}` | `{shown}` | {meaning} |"
