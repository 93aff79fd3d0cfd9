"""Where the table of a contract is defined, and how that is read at a revision: one class per kind of definition."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import Protocol

from ...adapters.git import Repository
from ...adapters.sql.dialects import find_dialect
from ...adapters.sql.process import SqlProcess, SqlText
from ...adapters.sql.step_values import steps_from
from ...compat.settings import DefinitionEntry
from ...contract.discovery import selection_of_any
from ...definitions.definition import Definition, Gap
from ...definitions.migration import Step, last_drop, replay, unclear_file
from ...definitions.migration_files import natural_order, without_down
from ...definitions.schema_files import read_schema_file
from ...frozen import dataclass, field
from ...results import Location
from .dbt import DbtModels
from .tree import DefinitionTree


class DefinitionSource(Protocol):
    """One definition at one revision."""

    def define(self) -> Definition | Gap | None:
        """The definition; None where this revision has none."""

    def touched_by(self, changed: frozenset[str]) -> bool:
        """Whether a change of these files may change it."""

    def last_place(self) -> Location | None:
        """Where it is, or was taken away; None where this revision has nothing to point at."""


@dataclass(frozen=True)
class FileSource:
    """An Avro schema, a JSON Schema or a StructType."""

    tree: DefinitionTree
    kind: str
    path: str

    def define(self) -> Definition | Gap | None:
        data = self.tree.read(self.path)
        return read_schema_file(self.kind, data, self.path) if data is not None else None

    def touched_by(self, changed: frozenset[str]) -> bool:
        return self.path in changed

    def last_place(self) -> Location:
        return Location(self.path, 1)


@dataclass(frozen=True)
class MigrationSource:
    """A table that migrations make."""

    tree: DefinitionTree
    glob: str
    table: str
    dialect: str
    sql: SqlProcess

    @cached_property
    def _steps(self) -> list[Step] | Gap:
        dialect = find_dialect(self.dialect) if self.dialect else ""
        paths = natural_order(self.tree.find(selection_of_any((self.glob,))))
        if dialect is None:
            return Gap(f"no SQL dialect is called {self.dialect}", 1, paths[0] if paths else self.glob)
        self.tree.load(paths)
        steps: list[Step] = []
        for path in paths:
            text = without_down(self.tree.text(path))
            answer = self.sql.read_statements(SqlText(text, dialect))
            steps += [unclear_file(text, answer, path)] if isinstance(answer, Gap) else steps_from(answer, path)
        return steps

    def define(self) -> Definition | Gap | None:
        dialect = find_dialect(self.dialect) or ""
        return self._steps if isinstance(self._steps, Gap) else replay(self._steps, self.table, dialect)

    def touched_by(self, changed: frozenset[str]) -> bool:
        matches = selection_of_any((self.glob,))
        return any(matches(path) for path in changed)

    @property
    def end(self) -> Step | None:
        """The statement that took the table away, or gave it another name."""
        return last_drop(self._steps, self.table) if not isinstance(self._steps, Gap) else None

    def last_place(self) -> Location | None:
        return Location(self.end.path, self.end.line) if self.end else None


@dataclass(frozen=True)
class ModelSource:
    """A dbt model."""

    models: DbtModels
    name: str

    def define(self) -> Definition | Gap | None:
        return self.models.define(self.name)

    def touched_by(self, changed: frozenset[str]) -> bool:
        """By its own file and YAML, a macro it uses, or a model that it takes `*` from."""
        own = (*self.models.paths.get(self.name, ()), self.models.notes_of(self.name).path)
        if changed.intersection(own):
            return True
        known = self.define()
        if isinstance(known, Gap):
            return bool(changed.intersection(self.models.macro_files))
        return known is not None and bool(changed & known.uses)

    def last_place(self) -> Location:
        return Location(self.models.models.get(self.name) or f"{self.models.root}dbt_project.yml", 1)


@dataclass(frozen=True)
class SourceBook:
    """Definitions of one revision by what the settings say about them."""

    tree: DefinitionTree
    sql: SqlProcess
    repo: Repository
    _projects: dict[tuple[str, str, str], DbtModels] = field(default_factory=dict)

    @cached_property
    def roots(self) -> list[str]:
        """The folders of dbt projects, installed packages left out."""
        files = self.tree.find(lambda path: path.rpartition("/")[2] == "dbt_project.yml")
        folders = [path.removesuffix("dbt_project.yml") for path in files]
        return [folder for folder in folders if "/dbt_packages/" not in f"/{folder}"]

    def project(self, root: str, manifest: str = "", dialect: str = "") -> DbtModels:
        key = (root, manifest, dialect)
        if key not in self._projects:
            data = self._read_anywhere(manifest) if manifest else None
            self._projects[key] = DbtModels(self.tree, root, self.sql, data, dialect)
        return self._projects[key]

    def source(self, entry: DefinitionEntry, table: str) -> DefinitionSource | None:
        if entry.kind == "ddl":
            return MigrationSource(self.tree, entry.target, entry.table or table, entry.dialect, self.sql)
        if entry.kind != "dbt":
            return FileSource(self.tree, entry.kind, entry.target)
        for root in self.roots:
            models = self.project(root, entry.manifest, entry.dialect)
            if entry.target in models.models:
                return ModelSource(models, entry.target)
        return None

    def _read_anywhere(self, path: str) -> bytes | None:
        """A file of the revision, else of the disk: dbt's target folder is seldom tracked."""
        tracked = self.tree.read(path)
        place = Path(self.repo.top, path)
        if tracked is not None or os.path.isabs(path) or not place.is_file():
            return tracked
        return place.read_bytes()
