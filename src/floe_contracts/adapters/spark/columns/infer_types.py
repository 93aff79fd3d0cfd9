"""The schema of a source without types: a column has the promised type where all of its values read so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....checks.measure import Path
from ....checks.measured import ITEM
from ....checks.names import below_items
from ..measure.limits import FLOATS, try_cast
from .paths import condition, tally

_WHOLE = (st.ByteType, st.ShortType, st.IntegerType, st.LongType)
_NESTED = (st.StructType, st.ArrayType, st.MapType)
_FORMATS = {"date": "dateFormat", "timestamp": "timestampFormat", "timestamp_ntz": "timestampNTZFormat"}
_AT_ONCE = 80  # more aggregates than that cost Spark its generated code

Reads = Callable[[Column, st.DataType, st.DataType, Mapping[str, str]], Column]  # value, its type, the promised one


@dataclass(frozen=True, slots=True)
class Fit:
    """A test whether a value reads as promised, by the rules of a format, with the reader's options."""

    reads: Reads
    options: Mapping[str, str]


def infer_schema(frame: DataFrame, promised: st.StructType, fit: Fit) -> st.StructType:
    """The schema with the promised type wherever every value there reads as such."""
    wanted = dict(_leaves(frame.schema, promised, ()))
    bad = _find_misfits(frame, wanted, fit)
    good = {path: kind for path, kind in wanted.items() if path not in bad}
    return _replace_fields(frame.schema, (), good)


def _leaves(kind: st.DataType, wanted: st.DataType, path: Path) -> Iterator[tuple[Path, st.DataType]]:
    """Paths and promised types where both schemas have a value and the types differ."""
    if isinstance(kind, st.StructType) and isinstance(wanted, st.StructType):
        by_name = {field.name.casefold(): field.dataType for field in wanted.fields}
        for field in kind.fields:
            if field.name.casefold() in by_name:
                yield from _leaves(field.dataType, by_name[field.name.casefold()], (*path, field.name))
    elif isinstance(kind, st.ArrayType) and isinstance(wanted, st.ArrayType):
        yield from _leaves(kind.elementType, wanted.elementType, (*path, ITEM))
    elif kind != wanted and (not isinstance(kind, _NESTED) or _may_be_map(kind, wanted)):
        yield path, wanted


def _may_be_map(kind: st.DataType, wanted: st.DataType) -> bool:
    """Whether an object may be a map: in JSON one whose keys are data looks like one whose keys are names."""
    return (
        isinstance(kind, st.StructType) and isinstance(wanted, st.MapType) and isinstance(wanted.keyType, st.StringType)
    )


def _replace_fields(struct: st.StructType, path: Path, good: Mapping[Path, st.DataType]) -> st.StructType:
    kinds = [_replace_types(field.dataType, (*path, field.name), good) for field in struct.fields]
    return st.StructType([st.StructField(name, kind) for name, kind in zip(struct.names, kinds, strict=True)])


def _replace_types(kind: st.DataType, path: Path, good: Mapping[Path, st.DataType]) -> st.DataType:
    if path in good:
        return good[path]
    if isinstance(kind, st.StructType):
        return _replace_fields(kind, path, good)
    if isinstance(kind, st.ArrayType):
        return st.ArrayType(_replace_types(kind.elementType, (*path, ITEM), good), kind.containsNull)
    return kind


def _find_misfits(frame: DataFrame, wanted: Mapping[Path, st.DataType], fit: Fit) -> set[Path]:
    """Paths with a value that does not read as promised."""
    paths = list(wanted)
    bad: set[Path] = set()
    for start in range(0, len(paths), _AT_ONCE):
        group = paths[start : start + _AT_ONCE]
        row = frame.agg(*(_has_misfit(frame.schema, path, wanted[path], fit) for path in group)).first()
        bad |= {path for path, misfits in zip(group, row or (), strict=True) if misfits}
    return bad


def _has_misfit(schema: st.StructType, path: Path, wanted: st.DataType, fit: Fit) -> Column:
    """An aggregate: whether any value does not read as promised."""

    def question(value: Column, kind: st.DataType) -> Column:
        return value.isNotNull() & ~sf.coalesce(fit.reads(value, kind, wanted, fit.options), sf.lit(False))

    if below_items(path):
        return sf.max(tally(schema, path, question) > sf.lit(0))
    return sf.max(condition(schema, path, question))


def reads_from_text(value: Column, kind: st.DataType, wanted: st.DataType, options: Mapping[str, str]) -> Column:
    """Whether a value of CSV, a text, reads as promised; columns from the names of folders may be more already."""
    if isinstance(wanted, (*_NESTED, st.BinaryType, st.StringType)):
        return sf.lit(isinstance(wanted, st.StringType) and not isinstance(kind, st.StringType))
    if not isinstance(kind, st.StringType):
        return try_cast(value, wanted).isNotNull()
    read = cast_text(value, wanted, options)
    if isinstance(wanted, st.DecimalType):  # a cast would round what has more digits
        exact = st.DecimalType(38, 38 - (wanted.precision - wanted.scale))
        return read.cast(exact) == try_cast(value, exact)
    return read.isNotNull()


def reads_from_json(value: Column, kind: st.DataType, wanted: st.DataType, options: Mapping[str, str]) -> Column:
    """Whether a value of JSON reads as promised; a text is no number there, but may be a time or bytes."""
    if isinstance(kind, st.StructType) and isinstance(wanted, st.MapType):
        return _object_reads(value, kind, wanted.valueType, options)
    if isinstance(kind, st.StringType):
        if wanted.typeName() in _FORMATS or wanted.typeName().startswith("time"):
            return cast_text(value, wanted, options).isNotNull()
        return (
            sf.try_to_binary(value, sf.lit("base64")).isNotNull()
            if isinstance(wanted, st.BinaryType)
            else sf.lit(False)
        )
    return _number_reads(value, kind, wanted)


def _object_reads(value: Column, kind: st.StructType, wanted: st.DataType, options: Mapping[str, str]) -> Column:
    """Whether all values of an object read as those of the map."""
    items = [(value.getField(field.name), field.dataType) for field in kind.fields if field.dataType != wanted]
    tests = ((item, reads_from_json(item, type_, wanted, options)) for item, type_ in items)
    each = (item.isNull() | sf.coalesce(test, sf.lit(False)) for item, test in tests)
    return reduce(and_, each, sf.lit(True))


def _number_reads(value: Column, kind: st.DataType, wanted: st.DataType) -> Column:
    """Whether a number reads without loss; a fraction is no whole number, even 0.0, because Spark reads it as none."""
    if isinstance(kind, (*_WHOLE, st.DoubleType)) and isinstance(wanted, FLOATS):
        return sf.lit(True)
    if isinstance(kind, _WHOLE) and isinstance(wanted, (*_WHOLE, st.DecimalType)):
        return try_cast(value, wanted).isNotNull()
    if isinstance(kind, st.DoubleType) and isinstance(wanted, st.DecimalType):
        return try_cast(value, wanted).cast(kind) == value
    return sf.lit(False)


def cast_text(value: Column, wanted: st.DataType, options: Mapping[str, str]) -> Column:
    """The value of a text; null where it has none. A format among the options is that of Spark's readers."""
    pattern = options.get(_FORMATS.get(wanted.typeName(), ""), "")
    if not pattern:
        return try_cast(value, wanted)
    return sf.try_to_timestamp(value, sf.lit(pattern)).cast(wanted)
