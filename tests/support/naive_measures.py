"""Every measure counted by hand over Python rows: slow, obvious, and the judge of what Spark says."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timezone
from decimal import Decimal
from fractions import Fraction
from typing import Any

from floe_contracts.checks import measure as m
from floe_contracts.checks.rules.values import FORMATS

Row = Mapping[str, Any]


def counted(measure: m.Measure, rows: Sequence[Row]) -> int:
    """The number that the measure asks for."""
    if isinstance(measure, m.RowCount):
        return len(rows)
    if isinstance(measure, m.DuplicateCount):
        repeated = [number for number in _keys(measure.keys, rows).values() if number > 1]
        return sum(repeated) - len(repeated) if measure.count_rows else len(repeated)
    assert not isinstance(measure, (m.OrphanCount, m.SqlNumber))
    values = [value for row in rows for value in at(row, measure.path)]
    if isinstance(measure, m.ItemCount):
        return len(values)
    if isinstance(measure, m.NullCount):
        return values.count(None)
    if isinstance(measure, m.MissingCount):
        return sum(value is None or valid(m.OneOf(measure.values), value) for value in values)
    return sum(value is not None and not valid(measure.test, value) for value in values)


def at(value: Any, path: m.Path) -> Iterator[Any]:
    """All values at a path; what lies below a null is not there."""
    if not path:
        yield value
    elif value is not None:
        for one in _inside(value, path[0]):
            yield from at(one, path[1:])


def _inside(value: Any, step: str) -> Iterable[Any]:
    if step == "[]":
        return value  # type: ignore[no-any-return]
    if step in ("{key}", "{value}"):
        return list(value) if step == "{key}" else list(value.values())
    return [value[step]]


def _keys(paths: Sequence[m.Path], rows: Sequence[Row]) -> Counter[Any]:
    keys = [tuple(next(at(row, path), None) for path in paths) for row in rows]
    return Counter(tuple("NaN" if one != one else one for one in key) for key in keys if None not in key)


def valid(test: m.ValidTest, value: Any) -> bool:
    return _TESTS[type(test)](test, value)


def _distinct(_test: m.DistinctItems, value: Any) -> bool:
    items = [one for one in value if one is not None]
    return len(items) == len(set(items))


def _long_enough(test: m.LengthBetween, value: Any) -> bool:
    return _between(len(value if isinstance(value, bytearray) else spelled(value)), test.least, test.most)


def spelled(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def _between(number: int, least: int | None, most: int | None) -> bool:
    return (least is None or number >= least) and (most is None or number <= most)


def _equal(said: m.Scalar, value: Any) -> bool:
    if isinstance(value, (dict, list)):
        return False
    if isinstance(value, str):
        return spelled(said) == value
    if isinstance(value, bool) or isinstance(said, bool):
        return spelled(said) == spelled(value)
    if isinstance(value, float):
        return float(said) == value or (math.isnan(value) and str(said) == "NaN")
    return bool(ordered(str(said), value) == ordered(value, value))


def ordered(one: Any, like: Any) -> Any:
    """Something with an order: fractions, days, moments."""
    if isinstance(like, datetime):
        moment = datetime.fromisoformat(one.replace("Z", "+00:00")) if isinstance(one, str) else one
        return moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
    if isinstance(like, date):
        return date.fromisoformat(one) if isinstance(one, str) else one
    if isinstance(like, float):
        return float(one)
    try:
        return Fraction(one if isinstance(one, (int, Decimal)) else str(one).strip())
    except ValueError:
        return None


def _within(test: m.Within, value: Any) -> bool:
    mine = ordered(value, value)
    if mine is None or mine != mine:
        return False
    for limit, strict, sign in ((test.least, test.above, 1), (test.most, test.below, -1)):
        bound = None if limit is None else ordered(limit, value)
        if bound is not None and (mine == bound if strict else False):
            return False
        if bound is not None and (mine < bound if sign > 0 else mine > bound):
            return False
    return True


def _multiple(test: m.MultipleOf, value: Any) -> bool:
    if isinstance(value, float) and not math.isfinite(value):
        return False
    try:
        return (Fraction(str(value).strip()) / Fraction(test.step)).denominator == 1
    except ValueError:
        return False


_TESTS: dict[type, Callable[[Any, Any], bool]] = {
    m.AllOf: lambda test, value: all(valid(one, value) for one in test.tests),
    m.OneOf: lambda test, value: any(_equal(one, value) for one in test.values),
    m.Matches: lambda test, value: re.fullmatch(test.pattern, spelled(value)) is not None,
    m.Format: lambda test, value: re.fullmatch(FORMATS[test.name], spelled(value)) is not None,
    m.LengthBetween: _long_enough,
    m.ItemsBetween: lambda test, value: _between(len(value), test.least, test.most),
    m.DistinctItems: _distinct,
    m.Within: _within,
    m.MultipleOf: _multiple,
}
