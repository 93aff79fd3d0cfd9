"""Limits on single values as rules: not null, enum, format, pattern, lengths, bounds, multiples, numbers of items."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from ...contract.meaning.phrase import plural
from ...contract.meaning.typenames import Family, parse_type
from ...contract.meaning.typewords import INTEGERS
from ...contract.model import Json, Property, ValueOptions
from ...contract.source.scalars import WholeNumeral, text_of
from .. import measure as m
from ..measured import KEY
from ..names import RulePlace, weight_of
from .check import QualityCheck, SkippedRule

TEMPORAL = frozenset({"date", "time", "timestamp"})


def value_rules(place: RulePlace, prop: Property, *, demanded: bool = False) -> Iterator[QualityCheck | SkippedRule]:
    """Every rule about the values of one column; `demanded` says that a key or its struct needs it."""
    if (prop.required or demanded) and place.column[-1] != KEY:  # no engine lets a map's key be null
        absent = bool(prop.primary_key) and len(place.path) > 1 and not place.repeats  # a key must be there
        test = m.NullCount(place.path, absent)
        yield _rule(place, prop, "not_null", test, "is never null", dimension="completeness")
    if prop.enum is not None:
        allowed = scalars([entry.value for entry in prop.enum], prop)
        yield _invalid(place, prop, "enum", m.OneOf(allowed), _one_of(allowed))
    yield from _text_rules(place, prop)
    yield from _number_rules(place, prop)
    yield from _item_rules(place, prop)


def _one_of(allowed: tuple[m.Scalar, ...]) -> str:
    return f"is always {allowed[0]}" if len(allowed) == 1 else f"is one of {len(allowed)} values"


def _rule(place: RulePlace, prop: Property, name: str, measure: m.Measure, says: str, dimension: str) -> QualityCheck:
    return QualityCheck(
        id=f"{place.id}.{name}",
        name=name,
        element=place.element,
        measure=measure,
        column=place.column,
        columns=place.column[:1],
        dimension=dimension,
        weight=weight_of(prop.custom),
        says=f"{place.element} {says}",
        at=prop.at,
    )


def _invalid(place: RulePlace, prop: Property, name: str, test: m.ValidTest, says: str) -> QualityCheck:
    return _rule(place, prop, name, m.InvalidCount(place.path, test), says, dimension="conformity")


def _text_rules(place: RulePlace, prop: Property) -> Iterator[QualityCheck | SkippedRule]:
    options = prop.options
    if options.format is not None:
        yield from _format_rules(place, prop, options.format)
    if options.pattern is not None:
        yield _invalid(place, prop, "pattern", m.Matches(options.pattern), "matches its pattern")
    least, most = options.min_length, _greatest_length(prop)
    if least is not None or most is not None:
        says = f"has {_spell_between(least, most, 'character')}"
        yield _invalid(place, prop, "length", m.LengthBetween(least, most), says)


def _greatest_length(prop: Property) -> int | None:
    """The shorter of `maxLength` and the length inside `varchar(20)`: many tables do not keep the latter."""
    kind = parse_type(prop.physical_type) if prop.physical_type else None
    sized = kind is not None and kind.family in (Family.STRING, Family.CHAR) and kind.params
    typed = kind.params[0] if kind is not None and sized and "(" in (prop.physical_type or "") else None
    return min((most for most in (prop.options.max_length, typed) if most is not None), default=None)


def _format_rules(place: RulePlace, prop: Property, word: str) -> Iterator[QualityCheck | SkippedRule]:
    logical = prop.logical_type or ""
    if logical in TEMPORAL:
        if _physical_family(prop) not in (Family.STRING, Family.CHAR):  # elsewhere it is only how to print it
            return
        if known := known_format(word):
            yield _invalid(place, prop, "format", m.Format(known), f"has the format {known}")
        else:
            yield _invalid(place, prop, "format", m.Parses(logical, word), f"is a {logical} written as {word}")
    elif logical == "integer" and word.casefold() in WIDTHS:
        if _physical_family(prop) in INTEGERS:  # the type says it already, and drift compares types
            return
        least, most = WIDTHS[word.casefold()]
        test = m.Within(str(least), str(most))
        yield _invalid(place, prop, "format", test, f"fits into {word.casefold()}")
    elif known := known_format(word):
        yield _invalid(place, prop, "format", m.Format(known), f"has the format {known}")
    elif logical in ("", "string") and word.casefold() not in UNTESTED:
        reason = f"no test is known for the format {word!r}; a pattern can say what is meant"
        yield SkippedRule(f"{place.id}.format", "format", place.element, reason, place.column, "conformity")


def _physical_family(prop: Property) -> Family | None:
    kind = parse_type(prop.exact_type) if prop.exact_type else None
    return kind.family if kind else None


def _is_text(prop: Property) -> bool:
    family = _physical_family(prop)
    return family in (Family.STRING, Family.CHAR) if family else prop.logical_type == "string"


def _number_rules(place: RulePlace, prop: Property) -> Iterator[QualityCheck]:
    test = _bounds(prop.options)
    if test is not None:
        yield _invalid(place, prop, "range", test, f"is {_spell_range(prop.options)}")
    if prop.options.multiple_of is not None:
        step = text_of(prop.options.multiple_of)
        yield _invalid(place, prop, "multiple", m.MultipleOf(step), f"is a multiple of {step}")


def _bounds(options: ValueOptions) -> m.ValidTest | None:
    """One range, or two where a side has both an inclusive and an exclusive limit."""
    low = _limits((options.minimum, False), (options.exclusive_minimum, True))
    high = _limits((options.maximum, False), (options.exclusive_maximum, True))
    ranges = [
        m.Within(least, most, above, below)
        for (least, above), (most, below) in zip_longest(low, high, fillvalue=(None, False))
    ]
    return m.AllOf(tuple(ranges)) if len(ranges) > 1 else ranges[0] if ranges else None


def _limits(*sides: tuple[Json, bool]) -> list[tuple[str | None, bool]]:
    return [(text_of(limit), outside) for limit, outside in sides if limit is not None]


def _spell_range(options: ValueOptions) -> str:
    limits = (
        ("at least", options.minimum),
        ("above", options.exclusive_minimum),
        ("at most", options.maximum),
        ("below", options.exclusive_maximum),
    )
    return " and ".join(f"{word} {text_of(limit)}" for word, limit in limits if limit is not None)


def _item_rules(place: RulePlace, prop: Property) -> Iterator[QualityCheck | SkippedRule]:
    options = prop.options
    if options.min_items is not None or options.max_items is not None:
        says = f"has {_spell_between(options.min_items, options.max_items, 'item')}"
        yield _invalid(place, prop, "items", m.ItemsBetween(options.min_items, options.max_items), says)
    if options.unique_items:
        yield _invalid(place, prop, "unique_items", m.DistinctItems(), "holds no item twice")
    dimensions = options.extras.get("dimensions")
    if prop.logical_type == "vector" and isinstance(dimensions, int):
        test = m.ItemsBetween(dimensions, dimensions)
        yield _invalid(place, prop, "dimensions", test, f"has {plural(dimensions, 'dimension')}")
    if options.min_properties is not None or options.max_properties is not None:
        yield _entries_rule(place, prop)


def _entries_rule(place: RulePlace, prop: Property) -> QualityCheck | SkippedRule:
    least, most = prop.options.min_properties, prop.options.max_properties
    if prop.map_key is None and prop.map_value is None and prop.logical_type != "map":
        reason = "the number of fields of a struct is a matter of its schema, which the drift check compares"
        return SkippedRule(f"{place.id}.entries", "entries", place.element, reason, place.column, "conformity")
    says = f"has {_spell_between(least, most, 'entry', 'entries')}"
    return _invalid(place, prop, "entries", m.ItemsBetween(least, most), says)


def _spell_between(least: int | None, most: int | None, noun: str, nouns: str = "") -> str:
    """The bounds of a number of things, one of which must be there: `at least 1 item`, `2 to 5 items`."""
    last = most if most is not None else least or 0
    begin = f"{least} to " if least is not None and most is not None and least != most else ""
    side = "at most " if least is None else "at least " if most is None else ""
    return f"{side}{begin}{plural(last, noun, nouns)}"


def scalars(values: list[Json], prop: Property | None = None) -> tuple[m.Scalar, ...]:
    """Listed values in their order, without null, lists and maps; numbers with a fraction as they were written.

    Whole numbers are numbers, but for a column of texts, where `0x10` without quotes is the text that was written.
    """
    kept = (value for value in values if value is not None and not isinstance(value, (list, dict)))
    text = prop is not None and _is_text(prop)
    plain = (
        value
        if isinstance(value, bool)
        else int(value)
        if isinstance(value, int) and not (text and isinstance(value, WholeNumeral))
        else text_of(value)
        for value in kept
    )
    return tuple({(type(value), value): value for value in plain}.values())


# Formats of text as patterns that the whole value must match, in the syntax that Java and Python share. They are
# stricter than a glance and laxer than the RFCs: an address that a mail server would take passes.
_DATE = r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?"
_OFFSET = r"(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = rf"{_OCTET}(?:\.{_OCTET}){{3}}"
_HEX = r"[0-9A-Fa-f]{1,4}"
_LABEL = r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)"
_AMOUNT = r"[0-9]+(?:\.[0-9]+)?"


def _ipv6() -> str:
    """Eight groups, or fewer around one `::`; the last two may be an IPv4 address."""
    tail = rf"(?:{_HEX}:{_HEX}|{_IPV4})"
    forms = [rf"(?:{_HEX}:){{6}}{tail}", rf"::(?:{_HEX}:){{5}}{tail}"]
    for before in range(6):
        head = rf"(?:(?:{_HEX}:){{0,{before}}}{_HEX})?"
        after = 4 - before
        if after > 0:
            forms.append(rf"{head}::(?:{_HEX}:){{0,{after}}}{tail}")
        elif after == 0:
            forms.append(rf"{head}::{tail}")
    forms += [rf"(?:(?:{_HEX}:){{0,5}}{_HEX})?::{_HEX}", rf"(?:(?:{_HEX}:){{0,6}}{_HEX})?::"]
    return "|".join(forms)


FORMATS: dict[str, str] = {
    "email": r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+",
    "uuid": r"[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}",
    "uri": r"[A-Za-z][A-Za-z0-9+.-]*:[^\s]+",
    "url": r"[A-Za-z][A-Za-z0-9+.-]*://[^\s/?#]+[^\s]*",
    "hostname": rf"(?=.{{1,253}}$){_LABEL}(?:\.{_LABEL})*",
    "ipv4": _IPV4,
    "ipv6": _ipv6(),
    "date": _DATE,
    "time": rf"{_TIME}{_OFFSET}",
    "date-time": rf"{_DATE}[Tt ]{_TIME}{_OFFSET}",
    "duration": rf"P(?=[0-9T])(?:{_AMOUNT}Y)?(?:{_AMOUNT}M)?(?:{_AMOUNT}W)?(?:{_AMOUNT}D)?"
    rf"(?:T(?=[0-9])(?:{_AMOUNT}H)?(?:{_AMOUNT}M)?(?:{_AMOUNT}S)?)?",
    "byte": r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?",
}
UNTESTED = frozenset({"password", "binary"})  # hints for programs that show or store the value

# Whole numbers by their width, as Rust writes it: name -> least and greatest value.
WIDTHS: dict[str, tuple[int, int]] = {
    f"{sign}{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if sign == "i" else (0, 2**bits - 1)
    for sign in "iu"
    for bits in (8, 16, 32, 64, 128)
}


def known_format(word: str) -> str | None:
    """The name under which a format is listed, whatever its case; `datetime` and `guid` are known too."""
    name = word.strip().casefold()
    name = {"datetime": "date-time", "guid": "uuid", "mail": "email", "e-mail": "email"}.get(name, name)
    return name if name in FORMATS else None
