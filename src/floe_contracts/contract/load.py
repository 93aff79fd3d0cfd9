"""From bytes to a contract that can be trusted, with everything there is to say about the file on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import codes
from ..codes import Severity
from ..frozen import dataclass
from ..results import Finding, Location
from .dialects import detect, why_not
from .lifecycle import NOTICE_DAYS
from .lint import remarks
from .lint.remark import Remark
from .model import Contract, Dialect, JsonMap, Pointer
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


def load(data: bytes, path: str, *, trusts_sql: bool = False, notice_days: int = NOTICE_DAYS) -> Loaded:
    """Read, recognise, validate and lint one file; never raises on bad input. `trusts_sql` allows any query."""
    document = read_document(data)
    findings = [_from_problem(problem, path) for problem in document.problems]
    if document.value is None:
        return Loaded(path, document, None, None, tuple(findings))
    dialect = detect(document.value)
    if dialect is None or not isinstance(document.value, dict):
        return Loaded(path, document, None, None, (*findings, _not_a_contract(document, path)))
    structural = structural_findings(dialect, _with_version(document.value))
    contract = _read(dialect, document.value)
    label = contract.label
    known = _KnownErrors.by(structural, document)
    lint = [remark for remark in remarks(contract, path, notice_days) if not known.covers(remark)]
    lint = [remark for remark in lint if remark.code is not codes.E561] if trusts_sql else lint
    twice = _places_of_duplicates(lint)
    findings += [
        structure_finding(error, document, path, label)
        for error in structural
        if error.rule != "duplicate-entry" or error.pointer not in twice
    ]
    findings += [remark_finding(remark, document, path, label) for remark in lint]
    findings = _drop_repeats(findings)
    if not any(item.severity.rank >= Severity.ERROR.rank and item.code not in _ONE_RULE for item in findings):
        return Loaded(path, document, dialect, contract, tuple(findings))
    sound = not any(error.severity.rank >= Severity.ERROR.rank for error in structural) and not document.problems
    return Loaded(path, document, dialect, None, tuple(findings), contract if sound else None, contract)


def _with_version(value: JsonMap) -> JsonMap:
    """The document as its structure is judged: whatever is wrong with a version, lint says it, and nothing else is."""
    return value if isinstance(value.get("version"), str) else {**value, "version": "0.0.0"}


_ONE_RULE = (codes.E561,)  # errors that a run answers with one rule that is not measured
_UNRESOLVED = frozenset({"sla-element-unknown", "consumer-column-unknown", "relationship-unresolved"})
_COLUMNS = frozenset({"schema", "models", "fields"})


def _places_of_duplicates(lint: list[Remark]) -> set[Pointer]:
    """The lists of which a remark names the entry that they hold twice, where a schema cannot."""
    duplicates = [remark.at for remark in lint if remark.rule.startswith("duplicate-")]
    return {at[:end] for at in duplicates for end in range(len(at) + 1)}


@dataclass(frozen=True, slots=True)
class _KnownErrors:
    """What the errors in the structure have told already: values, and names that were not read."""

    pointers: frozenset[Pointer]
    version: bool  # that its key is misspelt
    columns: bool  # that some of them could not be read

    @classmethod
    def by(cls, structural: tuple[StructuralError, ...], document: Document) -> _KnownErrors:
        pointers = frozenset(error.pointer for error in structural if error.pointer)
        absent = isinstance(document.value, dict) and "version" not in document.value
        return cls(
            pointers,
            version=absent and any(_is_misspelt_version(error) for error in structural),
            columns=bool(document.problems) or any(at[0] in _COLUMNS or len(at) == 1 for at in pointers),
        )

    def covers(self, remark: Remark) -> bool:
        """Whether a remark only says the same again."""
        if remark.rule == "version-format" and self.version:
            return True
        if remark.rule in _UNRESOLVED:
            return self.columns
        return remark.rule == "sla-value" and any(
            remark.at[:end] in self.pointers for end in range(1, len(remark.at) + 1)
        )


def _is_misspelt_version(error: StructuralError) -> bool:
    from .structure.spelling import meant_key

    return error.rule == "unknown-key" and meant_key(str(error.pointer[0]), {"version"}) == "version"


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


def structure_finding(error: StructuralError, document: Document, path: str, label: str) -> Finding:
    """A mistake in the structure, at its line."""
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


def remark_finding(remark: Remark, document: Document, path: str, label: str) -> Finding:
    """A remark of lint, at its line."""
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
