"""The ready waiver for every finding that blocks: what to paste, with reason and approver left to a person."""

from __future__ import annotations

from datetime import date, timedelta

from ..frozen import replace
from ..results import Finding, Report
from .outline import waivable
from .safe import log_safe

FILE = ".floe/waivers.yaml"
TERM = timedelta(days=30)  # a proposal; at most 90 are allowed


def waiver_blocks(report: Report, today: date, most: int | None = None) -> tuple[str, ...]:
    """One YAML block per finding that a waiver could excuse, worst first, each line harmless."""
    found = waivable(report)[:most]
    if not found:
        return ()
    from ..compat.waivers import waiver_block

    return tuple(waiver_block(_harmless(item), today + TERM) for item in found)


def _harmless(item: Finding) -> Finding:
    # Only the fingerprint decides what is waived, so names may be shown instead of told exactly.
    return replace(
        item,
        fingerprint=log_safe(item.fingerprint, 80),
        contract=log_safe(item.contract),
        rule=log_safe(item.rule, 100),
        element=log_safe(item.element),
    )
