"""Each test of a value as a Spark condition for the type that the column really has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import reduce
from operator import and_
from typing import Any

from pyspark.sql import Column
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ...checks import measure as m
from ...checks.formats import FORMATS
from ...contract.meaning.exact import number_of
from .places import CannotAsk
from .scales import Scale, scale_of

_TEXTS = (st.StringType, st.CharType, st.VarcharType)
_FLOATS = (st.FloatType, st.DoubleType)
_SPELLED = (st.IntegralType, st.DecimalType, st.BooleanType, st.DateType)  # types that spell a value in one way only
_TIMES = (st.DateType, st.TimestampType, st.TimestampNTZType)
_READ_AS = st.DecimalType(38, 18)  # what a number in a text column is read as
_ODD = {"nan": "nan", ".nan": "nan", "inf": "inf", ".inf": "inf", "infinity": "inf"}


def valid(test: m.ValidTest, value: Column, kind: st.DataType) -> Column:
    """Whether a value that is not null passes; null where the value cannot even be read, which counts as no."""
    if isinstance(test, m.AllOf):
        return reduce(and_, [valid(one, value, kind) for one in test.tests])
    return _TESTS[type(test)](test, binary_text(value, kind), kind)


def binary_text(value: Column, kind: st.DataType) -> Column:
    """The value with texts compared byte by byte, whatever the column's collation."""
    if getattr(kind, "collation", "UTF8_BINARY") in ("UTF8_BINARY", None):
        return value
    return sf.collate(value, "UTF8_BINARY")


def equals_any(value: Column, kind: st.DataType, values: Iterable[m.Scalar]) -> Column:
    """Whether a value is listed; listed values that the type cannot hold equal nothing."""
    known = _same_types(values, kind) if not isinstance(kind, _TEXTS) else [_text(one) for one in values]
    return value.isin(known) if known else sf.lit(False)


def _same_types(values: Iterable[m.Scalar], kind: st.DataType) -> list[Any]:
    if isinstance(kind, st.BooleanType):
        return [_text(one).casefold() == "true" for one in values if _text(one).casefold() in ("true", "false")]
    texts = [_text(one) for one in values if not isinstance(one, bool)]
    if isinstance(kind, _FLOATS):
        return [sf.lit(number).cast(kind) for number in map(_float, texts) if number is not None]
    scale = scale_of(kind)
    if scale is None:
        raise CannotAsk(f"a list of values cannot be compared with {kind.typeName()}")
    return [literal for literal in map(scale.equal_to, texts) if literal is not None]


def _one_of(test: m.OneOf, value: Column, kind: st.DataType) -> Column:
    return equals_any(value, kind, test.values)


def _text(value: m.Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _float(text: str) -> float | None:
    word = text.strip().casefold()
    if word.lstrip("+-") in _ODD:
        return float(("-" if word.startswith("-") else "") + _ODD[word.lstrip("+-")])
    number = number_of(text)
    try:
        return None if number is None else float(number)
    except OverflowError:
        return float("-inf" if number is not None and number < 0 else "inf")


def _matches(test: m.Matches, value: Column, kind: st.DataType) -> Column:
    return _spelling(value, kind, "a pattern").rlike(whole(test.pattern))


def _format(test: m.Format, value: Column, kind: st.DataType) -> Column:
    if isinstance(kind, _TIMES) and test.name in ("date", "date-time", "time"):
        return sf.lit(True)  # the type itself is the format
    return _spelling(value, kind, f"the format {test.name}").rlike(whole(FORMATS[test.name]))


def whole(pattern: str) -> str:
    """The pattern for the whole value: `$` would accept a line break at the end, and a comment or quote runs on."""
    quote_end = r"\E" if pattern.rfind(r"\Q") > pattern.rfind(r"\E") else ""
    comment_end = "\n" if re.search(r"\(\?[a-z]*x", pattern) else ""
    return rf"\A(?:{pattern}{quote_end}{comment_end})\z"


def _spelling(value: Column, kind: st.DataType, what: str) -> Column:
    if isinstance(kind, _TEXTS):
        return value
    if isinstance(kind, _SPELLED):
        return value.cast("string")
    raise CannotAsk(f"{what} is tested on text, and the table has {kind.typeName()} there")


def _length(test: m.LengthBetween, value: Column, kind: st.DataType) -> Column:
    text = value if isinstance(kind, st.BinaryType) else _spelling(value, kind, "a length")
    return _between(sf.length(text), test.least, test.most)


def _items(test: m.ItemsBetween, value: Column, kind: st.DataType) -> Column:
    if not isinstance(kind, (st.ArrayType, st.MapType)):
        raise CannotAsk(f"only arrays and maps have a number of items, and the table has {kind.typeName()} there")
    return _between(sf.size(value), test.least, test.most)


def _between(number: Column, least: int | None, most: int | None) -> Column:
    limits = [number >= sf.lit(least)] if least is not None else []
    limits += [number <= sf.lit(most)] if most is not None else []
    return reduce(and_, limits, sf.lit(True)) if limits else sf.lit(True)


def _distinct(_test: m.DistinctItems, value: Column, kind: st.DataType) -> Column:
    if not isinstance(kind, st.ArrayType):
        raise CannotAsk(f"only arrays have items to compare, and the table has {kind.typeName()} there")
    items = sf.array_compact(value)
    return sf.size(sf.array_distinct(items)) == sf.size(items)


def _parses(test: m.Parses, value: Column, kind: st.DataType) -> Column:
    if not isinstance(kind, _TEXTS):
        return sf.lit(True)  # a column of times holds nothing else; drift tells whether it is the promised type
    return sf.try_to_timestamp(value, sf.lit(test.pattern)).isNotNull()


def _within(test: m.Within, value: Column, kind: st.DataType) -> Column:
    if isinstance(kind, _TEXTS):
        value, kind = _read(value, [one for one in (test.least, test.most) if one is not None])
    if isinstance(kind, _FLOATS):
        return _within_floats(test, value, kind)
    scale = scale_of(kind)
    if scale is None:
        raise CannotAsk(f"{kind.typeName()} has no order that a bound could use")
    limits = []
    if test.least is not None:
        limits.append(_from(scale, value, _bound(scale.first_from(test.least, above=test.above), test.least, kind)))
    if test.most is not None:
        limits.append(_to(scale, value, _bound(scale.last_to(test.most, below=test.below), test.most, kind)))
    return reduce(and_, limits, sf.lit(True))


def _read(value: Column, bounds: list[str]) -> tuple[Column, st.DataType]:
    """A text column as what its bounds are; texts that are nothing of the kind become null."""
    if all(number_of(one) is not None for one in bounds):
        return tried(value, _READ_AS), _READ_AS
    if all(re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", one.strip()) for one in bounds):
        return tried(value, st.DateType()), st.DateType()
    raise CannotAsk("its bounds are neither numbers nor dates, and the table has text there")


def tried(value: Column, kind: st.DataType) -> Column:
    """A cast that gives null where it fails; Spark 3.5 has it only where ANSI mode is off."""
    return value.try_cast(kind) if hasattr(value, "try_cast") else value.cast(kind)


def _bound(units: int | None, text: str, kind: st.DataType) -> int:
    if units is None:
        raise CannotAsk(f"the bound {text!r} cannot be compared with {kind.typeName()}")
    return units


def _from(scale: Scale, value: Column, units: int) -> Column:
    if units > scale.most:
        return sf.lit(False)
    return value >= scale.literal(units) if units > scale.least else sf.lit(True)


def _to(scale: Scale, value: Column, units: int) -> Column:
    if units < scale.least:
        return sf.lit(False)
    return value <= scale.literal(units) if units < scale.most else sf.lit(True)


def _within_floats(test: m.Within, value: Column, kind: st.DataType) -> Column:
    limits = [~sf.isnan(value)]
    for text, strict, sign in ((test.least, test.above, 1), (test.most, test.below, -1)):
        if text is None:
            continue
        number = _float(text)
        if number is None:
            raise CannotAsk(f"the bound {text!r} cannot be compared with {kind.typeName()}")
        limit = sf.lit(number).cast(kind)
        above, below = (value > limit, value >= limit), (value < limit, value <= limit)
        limits.append((above if sign > 0 else below)[0 if strict else 1])
    return reduce(and_, limits)


def _multiple(test: m.MultipleOf, value: Column, kind: st.DataType) -> Column:
    step = number_of(test.step)
    if not step:
        raise CannotAsk(f"{test.step!r} has no multiples")
    if isinstance(kind, _TEXTS):
        value, kind = tried(value, _READ_AS), _READ_AS
    if isinstance(kind, _FLOATS):
        return _multiple_of_floats(abs(step), value, kind)
    scale = scale_of(kind)
    if scale is None or not scale.per_one:
        raise CannotAsk(f"multiples are of numbers, and the table has {kind.typeName()} there")
    return _whole_multiple(scale, abs(step), value)


def _whole_multiple(scale: Scale, step: Fraction, value: Column) -> Column:
    """n units are a multiple of a/b units, a and b without a common factor, exactly where a divides n."""
    divisor = (step * scale.per_one).numerator
    if divisor > scale.most:
        return value == scale.literal(0)
    return value % scale.literal(divisor) == scale.literal(0)


def _multiple_of_floats(step: Fraction, value: Column, kind: st.DataType) -> Column:
    """By the decimal that the float stands for: 0.3 is a multiple of 0.1, and 0.1 + 0.2 is not."""
    places = min(_places(step), 37)
    exact = st.DecimalType(38, places)
    scale = scale_of(exact)
    if scale is None:
        raise CannotAsk(f"{step} has too many digits")
    decimal = tried(value.cast("string") if isinstance(kind, st.FloatType) else value, exact)
    whole_ = (decimal.cast(kind) == value) & _whole_multiple(scale, step, decimal)
    # Beyond 38 digits a float has no decimal; there its own remainder decides.
    return sf.coalesce(whole_, value % sf.lit(float(step)).cast(kind) == sf.lit(0.0).cast(kind))


def _places(step: Fraction) -> int:
    places = 0
    while (step * 10**places).denominator != 1:
        places += 1
    return places


_TESTS: dict[type, Callable[[Any, Column, st.DataType], Column]] = {
    m.OneOf: _one_of,
    m.Matches: _matches,
    m.Format: _format,
    m.LengthBetween: _length,
    m.ItemsBetween: _items,
    m.DistinctItems: _distinct,
    m.Parses: _parses,
    m.Within: _within,
    m.MultipleOf: _multiple,
}
