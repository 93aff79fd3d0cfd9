"""What dbt's YAML says about the columns of one model: tests and constraints of not null, types, and lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...contract.model import Json
from ...contract.source import Document, read_document
from ...frozen import dataclass, field


@dataclass(frozen=True, slots=True)
class ModelNotes:
    """By the folded name of a column."""

    path: str = ""
    not_null: frozenset[str] = frozenset()
    types: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    names: tuple[str, ...] = ()  # of the columns, as written
    disabled: bool = False
    enforced: bool = False  # dbt builds only what has these columns and types


def models_named(text: str) -> set[str]:
    """The models and seeds that a YAML file describes."""
    return {str(entry.get("name")) for _, _, entry in _entries(read_document(text.encode()))}


def aliases_in(text: str) -> Iterator[tuple[str, str]]:
    """Models, by the name of their file, and what else they are called: their alias, and the version they define."""
    if "alias" not in text and "defined_in" not in text:
        return
    for _, _, entry in _entries(read_document(text.encode())):
        name = str(entry.get("name"))
        if alias := _alias(entry):
            yield name, alias
        for version in _listed(entry.get("versions")):
            if isinstance(version, dict):
                own = f"{name}_v{version.get('v')}"
                file = str(version.get("defined_in") or own)
                if (alias := _alias(version)) or file != own:
                    yield file, alias or own


def notes_about(name: str, text: str, path: str) -> ModelNotes | None:
    """The notes about one model; None where the file has none."""
    document = read_document(text.encode())
    for kind, index, entry in _entries(document):
        base, _, version = name.rpartition("_v")
        if entry.get("name") == name or (entry.get("name") == base and version and entry.get("versions")):
            return _notes(document, (kind, index), entry, path)
    return None


def _entries(document: Document) -> Iterator[tuple[str, int, Mapping[str, Json]]]:
    value = document.value
    for kind in ("models", "seeds", "snapshots"):
        listed = value.get(kind) if isinstance(value, dict) else None
        for index, entry in enumerate(listed if isinstance(listed, list) else []):
            if isinstance(entry, dict):
                yield kind, index, entry


def _notes(document: Document, at: tuple[str, int], entry: Mapping[str, Json], path: str) -> ModelNotes:
    held, types, lines, names = set(_constrained(entry)), {}, {}, []
    columns = entry.get("columns")
    for index, column in enumerate(columns if isinstance(columns, list) else []):
        if not isinstance(column, dict) or not isinstance(column.get("name"), str):
            continue
        names.append(str(column["name"]))
        name = names[-1].casefold()
        place = document.locate((*at, "columns", index, "name"))
        lines[name] = place[0] if place else 1
        if isinstance(column.get("data_type"), str):
            types[name] = str(column["data_type"])
        tests = [*_listed(column.get("tests")), *_listed(column.get("data_tests"))]
        if any(map(_is_not_null, tests)) or any(map(_forbids_null, _listed(column.get("constraints")))):
            held.add(name)
    config = _mapped(entry.get("config"))
    contract = _mapped(config.get("contract", entry.get("contract")))
    enforced = contract.get("enforced") is True and types.keys() == lines.keys()
    disabled = config.get("enabled") is False
    return ModelNotes(path, frozenset(held), types, lines, tuple(names), disabled, enforced)


def _constrained(entry: Mapping[str, Json]) -> Iterator[str]:
    for constraint in _listed(entry.get("constraints")):
        if _forbids_null(constraint) and isinstance(constraint, dict):
            yield from (str(name).casefold() for name in _listed(constraint.get("columns")))


def _alias(entry: Mapping[str, Json]) -> str:
    return str(_mapped(entry.get("config")).get("alias") or "")


def _mapped(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _forbids_null(constraint: Json) -> bool:
    return isinstance(constraint, dict) and constraint.get("type") in ("not_null", "primary_key")


def _is_not_null(test: Json) -> bool:
    """A test of not null that holds for every row, and fails."""
    if isinstance(test, str):
        return test in ("not_null", "dbt.not_null")
    if not isinstance(test, dict):
        return False
    options = next((test[key] for key in ("not_null", "dbt.not_null") if key in test), False)
    if options is False and test.get("test_name") != "not_null":
        return False
    inner = options if isinstance(options, dict) else test
    nested = inner.get("config")
    config = {**inner, **(nested if isinstance(nested, dict) else {})}
    return not config.get("where") and str(config.get("severity") or "error").lower() == "error"
