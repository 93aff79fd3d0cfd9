"""Names of tables and columns inside other texts: what they mean in a contract, in full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from ...frozen import dataclass
from ..model import Contract, Property, SchemaObject
from .memo import remember_last

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
    names = _names_in(contract)
    paths = names.columns.get(name, set())
    return names.tables.get(name) or (next(iter(paths)) if len(paths) == 1 else None)


def tables_named(contract: Contract, name: str) -> frozenset[str]:
    """The tables that a name means: the one it names, and those that have the column; none when it leads nowhere."""
    names = _names_in(contract)
    if name in names.tables:
        return frozenset(names.tables[name])
    if name in names.columns:
        return frozenset(path[0] for path in names.columns[name])
    return frozenset(path[0] for table, path in names.tables.items() if name.startswith(f"{table}."))


@dataclass(frozen=True, slots=True)
class _Names:
    """Every name in a contract and what it means, so that many references cost no walk each."""

    tables: Mapping[str, Path]
    columns: Mapping[str, set[Path]]
    steps: Mapping[str, SchemaObject]  # by id or name


@remember_last
def _names_in(contract: Contract) -> _Names:
    tables: dict[str, Path] = {}
    columns: dict[str, set[Path]] = {}
    steps: dict[str, SchemaObject] = {}
    for table in contract.objects:
        for name in (table.name, table.physical_name):
            if name is not None:
                tables.setdefault(name, (table.name,))
        for name in (table.id, table.name):
            if name is not None:
                steps.setdefault(name, table)
        for path, prop in table.columns():
            for name in _spell_column(table, path, prop):
                columns.setdefault(name, set()).add((table.name, *path))
    return _Names(tables, columns, steps)


def _spell_column(table: SchemaObject, path: Path, prop: Property) -> Iterator[str]:
    """The texts that name a column, with and without a name of its table in front."""
    for name in {".".join(path), prop.physical_name if len(path) == 1 else None} - {None}:
        yield from (f"{name}", *(f"{prefix}.{name}" for prefix in {table.name, table.physical_name or table.name}))


@remember_last
def _columns_in(table: SchemaObject) -> dict[str, Path]:
    """The columns of a table by their names, alone or with the table's in front; the first of several."""
    paths: dict[str, Path] = {}
    for path, _ in table.columns():
        for name in (".".join(path), ".".join((table.name, *path))):
            paths.setdefault(name, (table.name, *path))
    return paths


@remember_last
def _steps_in(properties: tuple[Property, ...]) -> dict[str, Property]:
    steps: dict[str, Property] = {}
    for prop in properties:
        for name in (prop.id, prop.name):
            if name is not None:
                steps.setdefault(name, prop)
    return steps


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


def own_column(contract: Contract, table: SchemaObject, name: str) -> Path:
    """A column of this table, by its name, with the table's name before it, or by stable ids."""
    resolved = _by_ids(contract, name) or name
    return _columns_in(table).get(resolved) or (table.name, resolved.removeprefix(f"{table.name}."))


def target_column(contract: Contract, name: str) -> Path:
    """The column that a foreign key leads to; the name itself when it is not in this contract."""
    resolved = _by_ids(contract, name) or name
    return path_of(contract, resolved) or (resolved,)


def _by_ids(contract: Contract, reference: str) -> str | None:
    """`schema/<id>/properties/<id>` as names; None when it is not such a reference or leads out of this contract."""
    section, _, rest = reference.lstrip("/").partition("/")
    steps = rest.split("/")
    if section != "schema" or len(steps) % 2 == 0:
        return None
    table = _names_in(contract).steps.get(steps[0])
    if table is None:
        return None
    names, properties = [table.name], table.properties
    for step in steps[2::2]:
        prop = _steps_in(properties).get(step)
        if prop is None:
            return None
        names.append(prop.name)
        properties = prop.properties
    return ".".join(names)
