"""What values of a column and measures of a rule may be, by meaning: one text per set of accepted values."""

from __future__ import annotations

from ...frozen import replace
from ..meaning.accepted import EVERYTHING, spell_set
from ..meaning.exact import number_of, spell_number
from ..meaning.metrics import unit_of
from ..meaning.rule_limits import accepted_values, accepts_only_zero
from ..meaning.texts import fold, text
from ..meaning.type_options import TEMPORAL, VECTOR, implied_width, width_range, zone_kept, zone_name
from ..meaning.value_limits import accepted_end, limits_of, scale_of
from ..model import Json, Property, QualityRule, ValueOptions
from . import canonical as canon

_SIZES = ("length", "items", "properties")
_NO_OPTIONS = ValueOptions()


def enum(prop: Property) -> str:
    """The values that are allowed; their order and repetitions mean nothing."""
    return canon.set_array(canon.exact(value.value) for value in prop.enum or ())


def options(prop: Property) -> str:
    """Limits of a column and what they leave unsaid."""
    given = prop.options
    zone, divisor = zone_name(given.default_timezone), number_of(given.multiple_of)
    members = {
        "format": _format(prop),
        "pattern": canon.text(given.pattern),
        **{f"min{what.title()}": canon.count(getattr(given, f"min_{what}")) for what in _SIZES},
        **{f"max{what.title()}": canon.some(getattr(given, f"max_{what}")) for what in _SIZES},
        "minimum": _end(prop, "minimum"),
        "maximum": _end(prop, "maximum"),
        "multipleOf": canon.text(spell_number(abs(divisor))) if divisor else canon.some(given.multiple_of),
        "uniqueItems": canon.flag(given.unique_items),
        "requiredProperties": canon.set_array(map(canon.name, given.required_properties)),
        "timezone": _zone(prop),
        "defaultTimezone": canon.text(zone) if zone != "utc" else "",
        "vector": canon.mapping(
            {
                key: canon.exact(given.extras.get(key, default))
                for key, default in VECTOR.items()
                if canon.some(given.extras.get(key, default)) != canon.some(default)
            }
        ),
        "more": canon.fields({key: value for key, value in given.extras.items() if key not in VECTOR}),
    }
    return canon.mapping(members)


def _format(prop: Property) -> str:
    """Formats of dates are patterns, in which case has a meaning; a width is a range, said or implied."""
    written, logical = text(prop.options.format).strip(), fold(prop.logical_type)
    if logical in TEMPORAL:
        return canon.text(written)
    width = width_range(written or implied_width(prop), logical)
    implied = width_range(implied_width(prop), logical)
    if width is None:
        return canon.word(written)
    return "" if width == implied else canon.exact([str(end) for end in width])


def _zone(prop: Property) -> str:
    """Whether a timestamp has a zone, unless its physical type says it already."""
    kept = zone_kept(prop)
    return "" if kept is zone_kept(replace(prop, options=_NO_OPTIONS)) else canon.exact(kept)


def _end(prop: Property, side: str) -> str:
    """One end of a range by what it accepts; as it is written when it cannot be read."""
    logical = fold(prop.logical_type)
    accepted = accepted_end(prop.options, side, scale_of(logical, logical))
    if accepted is None:
        return canon.exact(list(limits_of(prop.options, side)))
    return canon.text(spell_set(accepted)) if accepted != EVERYTHING else ""


def argument(key: str, value: Json) -> str:
    """An argument of a rule; valid values are an enum, and columns and words for missing values a set."""
    if key == "validValues" and isinstance(value, list):
        return canon.set_array(map(canon.exact, value))
    return canon.some(value, loose=key in ("properties", "missingValues"))


def thresholds(rule: QualityRule) -> dict[str, str]:
    """What a rule lets through, and of what; none at all is none at all in every unit."""
    accepted, unit = accepted_values(rule), unit_of(rule)
    if accepted is None:
        written = canon.mapping({operator.value: canon.exact(operand) for operator, operand in rule.thresholds})
        return {"thresholds": written, "unit": canon.text(unit) if unit != "rows" else ""}
    if accepts_only_zero(rule, accepted):
        return {"accepts": canon.text("nothing")}
    everything = accepted == accepted_values(replace(rule, thresholds=()))
    return {
        "accepts": "" if everything else canon.text(spell_set(accepted) or "impossible"),
        "unit": canon.text(unit) if unit != "rows" else "",
    }
