"""Files of settings: strict YAML and a published schema in, keys with their lines or findings out."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import jsonschema_rs

from .. import codes
from ..codes import Code
from ..frozen import dataclass, field, replace
from ..results import Finding, Location
from .model import JsonMap, Pointer
from .source import Document, read_document
from .source.scalars import plain


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """The keys of one file, or what is wrong with it; keys that come from elsewhere have no document, so no lines."""

    path: str
    value: JsonMap = field(default_factory=dict)
    document: Document = Document(None)
    findings: tuple[Finding, ...] = ()
    code: Code = codes.E590  # of the mistakes in such a file

    def finding(self, pointer: Pointer, rule: str, message: str, *fixes: str, key: bool = False) -> Finding:
        """A mistake at a value of this file, or at its key."""
        element = ".".join(map(str, pointer))
        return settings_finding(
            self.path, rule, message, *fixes, place=self.locate(pointer, key=key), element=element, code=self.code
        )

    def locate(self, pointer: Pointer, *, key: bool = False) -> tuple[int, ...]:
        """Line and column of a value or its key; nothing where the keys have no document."""
        return self.document.locate(pointer, key=key) or ()


def settings_finding(
    path: str,
    rule: str,
    message: str,
    *fixes: str,
    place: tuple[int | None, ...] = (),
    element: str = "",
    code: Code = codes.E590,
) -> Finding:
    """A mistake in a file of settings; a fix that is empty is none."""
    location, suggestions = Location(path, *place), tuple(fix for fix in fixes if fix)
    return Finding.of(code, rule, message, element=element, location=location, suggestions=suggestions)


def read_settings_file(
    data: bytes, path: str, no_keys_fix: str, empty_fix: str = "", *, code: Code = codes.E590
) -> SettingsFile:
    """The keys in these bytes; a file with nothing in it is a mistake only where there is a fix for it.

    Mistakes have the code E590, or, where another is given, that one and the document's own: E501 and E509.
    """
    document = read_document(data)
    empty = [problem.rule for problem in document.problems] == ["yaml-empty"]
    if not empty and document.problems:
        places = ((problem, (problem.line, problem.column)) for problem in document.problems)
        wrong = (
            settings_finding(
                path, at.rule, at.message, at.suggestion, place=place, code=code if code is codes.E590 else at.code
            )
            for at, place in places
        )
        return SettingsFile(path, findings=tuple(wrong))
    if isinstance(document.value, dict):
        return SettingsFile(path, document.value, document, code=code)
    fix = empty_fix if empty else no_keys_fix
    no_keys = settings_finding(path, "settings-shape", "the file holds no keys", fix, place=(1, 1), code=code)
    return SettingsFile(path, findings=(no_keys,) if fix else ())


def check_schema(file: SettingsFile, read_schema: Callable[[str], dict[str, Any]], kind: str) -> SettingsFile:
    """The same file with what its published schema finds wrong."""
    value = plain(file.document.value)
    raw = list(_validator(read_schema, kind).iter_errors(value)) if value is not None else []
    if not raw:
        return file
    from .structure.sift import mistakes
    from .structure.words import Subject

    wrong = (
        replace(
            file.finding(error.pointer, error.rule, error.message, *error.suggestions, key=error.at_key),
            expected=error.expected,
            actual=error.actual,
        )
        for error in mistakes(Subject(file.value, read_schema(kind), "", whole="this file"), raw)
    )
    return replace(file, findings=tuple(wrong))


@cache
def _validator(read_schema: Callable[[str], dict[str, Any]], kind: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(read_schema(kind), offline=True)
