"""Which versions must rise in the work tree, and the edit of one line in each file."""

from __future__ import annotations

import os
from codecs import BOM_UTF8 as BOM

from ..adapters.files import read_file
from ..adapters.git import WORKTREE, open_repository
from ..adapters.outfile import write_whole
from ..contract.edit import with_version
from ..contract.source import read_document
from ..errors import FloeError
from ..results import Bump
from .bump import Edit
from .gating import Asked, gated


def wanted(base: str | None, paths: tuple[str, ...], *, tool_version: str) -> tuple[Edit, ...]:
    """The edits that turn the gate green, for all changed contracts or for the named ones."""
    report = gated(Asked(base=base, head=WORKTREE, allow_empty=True), tool_version=tool_version)
    top = open_repository().top
    chosen = {os.path.realpath(path) for path in paths}
    edits = []
    for result in report.results:
        path = os.path.join(top, result.path)
        step = result.version
        if step is None or step.next is None or (chosen and os.path.realpath(path) not in chosen):
            continue
        major = step.required.rank >= Bump.MAJOR.rank
        edits.append(Edit(os.path.relpath(path), step.new or "", step.next, major))
    return tuple(edits)


def apply(edits: tuple[Edit, ...]) -> None:
    """Write each version; all new texts are made before the first file is touched."""
    texts = [(edit.path, edited(edit)) for edit in edits]
    for path, text in texts:
        write_whole(path, text)


def edited(edit: Edit) -> bytes:
    """The file's new bytes."""
    file = read_file(edit.path)
    if file.problem is not None:
        raise FloeError(f"{edit.path}: {file.problem.message}", code=file.problem.code)
    mark = BOM if file.data.startswith(BOM) else b""  # the reader does not count it
    place = read_document(file.data).locate(("version",))
    text = with_version(file.data[len(mark) :].decode("utf-8"), *place, edit.new) if place else None
    if text is None:
        raise FloeError(
            f"{edit.path}: no version line was found to change", fix=f'Write version: "{edit.new}" by hand.'
        )
    return mark + text.encode("utf-8")
