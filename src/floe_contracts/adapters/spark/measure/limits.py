"""Bounds and multiples of numbers and times: exact in the column's own units, floats by what they stand for."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from operator import and_
from typing import Any, TypeVar

from pyspark import SparkContext
from pyspark.sql import Column
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....checks import measure as m
from ....contract.meaning.exact import number_of
from ..columns.paths import CannotAsk
from ..columns.scales import Scale, scale_of

T = TypeVar("T")
TEXTS = (st.StringType, st.CharType, st.VarcharType)
FLOATS = (st.FloatType, st.DoubleType)
_READ_AS = st.DecimalType(38, 18)  # what a number in a text column is read as
_NUMBER = r"\A\s*[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?\s*\z"
_FITS_A_LONG = 18  # digits
_ODD = {"nan": "nan", ".nan": "nan", "inf": "inf", ".inf": "inf", "infinity": "inf"}


def is_within(test: m.Within, value: Column, kind: st.DataType) -> Column:
    """Whether a value lies within its bounds."""
    if isinstance(kind, TEXTS):
        text = value
        value, kind = _read_text(text, [bound for bound in (test.least, test.most) if bound is not None])
        if kind == _READ_AS:
            return sf.coalesce(is_within(test, value, kind), _is_long_number_within(test, text))
    if isinstance(kind, FLOATS):
        return _is_float_within(test, value, kind)
    scale = scale_of(kind)
    if scale is None:
        raise CannotAsk(f"{kind.typeName()} has no order that a bound could use")
    limits = []
    if test.least is not None:
        first = _check_bound(scale.first_from(test.least, above=test.above), test.least, kind)
        limits.append(_is_from(scale, value, first))
    if test.most is not None:
        last = _check_bound(scale.last_to(test.most, below=test.below), test.most, kind)
        limits.append(_is_up_to(scale, value, last))
    return reduce(and_, limits, sf.lit(True))


def _read_text(value: Column, bounds: list[str]) -> tuple[Column, st.DataType]:
    """A text column as what its bounds are; texts that are nothing of the kind become null."""
    if all(number_of(bound) is not None for bound in bounds):
        return try_cast(value, _READ_AS), _READ_AS
    if all(re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", bound.strip()) for bound in bounds):
        return try_cast(value, st.DateType()), st.DateType()
    raise CannotAsk("its bounds are neither numbers nor dates, and the table has text there")


def _is_long_number_within(test: m.Within, text: Column) -> Column:
    """Whether a text with a number that no decimal holds, such as 1e25, lies within; null where it is not a number."""
    number = sf.when(text.rlike(_NUMBER), try_cast(text, st.DoubleType()))
    return sf.when(sf.abs(number) < sf.lit(float("inf")), _is_float_within(test, number, st.DoubleType()))


def try_cast(value: Column, kind: st.DataType) -> Column:
    """A cast that gives null where it fails."""
    return value.try_cast(kind) if hasattr(Column, "try_cast") else _try_cast_before_4(value, kind)


def _try_cast_before_4(value: Column, kind: st.DataType) -> Column:
    """Spark 3.5 has it in SQL alone; its plain cast wraps numbers around, or raises, as ANSI mode says."""
    column: Any = value
    java: Any = SparkContext._active_spark_context._jvm  # type: ignore[union-attr]
    expressions = java.org.apache.spark.sql.catalyst.expressions
    wanted = java.org.apache.spark.sql.types.DataType.fromJson(kind.json())
    cast = expressions.Cast(column._jc.expr(), wanted, java.scala.Option.empty(), expressions.EvalMode.TRY())
    return Column(java.org.apache.spark.sql.Column(cast))


def _check_bound(bound: T | None, text: str, kind: st.DataType) -> T:
    if bound is None:
        raise CannotAsk(f"the bound {text!r} cannot be compared with {kind.typeName()}")
    return bound


def _is_from(scale: Scale, value: Column, units: int) -> Column:
    if units > scale.most:
        return sf.lit(False)
    return value >= scale.literal(units) if units > scale.least else sf.lit(True)


def _is_up_to(scale: Scale, value: Column, units: int) -> Column:
    if units < scale.least:
        return sf.lit(False)
    return value <= scale.literal(units) if units < scale.most else sf.lit(True)


def _is_float_within(test: m.Within, value: Column, kind: st.DataType) -> Column:
    limits = [~sf.isnan(value)]
    for text, strict, sign in ((test.least, test.above, 1), (test.most, test.below, -1)):
        if text is None:
            continue
        limit = sf.lit(_check_bound(float_of(text), text, kind)).cast(kind)
        above, below = (value > limit, value >= limit), (value < limit, value <= limit)
        limits.append((above if sign > 0 else below)[0 if strict else 1])
    return reduce(and_, limits)


def float_of(text: str) -> float | None:
    """The float that a text stands for; None for a text that is not a number."""
    word = text.strip().casefold()
    if word.lstrip("+-") in _ODD:
        return float(("-" if word.startswith("-") else "") + _ODD[word.lstrip("+-")])
    number = number_of(text)
    try:
        return None if number is None else float(number)
    except OverflowError:
        return float("-inf" if number is not None and number < 0 else "inf")


def is_multiple(test: m.MultipleOf, value: Column, kind: st.DataType) -> Column:
    """Whether a number is a multiple of the step."""
    step = number_of(test.step)
    if not step:
        raise CannotAsk(f"{test.step!r} has no multiples")
    if isinstance(kind, TEXTS):
        value, kind = try_cast(value, _READ_AS), _READ_AS
    if isinstance(kind, FLOATS):
        return _is_float_multiple(abs(step), value, kind)
    scale = scale_of(kind)
    if scale is None or not scale.per_one:
        raise CannotAsk(f"multiples are of numbers, and the table has {kind.typeName()} there")
    return _is_whole_multiple(scale, abs(step), value, kind)


def _is_whole_multiple(scale: Scale, step: Fraction, value: Column, kind: st.DataType) -> Column:
    """n units are a multiple of a/b units, a and b without a common factor, exactly where a divides n."""
    divisor = (step * scale.per_one).numerator
    if divisor == 1:
        return value == value  # null where there is no value
    if divisor > scale.most:
        return value == scale.literal(0)
    if isinstance(kind, st.DecimalType) and kind.precision <= _FITS_A_LONG:
        units = (value * sf.lit(Decimal(scale.per_one))).cast("bigint")
        return units % sf.lit(divisor) == sf.lit(0)  # the remainder of decimals took fifteen times as long
    return value % scale.literal(divisor) == scale.literal(0)


def _is_float_multiple(step: Fraction, value: Column, kind: st.DataType) -> Column:
    """By the decimal that the float stands for: 0.3 is a multiple of 0.1, and 0.1 + 0.2 is not."""
    places = min(_count_places(step), 37)
    exact = st.DecimalType(38, places)
    scale = scale_of(exact)
    if scale is None:
        raise CannotAsk(f"{step} has too many digits")
    decimal = try_cast(value.cast("string") if isinstance(kind, st.FloatType) else value, exact)
    whole_ = (decimal.cast(kind) == value) & _is_whole_multiple(scale, step, decimal, exact)
    return sf.coalesce(whole_, _is_huge_multiple(step, value, kind))


def _is_huge_multiple(step: Fraction, value: Column, kind: st.DataType) -> Column:
    """Beyond 38 digits a float ends in zeros, so it is a multiple of 0.05 or 20; for 3 its own remainder decides."""
    rest = step.numerator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest == 1:
        return sf.abs(value) < sf.lit(float("inf")).cast(kind)
    return value % sf.lit(float(step)).cast(kind) == sf.lit(0.0).cast(kind)


def _count_places(step: Fraction) -> int:
    places = 0
    while (step * 10**places).denominator != 1:
        places += 1
    return places
