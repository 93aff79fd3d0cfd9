"""The rule that every record of a table can be read, for sources in which some may not be."""

from __future__ import annotations

from ...contract.model import SchemaObject
from ..measure import RowCount
from .check import QualityCheck
from .results import RuleResult
from .thresholds import to_fraction


def judge_readable(table: SchemaObject, unreadable: int) -> RuleResult:
    """The rule and whether it holds; records that cannot be read are left out of all other rules."""
    rule = QualityCheck(
        id=f"{table.name}.readable",
        name="readable",
        element=table.name,
        measure=RowCount(),
        dimension="conformity",
        says=f"every record of {table.name} can be read as promised",
    )
    return RuleResult(rule, "fail" if unreadable else "pass", to_fraction(unreadable))
