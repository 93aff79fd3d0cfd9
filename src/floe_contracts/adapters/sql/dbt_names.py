"""dbt's names that mean something to a reader of text: ref, source, config, adapter, return."""

from __future__ import annotations

from typing import Any, Protocol

from .holes import Hole, Relation, Undecided
from .marks import relation_mark


class Library(Protocol):
    """Where macros and new holes come from."""

    adapter: str

    def find_macro(self, name: str) -> Any:
        """The project's own macro of that name; None where it has none."""

    def hole(self, why: str) -> Hole:
        """A new hole."""


class Returned(Exception):
    """`{{ return(x) }}` in a macro."""

    def __init__(self, value: Any) -> None:
        self.value = value


def dbt_names(library: Library) -> dict[str, Any]:
    """dbt's names that mean something here; each function may be given holes."""

    def ref(*names: Any, version: Any = None, v: Any = None, **_: Any) -> Any:
        number = version if version is not None else v
        if not names or any(not isinstance(name, str) for name in names) or isinstance(number, Hole):
            return library.hole("`ref()` of a name that is not known")
        suffix = f".v{number}" if number is not None else ""
        return _relation(f"ref:{'.'.join(names)}{suffix}")

    def source(*names: Any) -> Any:
        known = len(names) == 2 and all(isinstance(name, str) for name in names)
        return _relation(f"source:{'.'.join(names)}") if known else library.hole("`source()` of an unknown name")

    def give_back(value: Any = None) -> Any:
        raise Returned(value)

    def refuse(*_: Any, **__: Any) -> Any:
        raise Undecided("an error that the model itself raises")

    functions = {
        "ref": ref,
        "source": source,
        "return": give_back,
        "is_incremental": lambda *_: False,
        "log": _print_nothing,
        "print": _print_nothing,
        "var": lambda *args, **_: library.hole(f"`var({args[0]!r})`" if args else "`var()`"),
        "env_var": lambda *args, **_: library.hole("`env_var()`"),
    }
    for call in functions.values():
        call.floe = True  # type: ignore[attr-defined]
    exceptions = _Fixed(raise_compiler_error=refuse, warn=_print_nothing)
    config = _Config(library)
    return {
        **functions,
        "config": config,
        "this": _relation("this"),
        "adapter": _Adapter(library),
        "target": _Target(library),
        "exceptions": exceptions,
    }


def _relation(key: str) -> Relation:
    return Relation("a relation", relation_mark(key))


class _Fixed:
    """A few functions under one name."""

    def __init__(self, **calls: Any) -> None:
        for name, call in calls.items():
            call.floe = True
            setattr(self, name, call)


class _Config:
    """`config(...)`, which prints nothing, and `config.get(...)`, which nobody here knows."""

    floe = True

    def __init__(self, library: Library) -> None:
        self._library = library

    def __call__(self, *_: Any, **__: Any) -> str:
        return ""

    def get(self, *_: Any, **__: Any) -> Any:
        return self._library.hole("`config.get()`")

    require = get
    get.floe = True  # type: ignore[attr-defined]


class _Adapter:
    """`adapter.dispatch` among the project's own macros; all else asks a warehouse."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def dispatch(self, name: Any, *_: Any, **__: Any) -> Any:
        library = self._library
        if isinstance(name, str):
            for prefix in (library.adapter, "default"):
                macro = library.find_macro(f"{prefix}__{name}") if prefix else None
                if macro is not None:
                    return macro
        return library.hole("`adapter.dispatch()`")

    def quote(self, name: Any) -> Any:
        return Hole("a quoted name", f'"{name}"')

    dispatch.floe = quote.floe = True  # type: ignore[attr-defined]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._library.hole(f"`adapter.{name}`")


class _Target:
    """`target`: its type is the adapter, where that is known; which target it will be, nobody here knows."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        known = name == "type" and self._library.adapter
        return self._library.adapter if known else self._library.hole(f"`target.{name}`")

    def __bool__(self) -> bool:
        raise Undecided("a condition that depends on `target`")


class ProjectName:
    """The project's own name before a macro: `my_project.cents(…)`."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._library.find_macro(name) or self._library.hole(f"`{name}()`")


def _print_nothing(*_: Any, **__: Any) -> str:
    return ""
