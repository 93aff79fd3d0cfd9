"""`floe bump` and its hook: which versions must rise, and the edit of one line in each file of the work tree."""

from __future__ import annotations

import os
from codecs import BOM_UTF8 as BOM
from collections.abc import Iterable, Iterator

from ..adapters.files.read import read_file
from ..adapters.files.write import write_whole
from ..codes import E500
from ..contract.source import read_document
from ..contract.version import parse_version, replace_version
from ..errors import FloeError
from ..frozen import dataclass, replace
from .gate.request import GateRequest, Revisions, find_revisions
from .gate.run import run_gate

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from datetime import date

    from ..adapters.git.history import CommitSource
    from ..results import CheckResult


@dataclass(frozen=True, slots=True)
class Edit:
    """One file whose version must rise."""

    path: str
    base: str  # the version on the base branch
    old: str  # the version written now
    new: str
    beside: str = ""  # the file to publish it in, when this file's name is bound to the old MAJOR

    @property
    def is_major(self) -> bool:
        before, after = parse_version(self.base), parse_version(self.new)
        return before is None or after is None or before.major != after.major


@dataclass(frozen=True, slots=True)
class BumpPlan:
    """What it takes to turn the gate green: edits, and files that no version can help."""

    edits: tuple[Edit, ...] = ()
    hopeless: tuple[str, ...] = ()


def plan_bumps(
    request: GateRequest,
    today: date,
    paths: tuple[str, ...] = (),
    *,
    revisions: Revisions | None = None,
    commits: CommitSource | None = None,
) -> BumpPlan:
    """The edits for all changed contracts or for the named ones; `revisions` and `commits` as in run_gate."""
    revisions = revisions or find_revisions(request)
    report = run_gate(request, today, revisions, commits)
    chosen = {os.path.realpath(_require_file(path)) for path in paths}
    edits, hopeless = [], []
    for result in report.results:
        path = os.path.join(revisions.repo.top, result.path)
        if chosen and os.path.realpath(path) not in chosen:
            continue
        edit = edit_for(result)
        if edit is not None:
            edits.append(replace(edit, path=os.path.relpath(path)))
        elif any(item.blocks for item in result.findings):
            hopeless.append(os.path.relpath(path))
    return BumpPlan(tuple(edits), tuple(dict.fromkeys(hopeless)))


def edit_for(result: CheckResult) -> Edit | None:
    """The version that a contract's changes need, at its path in the repository; None when it has it."""
    step = result.version
    if step is None or step.next is None:
        return None
    return Edit(result.path, step.old or "", step.new or "", step.next, step.beside)


@dataclass(frozen=True, slots=True)
class WrittenEdit:
    """What came of one edit: `failure` says why the version was not written."""

    edit: Edit
    failure: FloeError | None = None


def write_edits(edits: Iterable[Edit]) -> Iterator[WrittenEdit]:
    """Write each version and tell of it afterwards; one that cannot be written does not keep the others back."""
    return map(_write_edit, edits)


def _write_edit(edit: Edit) -> WrittenEdit:
    try:
        write_whole(edit.path, _edit_version(edit))
    except FloeError as reason:
        return WrittenEdit(edit, reason)
    return WrittenEdit(edit)


def _require_file(path: str) -> str:
    if not os.path.lexists(path):
        raise FloeError(f"no file is called {path!r}", fix="Check the spelling.", code=E500)
    return path


def _edit_version(edit: Edit) -> bytes:
    file = read_file(edit.path)
    if file.problem is not None:
        raise FloeError(f"{edit.path}: {file.problem.message}", code=file.problem.code)
    return write_version(edit.path, file.data, edit.new)


def write_version(path: str, content: bytes, version: str) -> bytes:
    """The content of a contract with another version, and nothing else changed."""
    mark = BOM if content.startswith(BOM) else b""  # the reader does not count it
    document = read_document(content)
    place = document.locate(("version",))
    text = replace_version(content[len(mark) :].decode("utf-8"), *place, version) if place else None
    edited = mark + text.encode("utf-8") if text is not None else b""
    # Anchors, tags and the like can stand before the scalar: what was edited must say what was meant, and no more.
    meant = {**document.value, "version": version} if isinstance(document.value, dict) else None
    if meant is None or read_document(edited).value != meant:
        raise FloeError(
            f"{path}: the version does not stand there in a form that can be changed safely",
            fix=f'Write version: "{version}" by hand.',
        )
    return edited
