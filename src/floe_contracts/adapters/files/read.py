"""Contract files from disk: expands paths and globs, follows no symlink, reads nothing that is too large."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator

from ... import codes
from ...contract.discovery import Selection, selection
from ...contract.source import MAX_BYTES
from ...frozen import dataclass, replace
from ...results import Finding, Location

_MAGIC = frozenset("*?[{")


@dataclass(frozen=True, slots=True)
class ReadFile:
    """One file on disk: its bytes, or why it could not be read.

    `certain` files must be contracts: they were named, or the globs match them. The other YAML files of a named
    folder count only when they turn out to be contracts.
    """

    path: str
    data: bytes = b""
    problem: Finding | None = None
    certain: bool = True


def read_files(paths: Iterable[str]) -> Iterator[ReadFile]:
    """Every file the arguments mean, in a stable order, each once; `-` is standard input."""
    seen: set[str] = set()
    for argument in paths:
        if argument == "-":
            yield ReadFile("<stdin>", sys.stdin.buffer.read(MAX_BYTES + 1))
            continue
        matches = _expand(argument)
        if not matches:
            yield ReadFile(argument, problem=_nothing_in(argument))
        for path, certain in matches:
            if os.path.normpath(path) not in seen:
                seen.add(os.path.normpath(path))
                yield replace(read_file(path), certain=certain)


def find_contracts(root: str = ".", chosen: Selection | None = None) -> list[str]:
    """Paths below a folder that match the globs, hidden folders apart; the walk follows no symlinks."""
    chosen = chosen or selection()
    paths = []
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in files:
            path = os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
            if path in chosen:
                paths.append(path if root == "." else f"{root.rstrip('/')}/{path}")
    return sorted(paths)


def present_in(folder: str) -> Callable[[str], bool]:
    """Whether a path below a folder is there."""
    return lambda path: os.path.lexists(os.path.join(folder, path))


def read_file(path: str) -> ReadFile:
    """The bytes of one regular file; a symlink, a device or a file over the limit is refused unread."""
    try:
        mode = os.lstat(path)
        if stat.S_ISLNK(mode.st_mode):
            return ReadFile(path, problem=_refusal(path, "a symbolic link", "Point to the file itself."))
        if not stat.S_ISREG(mode.st_mode):
            return ReadFile(path, problem=_refusal(path, "not a regular file", "Name a YAML file."))
        if mode.st_size > MAX_BYTES:
            return ReadFile(path, problem=_too_large(path, mode.st_size))
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            return ReadFile(path, file.read(MAX_BYTES + 1))
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR):
            return absent_file(path)
        reason = error.strerror or type(error).__name__
        return ReadFile(path, problem=_refusal(path, f"not readable ({reason})", "Check the file's permissions."))


def absent_file(path: str) -> ReadFile:
    """What reading a file gives that is not there."""
    return ReadFile(path, problem=_absent(path))


def _expand(argument: str) -> list[tuple[str, bool]]:
    if os.path.isdir(argument) and not os.path.islink(argument):
        return _yaml_below(argument)
    if os.path.lexists(argument) or not _MAGIC & set(argument):
        return [(argument, True)]
    root, pattern = _split_glob(argument)
    return [(path, True) for path in find_contracts(root, selection((pattern,)))]


def _split_glob(argument: str) -> tuple[str, str]:
    parts = argument.split("/")
    fixed = 0
    while fixed < len(parts) - 1 and not _MAGIC & set(parts[fixed]):
        fixed += 1
    return "/".join(parts[:fixed]) or ("/" if argument.startswith("/") else "."), "/".join(parts[fixed:])


def _yaml_below(folder: str) -> list[tuple[str, bool]]:
    globs = selection(is_there=present_in("."))
    inside = len(os.path.join(folder, "")) if folder != "." else 0
    everything = find_contracts(folder, selection(("**/*.{yaml,yml}",)))
    return [(path, os.path.normpath(path) in globs or path[inside:] in globs) for path in everything]


def _nothing_in(argument: str) -> Finding:
    if not os.path.isdir(argument):
        return _absent(argument, "nothing-matches")
    message = f"the folder {argument!r} holds no YAML file"
    advice = "Name the folder that holds the contracts; hidden folders are left out."
    return Finding.of(codes.E500, "nothing-matches", message, location=Location(argument), suggestions=(advice,))


def _absent(path: str, rule: str = "file-not-found") -> Finding:
    return Finding.of(
        codes.E500,
        rule,
        f"no file matches {path!r}",
        location=Location(path),
        suggestions=("Check the spelling; folders and globs such as 'contracts/**/*.yaml' work too.",),
    )


def _refusal(path: str, what: str, fix: str) -> Finding:
    return Finding.of(
        codes.E592, "file-not-readable", f"the path is {what}", location=Location(path), suggestions=(fix,)
    )


def _too_large(path: str, size: int) -> Finding:
    return Finding.of(
        codes.E509,
        "yaml-size",
        f"the file is {size:,} bytes long, and files are read up to {MAX_BYTES:,}",
        location=Location(path),
        expected=f"at most {MAX_BYTES:,} bytes",
        actual=f"{size:,} bytes",
        suggestions=("Split it; one file per data product is usual.",),
    )
