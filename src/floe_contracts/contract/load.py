"""From bytes to a contract that can be trusted, with everything there is to say about the file on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import codes
from ..codes import Severity
from ..frozen import dataclass
from ..results import Finding, Location
from .dialects import detect, why_not
from .lint import remarks
from .lint.remark import Remark
from .model import Contract, Dialect, JsonMap
from .source import Document, DocumentProblem, read_document
from .structure import structural_findings

if TYPE_CHECKING:
    from .structure.words import StructuralError


@dataclass(frozen=True, slots=True)
class Loaded:
    """One file as read; `contract` is None when an error makes it unfit to be compared or monitored."""

    path: str
    document: Document
    dialect: Dialect | None
    contract: Contract | None
    findings: tuple[Finding, ...]
    unfit: Contract | None = None  # well-formed, but lint found errors: fit to be left behind, not to be published
    named: Contract | None = None  # as far as a file with errors could be read: fit to say whose file it is

    @property
    def spelling(self) -> str:
        """What was recognised, for people: `odcs v3.1.0`, `floe`, `fields`."""
        if self.dialect is None:
            return "unknown"
        version = self.contract.api_version if self.contract is not None else None
        return f"odcs {version}" if self.dialect is Dialect.ODCS and version else self.dialect.value

    def place(self, pointer: tuple[str | int, ...], *, key: bool = False) -> Location:
        """Where a node of the contract is written."""
        spot = self.document.locate(pointer, key=key)
        return Location(self.path, *spot) if spot else Location(self.path)


def load(data: bytes, path: str) -> Loaded:
    """Read, recognise, validate and lint one file; never raises on bad input."""
    document = read_document(data)
    findings = [_from_problem(problem, path) for problem in document.problems]
    if document.value is None:
        return Loaded(path, document, None, None, tuple(findings))
    dialect = detect(document.value)
    if dialect is None or not isinstance(document.value, dict):
        return Loaded(path, document, None, None, (*findings, _not_a_contract(document, path)))
    structural = structural_findings(dialect, document.value)
    contract = _read(dialect, document.value)
    label = contract.label
    lint = [remark for remark in remarks(contract, path) if not _follows(remark, structural, document)]
    findings += [_from_structure(error, document, path, label) for error in structural if not _is_covered(error, lint)]
    findings += [_from_remark(remark, document, path, label) for remark in lint]
    findings = _drop_repeats(findings)
    if not any(item.severity.rank >= Severity.ERROR.rank for item in findings):
        return Loaded(path, document, dialect, contract, tuple(findings))
    sound = not any(error.severity.rank >= Severity.ERROR.rank for error in structural) and not document.problems
    return Loaded(path, document, dialect, None, tuple(findings), contract if sound else None, contract)


_UNRESOLVED = frozenset({"sla-element-unknown", "consumer-column-unknown", "relationship-unresolved"})
_COLUMNS = frozenset({"schema", "models", "fields"})


def _is_covered(error: StructuralError, lint: list[Remark]) -> bool:
    """Whether a remark names the entry that a list holds twice, or the version to write, where a schema cannot."""
    end = len(error.pointer)
    word = {"duplicate-entry": "duplicate-", "wrong-type": "version-format"}.get(error.rule)
    return word is not None and any(
        remark.rule.startswith(word) and remark.at[:end] == error.pointer for remark in lint
    )


def _follows(remark: Remark, structural: tuple[StructuralError, ...], document: Document) -> bool:
    """Whether a remark only tells what an error in the structure has told: a value, or names of columns not read."""
    if remark.rule in _UNRESOLVED:
        return bool(document.problems) or any(
            error.pointer[:1] and (error.pointer[0] in _COLUMNS or error.pointer[1:] == ()) for error in structural
        )
    return remark.rule == "sla-value" and any(
        error.pointer == remark.at[: len(error.pointer)] and error.pointer for error in structural
    )


def _drop_repeats(findings: list[Finding]) -> list[Finding]:
    """An anchored mapping is found wanting at each of its aliases, and fixed in one place."""
    return list({(item.rule, item.message, item.location): item for item in reversed(findings)}.values())[::-1]


def _read(dialect: Dialect, value: JsonMap) -> Contract:
    # Only the reader that is needed is imported: a hook usually meets one dialect.
    if dialect is Dialect.ODCS:
        from .read.odcs import read
    elif dialect is Dialect.FLOE:
        from .read.floe import read
    else:
        from .read.fields import read
    return read(value)


def _from_problem(problem: DocumentProblem, path: str) -> Finding:
    return Finding.of(
        problem.code,
        problem.rule,
        problem.message,
        location=Location(path, problem.line, problem.column),
        suggestions=(problem.suggestion,) if problem.suggestion else (),
    )


def _not_a_contract(document: Document, path: str) -> Finding:
    return Finding.of(
        codes.E501,
        "not-a-contract",
        f"this is not a data contract: {why_not(document.value)}",
        location=Location(path, 1, 1),
        expected="kind: DataContract (ODCS), models: with elements (floe), or schema: with fields: (fields)",
        suggestions=("Name only contracts, or narrow the globs in .floe/config.yaml.",),
    )


def _place(document: Document, path: str, pointer: tuple[str | int, ...], key: bool) -> Location:
    spot = document.locate(pointer, key=key)
    return Location(path, *spot) if spot else Location(path)


def _from_structure(error: StructuralError, document: Document, path: str, label: str) -> Finding:
    return Finding.of(
        error.code,
        error.rule,
        error.message,
        severity=error.severity,
        contract=label,
        element=".".join(str(part) for part in error.pointer),
        location=_place(document, path, error.pointer, error.at_key),
        expected=error.expected,
        actual=error.actual,
        suggestions=error.suggestions,
    )


def _from_remark(remark: Remark, document: Document, path: str, label: str) -> Finding:
    return Finding.of(
        remark.code,
        remark.rule,
        remark.message,
        severity=remark.severity,
        contract=label,
        element=remark.element,
        location=_place(document, path, remark.at, remark.at_key),
        expected=remark.expected,
        actual=remark.actual,
        suggestions=(remark.suggestion,) if remark.suggestion else (),
    )
