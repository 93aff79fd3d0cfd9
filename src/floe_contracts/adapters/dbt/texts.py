"""dbt projects as texts: models, macros and properties of whatever tree of files, a folder or a revision."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from ...contract.model import Json
from ...contract.source import Document, read_document
from ...frozen import dataclass
from .project import PROJECT_FILE

_ASIDE = frozenset({"target", "dbt_packages", "dbt_modules", "node_modules"})
_REF = re.compile(r"""\bref\s*\(\s*(?:(['"])(?P<package>\w+)\1\s*,\s*)?(['"])(?P<model>[\w.-]+)\3""")


class TextTree(Protocol):
    """Files by path, with `/` between folders."""

    def paths(self) -> Iterable[str]:
        """Every path, in a stable order."""

    def read(self, path: str) -> bytes | None:
        """The bytes of a file; None where it cannot be read."""


@dataclass(frozen=True, slots=True)
class DbtTexts:
    """One project: its name, adapter and files."""

    root: str
    name: str
    adapter: str
    models: tuple[tuple[str, str], ...]  # name, path
    macros: tuple[tuple[str, str], ...]  # path, text
    properties: tuple[str, ...]  # YAML files beside the models


@dataclass(frozen=True, slots=True)
class Exposure:
    """A dashboard or application that dbt knows to read models."""

    name: str
    owner: str
    models: tuple[str, ...]  # as `ref:` keys
    line: int


def find_projects(tree: TextTree) -> Iterator[DbtTexts]:
    """Every project of a tree that can be read, installed packages apart."""
    paths = [path for path in tree.paths() if not _ASIDE & set(path.split("/"))]
    for path in paths:
        if posixpath.basename(path) == PROJECT_FILE:
            value = _value(tree, path)
            if isinstance(value, dict):
                yield _project(tree, posixpath.dirname(path), value, paths)


def find_exposures(data: bytes) -> Iterator[Exposure]:
    """The exposures of a properties file."""
    if b"exposures" not in data:
        return
    document = read_document(data)
    value = document.value
    listed = value.get("exposures") if isinstance(value, dict) else None
    for number, item in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(item, dict) and isinstance(item.get("name"), str):
            depends = item.get("depends_on")
            models = tuple(
                key for word in (depends if isinstance(depends, list) else ()) for key in find_refs(str(word))
            )
            yield Exposure(str(item["name"]), _owner(item.get("owner")), models, _line(document, number))


def find_refs(text: str) -> tuple[str, ...]:
    """The models that a text names in `ref('…')`, as `ref:` keys: for text that only dbt itself can render."""
    matches = _REF.finditer(text)
    keys = (f"ref:{'.'.join(word for word in (each['package'], each['model']) if word)}" for each in matches)
    return tuple(dict.fromkeys(keys))


def _project(tree: TextTree, root: str, value: dict[str, Json], paths: list[str]) -> DbtTexts:
    models = list(_below(root, value.get("model-paths", value.get("source-paths")), "models", paths))
    macros = [path for path in _below(root, value.get("macro-paths"), "macros", paths) if path.endswith(".sql")]
    texts = ((path, (tree.read(path) or b"").decode("utf-8", "replace")) for path in macros)
    return DbtTexts(
        root,
        str(value.get("name") or ""),
        _adapter(tree, root, value),
        tuple((posixpath.basename(path).rpartition(".")[0], path) for path in models if path.endswith((".sql", ".py"))),
        tuple(texts),
        tuple(path for path in models if path.endswith((".yml", ".yaml"))),
    )


def _below(root: str, listed: Json, otherwise: str, paths: list[str]) -> Iterator[str]:
    folders = [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else [otherwise]
    starts = tuple(posixpath.normpath(posixpath.join(root, name)) + "/" for name in folders)
    return (path for path in paths if path.startswith(starts))


def _adapter(tree: TextTree, root: str, value: dict[str, Json]) -> str:
    """The adapter that profiles.yml of the project names, or an empty text."""
    profiles = _value(tree, posixpath.join(root, "profiles.yml"))
    profile = profiles.get(str(value.get("profile"))) if isinstance(profiles, dict) else None
    outputs = profile.get("outputs") if isinstance(profile, dict) else None
    if not isinstance(profile, dict) or not isinstance(outputs, dict):
        return ""
    chosen = outputs.get(str(profile.get("target"))) or next(iter(outputs.values()), None)
    return str(chosen.get("type") or "") if isinstance(chosen, dict) else ""


def _value(tree: TextTree, path: str) -> Json:
    data = tree.read(path)
    return read_document(data).value if data is not None else None


def _owner(value: Json) -> str:
    if isinstance(value, dict):
        return str(value.get("email") or value.get("name") or "")
    return ""


def _line(document: Document, number: int) -> int:
    place = document.locate(("exposures", number, "name")) or (1, 1)
    return place[0]
