"""Where each value and key of a readable document is written, found by a second pass that only findings pay for."""

from __future__ import annotations

from typing import Any, TypeAlias

from yaml.events import AliasEvent, MappingEndEvent, MappingStartEvent, ScalarEvent, SequenceEndEvent

from ... import codes
from ...frozen import dataclass, field
from ..model import Pointer
from .events import NextEvent
from .refusals import DocumentProblem, shorten
from .values import is_merge_key

Spot: TypeAlias = "tuple[int, int]"  # line and column, counted from 1
_AnyEvent: TypeAlias = Any


@dataclass(slots=True)
class SourcePlace:
    """One value: where it starts, where the keys of its mapping are, and the places inside it."""

    spot: Spot
    text: str | None = None  # of a scalar, for aliases used as keys
    keys: dict[str, Spot] = field(default_factory=dict)
    children: dict[str | int, SourcePlace] = field(default_factory=dict)

    def find(self, pointer: Pointer, *, key: bool) -> Spot:
        """The spot of the value or its key; of the nearest parent that exists when the pointer leads nowhere."""
        place, spot = self, self.spot
        for step in pointer:
            child = place.children.get(step)
            if child is None:
                break
            spot = place.keys.get(step, child.spot) if key and isinstance(step, str) else child.spot
            place = child
        return spot


@dataclass(frozen=True, slots=True)
class Places:
    """The whole document's places, and the keys that are written twice."""

    root: SourcePlace
    duplicates: tuple[DocumentProblem, ...]


def find_places(next_event: NextEvent) -> Places:
    """Reads a stream that `values.build` has accepted, so nothing needs to be refused again."""
    next_event()  # the stream starts
    next_event()  # the document starts
    walker = _Walker(next_event)
    root = walker.node(next_event())
    return Places(root, tuple(walker.duplicates))


def _spot(event: _AnyEvent) -> Spot:
    return event.start_mark.line + 1, event.start_mark.column + 1


class _Walker:
    __slots__ = ("anchors", "duplicates", "next_event")

    def __init__(self, next_event: NextEvent) -> None:
        self.next_event = next_event
        self.anchors: dict[str, SourcePlace] = {}
        self.duplicates: list[DocumentProblem] = []

    def node(self, event: _AnyEvent) -> SourcePlace:
        if type(event) is AliasEvent:
            target = self.anchors[str(event.anchor)]
            return SourcePlace(_spot(event), target.text, target.keys, target.children)
        place = SourcePlace(_spot(event))
        if event.anchor is not None:
            self.anchors[event.anchor] = place
        if type(event) is ScalarEvent:
            place.text = event.value
        elif type(event) is MappingStartEvent:
            self.mapping(place)
        else:
            self.sequence(place)
        return place

    def sequence(self, place: SourcePlace) -> None:
        event = self.next_event()
        while type(event) is not SequenceEndEvent:
            place.children[len(place.children)] = self.node(event)
            event = self.next_event()

    def mapping(self, place: SourcePlace) -> None:
        merged: list[SourcePlace] = []
        merge_spot: Spot | None = None
        event = self.next_event()
        while type(event) is not MappingEndEvent:
            is_merge = is_merge_key(event)
            spot, key = _spot(event), self.node(event).text or ""
            value = self.node(self.next_event())
            if is_merge:
                if merge_spot is not None:
                    self.duplicates.append(_duplicate(key, merge_spot, spot, "Write one: `<<: [*first, *second]`."))
                merge_spot = merge_spot or spot
                merged += [value] if value.keys or not value.children else value.children.values()
            elif key in place.keys:
                self.duplicates.append(_duplicate(key, place.keys[key], spot, "Keep one of them."))
            else:
                place.keys[key] = spot
                place.children[key] = value
            event = self.next_event()
        for source in merged:
            for name, at in source.keys.items():
                if place.keys.setdefault(name, at) is at:
                    place.children.setdefault(name, source.children[name])


def _duplicate(key: str, first: Spot, again: Spot, fix: str) -> DocumentProblem:
    lines = f"line {again[0]}" if first[0] == again[0] else f"line {first[0]} and on line {again[0]}"
    message = f"the key {shorten(key)!r} is written twice in one mapping, on {lines}"
    return DocumentProblem(codes.E501, "duplicate-key", message, *again, fix)
