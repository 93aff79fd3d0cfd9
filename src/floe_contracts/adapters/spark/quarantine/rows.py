"""The rows that break rules, each once for every rule that it breaks, as text with classified columns masked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import reduce
from operator import and_
from typing import TypeVar

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....checks.measure import DuplicateCount, OrphanCount
from ....checks.measured import Failure
from ....checks.rules.check import QualityCheck
from ....errors import FloeError
from ....monitor.run.plan import key_set
from ....monitor.run.quarantine import OF_ONE_ROW
from ..columns.paths import quote
from ..duplicates.uniqueness import key_of
from ..measure.aggregate import fails
from ..measure.orphans import Opener, find_orphans
from ..read.open import OpenTable

T = TypeVar("T")
MASK = "***"
_ROW = "floe_row"


def failing_rows(
    table: OpenTable, rules: Sequence[QualityCheck], masked: Collection[str], open_target: Opener
) -> DataFrame | None:
    """`rule` and `row` for every row at fault; None where no rule is about single rows.

    Keys are looked for among all rows, as they are when they are counted; all else among the filtered ones.
    """
    frames = [*_by_value(table.frame, rules, masked), *_by_key(table.all_rows, rules, masked)]
    frames += _by_reference(table.frame, rules, masked, open_target)
    return reduce(DataFrame.unionByName, frames) if frames else None


def _by_value(frame: DataFrame, rules: Sequence[QualityCheck], masked: Collection[str]) -> Iterator[DataFrame]:
    """One pass over the rows for all rules that a row breaks by itself."""
    broken = [
        sf.when(_require(fails(rule.measure, frame.schema)), sf.lit(rule.id))
        for rule in rules
        if isinstance(rule.measure, OF_ONE_ROW)
    ]
    if broken:
        marked = frame.select(sf.array_compact(sf.array(*broken)).alias("rules"), _row(frame, masked))
        rows = marked.where(sf.size("rules") > 0)
        yield rows.select(sf.explode("rules").alias("rule"), sf.col(_ROW).alias("row"))


def _by_key(frame: DataFrame, rules: Sequence[QualityCheck], masked: Collection[str]) -> Iterator[DataFrame]:
    """All rows of each key that occurs more than once."""
    for rule in rules:
        if isinstance(rule.measure, DuplicateCount):
            parts = _require(key_of(frame.schema, key_set(rule.measure))).parts
            names = [f"floe_{number}" for number in range(len(parts))]
            keys = [part.alias(name) for part, name in zip(parts, names, strict=True)]
            rows = frame.select(*keys, _row(frame, masked)).where(
                reduce(and_, (sf.col(name).isNotNull() for name in names))
            )
            repeated = rows.groupBy(*names).agg(sf.count(sf.lit(1)).alias("floe_rows")).where("floe_rows > 1")
            yield _name_rule(rows.join(repeated, names, "left_semi"), rule)


def _by_reference(
    frame: DataFrame, rules: Sequence[QualityCheck], masked: Collection[str], open_target: Opener
) -> Iterator[DataFrame]:
    for rule in rules:
        if isinstance(rule.measure, OrphanCount):
            target = _require(open_target(rule.measure.target))
            yield _name_rule(find_orphans(frame, rule.measure, target, (_row(frame, masked),)), rule)


def _name_rule(rows: DataFrame, rule: QualityCheck) -> DataFrame:
    return rows.select(sf.lit(rule.id).alias("rule"), sf.col(_ROW).alias("row"))


def _row(frame: DataFrame, masked: Collection[str]) -> Column:
    """A row as JSON, with times in UTC; of a masked column only whether it has a value."""
    fields = [_field(field, masked=field.name in masked) for field in frame.schema.fields]
    return sf.to_json(sf.struct(*fields), {"timeZone": "UTC", "ignoreNullFields": "false"}).alias(_ROW)


def _field(field: st.StructField, *, masked: bool) -> Column:
    value = sf.col(quote(field.name))
    if masked:
        return sf.when(value.isNotNull(), sf.lit(MASK)).alias(field.name)
    kind = field.dataType.typeName()
    no_json = "interval" in kind or kind in ("void", "time") or kind.startswith("time(")
    return (value.cast("string") if no_json else value).alias(field.name)


def _require(answer: T | Failure) -> T:
    if isinstance(answer, Failure):
        raise FloeError(answer.reason)
    return answer
