"""Remarks about names that say nothing: of the contract, its tables and its columns."""

from __future__ import annotations

from collections.abc import Iterator

from ...codes import Severity
from ..model import Contract, Dialect, Pointer
from .remark import Remark


def name_remarks(contract: Contract) -> Iterator[Remark]:
    """A remark for each blank name; the identity of a contract is an error, as its version is."""
    own = "schema" if contract.dialect is Dialect.FIELDS else "name"  # which names the one table too
    for key, text in (("id", contract.id), (own, contract.name)):
        if text and not text.strip():
            yield _remark("contract", key, text, (key,))
    for table in contract.objects:
        if _is_blank(table.name, contract.dialect) and table.name != contract.name:
            yield _remark("table", "name", table.name, (*table.at, "name"), Severity.WARNING)
        for path, prop in table.columns():
            if _is_blank(prop.name, contract.dialect) and path[-1] == prop.name:
                yield _remark("column", "name", prop.name, (*prop.at, "name"), Severity.WARNING)


def _is_blank(name: str, dialect: Dialect) -> bool:
    return not name.strip() and bool(
        name or dialect is not Dialect.FIELDS
    )  # whose schema has names of one sign or more


def _remark(what: str, key: str, text: str, at: Pointer, severity: Severity = Severity.ERROR) -> Remark:
    return Remark(
        "name-blank",
        f"the {key} of a {what} is blank, so nobody can name it",
        at,
        severity=severity,
        element=key,
        expected="some letters",
        actual=repr(text),
        suggestion=f"Write the {key} that the {what} has, or remove what has none.",
    )
