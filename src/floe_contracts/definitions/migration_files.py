"""Files of migrations: the order in which they run, and what in them is the way back."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WAY_BACK = re.compile(r"(?:\.(?:down|undo|rollback)\.sql|(?:^|/)U\d[^/]*__[^/]*\.sql)\Z", re.IGNORECASE)
_DOWN_WORD = re.compile(r"(?<![^/._-])down(?=[._-][^/]*\Z)", re.IGNORECASE)
_FLYWAY = re.compile(r"(.*/)?(?:V(\d+(?:[._]\d+)*)|(R))(__[^/]*)\Z")
_DASHED_TIME = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)-(\d{4,6})(?!\d)")  # diesel's, which counts as one number
_MARK = re.compile(  # dbmate, goose, sql-migrate, micrate, node-pg-migrate, tern, Play, MyBatis
    r"[ \t]*(?:--|\#)[-\s]*(?:migrate:|\+(?:goose|migrate|micrate)[ \t]+|!|//[ \t]*@?)?"
    r"(?:(?P<up>ups?|up[ \t]+migration)|(?P<down>downs?|down[ \t]+migration|undo|create[ \t]+above\b.*))"
    r"(?:[ \t]+\S+:\S+|[ \t]+(?:no)?transaction)*[ \t-]*\Z",
    re.IGNORECASE,
)


def natural_order(paths: Iterable[str]) -> list[str]:
    """Paths of migrations as people number them: V2 before V10; those that undo are left out."""
    listed = frozenset(paths)
    return sorted((path for path in listed if not _undoes(path, listed)), key=_natural_key)


def _undoes(path: str, others: frozenset[str]) -> bool:
    """Whether a file is the way back: it says so, or another one has `up` where it has `down`."""
    if _WAY_BACK.search(path):
        return True
    return any(_DOWN_WORD.sub(word, path) in others - {path} for word in ("up", "UP", "Up"))


def _natural_key(path: str) -> list[tuple[int, int, str]]:
    """Flyway's versions count before what follows them, and what it repeats comes last."""
    flyway = _FLYWAY.match(path)
    if flyway is None:
        return _numbers_in(path)
    version = [(1, int(part), "") for part in re.split(r"[._]", flyway[2] or "") if part]
    last = (2, 0, "") if flyway[3] else (0, 0, "v")
    return [*_numbers_in(flyway[1] or ""), last, *version, (0, 0, ""), *_numbers_in(flyway[4])]


def _numbers_in(text: str) -> list[tuple[int, int, str]]:
    parts = re.split(r"(\d+)", _DASHED_TIME.sub(r"\1\2\3\4", text))
    return [(1, int(part), "") if part.isdigit() else (0, 0, part.casefold()) for part in parts]


def without_down(text: str) -> str:
    """A migration without its way back, if both stand in one file; lines keep their numbers."""
    lines, down = [], False
    for line in text.split("\n"):
        mark = _MARK.match(line.rstrip("\r"))
        down = mark["down"] is not None if mark else down
        lines.append("" if down or mark else line)
    return "\n".join(lines)
