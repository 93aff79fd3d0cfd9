"""Decides which columns of a source without types read as promised, by looking at all of their values in one pass."""

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
from ..measure.limits import tried
from .paths import condition, tally

_WHOLE = (st.ByteType, st.ShortType, st.IntegerType, st.LongType)
_FLOATS = (st.FloatType, st.DoubleType)
_NESTED = (st.StructType, st.ArrayType, st.MapType)
_FORMATS = {"date": "dateFormat", "timestamp": "timestampFormat", "timestamp_ntz": "timestampNTZFormat"}
_AT_ONCE = 80  # more aggregates than that cost Spark its generated code

Reads = Callable[[Column, st.DataType, st.DataType, Mapping[str, str]], Column]  # value, its type, the promised one


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether a value reads as promised, by the rules of a format, and the options that it is read with."""

    reads: Reads
    options: Mapping[str, str]


def fitted(frame: DataFrame, promised: st.StructType, fit: Fit) -> st.StructType:
    """The schema with the promised type wherever every value there reads as such."""
    wanted = dict(_leaves(frame.schema, promised, ()))
    good = {path: kind for path, kind in wanted.items() if path not in _bad(frame, wanted, fit)} if wanted else {}
    return st.StructType(
        [st.StructField(one.name, _replaced(one.dataType, (one.name,), good)) for one in frame.schema.fields]
    )


def _leaves(found: st.DataType, wanted: st.DataType, path: Path) -> Iterator[tuple[Path, st.DataType]]:
    """Where both have a value and the types differ."""
    if isinstance(found, st.StructType) and isinstance(wanted, st.StructType):
        by_name = {field.name.casefold(): field.dataType for field in wanted.fields}
        for field in found.fields:
            if field.name.casefold() in by_name:
                yield from _leaves(field.dataType, by_name[field.name.casefold()], (*path, field.name))
    elif isinstance(found, st.ArrayType) and isinstance(wanted, st.ArrayType):
        yield from _leaves(found.elementType, wanted.elementType, (*path, ITEM))
    elif found != wanted and (not isinstance(found, _NESTED) or _may_be_map(found, wanted)):
        yield path, wanted


def _may_be_map(found: st.DataType, wanted: st.DataType) -> bool:
    """JSON has no word of its own for maps: an object whose keys are data looks like one whose keys are names."""
    return (
        isinstance(found, st.StructType)
        and isinstance(wanted, st.MapType)
        and isinstance(wanted.keyType, st.StringType)
    )


def _replaced(kind: st.DataType, path: Path, good: Mapping[Path, st.DataType]) -> st.DataType:
    if path in good:
        return good[path]
    if isinstance(kind, st.StructType):
        return st.StructType(
            [st.StructField(one.name, _replaced(one.dataType, (*path, one.name), good)) for one in kind.fields]
        )
    if isinstance(kind, st.ArrayType):
        return st.ArrayType(_replaced(kind.elementType, (*path, ITEM), good), kind.containsNull)
    return kind


def _bad(frame: DataFrame, wanted: Mapping[Path, st.DataType], fit: Fit) -> set[Path]:
    paths = list(wanted)
    found: set[Path] = set()
    for start in range(0, len(paths), _AT_ONCE):
        group = paths[start : start + _AT_ONCE]
        row = frame.agg(*(_misfit(frame.schema, path, wanted[path], fit) for path in group)).first()
        found |= {path for path, misfits in zip(group, row or (), strict=True) if misfits}
    return found


def _misfit(schema: st.StructType, path: Path, wanted: st.DataType, fit: Fit) -> Column:
    """Whether any value is there that does not read as promised."""

    def question(value: Column, kind: st.DataType) -> Column:
        return value.isNotNull() & ~sf.coalesce(fit.reads(value, kind, wanted, fit.options), sf.lit(False))

    if below_items(path):
        return sf.max(tally(schema, path, question) > sf.lit(0))
    return sf.max(condition(schema, path, question))


def from_text(value: Column, kind: st.DataType, wanted: st.DataType, options: Mapping[str, str]) -> Column:
    """In CSV everything is text; columns that come from the names of folders may be more already."""
    if isinstance(wanted, (*_NESTED, st.BinaryType, st.StringType)):
        return sf.lit(isinstance(wanted, st.StringType) and not isinstance(kind, st.StringType))
    if not isinstance(kind, st.StringType):
        return tried(value, wanted).isNotNull()
    read = cast_text(value, wanted, options)
    if isinstance(wanted, st.DecimalType):  # a cast would round what has more digits
        exact = st.DecimalType(38, 38 - (wanted.precision - wanted.scale))
        return read.cast(exact) == tried(value, exact)
    return read.isNotNull()


def from_json(value: Column, kind: st.DataType, wanted: st.DataType, options: Mapping[str, str]) -> Column:
    """JSON has words for numbers and truth values, so there a text is no number; it has none for times and bytes."""
    if isinstance(kind, st.StructType) and isinstance(wanted, st.MapType):
        return _map(value, kind, wanted.valueType, options)
    if isinstance(kind, st.StringType):
        if wanted.typeName() in _FORMATS or wanted.typeName().startswith("time"):
            return cast_text(value, wanted, options).isNotNull()
        return (
            sf.try_to_binary(value, sf.lit("base64")).isNotNull()
            if isinstance(wanted, st.BinaryType)
            else sf.lit(False)
        )
    return _number(value, kind, wanted)


def _map(value: Column, kind: st.StructType, wanted: st.DataType, options: Mapping[str, str]) -> Column:
    """Whether all values of an object read as those of the map."""
    fields = [(value.getField(one.name), one.dataType) for one in kind.fields if one.dataType != wanted]
    each = (one.isNull() | sf.coalesce(from_json(one, found, wanted, options), sf.lit(False)) for one, found in fields)
    return reduce(and_, each, sf.lit(True))


def _number(value: Column, kind: st.DataType, wanted: st.DataType) -> Column:
    """Without loss; a fraction is no whole number, even where it is zero, because Spark reads it as none."""
    if isinstance(kind, (*_WHOLE, st.DoubleType)) and isinstance(wanted, _FLOATS):
        return sf.lit(True)
    if isinstance(kind, _WHOLE) and isinstance(wanted, (*_WHOLE, st.DecimalType)):
        return tried(value, wanted).isNotNull()
    if isinstance(kind, st.DoubleType) and isinstance(wanted, st.DecimalType):
        return tried(value, wanted).cast(kind) == value
    return sf.lit(False)


def cast_text(value: Column, wanted: st.DataType, options: Mapping[str, str]) -> Column:
    """The value of a text; null where it has none. A format among the options is that of Spark's readers."""
    pattern = options.get(_FORMATS.get(wanted.typeName(), ""), "")
    if not pattern:
        return tried(value, wanted)
    return sf.try_to_timestamp(value, sf.lit(pattern)).cast(wanted)
