"""One entry put into a YAML file that people write: all other text, comments too, stays as it is.

A change is made in lines of text and then read again. Where it does not say exactly what it should, because the file
is written in a way that lines do not show, nothing is changed and a person is told what to add.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from ...contract.model import Json, JsonMap, Pointer
from ...contract.source import Document, read_document
from ...contract.write.yaml_text import yaml_text
from ...frozen import dataclass


class EntryState(Enum):
    """What a file says about an entry."""

    ABSENT = "nothing"
    SAME = "the same"
    OTHER = "something else"
    UNCLEAR = "nobody can tell"


@dataclass(frozen=True, slots=True)
class YamlEntry:
    """An entry: what stands under a key of a section, or the item of a listed section with the same `key`."""

    section: str
    key: str
    value: JsonMap
    in_list: bool = False

    @property
    def text(self) -> str:
        """The entry in a file of its own."""
        return yaml_text({self.section: self._alone})

    @property
    def _alone(self) -> Json:
        return [dict(self.value)] if self.in_list else {self.key: dict(self.value)}

    def within(self, section: Json) -> Json:
        """The section with this entry."""
        if isinstance(section, list) and self.in_list:
            return [*section, dict(self.value)]
        return {**section, self.key: dict(self.value)} if isinstance(section, dict) else self._alone

    def lines(self) -> list[str]:
        """The entry below the head of its section, without the indentation."""
        return yaml_text(self._alone).rstrip("\n").split("\n")


def entry_state(text: str, entry: YamlEntry) -> EntryState:
    """What the text of a file says about the entry; an item of a list is the same whatever else it says."""
    top = _top(text)
    if top is None:
        return EntryState.UNCLEAR
    section = top.get(entry.section)
    if section is None:
        return EntryState.ABSENT
    if entry.in_list:
        if not isinstance(section, list):
            return EntryState.UNCLEAR
        wanted = entry.value.get(entry.key)
        known = any(isinstance(item, dict) and item.get(entry.key) == wanted for item in section)
        return EntryState.SAME if known else EntryState.ABSENT
    if not isinstance(section, dict):
        return EntryState.UNCLEAR
    if entry.key not in section:
        return EntryState.ABSENT
    return EntryState.SAME if section[entry.key] == entry.value else EntryState.OTHER


def with_entry(text: str, entry: YamlEntry) -> str | None:
    """The text with the entry, added or instead of the one that is there; None where lines cannot tell how."""
    top = _top(text)
    if top is None:
        return None
    lines = text.removesuffix("\n").split("\n") if text else []
    changed = "".join(f"{line}\n" for line in _change_lines(lines, text, top, entry))
    return changed if _top(changed) == {**top, entry.section: entry.within(top.get(entry.section))} else None


def _top(text: str) -> dict[str, Json] | None:
    """What a file says, nothing when it is empty; None when it cannot be read or holds no keys."""
    document = read_document(text.encode("utf-8"))
    if document.value is None and all(problem.rule == "yaml-empty" for problem in document.problems):
        return {}
    value = document.plain()
    return value if isinstance(value, dict) and not document.problems else None


def _change_lines(lines: list[str], text: str, top: JsonMap, entry: YamlEntry) -> list[str]:
    feed = "\r" if "\r\n" in text else ""
    if entry.section not in top:
        return [*lines, *_indent(entry.text.rstrip("\n").split("\n"), 0, feed)]
    section = top[entry.section]
    document = read_document(text.encode("utf-8"))
    head = _line(document, (entry.section,))
    if not section:  # `repos: []`, or a key with nothing behind it
        return [*lines[:head], _bare(lines[head]) + feed, *_indent(entry.lines(), 2, feed), *lines[head + 1 :]]
    if not isinstance(section, (list, dict)):
        return lines
    first = 0 if isinstance(section, list) else next(iter(section))
    depth = _depth(lines[_line(document, (entry.section, first))])
    start = end = _end(lines, head, depth)
    if isinstance(section, dict) and entry.key in section:
        start = _line(document, (entry.section, entry.key))
        end = _end(lines, start, depth + 1)
    return [*lines[:start], *_indent(entry.lines(), depth, feed), *lines[end:]]


def _line(document: Document, pointer: Pointer) -> int:
    """The line of a key or an item, counted from 0."""
    return (document.locate(pointer, key=isinstance(pointer[-1], str)) or (1, 1))[0] - 1


def _bare(head: str) -> str:
    """The head of an empty section without `[]`, `{}` or `null`, and with its comment."""
    name, _, rest = head.partition(":")
    comment = rest[rest.index("#") :].rstrip() if "#" in rest else ""
    return f"{name}:{f'  {comment}' if comment else ''}"


def _end(lines: list[str], start: int, depth: int) -> int:
    """The line after a block whose inner lines are so deep; blanks and comments at its end belong to what follows."""
    end = start + 1
    for number in range(start + 1, len(lines)):
        bare = lines[number].strip()
        if not bare or bare.startswith("#"):
            continue
        here = _depth(lines[number])
        if here < depth or (here == 0 and not bare.startswith("- ")):  # lists may be no deeper than their head
            break
        end = number + 1
    return end


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _indent(lines: Iterable[str], by: int, feed: str) -> list[str]:
    return [f"{' ' * by if line else ''}{line}{feed}" for line in lines]
