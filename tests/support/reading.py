"""Contracts from text and from the fixture files, for tests that need no findings."""

from __future__ import annotations

from pathlib import Path

from floe_contracts.contract.model import Contract, Dialect
from floe_contracts.contract.read import fields, floe, odcs
from floe_contracts.contract.source import read_document

READERS = {Dialect.ODCS: odcs.read, Dialect.FLOE: floe.read, Dialect.FIELDS: fields.read}
FIXTURES = Path(__file__).parents[1] / "fixtures" / "contracts"


def read_text(text: str, dialect: Dialect) -> Contract:
    """The contract in a text that must be sound YAML."""
    document = read_document(text.encode())
    assert not document.problems
    assert isinstance(document.value, dict)
    return READERS[dialect](document.value)


def fixture_texts(dialect: Dialect) -> dict[str, str]:
    """The fixture contracts of a dialect by file name."""
    return {path.name: path.read_text() for path in sorted((FIXTURES / dialect.value).glob("*.yaml"))}
