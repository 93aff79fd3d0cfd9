"""Properties that left one parent for another in the same table, and what remains truly removed or added."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple

from ...contract.meaning.references import Path
from ...contract.meaning.texts import compose
from ...contract.model import Property
from ..fact import Element, ElementKind, Fact
from ..kinds import FactKind
from .plain import show
from .properties import Survey, Unpaired
from .renames import shape


class _Node(NamedTuple):
    """A named property inside something that exists on one side only."""

    root: Unpaired
    path: Path
    element: Element
    prop: Property
    leaf: bool


def existence_facts(walk: Survey) -> Iterator[Fact]:
    """Facts about properties that came, went or moved; children fold into their parent."""
    gone, come = _nodes(walk.removed), _nodes(walk.added)
    moved = _find_moves(gone, come) if gone and come else []
    for before, after in moved:
        walk.renames[before.path] = after.path
        place = before.root.place.at(old_at=before.prop.at, new_at=after.prop.at)
        yield Fact(
            FactKind.PROPERTY_MOVED,
            before.element,
            str(before.element),
            str(after.element),
            place.old_at,
            place.new_at,
            place.touched,
            (str(before.element), str(after.element)),
        )
    left = _find_left_behind(gone, {before.path for before, _ in moved})
    arrived = _find_left_behind(come, {after.path for _, after in moved})
    for item in walk.removed:
        if item.path in left:
            yield item.place.fact(FactKind.PROPERTY_REMOVED, summary(item.prop), "")
    for item in walk.added:
        if item.path in arrived:
            required = item.prop.required
            kind = FactKind.PROPERTY_ADDED_REQUIRED if required else FactKind.PROPERTY_ADDED_OPTIONAL
            yield item.place.fact(kind, "", summary(item.prop))


def summary(prop: Property) -> str:
    """A property in a few words: its type and whether it must be there."""
    kind = prop.physical_type or prop.logical_type or "no type"
    words = [kind, *(["required"] if prop.required else []), *(["primary key"] if prop.primary_key else [])]
    values = f" ({', '.join(show(item.value) for item in prop.enum)})" if prop.enum else ""
    return " ".join(words) + values


def _nodes(roots: list[Unpaired]) -> list[_Node]:
    return [node for root in roots for node in _below(root, root.path, root.place.element, root.prop)]


def _below(root: Unpaired, path: Path, element: Element, prop: Property) -> Iterator[_Node]:
    children = [(child.name, ElementKind.PROPERTY, child.name, child) for child in prop.properties]
    for step, part, side in (
        ("[]", ElementKind.ITEMS, prop.items),
        ("{key}", ElementKind.MAP_KEY, prop.map_key),
        ("{value}", ElementKind.MAP_VALUE, prop.map_value),
    ):
        if side is not None:
            children.append((step, part, "", side))
    yield _Node(root, path, element, prop, leaf=not children)
    for step, part, name, child in children:
        yield from _below(root, (*path, step), element.below(part, name), child)


def _find_moves(gone: list[_Node], come: list[_Node]) -> list[tuple[_Node, _Node]]:
    """Pairs with the same name and shape, the only ones of their kind on both sides; parents before children."""
    before, after = _singles(gone), _singles(come)
    pairs: dict[Path, tuple[_Node, _Node]] = {}
    taken: set[Path] = set()
    for key, node in before.items():
        other = after.get(key)
        if other is not None and not _within(node.path, pairs) and not _within(other.path, taken):
            pairs[node.path] = (node, other)
            taken.add(other.path)
    return list(pairs.values())


def _singles(nodes: list[_Node]) -> dict[tuple[object, ...], _Node]:
    groups: dict[tuple[object, ...], list[_Node]] = {}
    for node in nodes:
        if node.prop.name:
            groups.setdefault((compose(node.prop.name), *shape(node.prop)), []).append(node)
    return {key: group[0] for key, group in groups.items() if len(group) == 1}


def _within(path: Path, parents: Container[Path]) -> bool:
    return any(path[:length] in parents for length in range(len(path), 1, -1))


def _find_left_behind(nodes: list[_Node], moved: set[Path]) -> set[Path]:
    """The paths of roots of which something did not move; where all moved, the parent's end says nothing more."""
    return {node.root.path for node in nodes if node.leaf and not _within(node.path, moved)}
