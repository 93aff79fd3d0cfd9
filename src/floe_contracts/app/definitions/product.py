"""A product outside git: its contracts held to the dbt models that make their tables, as they are on the disk."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence

from ...adapters.git.objects import TreeEntry
from ...adapters.sql.process import SqlProcess
from ...codes import E537
from ...compat.release import is_unreleased
from ...contract.model import Contract
from ...definitions.comparison import compare_definition, gap_finding
from ...definitions.definition import Definition
from ...frozen import dataclass, field, replace
from ...product.dbt import DbtNode
from ...results import Disposition, Finding
from .dbt import DbtModels
from .pairing import spellings_of
from .tree import DefinitionTree

_SKIPPED = frozenset({".git", ".venv", "dbt_packages", "logs", "node_modules", "target"})


@dataclass(frozen=True)
class ProductModels:
    """The models of a product's dbt projects; without a base every mismatch is an error."""

    roots: Sequence[str]  # of the projects; empty for the current folder
    sql: SqlProcess
    manifest: str = ""  # a file of the user's choice
    _models: dict[str, DbtModels] = field(default_factory=dict)

    def judge(self, contract: Contract, node: DbtNode) -> tuple[Finding, ...]:
        """What the model of a contract does not keep, at its lines, and whether its columns are not known."""
        root = max((root for root in self.roots if _is_below(node.path, root)), key=len, default=None)
        table = contract.objects[0] if len(contract.objects) == 1 else None
        named = {word for words in spellings_of(contract) for word in words} & {node.name, node.alias}
        if root is None or table is None or not named or not node.path.endswith((".sql", ".py")):
            return ()
        path = os.path.relpath(node.path, root or ".").replace(os.sep, "/")
        definition = self._project(root).define(path.rpartition("/")[2].rpartition(".")[0])
        if definition is None:
            return ()
        if isinstance(definition, Definition):
            findings = compare_definition(contract, table, definition)
            findings = [item for item in findings if item.blocks or (item.code is E537 and not definition.complete)]
        else:
            findings = [gap_finding(contract, table, definition, path)]
        return tuple(_settle(_place(item, root), contract) for item in findings)

    def _project(self, root: str) -> DbtModels:
        if root not in self._models:
            tree = DefinitionTree(FolderFiles(root or "."), None)
            self._models[root] = DbtModels(tree, "", self.sql, _read(self.manifest) if self.manifest else None)
        return self._models[root]


@dataclass(frozen=True, slots=True)
class FolderFiles:
    """The files below a folder, as if they were a revision."""

    top: str

    def files(self, _: str | None, match: Callable[[str], bool]) -> dict[str, TreeEntry]:
        return {path: TreeEntry(path, "100644") for path in sorted(self._walk()) if match(path)}

    def _walk(self) -> Iterator[str]:
        for folder, folders, names in os.walk(self.top):
            here = os.path.relpath(folder, self.top)
            folders[:] = [name for name in folders if name not in _SKIPPED]
            yield from (os.path.normpath(os.path.join(here, name)).replace(os.sep, "/") for name in names)
        if os.path.isfile(os.path.join(self.top, "target/manifest.json")):
            yield "target/manifest.json"

    def read(self, entries: Iterable[TreeEntry]) -> dict[str, bytes]:
        return {entry.path: _read(os.path.join(self.top, entry.path)) for entry in entries}


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:  # it has gone since it was listed
        return b""


def _is_below(path: str, root: str) -> bool:
    return path != "" and (root == "" or path.startswith(f"{root}/"))


def _place(item: Finding, root: str) -> Finding:
    if item.location is None or not root:
        return item
    return replace(item, location=replace(item.location, path=f"{root}/{item.location.path}"))


def _settle(item: Finding, contract: Contract) -> Finding:
    return replace(item, standing=Disposition.REPORTED) if item.blocks and is_unreleased(contract) else item
