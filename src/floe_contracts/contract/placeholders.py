"""Places that a template left to fill in: every text that begins with TODO, with its line."""

from __future__ import annotations

from collections.abc import Iterator

from ..codes import E529, Severity
from ..results import Finding, Location
from .model import Json, Pointer
from .source import Document

MARK = "TODO"


def placeholder_findings(document: Document, path: str) -> list[Finding]:
    """A warning for every place to fill in."""
    return [
        Finding.of(
            E529,
            "fill-in",
            f"{'.'.join(str(part) for part in pointer)} is still to be filled in",
            severity=Severity.WARNING,
            element=".".join(str(part) for part in pointer),
            location=Location(path, *(document.locate(pointer) or ())),
            suggestions=(f"Write it instead of {text!r}.",),
        )
        for pointer, text in _marked(document.value, ())
    ]


def _marked(value: Json, pointer: Pointer) -> Iterator[tuple[Pointer, str]]:
    if isinstance(value, str):
        if value.startswith(MARK):
            yield pointer, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _marked(item, (*pointer, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _marked(item, (*pointer, index))
