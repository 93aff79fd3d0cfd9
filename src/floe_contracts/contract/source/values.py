"""Plain values from YAML events in one pass that stops as soon as a document costs more than a contract may."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from ...frozen import dataclass
from ..model import Json
from .events import NextEvent
from .refusals import MAX_DEPTH, MAX_NODES, refusal
from .scalars import KINDS, Numeral, TooManyDigits, WholeNumeral, WrongKind, resolve, resolve_as

_CORE: Final = "tag:yaml.org,2002:"
_AnyEvent: TypeAlias = Any  # told apart by exact type, which mypy does not narrow on


@dataclass(frozen=True, slots=True)
class Built:
    """The document's value, and what the caller must look at again."""

    value: Json
    has_numerals: bool
    has_duplicates: bool


def build(next_event: NextEvent) -> Built | None:
    """The single document of a stream, or None when there is none; raises DocumentRefused or what the parser raises."""
    next_event()  # the stream starts
    if type(next_event()) is StreamEndEvent:
        return None
    builder = _Builder(next_event)
    value = builder.node(next_event(), 0)
    next_event()  # the document ends
    event = next_event()
    if type(event) is not StreamEndEvent:
        raise refusal("yaml-documents", event)
    return Built(value, builder.has_numerals, builder.has_duplicates)


@dataclass(frozen=True, slots=True)
class _Anchored:
    """A value that aliases may repeat, and what each repetition costs."""

    value: Json
    text: str | None  # of a scalar
    nodes: int
    height: int


class _Builder:
    """Recursion is safe here: it ends at MAX_DEPTH."""

    __slots__ = ("anchors", "has_duplicates", "has_numerals", "next_event", "nodes", "peak")

    def __init__(self, next_event: NextEvent) -> None:
        self.next_event = next_event
        self.anchors: dict[str, _Anchored | object] = {}
        self.nodes = 0
        self.peak = 0  # the deepest level seen since the innermost anchor
        self.has_numerals = False
        self.has_duplicates = False

    def node(self, event: _AnyEvent, depth: int) -> Json:
        """The value that starts with this event, inside `depth` collections."""
        kind = type(event)
        if kind is AliasEvent:
            return self.alias(event, depth).value
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise refusal("yaml-expansion", event)
        if event.anchor is not None:
            return self.anchor(event, depth)
        return self.scalar(event) if kind is ScalarEvent else self.collection(event, depth + 1)

    def scalar(self, event: _AnyEvent) -> Json:
        if event.tag is None and not event.implicit[0]:  # quoted
            text: str = event.value
            return text
        value = _resolve(event)
        if type(value) is Numeral or type(value) is WholeNumeral:
            self.has_numerals = True
        return value

    def collection(self, event: _AnyEvent, depth: int) -> Json:
        if depth > MAX_DEPTH:
            raise refusal("yaml-depth", event)
        if depth > self.peak:
            self.peak = depth
        is_mapping = type(event) is MappingStartEvent
        if event.tag is not None and event.tag != _CORE + ("map" if is_mapping else "seq"):
            raise refusal("yaml-tag", event, _shorthand(event.tag))
        return self.mapping(depth) if is_mapping else self.sequence(depth)

    def sequence(self, depth: int) -> Json:
        next_event, node = self.next_event, self.node
        items: list[Json] = []
        event = next_event()
        while type(event) is not SequenceEndEvent:
            items.append(node(event, depth))
            event = next_event()
        return items

    def mapping(self, depth: int) -> Json:
        next_event, node = self.next_event, self.node
        own: dict[str, Json] = {}
        merged: dict[str, Json] | None = None
        event = next_event()
        while type(event) is not MappingEndEvent:
            key = self.key(event, depth)
            is_merge = is_merge_key(event)
            value = node(next_event(), depth)
            if is_merge:
                self.has_duplicates |= merged is not None
                merged = _merge({} if merged is None else merged, value, event)
            elif key in own:
                self.has_duplicates = True  # the first value stays; the places pass names both lines
            else:
                own[key] = value
            event = next_event()
        return own if merged is None else {**merged, **own}

    def key(self, event: _AnyEvent, depth: int) -> str:
        """Keys are text as written: `1.10:` is "1.10", and `true:` is "true"."""
        if type(event) is ScalarEvent:
            if event.anchor is not None or event.tag is not None:
                self.node(event, depth)
            text: str | None = event.value
        else:
            text = self.alias(event, depth).text if type(event) is AliasEvent else None
        if text is None:
            raise refusal("complex-key", event)
        return text

    def anchor(self, event: _AnyEvent, depth: int) -> Json:
        """Reads a value and notes its size; until it ends, an alias to it would be a circle."""
        unfinished = object()
        self.anchors[event.anchor] = unfinished
        nodes, peak = self.nodes - 1, self.peak
        self.peak = depth
        value = self.scalar(event) if type(event) is ScalarEvent else self.collection(event, depth + 1)
        if self.anchors[event.anchor] is unfinished:  # otherwise the name was given again inside
            text = event.value if type(event) is ScalarEvent else None
            self.anchors[event.anchor] = _Anchored(value, text, self.nodes - nodes, self.peak - depth)
        self.peak = max(self.peak, peak)
        return value

    def alias(self, event: _AnyEvent, depth: int) -> _Anchored:
        target = self.anchors.get(event.anchor)
        if target is None:
            raise refusal("yaml-alias", event, event.anchor)
        if not isinstance(target, _Anchored):
            raise refusal("yaml-recursion", event, event.anchor)
        self.nodes += target.nodes
        self.peak = max(self.peak, depth + target.height)
        if self.nodes > MAX_NODES:
            raise refusal("yaml-expansion", event)
        if self.peak > MAX_DEPTH:
            raise refusal("yaml-depth", event)
        return target


def is_merge_key(event: _AnyEvent) -> bool:
    """Only the unquoted word << merges; in quotes it is a key like any other."""
    return type(event) is ScalarEvent and event.value == "<<" and bool(event.implicit[0])


def _merge(into: dict[str, Json], value: Json, event: _AnyEvent) -> dict[str, Json]:
    """Adds the keys of a mapping or of a list of mappings; a key that is there already wins."""
    for source in value if isinstance(value, list) else [value]:
        if not isinstance(source, dict):
            raise refusal("merge-key", event)
        for key, item in source.items():
            into.setdefault(key, item)
    return into


def _resolve(event: _AnyEvent) -> Json:
    """The value of an unquoted or tagged scalar."""
    try:
        if event.tag is None:
            return resolve(event.value)
        kind = event.tag.removeprefix(_CORE)
        if kind not in KINDS:
            raise refusal("yaml-tag", event, _shorthand(event.tag))
        return resolve_as(kind, event.value)
    except TooManyDigits:
        raise refusal("yaml-number", event) from None
    except WrongKind:
        raise refusal("yaml-tag-value", event, _shorthand(event.tag)) from None


def _shorthand(tag: str) -> str:
    return f"!!{tag.removeprefix(_CORE)}" if tag.startswith(_CORE) else tag
