"""One semantic observation about a contract, still without a line number."""

from __future__ import annotations

from ... import codes
from ...codes import Code, Severity
from ...frozen import dataclass
from ..model import Pointer


@dataclass(frozen=True, slots=True)
class Remark:
    """A semantic observation; `load` turns it into a Finding once the place is known."""

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
