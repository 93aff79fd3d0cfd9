"""From a rule's template and a fact to a sentence; only the template is a template, never a text from a contract."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .fact import Element, Fact, Part, Segment

WORDS = frozenset({"element", "old", "new", "next_major"})
NOTHING = "nothing"

_FIELD = re.compile(r"\{(\w+)(?:\|([^{}]*))?\}")  # {new}, or {new|what to say when there is none}
_ADDRESS = frozenset({Part.OBJECT, Part.PROPERTY, Part.ITEMS, Part.MAP_KEY, Part.MAP_VALUE})


def sentence(template: str, fact: Fact, **more: str) -> str:
    """The template with the words of a fact in it; a side that says nothing reads as `nothing`."""
    sides = {"old": " ".join(fact.old.split()), "new": " ".join(fact.new.split())}
    return filled(template, {"element": spoken(fact.element), **sides, **more})


def filled(template: str, words: Mapping[str, str]) -> str:
    """One pass over the template: braces in the words themselves stay as they are."""
    return _FIELD.sub(lambda found: words.get(found[1], found[0]) or found[2] or NOTHING, template)


def fields_of(template: str) -> frozenset[str]:
    """The names that a template asks for."""
    return frozenset(found[1] for found in _FIELD.finditer(template))


def spoken(element: Element) -> str:
    """An element the way people say it: `freshness of updated_at`, `not-null of orders.note`, `orders.note`."""
    return _spoken(element.segments)


def _spoken(segments: tuple[Segment, ...]) -> str:
    if not segments or segments[-1].part in _ADDRESS:
        return str(Element(segments)) or "the contract"
    parents, last = segments[:-1], segments[-1]
    if last.part is Part.SLA_ELEMENT:
        return f"{_spoken(parents)} of {last.name}"
    return f"{_quoted(last.name)} of {_spoken(parents)}" if parents else _quoted(last.name)


def _quoted(name: str) -> str:
    return name if name and not re.search(r"[\s\"]", name) else '"' + name.replace('"', '\\"') + '"'
