"""Which paths are contracts: the default globs, brace and `**` matching, and the line a file name belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..frozen import dataclass

DEFAULT_GLOBS = (
    "contracts/**/*.{yaml,yml}",
    "**/datacontract.{yaml,yml}",
    "**/*.odcs.{yaml,yml}",
    "**/*.datacontract.{yaml,yml}",
)
SUFFIXES = (".yaml", ".yml", ".json")  # JSON is YAML
_LINE = re.compile(r"\.v(\d+)\.(?:[^/]+\.)?(?:ya?ml|json)$", re.IGNORECASE | re.ASCII)
_HIDDEN = re.compile(r"(?:^|/)\.(?!\.?(?:/|$))")
_MAX_ALTERNATIVES = 256


@dataclass(frozen=True, slots=True)
class Selection:
    """YAML paths that match one of `include` and none of `exclude`; hidden files and folders never match."""

    include: re.Pattern[str]
    exclude: re.Pattern[str] | None

    def __contains__(self, path: str) -> bool:
        if not path.endswith(SUFFIXES) or self.include.match(path) is None or _HIDDEN.search(path):
            return False
        return not self.excludes(path)

    def excludes(self, path: str) -> bool:
        """Whether a path was ruled out by name."""
        return self.exclude is not None and self.exclude.match(path) is not None


def selection(include: Iterable[str] = DEFAULT_GLOBS, exclude: Iterable[str] = ()) -> Selection:
    """Compile globs once; an unreadable glob raises ValueError with the reason."""
    excluded = tuple(exclude)
    return Selection(_any_of(tuple(include)), _any_of(excluded) if excluded else None)


def line_major(path: str) -> int | None:
    """The MAJOR in a name like `orders.v2.yaml`; None for an unsuffixed file."""
    match = _LINE.search(path)
    return int(match.group(1)) if match else None


def _any_of(globs: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{glob_to_regex(glob)})" for glob in globs) if globs else r"(?!)")


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
        if braces is None:
            done.append(text)
            continue
        pending += [text[: braces.start()] + part + text[braces.end() :] for part in braces.group(1).split(",")]
        if len(pending) + len(done) > _MAX_ALTERNATIVES:
            raise ValueError(f"the glob {glob!r} has more than {_MAX_ALTERNATIVES} alternatives")
    return tuple(done)


def _plain_to_regex(glob: str) -> str:
    pieces = []
    rest = glob
    while rest:
        if rest.startswith("**/"):
            pieces.append("(?:[^/]+/)*")
            rest = rest[3:]
        elif rest == "**":
            pieces.append(".*")
            rest = ""
        elif rest[0] == "*":
            pieces.append("[^/]*")
            rest = rest.lstrip("*")
        elif rest[0] == "?":
            pieces.append("[^/]")
            rest = rest[1:]
        elif letters := re.match(r"\[(!?)([^\]/]+)\]", rest):
            pieces.append(f"[{'^' if letters.group(1) else ''}{letters.group(2)}]")
            rest = rest[letters.end() :]
        else:
            pieces.append(re.escape(rest[0]))
            rest = rest[1:]
    return "".join(pieces) + r"\Z"
