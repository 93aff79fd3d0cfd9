"""Quality metrics and units under one name, whichever version of the standard they were written for."""

from __future__ import annotations

from ..model import QualityRule

_OLD_NAMES = {"duplicatecount": "duplicatevalues", "nullcount": "nullvalues", "nullcheck": "nullvalues"}  # ODCS 3.0
_PERCENT = frozenset({"percent", "percentage", "pct", "%"})
_ROWS = frozenset({"", "row", "rows"})


def metric_of(rule: QualityRule) -> str:
    """The metric in lower case, by its name in ODCS 3.1 and later; empty when there is none."""
    word = (rule.metric or "").strip().casefold()
    return _OLD_NAMES.get(word, word)


def unit_of(rule: QualityRule) -> str:
    """What the threshold counts: rows unless said otherwise."""
    word = (rule.unit or "").strip().casefold()
    return "percent" if word in _PERCENT else "rows" if word in _ROWS else word
