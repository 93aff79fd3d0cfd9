"""One mistake, one error: the table row and the check that the tests of structure share."""

from __future__ import annotations

from dataclasses import dataclass

from floe_contracts.codes import Severity
from floe_contracts.contract.model import Dialect, Pointer
from floe_contracts.contract.source import read_document
from floe_contracts.contract.structure import structural_findings
from floe_contracts.contract.structure.words import StructuralError


@dataclass(frozen=True)
class Case:
    """A document, and the only thing that is wrong with it."""

    text: str
    rule: str
    pointer: Pointer
    says: str  # part of the message, of what is expected or of a suggestion
    code: str = "FLOE-E501"
    at_key: bool = False
    severity: Severity = Severity.ERROR


def findings(text: str, dialect: Dialect) -> tuple[StructuralError, ...]:
    """What is said about the structure of a text that must be sound YAML."""
    document = read_document(text.encode())
    assert document.problems == ()
    assert isinstance(document.value, dict)
    return structural_findings(dialect, document.value)


def check(case: Case, dialect: Dialect) -> None:
    """Exactly one error, and it is the one of the case."""
    found = findings(case.text, dialect)
    assert len(found) == 1, [error.message for error in found]
    error = found[0]
    assert (error.code.id, error.rule, error.pointer) == (case.code, case.rule, case.pointer)
    assert (error.at_key, error.severity) == (case.at_key, case.severity)
    assert case.says in " | ".join((error.message, error.expected, *error.suggestions))
