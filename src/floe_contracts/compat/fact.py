"""A fact: one change between two contracts, what it is about and where it is written on both sides."""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from ..contract.model import Dialect, Pointer
from ..frozen import dataclass, field
from .kinds import FactKind
from .spelling import key_in

LONGEST_TEXT = 120

Column = tuple[str, str]  # object, top-level column


class ElementKind(str, Enum):
    """What a segment of an element path names; the value is the word printed before it."""

    OBJECT = "object"
    PROPERTY = "property"
    ITEMS = "items"
    MAP_KEY = "key"
    MAP_VALUE = "value"
    CONTRACT = "contract"  # a field of the contract itself
    CONSUMER = "consumer"
    CUSTOM = "custom"
    QUALITY = "quality"
    RELATIONSHIP = "relationship"
    ROLE = "role"
    SERVER = "server"
    SLA = "sla"
    SLA_ELEMENT = "element"
    UNKNOWN = "unknown"


class Segment(NamedTuple):
    """One step of an element path; names are kept as written and never joined."""

    part: ElementKind
    name: str = ""


@dataclass(frozen=True, slots=True)
class Element:
    """What a fact is about, as typed steps. Printed, a dot inside a name is quoted, so no two elements look alike."""

    segments: tuple[Segment, ...] = ()

    def below(self, part: ElementKind, name: str = "") -> Element:
        return Element((*self.segments, Segment(part, name)))

    def __str__(self) -> str:
        text = ""
        for segment in self.segments:
            text = _append_segment(text, segment)
        return text


_IN_BRACKETS = {ElementKind.ITEMS: "[]", ElementKind.MAP_KEY: "{key}", ElementKind.MAP_VALUE: "{value}"}
_NEEDS_QUOTES = re.compile(r"""[.\[\]{}()#:"'\s]|\A\Z""")


def _append_segment(text: str, segment: Segment) -> str:
    if segment.part in _IN_BRACKETS:
        return text + _IN_BRACKETS[segment.part]
    if segment.part is ElementKind.OBJECT:
        return _quote_name(segment.name)
    if segment.part is ElementKind.PROPERTY:
        return f"{text}.{_quote_name(segment.name)}"
    if segment.part is ElementKind.SLA_ELEMENT:
        return f"{text}({segment.name})"
    return f"{segment.part.value}:{text}#{segment.name}" if text else f"{segment.part.value}:{segment.name}"


def _quote_name(name: str) -> str:
    return quote(name) if _NEEDS_QUOTES.search(name) else name


def quote(text: str) -> str:
    """The text in double quotes, with the quotes and backslashes in it escaped."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@dataclass(frozen=True, slots=True)
class Fact:
    """One change. `old` and `new` are for people and may be cut; an absent side is empty text.

    For what was removed, `new_at` is the nearest surviving parent, and for what was added, `old_at` is.
    """

    kind: FactKind
    element: Element
    old: str = ""
    new: str = ""
    old_at: Pointer = ()
    new_at: Pointer = ()
    touched: tuple[Column, ...] = ()  # columns whose readers are concerned; empty means every reader
    normal: tuple[str, str] = field(default=("", ""), repr=False)  # both sides without accidents of spelling

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns touched as `object.column`, the way consumers write them."""
        return tuple(f"{table}.{column}" for table, column in self.touched)

    def fingerprint(self, contract_key: str) -> str:
        """What a waiver names: the same change to the same element of the same contract, however it is spelled."""
        import hashlib  # nobody pays for it on a clean run

        steps = [text for segment in self.element.segments for text in (segment.part.value, segment.name)]
        words = (self.kind.value, contract_key, str(len(steps)), *steps, *self.normal)
        framed = "".join(f"{len(word)}:{word}" for word in words)
        return hashlib.sha256(framed.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class FactPlace(NamedTuple):
    """Where a comparison stands: the element, its pointers in both documents, and whom a change there concerns."""

    element: Element = Element()
    old_at: Pointer = ()
    new_at: Pointer = ()
    touched: tuple[Column, ...] = ()
    old_dialect: Dialect = Dialect.ODCS
    new_dialect: Dialect = Dialect.ODCS

    def below(self, part: ElementKind, name: str = "", *, old_at: Pointer = (), new_at: Pointer = ()) -> FactPlace:
        """The place of a part; a side on which the part does not exist keeps the parent's pointer."""
        return FactPlace(
            self.element.below(part, name),
            old_at or self.old_at,
            new_at or self.new_at,
            self.touched,
            self.old_dialect,
            self.new_dialect,
        )

    def with_columns(self, *columns: Column) -> FactPlace:
        return self._replace(touched=columns)

    def at(self, *, old_at: Pointer = (), new_at: Pointer = ()) -> FactPlace:
        """The same element with pointers of its own; an empty one leaves that side as it is."""
        return self._replace(old_at=old_at or self.old_at, new_at=new_at or self.new_at)

    def section(self, field: str) -> FactPlace:
        """Where a list of the contract is written, so that what left it still points there."""
        return self.at(old_at=key_in(self.old_dialect, field), new_at=key_in(self.new_dialect, field))

    def at_key(self, key: str) -> FactPlace:
        """The same place, pointing at one key as it is written in the documents."""
        return self._replace(old_at=(*self.old_at, key), new_at=(*self.new_at, key))

    def fact(
        self, kind: FactKind, old: str = "", new: str = "", *, key: str = "", normal: tuple[str, str] | None = None
    ) -> Fact:
        """A fact here; `key` is the model's name of the field that changed, for the exact line."""
        return Fact(
            kind,
            self.element,
            _shorten(old),
            _shorten(new),
            (*self.old_at, *key_in(self.old_dialect, key)),
            (*self.new_at, *key_in(self.new_dialect, key)),
            self.touched,
            normal or (old, new),
        )


def _shorten(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
