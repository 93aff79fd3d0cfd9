"""Dataclasses that cost a quarter to define: a commit hook defines a hundred of them before it reads the first file.

The standard decorator compiles six methods per class, and its module imports `inspect`. Here only `__init__` is
compiled, for classes of which there are many instances, and the other methods are shared. Type checkers see the
standard names; so does whoever asks for `dataclasses.fields`, because the description that it needs is made when it is
first asked for. See docs/adr/0016.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
    from typing import Any

    Fields = dict[str, tuple[str, Any]]  # annotation, and what stands after the equals sign

__all__ = ["compared", "dataclass", "field", "replace"]

_MISSING = object()


def compared(cls: type) -> tuple[str, ...]:
    """The names of the fields that decide whether two values are equal; none for any other class."""
    names: tuple[str, ...] = getattr(cls, "__compared__", ())
    return names


if not TYPE_CHECKING:

    def dataclass(*, frozen=False, slots=False):
        """The decorator, with as much of the standard one as floe uses."""
        return lambda cls: _made(cls, frozen, slots)

    def field(*, default=_MISSING, default_factory=_MISSING, repr=True, compare=True):  # noqa: A002
        """A field of which there is more to say than its default."""
        return _Field(default, default_factory, repr, compare)

    def replace(item, /, **changes):
        """The same value with some of its fields changed."""
        kept = {name: getattr(item, name) for name in type(item).__match_args__ if name not in changes}
        return type(item)(**kept, **changes)


class _Field:
    """The options given to `field()`."""

    __slots__ = ("compare", "default", "default_factory", "repr")

    def __init__(self, default: Any, default_factory: Any, repr: bool, compare: bool) -> None:  # noqa: A002
        self.default, self.default_factory, self.repr, self.compare = default, default_factory, repr, compare

    def new_default(self) -> Any:
        return self.default if self.default_factory is _MISSING else self.default_factory()


def _made(cls: type, frozen: bool, slots: bool) -> type:
    space = cls.__dict__
    fields = {name: (hint, space.get(name, _MISSING)) for name, hint in space.get("__annotations__", {}).items()}
    if slots:
        kept = {name: value for name, value in space.items() if name not in fields and name not in _OF_INSTANCES}
        cls = type(cls)(cls.__name__, cls.__bases__, {**kept, "__slots__": tuple(fields)})
        cls.__qualname__ = kept.get("__qualname__", cls.__qualname__)
    names = tuple(
        name for name, (_, declared) in fields.items() if not isinstance(declared, _Field) or declared.compare
    )
    for name, value in {
        "__init__": _until_many(cls, fields, frozen, slots),
        "__match_args__": tuple(fields),
        "__compared__": names,
        "__dataclass_fields__": _Description(fields),
        **_methods(attrgetter(*names) if names else lambda _: (), frozen),
    }.items():
        if name not in space or name == "__match_args__":
            setattr(cls, name, value)
    return cls


_OF_INSTANCES = frozenset({"__dict__", "__weakref__"})


FEW = 8  # instances that are filled field by field, which costs less than a compiled `__init__`


def _until_many(cls: type, fields: Fields, frozen: bool, slots: bool) -> Callable[..., None]:
    """An `__init__` for the first few instances, which compiles the real one for all others; most classes have few."""
    left = FEW

    def __init__(self: Any, /, *values: Any, **named: Any) -> None:  # noqa: N807
        nonlocal left
        left -= 1
        if left < 0 or not _fill(self, fields, values, named):
            made = _initialiser(cls, fields, frozen, slots)
            type.__setattr__(cls, "__init__", made)
            made(self, *values, **named)

    return __init__


def _fill(item: Any, fields: Fields, values: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Whether an instance could be filled; arguments that do not fit are left to the compiled method to complain of."""
    given = dict(zip(fields, values, strict=False))
    if len(values) > len(fields) or not given.keys().isdisjoint(named) or not fields.keys() >= named.keys():
        return False
    given.update(named)
    for name, (_, declared) in fields.items():
        if name not in given:
            given[name] = declared.new_default() if isinstance(declared, _Field) else declared
        if given[name] is _MISSING:
            return False
    for name, value in given.items():
        object.__setattr__(item, name, value)
    if hasattr(item, "__post_init__"):
        item.__post_init__()
    return True


def _initialiser(cls: type, fields: Fields, frozen: bool, slots: bool) -> Callable[..., None]:
    """The one method that is compiled, because every instance pays for it."""
    given: dict[str, Any] = {"_missing": _MISSING}
    defaults, body = [], []
    for name, (_, declared) in fields.items():
        value, default = name, declared.default if isinstance(declared, _Field) else declared
        if isinstance(declared, _Field) and declared.default_factory is not _MISSING:
            given[f"_new_{name}"] = declared.default_factory
            value = f"_new_{name}() if {name} is _missing else {name}"
            defaults.append(_MISSING)
        elif default is not _MISSING:
            defaults.append(default)
        if frozen and slots:
            given[f"_set_{name}"] = cls.__dict__[name].__set__
            body.append(f"_set_{name}(self, {value})")
        else:
            body.append(f"self.__dict__['{name}'] = {value}" if frozen else f"self.{name} = {value}")
    body += ["self.__post_init__()"] if "__post_init__" in cls.__dict__ else []
    lines = "\n  ".join(body or ["pass"])
    text = f"def make({', '.join(given)}):\n def __init__({', '.join(('self', *fields))}):\n  {lines}\n return __init__"
    space: dict[str, Any] = {}
    exec(text, sys.modules[cls.__module__].__dict__, space)  # noqa: S102 - made of the names of fields alone
    made = space["make"](**given)
    made.__defaults__ = tuple(defaults) or None
    made.__annotations__ = {**{name: hint for name, (hint, _) in fields.items()}, "return": None}
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made  # type: ignore[no-any-return]


def _methods(values: Callable[[Any], Any], frozen: bool) -> dict[str, Any]:
    def __eq__(self: Any, other: object) -> bool:  # noqa: N807
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(values(self))

    common = {"__eq__": __eq__, "__repr__": _shown, "__replace__": replace, "__hash__": __hash__ if frozen else None}
    return common | (_FROZEN if frozen else {})


def _shown(self: Any) -> str:
    names = [item.name for item in type(self).__dataclass_fields__.values() if item.repr]
    return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"


def _refused(_: Any, name: str, *value: object) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__match_args__]


def _restore(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__match_args__, state, strict=True):
        object.__setattr__(self, name, value)


_FROZEN: dict[str, Any] = {
    "__setattr__": _refused,
    "__delattr__": _refused,
    "__getstate__": _state,  # copying and pickling would set attributes
    "__setstate__": _restore,
}


class _Description:
    """`__dataclass_fields__` of a class, as the standard decorator makes it for a twin of that class."""

    __slots__ = ("_fields", "_made")

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._made: dict[str, Any] | None = None

    def __get__(self, _: object, owner: type) -> dict[str, Any]:
        if self._made is None:
            import dataclasses

            space: dict[str, Any] = {"__annotations__": {name: hint for name, (hint, _) in self._fields.items()}}
            for name, (_, declared) in self._fields.items():
                if isinstance(declared, _Field):
                    options = {"default": declared.default, "default_factory": declared.default_factory}
                    options = {key: value for key, value in options.items() if value is not _MISSING}
                    space[name] = dataclasses.field(repr=declared.repr, compare=declared.compare, **options)
                elif declared is not _MISSING:
                    space[name] = declared
            twin = type(owner.__name__, (), {**space, "__module__": owner.__module__, "__doc__": ""})
            self._made = dataclasses.dataclass(twin).__dataclass_fields__  # type: ignore[attr-defined]
        return self._made
