"""Places that a template left to fill in: every text that begins with TODO, with its line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..codes import E529, Severity
from ..results import Finding, Location
from .model import Json, Pointer
from .source import Document

MARK = "TODO"


def is_placeholder(text: str) -> bool:
    """Whether somebody still has to fill it in."""
    return text.startswith(MARK)


def placeholder_findings(document: Document, path: str) -> list[Finding]:
    """A warning for every place of a contract to fill in."""
    return warn_of_placeholders(document.value, lambda pointer: Location(path, *(document.locate(pointer) or ())))


def warn_of_placeholders(value: Json, locate: Callable[[Pointer], Location]) -> list[Finding]:
    """A warning for every place to fill in."""
    return [
        Finding.of(
            E529,
            "fill-in",
            f"{'.'.join(str(part) for part in pointer)} is still to be filled in",
            severity=Severity.WARNING,
            element=".".join(str(part) for part in pointer),
            location=locate(pointer),
            suggestions=(f"Write it instead of {text!r}.",),
        )
        for pointer, text in _marked(value, ())
    ]


def _marked(value: Json, pointer: Pointer) -> Iterator[tuple[Pointer, str]]:
    if isinstance(value, str):
        if is_placeholder(value):
            yield pointer, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _marked(item, (*pointer, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _marked(item, (*pointer, index))
