"""What changed about limits on values, lengths, items and properties, compared by what they accept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...contract.meaning.accepted import Accepted
from ...contract.meaning.exact import number_of, spell_number
from ...contract.meaning.texts import fold
from ...contract.meaning.value_limits import LimitScale, accepted_end, limits_of, scale_of
from ...contract.model import Json, Property, ValueOptions
from ..fact import Fact, FactPlace
from ..kinds import FactKind
from .plain import is_blank, same, show
from .proptypes import options_place
from .thresholds import SetRelation, relation

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
    scale = scale_of(fold(old.logical_type), fold(new.logical_type))
    yield from _end(spot, "minimum", _Ends(before, after, scale))
    yield from _end(spot, "maximum", _Ends(before, after, scale))
    for what in _SIZES:
        yield from _least(spot, f"min_{what}", before, after)
        yield from _most(spot, f"max_{what}", before, after)
    yield from _multiple(spot, before.multiple_of, after.multiple_of)
    yield from _required(spot, set(before.required_properties), set(after.required_properties))


class _Ends(NamedTuple):
    """Both versions of one end of a range."""

    old: ValueOptions
    new: ValueOptions
    scale: LimitScale

    def texts(self, side: str) -> tuple[str, str]:
        return _text(side, *limits_of(self.old, side)), _text(side, *limits_of(self.new, side))

    def sets(self, side: str) -> tuple[Accepted | None, Accepted | None]:
        return accepted_end(self.old, side, self.scale), accepted_end(self.new, side, self.scale)


def _end(place: FactPlace, side: str, ends: _Ends) -> Iterator[Fact]:
    (closed_old, open_old), (closed_new, open_new) = limits_of(ends.old, side), limits_of(ends.new, side)
    same_closed = same(closed_old, closed_new)
    if same_closed and same(open_old, open_new):
        return
    old, new = ends.sets(side)
    change = SetRelation.INCOMPARABLE if old is None or new is None else relation(old, new)
    yield from _bound_fact(place, change, ends.texts(side), f"exclusive_{side}" if same_closed else side)


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
