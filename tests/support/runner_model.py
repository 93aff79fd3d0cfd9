"""How a GitHub runner reads the output of a step, modelled on actions/runner (ActionCommand.cs, ReadLine of .NET)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# What String.TrimStart removes.
_WHITE = " \t\n\x0b\x0c\r\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Obeyed:
    """A command that the runner would carry out."""

    name: str
    properties: dict[str, str]
    data: str


def obeyed(output: str) -> list[Obeyed]:
    """Every command in the output; any name counts, although a runner knows only some."""
    return [command for line in _LINE_END.split(output) for command in _in_line(line)]


def _in_line(line: str) -> Iterator[Obeyed]:
    command = _modern(line) or _legacy(line)
    if command:
        yield command


def _modern(line: str) -> Obeyed | None:
    rest = re.sub(f"^[{_WHITE}]+", "", line)
    if not rest.startswith("::") or "::" not in rest[2:]:
        return None
    head, data = rest[2:].split("::", 1)
    name, _, spelled = head.partition(" ")
    pairs = (pair.split("=", 1) for pair in spelled.strip().split(",") if "=" in pair)
    return Obeyed(name, {key: _unescaped(value, ":,") for key, value in pairs}, _unescaped(data))


def _legacy(line: str) -> Obeyed | None:
    found = re.search(r"##\[([^\]]*)\](.*)", line, re.DOTALL)
    return Obeyed(found[1], {}, found[2]) if found else None


def _unescaped(text: str, more: str = "") -> str:
    for each in f"\r\n{more}":
        text = text.replace(f"%{ord(each):02X}", each)
    return text.replace("%25", "%")
