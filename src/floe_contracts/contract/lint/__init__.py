"""Semantic checks that no schema can make: what cannot be right, and what cannot be resolved.

An error means that the contract cannot be right or cannot be enforced as written. A warning means that the standard
allows it but floe cannot resolve it. Matters of taste are not remarks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from ... import codes
from ...codes import Severity
from ..discovery import line_major
from ..lifecycle import NOTICE_DAYS, notice_problems
from ..meaning.phrase import closest
from ..model import Contract, Pointer
from ..version import parse_version
from .extensions import extension_remarks
from .names import name_remarks
from .queries import query_remarks
from .remark import Remark
from .schema import schema_remarks
from .service_levels import sla_remarks
from .slow_patterns import slow_pattern_remarks

T = TypeVar("T")
_STATUSES = ("proposed", "draft", "active", "deprecated", "sunset", "retired")


def remarks(contract: Contract, path: str, notice_days: int = NOTICE_DAYS) -> tuple[Remark, ...]:
    """All remarks about one contract; `notice_days` is what its readers are owed before the end."""
    return tuple(_all(contract, path, notice_days))


def _all(contract: Contract, path: str, notice_days: int) -> Iterator[Remark]:
    yield from name_remarks(contract)
    yield from _version(contract, path)
    yield from _status(contract)
    yield from schema_remarks(contract)
    yield from slow_pattern_remarks(contract)
    yield from query_remarks(contract)
    yield from sla_remarks(contract)
    yield from _deprecation(contract, notice_days)
    yield from find_repeated(contract.servers, lambda server: server.name, "server", lambda server: server.at)
    yield from find_repeated(contract.roles, lambda role: role.name, "role", lambda role: role.at)
    yield from find_repeated(
        contract.consumers, lambda consumer: consumer.name, "consumer", lambda consumer: consumer.at
    )
    yield from find_repeated(
        contract.custom, lambda extension: extension.property, "custom property", lambda extension: extension.at
    )
    yield from extension_remarks(contract)
    yield from _consumers(contract)


def find_repeated(
    items: Iterable[T], name: Callable[[T], str], what: str, at: Callable[[T], Pointer], element: str = ""
) -> Iterator[Remark]:
    """A remark for every item whose name an earlier one has taken."""
    seen: set[str] = set()
    for item in items:
        word = name(item)
        if word in seen:
            yield Remark(
                f"duplicate-{what.replace(' ', '-')}",
                f"the {what} {word!r} is written twice",
                at(item),
                element=f"{element}.{word}" if element else word,
                suggestion="Remove one of them, or give it a name of its own.",
            )
        seen.add(word)


def _version(contract: Contract, path: str) -> Iterator[Remark]:
    text = contract.version
    version = parse_version(text)
    if version is None:
        yield Remark(
            "version-format",
            f"the version {text!r} is not MAJOR.MINOR.PATCH" if text.strip() else "the contract has no version",
            ("version",),
            code=codes.E521,
            element="version",
            expected="three numbers as in 1.4.0",
            actual=text if text.strip() else "nothing",
            suggestion=_version_hint(text),
        )
    major = line_major(path)
    if major is not None and version is not None and version.major != major:
        yield Remark(
            "version-file-name",
            f"the file name says v{major}, the contract says {text}",
            ("version",),
            code=codes.E521,
            element="version",
            expected=f"a version that begins with {major}.",
            actual=text,
            suggestion=f"Put it into a file of its own named .v{version.major}., or write a version {major}.x.y.",
        )


def _version_hint(text: str) -> str:
    numbers = re.match(r"\s*[vV]?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?![^\W_])", text, re.ASCII)
    if numbers:
        return f'Write version: "{".".join(str(int(part or 0)) for part in numbers.groups())}".'
    return 'Write three numbers, for instance version: "1.0.0".'


def _status(contract: Contract) -> Iterator[Remark]:
    """A remark on a near miss of a status that the gate goes by; any other status may be written."""
    word = (contract.status or "").strip().casefold()
    meant = closest(word, _STATUSES) if word and word not in _STATUSES else None
    if meant is not None and meant[0] == word[0]:
        yield Remark(
            "status-unknown",
            f"the status {contract.status!r} has no meaning to floe; did you mean {meant!r}?",
            ("status",),
            severity=Severity.WARNING,
            element="status",
            expected="one of " + ", ".join(_STATUSES),
            actual=contract.status or "",
            suggestion=f"Write status: {meant}.",
        )


def _deprecation(contract: Contract, notice_days: int) -> Iterator[Remark]:
    notice = contract.deprecation
    for problem in notice_problems(contract, notice_days):
        yield Remark(
            problem.rule,
            problem.message,
            (*notice.at, problem.key) if notice and notice.at and problem.key != "status" else ("status",),
            severity=Severity.ERROR if problem.certain else Severity.WARNING,
            code=codes.E527,
            element="deprecation",
            expected=problem.expected,
            actual=problem.actual,
            suggestion=problem.fix,
        )


def _consumers(contract: Contract) -> Iterator[Remark]:
    if not any(consumer.columns for consumer in contract.consumers):
        return
    known = {".".join(path) for table in contract.objects for path, _ in table.columns()}
    known |= {f"{table.name}.{'.'.join(path)}" for table in contract.objects for path, _ in table.columns()}
    for consumer in contract.consumers:
        for column in consumer.columns:
            if column not in known:
                yield Remark(
                    "consumer-column-unknown",
                    f"consumer {consumer.name!r} reads {column!r}, which this contract does not have",
                    consumer.at,
                    severity=Severity.WARNING,
                    element=column,
                    suggestion="Correct the column name, or drop it from the consumer's list.",
                )
