"""One rule: what a kind of change costs in each profile, why, its message and its fix."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum

from ..codes import page_address
from ..frozen import dataclass
from ..results import Bump
from .fact import Element, ElementKind, Fact, Segment

AREAS = {  # in the order in which people read about them
    "identity": "Identity",
    "lifecycle": "Lifecycle",
    "objects": "Tables and other objects",
    "columns": "Columns",
    "types": "Types",
    "keys": "Nulls, keys and layout",
    "values": "Values and their meaning",
    "quality": "Quality rules",
    "service-levels": "Service levels",
    "access": "Servers and roles",
    "relationships": "Foreign keys",
    "people": "People and terms",
    "documentation": "Documentation and extensions",
}


class Direction(str, Enum):
    """What a change does to the promise."""

    LOOSENS = "loosens"  # readers can rely on less
    TIGHTENS = "tightens"  # writers and rows already written must do more
    BOTH = "both"
    NEITHER = "neither"


_BY_DIRECTION = {
    "consumer": {Direction.LOOSENS: Bump.MAJOR, Direction.BOTH: Bump.MAJOR, Direction.TIGHTENS: Bump.MINOR},
    "full": {Direction.LOOSENS: Bump.MAJOR, Direction.BOTH: Bump.MAJOR, Direction.TIGHTENS: Bump.MAJOR},
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as its YAML file says it, without the examples."""

    id: str
    area: str
    bump: Bump
    direction: Direction
    title: str
    why: str
    message: str
    fix: str
    caution: str  # shown even when the change is allowed; mostly empty
    profiles: tuple[tuple[str, str], ...]  # only where a profile differs from what the direction says
    since: str

    @property
    def docs_url(self) -> str:
        return page_address(f"rules/{self.area}", self.id)

    def bump_in(self, profile: str) -> Bump:
        """What the change costs in a profile."""
        own = dict(self.profiles).get(profile)
        return Bump(own) if own else _BY_DIRECTION.get(profile, {}).get(self.direction, self.bump)

    def describe(self, fact: Fact) -> str:
        """The change in one line."""
        return sentence(self.message, fact)

    def fixes(self, fact: Fact, *, next_major: str) -> tuple[str, ...]:
        """What to do about it."""
        return (sentence(self.fix, fact, next_major=next_major),)


WORDS = frozenset({"element", "old", "new", "next_major"})
NOTHING = "nothing"

_FIELD = re.compile(r"\{(\w+)(?:\|([^{}]*))?\}")  # {new}, or {new|what to say when there is none}
_ADDRESS = frozenset(
    {ElementKind.OBJECT, ElementKind.PROPERTY, ElementKind.ITEMS, ElementKind.MAP_KEY, ElementKind.MAP_VALUE}
)


def sentence(template: str, fact: Fact, **more: str) -> str:
    """The template with the words of a fact in it; a side that says nothing reads as `nothing`."""
    sides = {"old": " ".join(fact.old.split()), "new": " ".join(fact.new.split())}
    return fill_template(template, {"element": name_element(fact.element), **sides, **more})


def fill_template(template: str, words: Mapping[str, str]) -> str:
    """The template with its fields replaced in one pass: braces in the words themselves stay."""
    return _FIELD.sub(lambda field: words.get(field[1], field[0]) or field[2] or NOTHING, template)


def fields_of(template: str) -> frozenset[str]:
    """The names that a template asks for."""
    return frozenset(field[1] for field in _FIELD.finditer(template))


def name_element(element: Element) -> str:
    """An element the way people say it: `freshness of updated_at`, `not-null of orders.note`, `orders.note`."""
    return _name_segments(element.segments)


def _name_segments(segments: tuple[Segment, ...]) -> str:
    if not segments or segments[-1].part in _ADDRESS:
        return str(Element(segments)) or "the contract"
    parents, last = segments[:-1], segments[-1]
    if last.part is ElementKind.SLA_ELEMENT:
        return f"{_name_segments(parents)} of {last.name}"
    return f"{_quote_if_needed(last.name)} of {_name_segments(parents)}" if parents else _quote_if_needed(last.name)


def _quote_if_needed(name: str) -> str:
    return name if name and not re.search(r"[\s\"]", name) else '"' + name.replace('"', '\\"') + '"'
