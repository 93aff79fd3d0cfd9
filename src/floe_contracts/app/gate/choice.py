"""Which files of either side are compared: what the globs match, and what symbolic links at such paths lead to."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from ...adapters.git.links import LinkedFiles, follow_links
from ...adapters.git.objects import Change
from ...contract.discovery import Selection, selection
from ...errors import UsageError
from .earlier import EarlierVersions
from .sides import Sides
from .view import GateView

if TYPE_CHECKING:
    from ...compat.settings import Config


def choose_sides(view: GateView, base: Config, head: Config) -> Sides:
    """What matches the globs of either side or belongs to a product of either, less what both exclude."""
    more = view.request.contracts
    products, before_products = view.products, view.base_products
    own = _compile((*base.include, *more), base.exclude, before_products)
    excluded = [glob for glob in base.exclude if glob in head.exclude]
    selected = _compile(dict.fromkeys((*base.include, *head.include, *more)), excluded, products)
    changed = {change.path for change in view.changes}
    others = {
        path: entry
        for path, entry in view.files.items()
        if path not in changed and path in selected and entry.kind == "file"
    }
    wider = view.edits or products != before_products
    fresh = frozenset(path for path in others if path not in own) if wider else frozenset()
    before, after = _follow(view, selected)
    changes = [*_select_changes(view, selected, before, after)]
    for change in _list_linked(selected, before, after):
        if change.old and change.new and change.old.oid and change.old.oid == change.new.oid:
            others[change.path] = change.new
        else:
            changes.append(change)
    left_out = _compile(head.include, head.exclude)  # a change may leave out what was dead before it
    refused = (path for path in after.dead if path not in before.dead or not left_out.excludes(path))
    earlier = EarlierVersions(view.repo, view.old, own.__contains__, view.revisions.deepen)
    return Sides(view.repo, tuple(changes), others, fresh, earlier, tuple(sorted(refused)), {**before.by, **after.by})


def _compile(include: Iterable[str], exclude: Iterable[str], products: Collection[str] = ()) -> Selection:
    try:
        return selection(include, exclude, products.__contains__)
    except (ValueError, re.error) as reason:  # from the command line; settings have been looked at
        raise UsageError(str(reason), fix="Write a relative glob, for instance contracts/**/*.yaml.") from None


def _follow(view: GateView, selected: Selection) -> tuple[LinkedFiles, LinkedFiles]:
    if not view.has_links:
        return LinkedFiles(), LinkedFiles()
    wanted = selected.__contains__
    return follow_links(view.repo, view.old, wanted), follow_links(view.repo, view.revisions.head, wanted)


def _select_changes(view: GateView, selected: Selection, before: LinkedFiles, after: LinkedFiles) -> Iterator[Change]:
    """The changes at paths of the globs; a link is not one of them, unless the base had one that leads nowhere."""
    for change in view.changes:
        if change.path not in selected or change.path in after.dead:
            continue
        lost = change.path in before.dead
        old = change.old if change.old and (change.old.kind != "symlink" or lost) else None
        new = change.new if change.new and change.new.kind != "symlink" else None
        if old or new:
            yield Change(change.path, old, new)


def _list_linked(selected: Selection, before: LinkedFiles, after: LinkedFiles) -> Iterator[Change]:
    """What links lead to on either side, at its own path; what the globs match is listed anyway."""
    for path in sorted({*before.files, *after.files}):
        if path not in selected:
            yield Change(path, before.files.get(path), after.files.get(path))
