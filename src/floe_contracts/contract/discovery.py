"""Which paths are contracts: the default globs, brace and `**` matching, and the line a file name belongs to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import count

from ..frozen import dataclass

DEFAULT_GLOBS = (
    "contracts/**/*.{yaml,yml}",
    "**/datacontract.{yaml,yml}",
    "**/*.odcs.{yaml,yml}",
    "**/*.datacontract.{yaml,yml}",
)
PRODUCT = "floe.yaml"
PRODUCT_GLOBS = ("datacontract.{yaml,yml}", "contracts/**/*.{yaml,yml}")  # in the folder of a floe.yaml
SUFFIXES = (".yaml", ".yml", ".json")  # JSON is YAML
_LINE = re.compile(r"\.v(\d+)\.(?:[^/]+\.)?(?:ya?ml|json)$", re.IGNORECASE | re.ASCII)
_HIDDEN = re.compile(r"(?:^|/)\.(?!\.?(?:/|$))")
_MAX_ALTERNATIVES = 256


@dataclass(frozen=True, slots=True)
class Selection:
    """YAML paths that match `include`, or belong to a product, and do not match `exclude`; hidden ones never count.

    What is included is so in any case, because `Contracts/Orders.YAML` is the same file on many a disk; what is
    excluded is so to the letter.
    """

    include: re.Pattern[str]
    exclude: re.Pattern[str] | None
    is_there: Callable[[str], bool] | None = None  # whether a path is a file, to find the floe.yaml of a product

    def __contains__(self, path: str) -> bool:
        if not may_be_contract(path) or _HIDDEN.search(path) or self.excludes(path):
            return False
        return self.include.match(path) is not None or self._is_of_product(path)

    def _is_of_product(self, path: str) -> bool:
        if self.is_there is None:
            return False
        names = path.split("/")
        return any(
            _any_of(PRODUCT_GLOBS, flags=re.IGNORECASE).match("/".join(names[depth:])) is not None
            and self._has_product(names[:depth])
            for depth in range(len(names))
        )

    def _has_product(self, folders: list[str]) -> bool:
        product = "/".join((*folders, PRODUCT))
        return self.is_there is not None and self.is_there(product) and not self.excludes(product)

    def excludes(self, path: str) -> bool:
        """Whether a path was ruled out by name."""
        return self.exclude is not None and self.exclude.match(path) is not None


def selection(
    include: Iterable[str] = DEFAULT_GLOBS,
    exclude: Iterable[str] = (),
    is_there: Callable[[str], bool] | None = None,
) -> Selection:
    """Compile globs once; an unreadable glob raises ValueError with the reason.

    With `is_there` the contracts of products count too.
    """
    excluded = tuple(exclude)
    included = _any_of(tuple(include), flags=re.IGNORECASE)
    return Selection(included, _any_of(excluded) if excluded else None, is_there)


def selection_of_any(globs: Iterable[str]) -> Callable[[str], bool]:
    """Whether a path, of a contract or not, matches one of the globs."""
    pattern = _any_of(tuple(globs))
    return lambda path: pattern.match(path) is not None


def is_product_path(path: str) -> bool:
    """Whether a path is that of a product's floe.yaml."""
    return path == PRODUCT or path.endswith(f"/{PRODUCT}")


def may_be_contract(path: str) -> bool:
    """Whether a path ends like one of a contract."""
    return path.lower().endswith(SUFFIXES)


def line_major(path: str) -> int | None:
    """The MAJOR in a name like `orders.v2.yaml`; None for an unsuffixed file."""
    match = _LINE.search(path)
    return int(match.group(1)) if match else None


@lru_cache(maxsize=64)  # the gate chooses by the same globs on both sides
def _any_of(globs: tuple[str, ...], *, flags: int = 0) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{glob_to_regex(glob)})" for glob in globs) if globs else r"(?!)", flags)


def glob_to_regex(glob: str) -> str:
    """`*` and `?` stay inside one folder, `**` crosses folders, `{a,b}` and `[a-z]` as in a shell."""
    if not glob or glob.startswith("/") or "\\" in glob:
        raise ValueError(f"the glob {glob!r} must be a relative path with forward slashes")
    return "|".join(_plain_to_regex(plain) for plain in expand_braces(glob.removeprefix("./")))


def glob_problem(glob: str) -> str:
    """Why a glob cannot be read, for a person; empty when it can."""
    try:
        re.compile(glob_to_regex(glob))
    except (ValueError, re.error) as reason:
        return str(reason)
    return ""


def expand_braces(glob: str) -> tuple[str, ...]:
    """All spellings of `a.{yaml,yml}`, innermost braces first."""
    pending, done = [glob], []
    while pending:
        text = pending.pop(0)
        braces = re.search(r"\{([^{}]*)\}", text)
        if braces is not None:
            pending += [text[: braces.start()] + part + text[braces.end() :] for part in braces.group(1).split(",")]
        elif deep := _DEEP_INSIDE.search(text):  # `a**/b` is `ab`, or `b` below a folder whose name begins with `a`
            before, after = text[: deep.start()], text[deep.end() :]
            pending += [before + after, f"{before}?*/**/{after}"]
        else:
            done.append(text)
        if len(pending) + len(done) > _MAX_ALTERNATIVES:
            raise ValueError(f"the glob {glob!r} has more than {_MAX_ALTERNATIVES} alternatives")
    return tuple(done)


_DEEP_INSIDE = re.compile(r"(?<=[^/])(?<!/\*)(?<!^\*)\*\*/")
_GROUPS = count()  # names of groups must differ wherever patterns are joined


def _plain_to_regex(glob: str) -> str:
    """A glob without braces as a pattern that matches in linear time.

    Every `**/` but the last takes the first place that fits and never tries another: if the rest matches at all, it
    matches from there. The same holds for every `*` of one name.
    """
    first, *others = re.split(r"(?:(?<=/)|(?<=\A))(?:\*\*/)+", glob)
    if not others:
        return _names_to_regex(first) + r"\Z"
    *middle, last = others
    folders = "(?:[^/]+/)*?"
    committed = (_first_place(folders + _names_to_regex(part)) for part in middle)
    return "".join((_names_to_regex(first), *committed, folders, _names_to_regex(last), r"\Z"))


def _names_to_regex(text: str) -> str:
    if text == "**" or text.endswith("/**"):
        return _names_to_regex(text[:-2]) + ".*"
    return "/".join(_name_to_regex(name) for name in text.split("/"))


def _name_to_regex(name: str) -> str:
    first, *others = _split_stars(name)
    if not others:
        return first
    *middle, last = others
    return "".join((first, *(_first_place(f"[^/]*?{part}") for part in middle), "[^/]*", last, r"(?![^/])"))


def _first_place(pattern: str) -> str:
    """The pattern without a second try: Python before 3.11 has no atomic groups, but lookaheads never go back."""
    group = f"g{next(_GROUPS)}"
    return f"(?=(?P<{group}>{pattern}))(?P={group})"


def _split_stars(name: str) -> list[str]:
    """The parts of a name between its stars, as patterns of one character after the other."""
    parts, rest = [""], name
    while rest:
        if rest[0] == "*":
            parts.append("")
            rest = rest.lstrip("*")
        elif letters := re.match(r"\[(!?)([^\]/]+)\]", rest):
            parts[-1] += f"[{'^' if letters.group(1) else ''}{letters.group(2)}]"
            rest = rest[letters.end() :]
        else:
            parts[-1] += "[^/]" if rest[0] == "?" else re.escape(rest[0])
            rest = rest[1:]
    return parts
