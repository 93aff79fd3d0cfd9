"""A tier that breaks a rule of the tiers above it: as a value, as a finding, and as an exception."""

from __future__ import annotations

from ..codes import E513, Code
from ..contract.model import Pointer
from ..errors import FloeError
from ..frozen import dataclass
from ..results import Finding, Location
from .row import show_key


@dataclass(frozen=True, slots=True)
class TierWeakening:
    """One key of one tier that the tiers above do not allow."""

    pointer: Pointer
    message: str
    tier: str
    location: Location | None = None
    expected: str = ""
    actual: str = ""
    parent: str = ""  # which tier set the parent's value, and where
    fix: str = ""
    code: Code = E513

    def finding(self) -> Finding:
        """For reports, with the place of the child's value."""
        above = f" ({self.parent})" if self.parent else ""
        return Finding.of(
            self.code,
            "policy-weaker" if self.code is E513 else "not-approved",
            f"{self.message}{above}",
            element=show_key(self.pointer),
            location=self.location,
            expected=self.expected,
            actual=self.actual,
            suggestions=(self.fix,) if self.fix else (),
        )


class PolicyViolationError(FloeError):
    """A manifest that weakens its parent; `violations` holds every place, the message the first."""

    exit_code = 1
    code = E513

    def __init__(self, violations: tuple[TierWeakening, ...]) -> None:
        first = violations[0]
        place = f" at {first.location}" if first.location else ""
        super().__init__(f"{first.message}; {first.tier}{place}", fix=first.fix, code=first.code)
        self.violations = violations
