"""One base commit against the head, as git lists them, before a single file is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from ...adapters.git import Repository
from ...adapters.git.objects import Change, TreeEntry
from ...compat.settings_paths import is_settings_path
from ...contract.discovery import is_product_path, may_be_contract
from ...frozen import dataclass
from ...results.facts import GateScope
from .request import GateRequest, Revisions, may_matter

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from datetime import date


@dataclass(frozen=True)
class GateView:
    """One base commit (None: the empty tree) against the head."""

    request: GateRequest
    today: date
    revisions: Revisions
    old: str | None
    files: Mapping[str, TreeEntry]  # of the base: settings, links, and whatever may be a contract
    changes: tuple[Change, ...]
    code: tuple[Change, ...] = ()  # of whatever may define a table

    @property
    def has_dbt(self) -> bool:
        """Whether either side has a dbt project."""
        paths = (*self.files, *(change.path for change in self.changes))
        return any(path.rpartition("/")[2] == "dbt_project.yml" for path in paths)

    @property
    def repo(self) -> Repository:
        return self.revisions.repo

    @property
    def settings(self) -> dict[str, TreeEntry]:
        """The settings files of the base."""
        return {path: entry for path, entry in self.files.items() if is_settings_path(path)}

    @property
    def edits(self) -> tuple[Change, ...]:
        """What the change does to the settings."""
        return tuple(change for change in self.changes if is_settings_path(change.path))

    @cached_property
    def base_products(self) -> frozenset[str]:
        """Every floe.yaml of the base."""
        return frozenset(filter(is_product_path, self.files))

    @property
    def products(self) -> frozenset[str]:
        """Every floe.yaml of either side, so that a change can only add contracts to what is compared."""
        return self.base_products | {change.path for change in self.changes if is_product_path(change.path)}

    @property
    def scope(self) -> GateScope:
        same = not self.changes and self.revisions.is_base()
        return GateScope(self.old or "the empty tree", self.revisions.head, self.revisions.base.how, same=same)

    @cached_property
    def has_links(self) -> bool:
        """Whether either side holds a symbolic link."""
        sides = (side for change in self.changes for side in (change.old, change.new))
        return any(entry.kind == "symlink" for entry in (*self.files.values(), *sides) if entry)

    def proposed(self) -> Iterator[TreeEntry]:
        """The settings files as the head has them."""
        edited = {change.path: change.new for change in self.edits}
        yield from (entry for path, entry in self.settings.items() if path not in edited)
        yield from (entry for entry in edited.values() if entry is not None)


def list_views(request: GateRequest, today: date, revisions: Revisions) -> list[GateView]:
    """A view for every commit of the base."""
    bases: tuple[str | None, ...] = revisions.base.commits or (None,)
    return [_view(request, today, revisions, old) for old in bases]


def _view(request: GateRequest, today: date, revisions: Revisions, old: str | None) -> GateView:
    files = revisions.repo.files(old, may_be_contract, links=True)
    changes = revisions.repo.changes(old, revisions.head, may_matter, links=True)
    own = tuple(change for change in changes if may_be_contract(change.path) or _is_link(change))
    code = tuple(change for change in changes if may_matter(change.path))
    return GateView(request, today, revisions, old, files, own, code)


def _is_link(change: Change) -> bool:
    return any(side is not None and side.kind == "symlink" for side in (change.old, change.new))
