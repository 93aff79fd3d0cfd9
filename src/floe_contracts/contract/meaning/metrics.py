"""Parts of quality rules in one spelling, whichever version of the standard they were written for."""

from __future__ import annotations

import re

from ..model import QualityRule
from .texts import fold, text

_OLD_NAMES = {"duplicatecount": "duplicatevalues", "nullcount": "nullvalues", "nullcheck": "nullvalues"}  # ODCS 3.0
# Names that ODCS 3.0 left to its users.
_USERS_NAMES = {
    "notnull": "nullvalues",
    "null": "nullvalues",
    "missingcount": "missingvalues",
    "invalid": "invalidvalues",
    "invalidcount": "invalidvalues",
    "validvalues": "invalidvalues",
    "unique": "duplicatevalues",
    "uniquecheck": "duplicatevalues",
    "countcheck": "rowcount",
    "row_count": "rowcount",
}
COLUMN_KEYS = ("column", "property", "field", "columns", "properties", "fields")
# What each metric reads beside the columns that it is about.
ARGUMENTS = {
    "nullvalues": (),
    "missingvalues": ("missingValues",),
    "invalidvalues": ("validValues", "pattern"),
    "duplicatevalues": (),
    "rowcount": (),
}
_PERCENT = frozenset({"percent", "percentage", "pct", "%"})
_ROWS = frozenset({"", "row", "rows"})


def metric_of(rule: QualityRule) -> str:
    """The metric in lower case, by its name in ODCS 3.1 and later; empty when there is none."""
    word = fold(rule.metric)
    return _OLD_NAMES.get(word, word)


def measured_metric(rule: QualityRule) -> str:
    """The metric by the name of the standard's library, whoever named it."""
    word = metric_of(rule)
    return _USERS_NAMES.get(word, word)


def unit_of(rule: QualityRule) -> str:
    """What the threshold counts: rows unless said otherwise."""
    word = fold(rule.unit)
    return "percent" if word in _PERCENT else "rows" if word in _ROWS else word


def severity_of(word: str | None) -> str:
    """How bad a broken rule is; an error unless it says otherwise."""
    return fold(word) or "error"


_SPACES = re.compile(r"('(?:[^']|'')*'|\"[^\"]*\")|\s+")


def squeeze_query(query: str | None) -> str:
    """A query without its line breaks and indentation; what stands in quotes stays."""
    return _SPACES.sub(lambda blank: blank[1] or " ", text(query)).strip()
