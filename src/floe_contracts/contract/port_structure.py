"""Mistakes in what a port promises: its columns, service levels, rules and server, held to the floe dialect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import codes
from ..frozen import replace
from .model import Dialect, Json, JsonMap, Pointer
from .structure import structural_findings
from .structure.words import StructuralError

_HEAD: dict[str, Json] = {
    "apiVersion": "v3.0.2",
    "kind": "DataContract",
    "name": "port",
    "version": "1.0.0",
    "owner": "-",
}
_ANY: dict[str, Json] = {"any": {"type": "string"}}  # a table has a column at least
_TABLE: Pointer = ("models", "port")
_NESTED = ("properties", "elements")
Origins = dict[Pointer, Pointer]  # where the port writes what the contract has at a pointer


def port_mistakes(port: JsonMap) -> Iterator[StructuralError]:
    """Every key and value that no contract could have, with pointers below the port; what is missing dbt may add."""
    origins: Origins = {}
    key = "schema" if "schema" in port else "columns"
    elements = _columns(port.get(key), (key,), (*_TABLE, "elements"), origins)
    yield from (_unnamed(pointer) for pointer in _find_unnamed(port.get(key), (key,)))
    levels = "sla" if "sla" in port else "slaProperties"
    document = {
        **_HEAD,
        "models": {
            "port": {
                "elements": elements or _ANY,
                **{name: port[name] for name in ("quality", "tags") if port.get(name)},
            }
        },
        **({"slaProperties": _levels(port[levels], (levels,), origins)} if port.get(levels) else {}),
        **({"servers": [port["server"]]} if port.get("server") else {}),
    }
    origins |= {_TABLE: (), ("servers", 0): ("server",), ("slaProperties",): (levels,)}
    for error in structural_findings(Dialect.FLOE, document):
        if not error.rule.startswith("missing"):
            message = error.message.removesuffix(" in the floe dialect")
            yield replace(error, pointer=_written(error.pointer, origins), message=message)


def _columns(written: Any, at: Pointer, canonical: Pointer, origins: Origins) -> dict[str, Any]:
    """Columns by name, as the dialect has them; a list of columns with names is the same."""
    if isinstance(written, dict):
        listed = [(name, name, item) for name, item in written.items()]
    else:
        items = written if isinstance(written, list) else []
        listed = [(_name(item), index, _without_name(item)) for index, item in enumerate(items) if _name(item)]
    columns: dict[str, Any] = {}
    for name, step, item in listed:
        key = name if name not in columns else f"{name} {step}"
        place, written_at = (*canonical, key), (*at, step)
        origins[place] = written_at
        columns[key] = _column(item, written_at, place, origins)
    return columns


def _column(item: Any, at: Pointer, canonical: Pointer, origins: Origins) -> Any:
    if not isinstance(item, dict):
        return item
    column = dict(item)
    if isinstance(column.get("items"), dict):
        column["items"] = _column(_without_name(column["items"]), (*at, "items"), (*canonical, "items"), origins)
    key = next((key for key in _NESTED if isinstance(column.get(key), (dict, list))), "")
    if key:
        column["elements"] = _columns(column.pop(key), (*at, key), (*canonical, "elements"), origins)
    return column


def _levels(written: Any, at: Pointer, origins: Origins) -> Any:
    """Service levels by name; a list of them is the same."""
    if not isinstance(written, list):
        return written
    levels: dict[str, Any] = {}
    for index, item in enumerate(written):
        name = item.get("property") if isinstance(item, dict) else None
        if isinstance(name, str):
            levels[name] = {key: value for key, value in item.items() if key != "property"}
            origins["slaProperties", name] = (*at, index)
    return levels


def _name(item: Any) -> str:
    name = item.get("name") if isinstance(item, dict) else None
    return name if isinstance(name, str) else ""


def _without_name(item: Any) -> Any:
    return {key: value for key, value in item.items() if key != "name"} if isinstance(item, dict) else item


def _find_unnamed(written: Any, at: Pointer) -> Iterator[Pointer]:
    """Entries of lists of columns that have no name, so that nothing would be read of them."""
    for step, item in enumerate(written) if isinstance(written, list) else ():
        if not _name(item):
            yield (*at, step)
        for key in _NESTED if isinstance(item, dict) else ():
            yield from _find_unnamed(item.get(key), (*at, step, key))


def _unnamed(pointer: Pointer) -> StructuralError:
    fix = "Write - {name: <column>, type: <type>}."
    return StructuralError(
        codes.E501, "column-unnamed", pointer, "a column must be a mapping with a name", suggestions=(fix,)
    )


def _written(pointer: Pointer, origins: Origins) -> Pointer:
    for length in range(len(pointer), 0, -1):
        if pointer[:length] in origins:
            return (*origins[pointer[:length]], *pointer[length:])
    return pointer
