"""A dbt project as values: its models with columns, tests and sources, as the manifest or the file names tell them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ..contract.model import Json, JsonMap
from ..frozen import dataclass, field

CANNOT_TELL = "cannot tell: run dbt parse"


@dataclass(frozen=True, slots=True)
class DbtColumn:
    """A column of a model as its YAML describes it."""

    name: str
    data_type: str = ""
    description: str = ""
    meta: JsonMap = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NodeTest:
    """A test at a node; `name` is the generic name, such as not_null, or the test's own."""

    name: str
    column: str = ""
    arguments: JsonMap = field(default_factory=dict)
    binding: bool = True  # false when it only warns, or looks at some rows only: then it promises nothing


@dataclass(frozen=True, slots=True)
class DbtNode:
    """A model, seed or snapshot."""

    name: str
    columns: tuple[DbtColumn, ...] = ()
    meta: JsonMap = field(default_factory=dict)
    tests: tuple[NodeTest, ...] = ()
    alias: str = ""
    description: str = ""
    kind: str = "model"  # model, seed or snapshot
    materialized: str = ""
    path: str = ""  # relative to the folder of dbt_project.yml
    sources: tuple[str, ...] = ()  # names of the dbt sources that it reads, directly or through other models
    fresh: bool = False  # whether a source that it reads has a freshness of its own
    checksum: str = ""
    compiled_path: str = ""
    described: bool = True  # false where only the name of its file is known
    latest: bool = True  # of a model with versions, the one that a ref without a version means

    @property
    def counts(self) -> bool:
        """Whether naming rules, gates and coverage look at it: ephemeral models, seeds and snapshots are not tables."""
        return self.kind == "model" and self.materialized != "ephemeral"

    def column(self, name: str) -> DbtColumn | None:
        """The column of this name; engines that keep no case are met by a second look without it."""
        exact = next((column for column in self.columns if column.name == name), None)
        folded = name.casefold()
        return exact or next((column for column in self.columns if column.name.casefold() == folded), None)

    def tests_on(self, column: str) -> Iterator[NodeTest]:
        folded = column.casefold()
        return (test for test in self.tests if test.column.casefold() == folded)


@dataclass(frozen=True)  # without slots, for what is looked up once
class DbtProject:
    """The models of one project; without a manifest only their names and files are known."""

    name: str = ""
    models: tuple[DbtNode, ...] = ()
    manifest: str = ""  # the file that was read; empty when there is none
    version: str = ""  # of the manifest's schema: v10, v11, v12, or v20 for Fusion
    dbt_version: str = ""
    adapter: str = ""
    notes: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """Whether tests, columns and descriptions are known."""
        return all(model.described for model in self.models)

    @property
    def counted(self) -> tuple[DbtNode, ...]:
        """The models that naming rules, gates and coverage look at."""
        return tuple(model for model in self.models if model.counts)

    def find(self, table: str) -> DbtNode | None:
        """The model whose name or alias is the last part of a table's name; a name counts before an alias."""
        return self._by_name.get(table.rpartition(".")[2].casefold())

    @cached_property
    def _by_name(self) -> dict[str, DbtNode]:
        latest_first = sorted(self.models, key=lambda model: not model.latest)
        named = [(model.name, model) for model in latest_first] + [(model.alias, model) for model in self.models]
        return {name.casefold(): model for name, model in reversed(named) if name}


def primary_key(meta: JsonMap) -> tuple[str, ...]:
    """The columns that `meta.primary_key` names, one or several."""
    value: Json = meta.get("primary_key")
    listed = value if isinstance(value, list) else [value]
    return tuple(name for name in listed if isinstance(name, str) and name)
