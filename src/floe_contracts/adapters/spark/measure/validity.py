"""Tests of values as Spark conditions for the type that a column really has, and patterns that Java cannot read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import and_, or_
from typing import Any

from pyspark.sql import Column, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....checks import measure as m
from ....checks.measured import Failure
from ....checks.rules.values import FORMATS
from ....contract.meaning.pattern.linear import can_spell
from ....contract.meaning.pattern.slowness import slowness_of
from ..columns.paths import CannotAsk
from ..columns.scales import scale_of
from ..columns.time_letters import read_time_format
from ..session.failures import SPARK_ERRORS
from ..session.stack import stack_bytes
from .limits import FLOATS, TEXTS, float_of, is_multiple, is_within
from .linear_match import REWRITE, matches_linearly
from .pattern_depth import LongestText, longest_text

_SPELLED = (st.IntegralType, st.DecimalType, st.BooleanType, st.DateType)  # types that spell a value in one way only
_TIMES = (st.DateType, st.TimestampType, st.TimestampNTZType)


def is_valid(test: m.ValidTest, value: Column, kind: st.DataType) -> Column:
    """Whether a value that is not null passes; null where the value cannot even be read, which counts as no."""
    if isinstance(test, m.AllOf):
        return reduce(and_, [is_valid(part, value, kind) for part in test.tests])
    return _TESTS[type(test)](test, binary_text(value, kind), kind)


def check_patterns(spark: SparkSession, test: m.ValidTest) -> Failure | None:
    """Why a pattern of the test cannot be used; None when it can, or when there is nobody to ask."""
    if not hasattr(spark, "_jvm"):  # Spark Connect has no Java at hand
        return None
    refusals = (_refusal(spark, pattern) for pattern in _patterns(test))
    refusal = next((text for text in refusals if text), "")
    return Failure(f"Java cannot read the pattern: {refusal}") if refusal else None


def too_long(test: m.ValidTest, value: Column, kind: st.DataType) -> tuple[Column, str] | None:
    """Whether a text is too long for a pattern of the test, and why it then cannot be measured; None: none can be."""
    limits = [limit for pattern in _patterns(test) if (limit := _longest_text(pattern))]
    if not limits or not isinstance(kind, TEXTS):
        return None
    text = binary_text(value, kind)
    least = min(limit.characters for limit in limits)
    why = (
        f"a text is longer than {least} characters, and Java's matcher has no room to repeat the pattern's group that "
        "often; write (…)*+ or [ab]* instead of (…)*, or start Spark with a larger stack, such as -Xss32m"
    )
    return reduce(or_, [_exceeds(text, limit) for limit in limits]), why


def _longest_text(pattern: str) -> LongestText | None:
    """The longest text for Java's matcher; the one that takes linear time calls itself for none."""
    return None if slowness_of(pattern) and can_spell(pattern) else longest_text(pattern, stack_bytes())


def _exceeds(text: Column, limit: LongestText) -> Column:
    long = sf.length(text) > sf.lit(limit.characters)
    return long & (sf.octet_length(text) > sf.length(text)) if limit.only_uneven else long


def equals_any(value: Column, kind: st.DataType, values: Iterable[m.Scalar]) -> Column:
    """Whether a value is listed; listed values that the type cannot hold equal nothing."""
    known = _cast_values(values, kind) if not isinstance(kind, TEXTS) else [_text(listed) for listed in values]
    return value.isin(known) if known else sf.lit(False)


def binary_text(value: Column, kind: st.DataType) -> Column:
    """The value with texts compared byte by byte, whatever the column's collation."""
    if getattr(kind, "collation", "UTF8_BINARY") in ("UTF8_BINARY", None):
        return value
    return sf.collate(value, "UTF8_BINARY")


def anchor_pattern(pattern: str) -> str:
    """The pattern for the whole value: `$` would accept a line break at the end, and a comment or quote runs on."""
    quote_end = r"\E" if pattern.rfind(r"\Q") > pattern.rfind(r"\E") else ""
    comment_end = "\n" if re.search(r"\(\?[a-z]*x", pattern) else ""
    return rf"\A(?:{pattern}{quote_end}{comment_end})\z"


def _refusal(spark: SparkSession, pattern: str) -> str:
    java: Any = spark._jvm
    try:
        for text in (pattern, anchor_pattern(pattern)):  # alone first: `a)|(?:b` would fit into our brackets
            java.java.util.regex.Pattern.compile(text)
    except SPARK_ERRORS as error:  # pyspark takes the exception for one of its own
        return str(error).partition("\n")[0].partition(" near index")[0]
    return ""


def _patterns(test: m.ValidTest) -> Iterator[str]:
    if isinstance(test, m.Matches):
        yield test.pattern
    elif isinstance(test, m.Format):
        yield FORMATS[test.name]
    elif isinstance(test, m.AllOf):
        for part in test.tests:
            yield from _patterns(part)


def _cast_values(values: Iterable[m.Scalar], kind: st.DataType) -> list[Any]:
    if isinstance(kind, st.BooleanType):
        words = [_text(listed).casefold() for listed in values]
        return [word == "true" for word in words if word in ("true", "false")]
    texts = [_text(listed) for listed in values if not isinstance(listed, bool)]
    if isinstance(kind, FLOATS):
        return [sf.lit(number).cast(kind) for number in map(float_of, texts) if number is not None]
    scale = scale_of(kind)
    if scale is None:
        raise CannotAsk(f"a list of values cannot be compared with {kind.typeName()}")
    return [literal for literal in map(scale.equal_to, texts) if literal is not None]


def _text(value: m.Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_one_of(test: m.OneOf, value: Column, kind: st.DataType) -> Column:
    return equals_any(value, kind, test.values)


def _matches(test: m.Matches, value: Column, kind: st.DataType) -> Column:
    return _match_whole(_spell(value, kind, "a pattern"), test.pattern)


def _has_format(test: m.Format, value: Column, kind: st.DataType) -> Column:
    if isinstance(kind, _TIMES) and test.name in ("date", "date-time", "time"):
        return sf.lit(True)  # the type itself is the format
    return _match_whole(_spell(value, kind, f"the format {test.name}"), FORMATS[test.name])


def _match_whole(text: Column, pattern: str) -> Column:
    """Whether the whole text matches; null where it is too long to try, which `too_long` tells."""
    slowness = slowness_of(pattern)
    if slowness and can_spell(pattern):
        return matches_linearly(text, pattern, slowness.reason)
    if slowness and not slowness.is_bearable:
        raise CannotAsk(f"{slowness.reason}; {REWRITE}")
    limit, matches = _longest_text(pattern), text.rlike(anchor_pattern(pattern))
    return matches if limit is None else sf.when(~_exceeds(text, limit), matches)


def _has_length(test: m.LengthBetween, value: Column, kind: st.DataType) -> Column:
    text = value if isinstance(kind, st.BinaryType) else _spell(value, kind, "a length")
    return _is_between(sf.length(text), test.least, test.most)


def _has_items(test: m.ItemsBetween, value: Column, kind: st.DataType) -> Column:
    if not isinstance(kind, (st.ArrayType, st.MapType)):
        raise CannotAsk(f"only arrays and maps have a number of items, and the table has {kind.typeName()} there")
    return _is_between(sf.size(value), test.least, test.most)


def _is_distinct(_test: m.DistinctItems, value: Column, kind: st.DataType) -> Column:
    if not isinstance(kind, st.ArrayType):
        raise CannotAsk(f"only arrays have items to compare, and the table has {kind.typeName()} there")
    items = sf.array_compact(value)
    return sf.size(sf.array_distinct(items)) == sf.size(items)


def _parses(test: m.Parses, value: Column, kind: st.DataType) -> Column:
    if not isinstance(kind, TEXTS):
        return sf.lit(True)  # a column of times holds nothing else; drift tells whether it is the promised type
    return sf.try_to_timestamp(value, sf.lit(read_time_format(test.pattern))).isNotNull()


def _spell(value: Column, kind: st.DataType, what: str) -> Column:
    if isinstance(kind, TEXTS):
        return value
    if isinstance(kind, _SPELLED):
        return value.cast("string")
    raise CannotAsk(f"{what} is tested on text, and the table has {kind.typeName()} there")


def _is_between(number: Column, least: int | None, most: int | None) -> Column:
    limits = [number >= sf.lit(least)] if least is not None else []
    limits += [number <= sf.lit(most)] if most is not None else []
    return reduce(and_, limits, sf.lit(True)) if limits else sf.lit(True)


_TESTS: dict[type, Callable[[Any, Column, st.DataType], Column]] = {
    m.OneOf: _is_one_of,
    m.Matches: _matches,
    m.Format: _has_format,
    m.LengthBetween: _has_length,
    m.ItemsBetween: _has_items,
    m.DistinctItems: _is_distinct,
    m.Parses: _parses,
    m.Within: is_within,
    m.MultipleOf: is_multiple,
}
