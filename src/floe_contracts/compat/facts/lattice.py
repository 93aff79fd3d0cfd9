"""How two types relate: the same in other words, wider, narrower, or another type, at any depth of the type's text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ...contract.meaning.typenames import Family, TypeExpr, parse_type
from ..fact import ElementKind, Segment
from ..kinds import FactKind

Steps = tuple[Segment, ...]


class TypeChange(NamedTuple):
    """One difference, and the steps from the type to the part of it that differs."""

    kind: FactKind
    old: str
    new: str
    steps: Steps = ()
    normal: tuple[str, str] | None = None  # both sides in their canonical spelling, where `old` and `new` are not
    key: str = "physical_type"  # the field of the property that says so


def compare_type_text(old: str, new: str) -> tuple[TypeChange, ...]:
    """Differences between two types as written; none when only case, spaces or an alias differ."""
    before, after = parse_type(old), parse_type(new)
    if before is None or after is None:  # brackets that do not close: nothing can be said about the meaning
        return () if _squeeze(old) == _squeeze(new) else (TypeChange(FactKind.TYPE_CHANGED, old, new),)
    return tuple(
        change if change.steps else TypeChange(change.kind, old, new, normal=(change.old, change.new))
        for change in compare_types(before, after)
    )


def compare_types(old: TypeExpr, new: TypeExpr, steps: Steps = ()) -> Iterator[TypeChange]:
    """Differences between two types by meaning."""
    if old == new:
        return
    if old.required != new.required:
        kind = FactKind.PROPERTY_BECAME_REQUIRED if new.required else FactKind.PROPERTY_BECAME_NULLABLE
        yield TypeChange(kind, old.text, new.text, steps)
    if old.family is new.family and old.children and new.children and old.family is not Family.VECTOR:
        yield from _inside(old, new, steps)
        return
    change = _one_family(old, new) if old.family is new.family else _other(old, new)
    if change is not None:
        yield TypeChange(change, old.text, new.text, steps)


def _one_family(old: TypeExpr, new: TypeExpr) -> FactKind | None:
    if old.children != new.children and old.family is not Family.VECTOR:  # one of them does not say what it contains
        return FactKind.PHYSICAL_TYPE_ADDED if new.children else FactKind.PHYSICAL_TYPE_REMOVED
    return _SAME_FAMILY.get(old.family, _other)(old, new)


def _inside(old: TypeExpr, new: TypeExpr, steps: Steps) -> Iterator[TypeChange]:
    """Differences between children by name; fields without names are compared by place, all or nothing."""
    unnamed = old.family is Family.STRUCT and any(not name for name, _ in (*old.children, *new.children))
    if unnamed:
        if [item for _, item in old.children] != [item for _, item in new.children]:
            yield TypeChange(FactKind.TYPE_CHANGED, old.text, new.text, steps)
        return
    before, after = dict(old.children), dict(new.children)
    for name in dict.fromkeys((*before, *after)):
        below = (*steps, _step(old.family, name))
        if name not in after:
            yield TypeChange(FactKind.PROPERTY_REMOVED, before[name].text, "", below)
        elif name not in before:
            required = after[name].required
            kind = FactKind.PROPERTY_ADDED_REQUIRED if required else FactKind.PROPERTY_ADDED_OPTIONAL
            yield TypeChange(kind, "", after[name].text, below)
        else:
            yield from compare_types(before[name], after[name], below)


def _step(family: Family, name: str) -> Segment:
    if family is Family.ARRAY:
        return Segment(ElementKind.ITEMS)
    if family is Family.MAP:
        return Segment(ElementKind.MAP_KEY if name == "key" else ElementKind.MAP_VALUE)
    return Segment(ElementKind.PROPERTY, name)


_BITS = {Family.INT8: 8, Family.INT16: 16, Family.INT32: 32, Family.INT64: 64}


def _whole_range(kind: TypeExpr) -> tuple[int, int] | None:
    bits = _BITS.get(kind.family)
    if bits is None:
        return None
    return (0, 2**bits - 1) if kind.unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _other(old: TypeExpr, new: TypeExpr) -> FactKind | None:
    """The change between two families, or in one without parameters; only whole numbers and floats have an order."""
    before, after = _whole_range(old), _whole_range(new)
    if before and after:
        return compare_ranges(before, after)
    if (old.family, new.family) == (Family.FLOAT32, Family.FLOAT64):
        return FactKind.TYPE_WIDENED
    if (old.family, new.family) == (Family.FLOAT64, Family.FLOAT32):
        return FactKind.TYPE_NARROWED
    return FactKind.TYPE_CHANGED if _bare(old) != _bare(new) else None


def compare_ranges(old: tuple[int, int], new: tuple[int, int]) -> FactKind | None:
    """The change from one range to another; signed and unsigned of one width only overlap."""
    if old == new:
        return None
    if new[0] <= old[0] and old[1] <= new[1]:
        return FactKind.TYPE_WIDENED
    return FactKind.TYPE_NARROWED if old[0] <= new[0] and new[1] <= old[1] else FactKind.TYPE_CHANGED


def _bare(kind: TypeExpr) -> str:
    return kind.text.removesuffix(" not null")


def _decimal(old: TypeExpr, new: TypeExpr) -> FactKind | None:
    if old.params == new.params:
        return None
    if not old.params or not new.params:
        return FactKind.TYPE_CHANGED  # engines disagree about the default precision
    if old.params[1] != new.params[1]:
        return FactKind.DECIMAL_SCALE_CHANGED
    return FactKind.TYPE_WIDENED if new.params[0] > old.params[0] else FactKind.TYPE_NARROWED


def _string(old: TypeExpr, new: TypeExpr) -> FactKind | None:
    return _longer(old, new, FactKind.STRING_LENGTH_INCREASED, FactKind.STRING_LENGTH_DECREASED)


def _binary(old: TypeExpr, new: TypeExpr) -> FactKind | None:
    return _longer(old, new, FactKind.TYPE_WIDENED, FactKind.TYPE_NARROWED)


def _longer(old: TypeExpr, new: TypeExpr, more: FactKind, less: FactKind) -> FactKind | None:
    if old.params == new.params:
        return None
    if not old.params:
        return less
    return more if not new.params or new.params > old.params else less


def _clock(old: TypeExpr, new: TypeExpr) -> FactKind | None:
    if old.zone is not new.zone:
        return FactKind.TIMESTAMP_ZONE_CHANGED
    return FactKind.TIMESTAMP_PRECISION_CHANGED if old.params != new.params else None


def _vector(old: TypeExpr, new: TypeExpr) -> FactKind | None:
    return FactKind.VECTOR_SHAPE_CHANGED if (old.params, old.children) != (new.params, new.children) else None


_SAME_FAMILY: dict[Family, Callable[[TypeExpr, TypeExpr], FactKind | None]] = {
    Family.DECIMAL: _decimal,
    Family.STRING: _string,
    Family.CHAR: _string,
    Family.BINARY: _binary,
    Family.TIME: _clock,
    Family.TIMESTAMP: _clock,
    Family.VECTOR: _vector,
}


def _squeeze(text: str) -> str:
    return "".join(text.split()).casefold()
