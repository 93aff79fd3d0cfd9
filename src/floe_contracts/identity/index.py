"""`floe.contracts`: the list of a product's registered versions, derived and split where it is long."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from ..contract.version import parse_version
from .namespaces import Properties

INDEX = "floe.contracts"
MOST_CHARACTERS = 900  # PyIceberg's SQL catalog keeps 1,000


def read_index(properties: Properties) -> set[str]:
    """The versions that a namespace lists, as `name:version`; a part that cannot be read lists none."""
    return {entry for key in index_keys(properties) for entry in _entries(properties[key])}


def index_keys(properties: Properties) -> list[str]:
    """The properties that hold the list."""
    return [key for key in properties if key == INDEX or key.removeprefix(f"{INDEX}.").isdecimal()]


def write_index(entries: Iterable[str]) -> dict[str, str]:
    """The properties for these versions, sorted by name and then by version."""
    return split_list(INDEX, sorted(set(entries), key=_order))


def split_list(key: str, entries: list[str]) -> dict[str, str]:
    """The properties for a list that one may not hold: `key`, `key.2` and so on, each a JSON list."""
    return {key if number == 1 else f"{key}.{number}": text for number, text in enumerate(_split(entries), 1)}


def split_entry(entry: str) -> tuple[str, str]:
    """Name and version of an entry."""
    name, _, version = entry.partition(":")
    return name, version


def _entries(text: str) -> list[str]:
    try:
        entries = json.loads(text)
    except ValueError:
        return []
    return [entry for entry in entries if isinstance(entry, str)] if isinstance(entries, list) else []


def _order(entry: str) -> tuple[object, ...]:
    name, version = split_entry(entry)
    parsed = parse_version(version)
    return (name, parsed is not None, parsed or 0, version)


def _split(entries: list[str]) -> Iterator[str]:
    part: list[str] = []
    for entry in entries:
        if part and len(_text([*part, entry])) > MOST_CHARACTERS:
            yield _text(part)
            part = []
        part.append(entry)
    yield _text(part)


def _text(entries: list[str]) -> str:
    return json.dumps(entries, ensure_ascii=False)
