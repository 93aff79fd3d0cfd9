"""How many quality rules were met and how many were not; each slot adds them once, when its check is first done."""

from __future__ import annotations

from dataclasses import dataclass

from ..checks import context_keys as keys
from ..results import CheckResult, Outcome


@dataclass(frozen=True, slots=True)
class RuleCount:
    """Rules that were judged; what could not be measured is no part of it."""

    passed: int = 0
    failed: int = 0

    @property
    def judged(self) -> int:
        return self.passed + self.failed

    def plus(self, more: RuleCount) -> RuleCount:
        return RuleCount(self.passed + more.passed, self.failed + more.failed)


def rules_in(result: CheckResult) -> RuleCount | None:
    """None where no rule was judged, and where the check was not done: then the slot may be tried again."""
    said = dict(result.context)
    judged, failed = said.get(keys.RULES, ""), said.get(keys.RULES_FAILED, "")
    if result.outcome not in (Outcome.PASSED, Outcome.VIOLATED) or not (judged.isdecimal() and failed.isdecimal()):
        return None
    return RuleCount(int(judged) - int(failed), int(failed)) if int(judged) >= max(1, int(failed)) else None
