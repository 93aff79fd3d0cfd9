"""One semantic observation about a contract, still without a line number."""

from __future__ import annotations

from collections.abc import Iterable

from ... import codes
from ...codes import Code, Severity
from ...frozen import dataclass
from ..model import Pointer


@dataclass(frozen=True, slots=True)
class Remark:
    """What `load` turns into a Finding once the place is known."""

    rule: str
    message: str
    at: Pointer
    severity: Severity = Severity.ERROR
    code: Code = codes.E501
    element: str = ""
    expected: str = ""
    actual: str = ""
    suggestion: str = ""
    at_key: bool = False


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was most likely meant, or None."""
    from difflib import get_close_matches  # a slow import that only wrong contracts need

    by_folded = {name.casefold(): name for name in known}
    matches = get_close_matches(word.casefold(), by_folded, n=1, cutoff=0.75)
    return by_folded[matches[0]] if matches else None
