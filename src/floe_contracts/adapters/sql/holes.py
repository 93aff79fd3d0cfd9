"""Values that nobody here can know: they print as a mark, give more of their kind, and decide nothing."""

from __future__ import annotations

from typing import Any

from jinja2.runtime import Undefined

from .marks import has_mark, hole_mark


class Undecided(Exception):
    """A decision that hangs on something nobody here can know."""


def _refuse(what: str) -> Any:
    def refuse(self: Hole, *_: Any, **__: Any) -> Any:
        raise Undecided(f"{what} that depends on {self.why}")

    return refuse


class Hole:
    """A value that is not known; it prints as its text, gives holes, and decides nothing."""

    def __init__(self, why: str, text: str) -> None:
        self.why = why
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __html__(self) -> str:
        return self.text

    def __format__(self, _spec: str) -> str:
        return self.text

    def _more(self, *_: Any, **__: Any) -> Hole:
        return Hole(self.why, hole_mark(0))

    def __add__(self, other: Any) -> Hole:
        return Hole(self.why, f"{self}{other}")

    def __radd__(self, other: Any) -> Hole:
        return Hole(self.why, f"{other}{self}")

    __call__ = __getitem__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = __rmod__ = __truediv__ = _more
    __rtruediv__ = __floordiv__ = __rfloordiv__ = __neg__ = __pow__ = __rpow__ = _more
    __bool__ = _refuse("a condition")
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = _refuse("a comparison")
    __iter__ = __len__ = __hash__ = _refuse("a loop or a length")
    __int__ = __float__ = __index__ = _refuse("a number")


class Relation(Hole):
    """`ref('orders')`, `source('raw', 'orders')` or `this`."""


class UnknownName(Undefined):
    """A name that is not there."""


def taint(value: Any) -> Any:
    """A kept text that holds a hole is a hole from then on, with the same text."""
    if isinstance(value, UnknownName):
        return Hole("a name that is not known", hole_mark(0))
    return Hole("a text with a hole", value) if isinstance(value, str) and has_mark(value) else value


def concat(*values: Any) -> Any:
    text = "".join(map(str, values))
    return Hole(why_of(*values), text) if any(isinstance(value, Hole) for value in values) else text


def why_of(*values: Any) -> str:
    return next((value.why for value in values if isinstance(value, Hole)), "a value that is not known")


def holds_hole(value: Any) -> bool:
    return isinstance(value, Hole) or (isinstance(value, tuple) and any(isinstance(item, Hole) for item in value))
