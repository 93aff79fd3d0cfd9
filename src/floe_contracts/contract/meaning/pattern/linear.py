"""The same pattern in the words of RE2, whose time grows with the text and no faster."""

from __future__ import annotations

from functools import lru_cache

from .chars import Chars, Ranges
from .reader import read_pattern
from .tree import Atomic, Choice, Edge, LookAround, Node, Repeat, Sequence, Unreadable

_MOST_REPEATS = 1_000  # that RE2 takes


@lru_cache(maxsize=256)
def can_spell(pattern: str) -> bool:
    """Whether RE2 has words for the pattern."""
    try:
        spell_linear(pattern)
    except (Unreadable, RecursionError):
        return False
    return True


def spell_linear(pattern: str) -> str:
    """The pattern for RE2, to match a whole value; Unreadable where RE2 has no words for it."""
    tree = read_pattern(pattern, exactly=True)
    branches = tree.parts if isinstance(tree, Choice) else (tree,)
    return "|".join(_spell(_without_end(branch)) for branch in branches)


def _without_end(branch: Node) -> Node:
    """A `$` at the end says nothing where the whole value must match; elsewhere Java lets a line break follow it."""
    parts = branch.parts if isinstance(branch, Sequence) else (branch,)
    return Sequence(parts[:-1]) if parts and parts[-1] == Edge("$") else branch


def _spell(node: Node) -> str:
    if isinstance(node, Chars):
        return _spell_chars(node)
    if isinstance(node, Sequence):
        return "".join(f"(?:{_spell(part)})" if isinstance(part, Choice) else _spell(part) for part in node.parts)
    if isinstance(node, Choice):
        return "|".join(_spell(part) for part in node.parts)
    if isinstance(node, Repeat):
        if max(node.least, node.most or 0) > _MOST_REPEATS:
            raise Unreadable
        limits = f"{node.least}," + ("" if node.most is None else str(node.most))
        return f"(?:{_spell(node.part)}){{{limits}}}"
    if isinstance(node, Edge) and node.sign == "^":
        return r"\A"
    if isinstance(node, (Edge, LookAround, Atomic)):
        raise Unreadable
    raise AssertionError(node)


def _spell_chars(node: Chars) -> str:
    """A class whose members are written as code points, so that both matchers mean the same."""
    if not node.named:
        return f"[{_spell_ranges(node.ranges)}]" if node.ranges else r"[^\x{0}-\x{10FFFF}]"
    return f"[{'^' if node.negated else ''}{_spell_ranges(node.exact)}{''.join(node.named)}]"


def _spell_ranges(ranges: Ranges) -> str:
    return "".join(rf"\x{{{low:X}}}-\x{{{high:X}}}" for low, high in ranges)
