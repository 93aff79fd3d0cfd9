"""What changed about limits on values, lengths, items and properties, compared by what they accept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from ...contract.meaning.exact import number_of, spell_number
from ...contract.meaning.quantity import parse_clock_time, parse_day
from ...contract.model import Json, Property, ValueOptions
from ..fact import Fact, FactPlace
from ..kinds import FactKind
from .plain import fold, is_blank, same, show
from .proptypes import TEMPORAL, options_place
from .thresholds import EVERYTHING, Accepted, SetRelation, from_to, relation

_KINDS = {
    SetRelation.NARROWER: FactKind.BOUND_TIGHTENED,
    SetRelation.WIDER: FactKind.BOUND_RELAXED,
    SetRelation.INCOMPARABLE: FactKind.BOUND_INCOMPARABLE,
}
_SIZES = ("length", "items", "properties")


def bound_facts(place: FactPlace, old: Property, new: Property) -> Iterator[Fact]:
    """One fact for each end of each range that moved."""
    before, after = old.options, new.options
    spot = options_place(place, before, after)
    scale = _scale(fold(old.logical_type), fold(new.logical_type))
    yield from _end(spot, "minimum", _Ends(before, after, scale))
    yield from _end(spot, "maximum", _Ends(before, after, scale))
    for what in _SIZES:
        yield from _least(spot, f"min_{what}", before, after)
        yield from _most(spot, f"max_{what}", before, after)
    yield from _multiple(spot, before.multiple_of, after.multiple_of)
    yield from _required(spot, set(before.required_properties), set(after.required_properties))


class _Scale(NamedTuple):
    """How the limits of a type are read as numbers, and whether only whole ones exist."""

    number: Callable[[Json], Fraction | None]
    whole: bool = False


def _scale(old: str, new: str) -> _Scale:
    if new in TEMPORAL or (not new and old in TEMPORAL):
        return _Scale(_moment)
    return _Scale(number_of, whole=old == new == "integer")


def _moment(value: Json) -> Fraction | None:
    """A date, timestamp or time as a number, so that its order is not that of its spelling."""
    day, _ = parse_day(value)
    if day is not None:
        moment = day.moment
        return Fraction((moment.toordinal() * 24 + moment.hour) * 3600 + moment.minute * 60 + moment.second) + Fraction(
            moment.microsecond, 1_000_000
        )
    clock, _ = parse_clock_time(value)
    return Fraction(clock.seconds) if clock is not None and clock.zone == "UTC" else None


class _Ends(NamedTuple):
    """Both versions of one end of a range."""

    old: ValueOptions
    new: ValueOptions
    scale: _Scale

    def texts(self, side: str) -> tuple[str, str]:
        return _text(side, *_limits(self.old, side)), _text(side, *_limits(self.new, side))

    def sets(self, side: str) -> tuple[Accepted | None, Accepted | None]:
        return (
            _half(side, *_limits(self.old, side), self.scale),
            _half(side, *_limits(self.new, side), self.scale),
        )


def _limits(options: ValueOptions, side: str) -> tuple[Json, Json]:
    return getattr(options, side), getattr(options, f"exclusive_{side}")


def _end(place: FactPlace, side: str, ends: _Ends) -> Iterator[Fact]:
    (closed_old, open_old), (closed_new, open_new) = _limits(ends.old, side), _limits(ends.new, side)
    same_closed = same(closed_old, closed_new)
    if same_closed and same(open_old, open_new):
        return
    old, new = ends.sets(side)
    change = SetRelation.INCOMPARABLE if old is None or new is None else relation(old, new)
    yield from _bound_fact(place, change, ends.texts(side), f"exclusive_{side}" if same_closed else side)


def _half(side: str, closed: Json, opened: Json, scale: _Scale) -> Accepted | None:
    """What one end lets through; None when a limit cannot be read."""
    accepted = EVERYTHING
    for value, is_open in ((closed, False), (opened, True)):
        if is_blank(value):
            continue
        number = scale.number(value)
        if number is None:
            return None
        low, high = (number, None) if side == "minimum" else (None, number)
        accepted = accepted.intersect(from_to(low, high, open_low=is_open, open_high=is_open))
    return accepted.whole_numbers() if scale.whole else accepted


def _text(side: str, closed: Json, opened: Json) -> str:
    sign = ">" if side == "minimum" else "<"
    parts = [f"{sign}= {show(closed)}"] if not is_blank(closed) else []
    return " and ".join([*parts, f"{sign} {show(opened)}"] if not is_blank(opened) else parts)


def _least(place: FactPlace, field: str, old: ValueOptions, new: ValueOptions) -> Iterator[Fact]:
    before, after = getattr(old, field) or 0, getattr(new, field) or 0
    if before != after:
        what = field.partition("_")[2]
        change = SetRelation.NARROWER if after > before else SetRelation.WIDER
        texts = tuple(f"{what} >= {limit}" if limit else "" for limit in (before, after))
        yield from _bound_fact(place, change, (texts[0], texts[1]), field)


def _most(place: FactPlace, field: str, old: ValueOptions, new: ValueOptions) -> Iterator[Fact]:
    before, after = getattr(old, field), getattr(new, field)
    if before != after:
        what = field.partition("_")[2]
        tighter = before is None or (after is not None and after < before)
        texts = tuple(f"{what} <= {limit}" if limit is not None else "" for limit in (before, after))
        yield from _bound_fact(
            place, SetRelation.NARROWER if tighter else SetRelation.WIDER, (texts[0], texts[1]), field
        )


def _multiple(place: FactPlace, old: Json, new: Json) -> Iterator[Fact]:
    """A fact about another divisor: multiples of 10 are multiples of 5, so 5 -> 10 accepts less."""
    if same(old, new):
        return
    before, after = number_of(old), number_of(new)
    change = SetRelation.INCOMPARABLE
    if is_blank(old) or is_blank(new):
        change = SetRelation.WIDER if is_blank(new) else SetRelation.NARROWER
    elif before and after:
        if (after / before).denominator == 1:
            change = SetRelation.EQUAL if abs(after) == abs(before) else SetRelation.NARROWER
        elif (before / after).denominator == 1:
            change = SetRelation.WIDER
    texts = tuple(f"multiple of {show(value)}" if not is_blank(value) else "" for value in (old, new))
    yield from _bound_fact(place, change, (texts[0], texts[1]), "multiple_of")


def _required(place: FactPlace, old: set[str], new: set[str]) -> Iterator[Fact]:
    for kind, names in ((FactKind.BOUND_RELAXED, old - new), (FactKind.BOUND_TIGHTENED, new - old)):
        for name in sorted(names):
            text = f"must contain {name}"
            texts = (text, "") if kind is FactKind.BOUND_RELAXED else ("", text)
            yield place.fact(kind, *texts, key="required_properties")


def _bound_fact(place: FactPlace, change: SetRelation, texts: tuple[str, str], key: str) -> Iterator[Fact]:
    if change is not SetRelation.EQUAL:
        yield place.fact(_KINDS[change], *texts, key=key, normal=(_normalise(texts[0]), _normalise(texts[1])))


def _normalise(text: str) -> str:
    """The text with its numbers in one spelling."""
    words = ((word, number_of(word) if word[:1] in "-+.0123456789" else None) for word in text.split())
    return " ".join(word if number is None else spell_number(number) for word, number in words)
