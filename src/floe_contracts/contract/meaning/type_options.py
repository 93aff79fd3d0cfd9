"""What options say about a type: widths, time zones, shapes of vectors, and what is meant when they are silent."""

from __future__ import annotations

from ..model import Json, Property
from .texts import compose, fold
from .typenames import Family, Zone, parse_type

TEMPORAL = frozenset({"date", "time", "timestamp"})
VECTOR: dict[str, Json] = {
    "dimensions": None,
    "elementType": "float32",
    "distanceMetric": None,
    "embeddingModel": None,
    "embeddingModelVersion": None,
    "normalized": False,
}


def width_range(word: str, logical: str) -> tuple[int, int] | None:
    """The range of a width such as i32 or u8; floats are ordered by their bits."""
    kind, bits = word[:1].casefold(), word[1:]
    if not bits.isdecimal() or len(bits) > 3:
        return None
    if logical == "number" and kind == "f":
        return (-int(bits), int(bits))
    if logical == "integer" and kind in ("i", "u"):
        reach = int(bits) - (kind == "i")
        return (0 if kind == "u" else -(2**reach), 2**reach - 1)
    return None


_IMPLIED = {
    Family.INT8: "i8",
    Family.INT16: "i16",
    Family.INT32: "i32",
    Family.INT64: "i64",
    Family.FLOAT32: "f32",
    Family.FLOAT64: "f64",
}


def implied_width(prop: Property) -> str:
    """The width when no format says it: that of the physical type, else what ODCS calls the default of an integer."""
    if not prop.physical_type:
        return "i32" if fold(prop.logical_type) == "integer" else ""
    kind = parse_type(prop.physical_type)
    width = _IMPLIED.get(kind.family, "") if kind else ""
    return width.replace("i", "u") if kind and kind.unsigned else width


def zone_kept(prop: Property) -> bool | None:
    """Whether a timestamp has a time zone: by its option, else by its physical type; None when neither says."""
    if prop.options.timezone is not None:
        return prop.options.timezone
    kind = parse_type(prop.physical_type) if prop.physical_type else None
    return None if kind is None or kind.zone is Zone.UNSPECIFIED else kind.zone is Zone.WITH


_UTC = frozenset({"", "utc", "etc/utc", "z", "zulu", "etc/zulu", "uct", "etc/uct", "gmt", "etc/gmt"})


def zone_name(name: str | None) -> str:
    """A time zone with the names of UTC made one."""
    word = fold(name)
    return "utc" if word in _UTC else word


def unit_name(unit: str | None) -> str:
    """A unit in one spelling; in short ones of mixed case a capital is a prefix, as in mW and MW."""
    word = compose(unit or "").strip()
    return word if len(word) <= 3 and not (word.isupper() or word.islower()) else word.casefold()


def semantic_name(word: str | None) -> str:
    """A semantic type; a column is what every property is unless it says otherwise."""
    name = fold(word)
    return "" if name == "column" else name
