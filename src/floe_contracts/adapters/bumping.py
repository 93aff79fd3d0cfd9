"""Which versions must rise, and the edit of one line in each file of the work tree."""

from __future__ import annotations

import os
from codecs import BOM_UTF8 as BOM
from dataclasses import dataclass

from ..codes import E520
from ..contract.edit import with_version
from ..contract.source import read_document
from ..contract.version import parse_version
from ..errors import FloeError
from .files import read_file
from .gating import Asked, judged, sides
from .outfile import write_whole


@dataclass(frozen=True, slots=True)
class Edit:
    """One file whose version must rise."""

    path: str  # relative to the current folder
    old: str
    new: str
    beside: str = ""  # the file to publish it in, when this file's name is bound to the old MAJOR

    @property
    def is_major(self) -> bool:
        before, after = parse_version(self.old), parse_version(self.new)
        return before is None or after is None or before.major != after.major


def wanted(asked: Asked, paths: tuple[str, ...] = (), *, tool_version: str) -> tuple[Edit, ...]:
    """The edits that turn the gate green, for all changed contracts or for the named ones."""
    repo, base, head = sides(asked)
    report = judged(repo, base, head, asked, tool_version=tool_version)
    chosen = {os.path.realpath(path) for path in paths}
    edits = []
    for result in report.results:
        path = os.path.join(repo.top, result.path)
        step = result.version
        if step is not None and step.next is not None and (not chosen or os.path.realpath(path) in chosen):
            edits.append(Edit(os.path.relpath(path), step.new or "", step.next, step.beside))
    return tuple(edits)


def apply(edits: tuple[Edit, ...]) -> None:
    """Write each version; all new texts are made before the first file is touched."""
    for edit in edits:
        if edit.beside:
            raise FloeError(
                f"{edit.path} is bound to its MAJOR version by its name and cannot become {edit.new}",
                fix=f"Publish the change as {edit.beside} with version {edit.new}, and leave {edit.path} as it was.",
                code=E520,
            )
    texts = [(edit.path, _edited(edit)) for edit in edits]
    for path, text in texts:
        write_whole(path, text)


def _edited(edit: Edit) -> bytes:
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
