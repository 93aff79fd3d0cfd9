"""Refuses queries that run for ever or take all memory whatever the data is, and that no cancellation ends."""

from __future__ import annotations

from typing import Any

from ....contract.meaning.pattern.slowness import slowness_of
from .sql_nodes import Refused, class_of, items_of

_MATCHING_WORDS = (
    "regexp regexp_count regexp_extract regexp_extract_all regexp_instr regexp_like regexp_replace regexp_substr rlike "
    "split"
)
_MATCHING = {  # functions, and which of their arguments are patterns
    **dict.fromkeys(_MATCHING_WORDS.split(), slice(1, 2)),
    "str_to_map": slice(1, 3),
    "parse_url": slice(2, 3),
    "try_parse_url": slice(2, 3),
}
_LIKES = frozenset({"Like", "ILike", "LikeAll", "LikeAny", "NotLikeAll", "NotLikeAny"})
_LIKE_FUNCTIONS = frozenset({"like", "ilike"})
_JOIN_HINTS_WORDS = "broadcast broadcastjoin mapjoin merge shuffle_merge mergejoin shuffle_hash shuffle_replicate_nl"
_JOIN_HINTS = frozenset(_JOIN_HINTS_WORDS.split())  # others may ask for two thousand million partitions
_ARRAY_MAKERS = frozenset({"sequence", "array_repeat", "repeat", "space", "lpad", "rpad"})
_RANGE_ARGUMENTS = 3  # start, end and step
_MOST_ANY = 4  # `%` in a pattern of LIKE: each multiplies the ways to read a text by its length


class Costs:
    """What the parts of one query may cost; `check` is asked about every node of its parsed plan."""

    def __init__(self) -> None:
        self._made: set[str] = set()  # loops in loops, and arrays that the query makes itself

    def check(self, node: Any, kind: str) -> None:
        if kind == "UnresolvedTableValuedFunction" and node.functionArgs().size() > _RANGE_ARGUMENTS:
            raise Refused("it says how many partitions a range has")
        if kind == "UnresolvedHint" and str(node.name()).lower() not in _JOIN_HINTS:
            raise Refused(f"it has the hint {node.name()}")
        if kind == "RLike":
            _check_pattern(node.right())
        elif kind in _LIKES:
            _check_like([node.right()] if kind in ("Like", "ILike") else list(items_of(node.patterns())))
        elif kind == "UnresolvedFunction":
            name, arguments = str(node.nameParts().last()).lower(), list(items_of(node.arguments()))
            for pattern in arguments[_MATCHING.get(name, slice(0))]:
                _check_pattern(pattern)
            _check_like(arguments[1:2] if name in _LIKE_FUNCTIONS else [])
            self._check_loop(name, arguments)

    def _check_loop(self, name: str, arguments: list[Any]) -> None:
        """Refuses functions over functions over arrays that the query itself makes."""
        if name in _ARRAY_MAKERS:
            self._made.add("array")
        loops = [argument for argument in arguments if class_of(argument)[1] == "LambdaFunction"]
        if any(_holds_lambda(loop.function()) for loop in loops):
            self._made.add("loop")
        if len(self._made) > 1:
            raise Refused("it goes through an array that it makes itself, for each item of another")


def _holds_lambda(expression: Any) -> bool:
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        if class_of(node)[1] == "LambdaFunction":
            return True
        waiting += items_of(node.children())
    return False


def _check_pattern(argument: Any) -> None:
    """Refuses a pattern that could hold a thread of Spark for ever, and one that is made while the query runs."""
    slowness = slowness_of(_literal(argument))
    if slowness and not slowness.is_bearable:
        raise Refused(slowness.reason.replace("the pattern", "its pattern", 1))


def _check_like(arguments: list[Any]) -> None:
    """Refuses a LIKE of many `%`, which Spark hands to the same matcher; the last one takes whatever is left."""
    for argument in arguments:
        words = str(argument) if class_of(argument)[1] == "UTF8String" else _literal(argument)
        if words.rstrip("%").count("%") > _MOST_ANY:
            raise Refused(f"its pattern can take hours, because {words} has more than {_MOST_ANY} %")


def _literal(argument: Any) -> str:
    if class_of(argument)[1] != "Literal":
        raise Refused("its pattern is not written out")
    return str(argument.value())
