"""Where failing rows are kept, as `--quarantine` says it, and which ones a result asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from ...checks.measure import DuplicateCount, InvalidCount, MissingCount, NullCount, OrphanCount
from ...checks.rules.check import QualityCheck
from ...errors import UsageError
from ...results import CheckResult

TableFormat = Literal["", "iceberg", "delta", "parquet"]
_FORMAT = re.compile(r"(iceberg|delta|parquet):(?!/{2})(.*)", re.IGNORECASE)
_FIX = "Write lake.quality.failing_rows for a table, or s3a://lake/failing_rows or ./failing_rows for a folder."
OF_ONE_ROW = (NullCount, MissingCount, InvalidCount)  # a row breaks them by itself


@dataclass(frozen=True, slots=True)
class Quarantine:
    """A table by its name in Spark's catalogs, or a folder; without a format what is there says it."""

    name: str
    is_folder: bool = False
    format: TableFormat = ""


@dataclass(frozen=True, slots=True)
class RowsOf:
    """The rows that one write replaces: those of one contract in one slot, of whatever rule."""

    namespace: str
    contract: str
    slot: str

    def pairs(self) -> tuple[tuple[str, str], ...]:
        return ("namespace", self.namespace), ("contract", self.contract), ("slot", self.slot)


def parse_quarantine(text: str) -> Quarantine:
    """The place that `--quarantine` names; a UsageError when it can be none."""
    match = _FORMAT.fullmatch(text.strip())
    word, name = (match[1].lower(), match[2].strip()) if match else ("", text.strip())
    if not name:
        raise UsageError("--quarantine names neither a table nor a folder", fix=_FIX)
    is_folder = word == "parquet" or name.startswith(".") or "/" in name or "\\" in name
    if is_folder and word == "iceberg":
        raise UsageError(f"--quarantine {text}: Iceberg tables have names, and this is a folder", fix=_FIX)
    formats: dict[str, TableFormat] = {"iceberg": "iceberg", "delta": "delta", "parquet": "parquet"}
    return Quarantine(name, is_folder, formats.get(word, ""))


def broken_rules(result: CheckResult) -> frozenset[str]:
    """The ids of the rules that a result found broken."""
    ids = (item.facts.rule_id for item in result.findings if item.violation_type and item.facts)
    return frozenset(rule_id for rule_id in ids if rule_id)


def has_rows(rule: QualityCheck) -> bool:
    """Whether single rows are at fault where the rule is broken: not for numbers of rows, nor for queries."""
    return isinstance(rule.measure, (*OF_ONE_ROW, DuplicateCount, OrphanCount))
