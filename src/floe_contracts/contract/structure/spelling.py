"""The known key or word that an unknown one stands for: names of other standards, and typing mistakes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..meaning.phrase import did_you_mean

# Names from other contract formats and databases; the first of the right-hand side that is known at the place is meant.
_ALIASES: Final[dict[str, tuple[str, ...]]] = {
    "acceptedvalues": ("enum",),
    "allowedvalues": ("enum",),
    "columns": ("properties", "elements", "fields"),
    "comment": ("description",),
    "data": ("schema", "models"),
    "dataproduct": ("product",),
    "datatype": ("logicalType", "type"),
    "desc": ("description",),
    "doc": ("description",),
    "docs": ("description",),
    "elements": ("properties", "fields"),
    "fields": ("properties", "elements"),
    "foreignkey": ("relationships", "references"),
    "freshness": ("freshness_minutes",),
    "ispii": ("classification",),
    "isprimary": ("primaryKey", "primary_key"),
    "isprimarykey": ("primaryKey", "primary_key"),
    "isrequired": ("required", "nullable"),
    "isunique": ("unique",),
    "labels": ("tags",),
    "logicaltype": ("type",),
    "mandatory": ("required", "nullable"),
    "minrows": ("min_rows_per_day",),
    "models": ("schema",),
    "notnull": ("required", "nullable"),
    "nullable": ("required",),
    "objects": ("schema", "models"),
    "optional": ("required", "nullable"),
    "physicaltype": ("type",),
    "pii": ("classification",),
    "pk": ("primaryKey", "primary_key"),
    "primary": ("primaryKey", "primary_key"),
    "product": ("dataProduct",),
    "properties": ("elements", "fields"),
    "references": ("relationships",),
    "relationships": ("references",),
    "required": ("nullable",),
    "rule": ("metric",),
    "rules": ("quality",),
    "schema": ("models",),
    "sensitivity": ("classification",),
    "servicelevels": ("slaProperties", "sla"),
    "sla": ("slaProperties",),
    "slaproperties": ("sla",),
    "slas": ("slaProperties", "sla"),
    "sql": ("query",),
    "sunset": ("sunset_date",),
    "tables": ("schema", "models"),
    "tag": ("tags",),
    "tests": ("quality",),
    "type": ("logicalType", "physicalType"),
    "values": ("enum",),
}
_LIMITS: Final = frozenset(
    (
        *("exclusiveMaximum", "exclusiveMinimum", "format", "maxItems", "maxLength", "maximum", "minItems"),
        *("minLength", "minimum", "multipleOf", "pattern", "uniqueItems"),
    )
)
_FLOE_KEYS: Final = frozenset(
    ("consumers", "deprecation", "owner", "pii_type", "retention", "timezone", "unit", "weight")
)
_NEGATED: Final = {
    "nullable": "required",
    "optional": "required",
    **dict.fromkeys(("required", "isrequired", "mandatory", "notnull"), "nullable"),
}


def meant_key(key: str, known: Iterable[str]) -> str | None:
    """The known key that was almost certainly meant: the same word in another casing, an alias, or a near miss."""
    names = sorted(known)
    plain = _bare(key)
    for name in names:
        if _bare(name) == plain:
            return name
    for name in _ALIASES.get(plain, ()):
        if name in names:
            return name
    return nearest(key, names)


def advice_on_key(key: str, value: object, known: Iterable[str]) -> tuple[str, ...]:
    """What to write instead of an unknown key, as sentences."""
    names = frozenset(known)
    misspelt = nearest(key, (*_ALIASES, *_LIMITS, *_FLOE_KEYS))
    if advice := _advice(key, value, names) or (misspelt and _advice(misspelt, value, names)):
        return advice
    if "customProperties" in names:
        return ("Remove it, or write it under customProperties.",)
    if len(names) <= _FEW:
        return (f"Known here: {', '.join(sorted(names))}.",)
    return ("Remove it; no key with a name like this exists here.",)


def _advice(key: str, value: object, names: frozenset[str]) -> tuple[str, ...]:
    """How to write here what a word means elsewhere."""
    meant = meant_key(key, names)
    if meant is not None:
        if _NEGATED.get(_bare(key)) == meant and isinstance(value, bool):
            return (f"Write {meant}: {str(not value).lower()} instead.",)
        return (did_you_mean(f"'{meant}'"),)
    if key in _FLOE_KEYS and "customProperties" in names:
        return (f"Write it under customProperties, as property: floe.{key}.",)
    return _advice_on_limit(key, names)


def _advice_on_limit(key: str, names: frozenset[str]) -> tuple[str, ...]:
    """Where a limit on values is written; the fields dialect has no room for every one of them."""
    if key in _LIMITS and "logicalTypeOptions" in names:
        return (f"Write it under logicalTypeOptions: {{{key}: …}}.",)
    if "nullable" not in names or key not in (*_LIMITS, "logicalTypeOptions"):
        return ()
    if key == "logicalTypeOptions":
        return ("Write its keys beside 'type', without logicalTypeOptions.",)
    return ("Say it with minimum, maximum or pattern, in the type as in VARCHAR(20), or by a rule under quality.",)


_FEW: Final = 15


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The nearest near miss among the names, by insertions, deletions, substitutions and swaps."""
    text = word.lower()
    limit = 0 if len(text) < 3 else 1 if len(text) < 6 else 2
    # In short words only the first two letters tell a slip from another word.
    alike = [name for name in names if len(text) >= 6 or sorted(name[:2].lower()) == sorted(text[:2])]
    scored = sorted((count_edits(text, name.lower(), limit), name) for name in alike)
    return scored[0][1] if scored and scored[0][0] <= limit else None


def _bare(key: str) -> str:
    return key.replace("_", "").replace("-", "").replace(" ", "").lower()


def count_edits(left: str, right: str, limit: int) -> int:
    """Optimal string alignment distance; anything above the limit is only known to be above it."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before, last = [0] * (len(right) + 1), list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        line = [i]
        for j, b in enumerate(right, 1):
            cost = min(last[j] + 1, line[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            line.append(cost)
        before, last = last, line
        if min(before) > limit < min(last):
            return limit + 1
    return last[-1]
