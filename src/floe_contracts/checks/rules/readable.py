"""Rules that hold for every table of files: records can be read, and folders say the values that files say."""

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


def judge_folder_values(table: SchemaObject, column: str, rows: int) -> RuleResult:
    """The rule that a column in the names of folders is the same column inside their files, and whether it holds."""
    rule = QualityCheck(
        id=f"{table.name}.{column}.folder_value",
        name="folder_value",
        element=column,
        measure=RowCount(),
        column=(column,),
        columns=(column,),
        dimension="consistency",
        says=f"{column} is the same in the names of folders and inside their files",
    )
    return RuleResult(rule, "fail" if rows else "pass", to_fraction(rows))
