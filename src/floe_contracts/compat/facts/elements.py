"""Names of tables and columns inside other texts: written in full, and followed through renames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ...contract.model import Contract, SchemaObject
from ..fact import Column

Path: TypeAlias = "tuple[str, ...]"  # object, then names of properties; items are `[]`, map sides `{key}` and `{value}`
Renames: TypeAlias = Mapping[Path, Path]  # only what has another address now


def follow(path: Path, renames: Renames) -> Path:
    """The address an old path has in the new contract."""
    for length in range(len(path), 0, -1):
        new = renames.get(path[:length])
        if new is not None:
            return (*new, *path[length:])
    return path


def path_of(contract: Contract, name: str) -> Path | None:
    """The object or column that a dotted name means; None when it means none, or several.

    Names may themselves contain dots, so the name is compared with those that exist instead of being cut at its dots.
    """
    paths: set[Path] = set()
    for table in contract.objects:
        if name in (table.name, table.physical_name):
            return (table.name,)
        paths.update((table.name, *path) for path in _find_columns(table, name))
    return paths.pop() if len(paths) == 1 else None


def _find_columns(table: SchemaObject, name: str) -> set[Path]:
    names = {name}
    for prefix in (table.name, table.physical_name or table.name):
        if name.startswith(f"{prefix}."):
            names.add(name[len(prefix) + 1 :])
    return {
        path
        for path, prop in table.columns()
        if ".".join(path) in names or (len(path) == 1 and prop.physical_name in names)
    }


def resolve_elements(contract: Contract, names: str, renames: Renames) -> str:
    """Elements separated by commas, each in full where it names something; the only table is the whole contract."""
    if not names:
        return ""
    return ", ".join(sorted(filter(None, (_in_full(contract, name.strip(), renames) for name in names.split(",")))))


def _in_full(contract: Contract, name: str, renames: Renames) -> str:
    path = path_of(contract, name)
    if path is None:
        return name
    if len(path) == 1 and len(contract.objects) == 1:
        return ""
    return ".".join(follow(path, renames))


def columns_of(contract: Contract, names: str) -> tuple[Column, ...]:
    """The top-level columns that a list of elements names; all columns of a table that it names whole."""
    columns: list[Column] = []
    for name in names.split(","):
        path = path_of(contract, name.strip())
        if path is not None and len(path) > 1:
            columns.append((path[0], path[1]))
        elif path is not None:
            columns += [
                (table.name, prop.name)
                for table in contract.objects
                if table.name == path[0]
                for prop in table.properties
            ]
    return tuple(dict.fromkeys(columns))
