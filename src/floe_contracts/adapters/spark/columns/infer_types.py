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
from .paths import condition, quote, tally

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


@dataclass(frozen=True, slots=True)
class CountedFit:
    """A schema, and how many rows answered another question in the same pass."""

    schema: st.StructType
    count: int = 0
    misfits: int = 0  # columns with a value that does not read as promised


def infer_schema(frame: DataFrame, promised: st.StructType, fit: Fit) -> st.StructType:
    """The schema with the promised type wherever every value there reads as such."""
    return infer_and_count(frame, promised, fit).schema


def infer_and_count(frame: DataFrame, promised: st.StructType, fit: Fit, counted: Column | None = None) -> CountedFit:
    """The same, and the number of rows for which `counted` holds; their values say nothing about types."""
    wanted = dict(_leaves(frame.schema, promised, ()))
    bad, count = _find_misfits(frame, wanted, fit, counted)
    good = {path: kind for path, kind in wanted.items() if path not in bad}
    return CountedFit(_replace_fields(frame.schema, (), good), count, len(bad))


def add_absent_fields(schema: st.StructType, promised: st.StructType) -> st.StructType:
    """The schema with promised fields that it lacks, at any depth outside of maps."""
    fields = [st.StructField(field.name, _complete(field, promised)) for field in schema.fields]
    known = {field.name.casefold() for field in schema.fields}
    return st.StructType([*fields, *(field for field in promised.fields if field.name.casefold() not in known)])


def _complete(field: st.StructField, promised: st.StructType) -> st.DataType:
    wanted = next((other.dataType for other in promised.fields if other.name.casefold() == field.name.casefold()), None)
    kind = field.dataType
    if isinstance(kind, st.StructType) and isinstance(wanted, st.StructType):
        return add_absent_fields(kind, wanted)
    if isinstance(kind, st.ArrayType) and isinstance(wanted, st.ArrayType):
        item, promised_item = kind.elementType, wanted.elementType
        if isinstance(item, st.StructType) and isinstance(promised_item, st.StructType):
            return st.ArrayType(add_absent_fields(item, promised_item))
    return kind


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


def _find_misfits(
    frame: DataFrame, wanted: Mapping[Path, st.DataType], fit: Fit, counted: Column | None
) -> tuple[set[Path], int]:
    """Paths with a value that does not read as promised, and the number of rows that are counted and not looked at."""
    paths = list(wanted)
    bad: set[Path] = set()
    number = 0
    for start in range(0, max(len(paths), counted is not None), _AT_ONCE):
        group = paths[start : start + _AT_ONCE]
        tests = [_has_misfit(frame.schema, path, wanted[path], fit, counted) for path in group]
        aggregates = [*tests, *(_count_beside_all(frame, counted) if counted is not None and not start else ())]
        row = frame.agg(*aggregates).first() or ()
        bad |= {path for path, misfits in zip(group, row, strict=False) if misfits}
        number += row[len(group)] if len(row) > len(group) else 0
    return bad, number


def _count_beside_all(frame: DataFrame, counted: Column) -> tuple[Column, ...]:
    """The number of rows, and something about all columns: Spark refuses a look at bad rows and at nothing else."""
    texts = [sf.col(quote(field.name)) for field in frame.schema.fields if isinstance(field.dataType, st.StringType)]
    others = [
        sf.col(quote(field.name)) for field in frame.schema.fields if not isinstance(field.dataType, st.StringType)
    ]
    return sf.count(sf.when(counted, sf.lit(1))), sf.max(sf.coalesce(*texts)), *map(sf.count, others[:1])


def _has_misfit(schema: st.StructType, path: Path, wanted: st.DataType, fit: Fit, left_out: Column | None) -> Column:
    """An aggregate: whether any value does not read as promised, in rows that are not left out."""

    def question(value: Column, kind: st.DataType) -> Column:
        misfit = value.isNotNull() & ~sf.coalesce(fit.reads(value, kind, wanted, fit.options), sf.lit(False))
        return misfit if left_out is None else ~left_out & misfit

    if below_items(path):
        return sf.max(tally(schema, path, question) > sf.lit(0))
    return sf.max(condition(schema, path, question))


def reads_from_text(value: Column, kind: st.DataType, wanted: st.DataType, options: Mapping[str, str]) -> Column:
    """Whether a value of CSV, a text, reads as promised; columns from the names of folders may be more already."""
    if isinstance(wanted, st.BinaryType):
        return sf.lit(isinstance(kind, st.StringType))
    if isinstance(wanted, (*_NESTED, st.StringType)):
        return sf.lit(isinstance(wanted, st.StringType) and not isinstance(kind, st.StringType))
    if not isinstance(kind, st.StringType):
        return try_cast(value, wanted).isNotNull()
    read = cast_text(value, wanted, options)
    if isinstance(wanted, st.DecimalType):  # a cast would round what has more digits
        exact = st.DecimalType(38, 38 - (wanted.precision - wanted.scale))
        return read.cast(exact) == try_cast(value, exact)
    return read.isNotNull()


def reads_from_json(value: Column, kind: st.DataType, wanted: st.DataType, options: Mapping[str, str]) -> Column:
    """Whether a value of JSON reads as promised; a text is not a number there, but may be a time or bytes."""
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
    """Whether a number reads without loss; a fraction is not a whole number, not even 0.0: Spark reads it as none."""
    if isinstance(kind, (*_WHOLE, st.DoubleType)) and isinstance(wanted, FLOATS):
        return sf.lit(True)
    if isinstance(kind, _WHOLE) and isinstance(wanted, (*_WHOLE, st.DecimalType)):
        return try_cast(value, wanted).isNotNull()
    if isinstance(kind, st.DecimalType):  # whole numbers beyond 64 bits, or fractions by the option prefersDecimal
        exact = isinstance(wanted, (*(_WHOLE if not kind.scale else ()), st.DecimalType))
        return try_cast(value, wanted) == value if exact else sf.lit(isinstance(wanted, FLOATS))
    if isinstance(kind, st.DoubleType) and isinstance(wanted, st.DecimalType):
        return try_cast(value, wanted).cast(kind) == value
    return sf.lit(False)


def cast_text(value: Column, wanted: st.DataType, options: Mapping[str, str]) -> Column:
    """The value of a text; null where it has none. A format among the options is that of Spark's readers."""
    pattern = options.get(_FORMATS.get(wanted.typeName(), ""), "")
    if isinstance(wanted, st.BinaryType):
        return value.cast(wanted)
    if not pattern:
        return try_cast(value, wanted)
    return sf.try_to_timestamp(value, sf.lit(pattern)).cast(wanted)
