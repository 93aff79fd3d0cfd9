"""Consumer files for readers that were found: new ones written, generated ones kept up to date, all others left alone.

Lines are changed in place, so that owners and comments stay as people wrote them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator

from ...adapters.files.read import read_file
from ...adapters.files.write import write_whole
from ...compat.consumers import Subscription, subscriptions_from
from ...compat.settings_paths import CONSUMERS
from ...contract.source import Document, read_document
from ...definitions.readers import CodeRead
from ...errors import FloeError
from ...frozen import dataclass

_HEAD = "# Found by `floe consumers discover --write`, which keeps the list. Owner and comments are yours."
_COLUMNS = re.compile(r"^(?P<key>\s*columns:\s*)\[[^\]]*\](?P<rest>\s*(?:#.*)?)$")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What one reader should say about one contract; no columns means all of them."""

    contract: str
    major: int | None
    columns: tuple[str, ...]


def write_consumers(root: str, reads: Iterable[CodeRead], *, prune: bool) -> tuple[str, ...]:
    """Write what is missing, with `prune` drop what the code no longer reads; returns what was done, a line each."""
    by_reader: dict[str, list[CodeRead]] = {}
    for read in reads:
        by_reader.setdefault(read.reader, []).append(read)
    files = dict(_generated_files(root))
    lines: list[str] = []
    for reader in sorted(by_reader):
        path = next((path for path, name in files.items() if name == reader), None)
        lines += _write_one(root, reader, by_reader[reader], path, prune=prune)
    if prune:
        for path, reader in files.items():
            if reader not in by_reader:
                os.unlink(os.path.join(root, path))
                lines.append(f"{path}: removed, nothing here reads a contract as {reader}")
    return tuple(lines)


def _generated_files(root: str) -> Iterator[tuple[str, str]]:
    folder = os.path.join(root, CONSUMERS)
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        value = (
            read_document(read_file(os.path.join(folder, name)).data).value
            if name.endswith((".yaml", ".yml"))
            else None
        )
        if isinstance(value, dict) and value.get("generated") == "discover":
            yield f"{CONSUMERS}{name}", str(value.get("consumer"))


def _write_one(root: str, reader: str, reads: list[CodeRead], path: str | None, *, prune: bool) -> Iterator[str]:
    wanted = _wanted(reads)
    if path is None:
        path = _free_path(root, reader)
        owner = next((read.owner for read in reads if read.owner), "")
        text = _new_text(reader, owner, wanted)
    else:
        before = read_file(os.path.join(root, path)).data.decode("utf-8")
        text = _updated(before, wanted, prune=prune)
        if text == before:
            return
    if not _says(text, wanted):
        raise FloeError(
            f"{path} is not written in a form that lines can be changed in", fix="Change it by hand, or delete it."
        )
    os.makedirs(os.path.join(root, CONSUMERS), exist_ok=True)
    write_whole(os.path.join(root, path), text)
    yield f"{path}: {reader} reads {', '.join(row.contract for row in wanted)}"


def _wanted(reads: list[CodeRead]) -> tuple[Wanted, ...]:
    columns: dict[tuple[str, int | None], set[str | None]] = {}
    for read in reads:
        columns.setdefault((read.contract, read.major), set()).add(read.column)
    rows = sorted(columns.items(), key=lambda row: (row[0][0], row[0][1] or 0))
    return tuple(
        Wanted(contract, major, () if None in names else tuple(sorted(name for name in names if name)))
        for (contract, major), names in rows
    )


def _free_path(root: str, reader: str) -> str:
    """A file name of the reader's own that no other file has."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", reader).strip("-.")[:80] or "reader"
    number = 1
    while os.path.lexists(os.path.join(root, f"{CONSUMERS}{name}{'' if number == 1 else f'-{number}'}.yaml")):
        number += 1
    return f"{CONSUMERS}{name}{'' if number == 1 else f'-{number}'}.yaml"


def _new_text(reader: str, owner: str, wanted: tuple[Wanted, ...]) -> str:
    head = [_HEAD, f"consumer: {_quote(reader)}", f"owner: {_quote(owner)}", "generated: discover", "consumes:"]
    return "\n".join([*head, *(line for row in wanted for line in _entry(row))]) + "\n"


def _entry(row: Wanted) -> Iterator[str]:
    yield f"  - contract: {_quote(row.contract)}"
    if row.major is not None:
        yield f"    major: {row.major}"
    if row.columns:
        yield f"    columns: {_list(row.columns)}"


def _updated(text: str, wanted: tuple[Wanted, ...], *, prune: bool) -> str:
    """The text with the columns that are missing, entries that are missing, and with `prune` without the others."""
    document = read_document(text.encode())
    present = subscriptions_from(document.value) if isinstance(document.value, dict) else ()
    lines = text.rstrip("\n").split("\n")
    starts = [_line(document, number) for number in range(len(present))]
    for number in reversed(range(len(present))):
        row = next((row for row in wanted if _about(row, present[number])), None)
        end = starts[number + 1] if number + 1 < len(present) else len(lines)
        if row is not None:
            columns = _joined(present[number], row, prune=prune)
            lines[starts[number] : end] = list(_with_columns(lines[starts[number] : end], columns))
        elif prune:
            del lines[starts[number] : end]
    missing = [row for row in wanted if not any(_about(row, line) for line in present)]
    lines += [line for row in missing for line in _entry(row)]
    return "\n".join(lines) + "\n"


def _joined(present: Subscription, row: Wanted, *, prune: bool) -> tuple[str, ...]:
    if prune or not row.columns or not present.columns:
        return row.columns if prune or not row.columns else ()
    return tuple(sorted({*present.columns, *row.columns}))


def _with_columns(lines: list[str], columns: tuple[str, ...]) -> Iterator[str]:
    """The lines of an entry with its list of columns changed, added or left out."""
    changed = False
    for line in lines:
        match = _COLUMNS.match(line)
        if match is None:
            yield line
        elif columns:
            changed = True
            yield f"{match['key']}{_list(columns)}{match['rest']}"
    if columns and not changed:
        yield f"    columns: {_list(columns)}"


def _about(row: Wanted, line: Subscription) -> bool:
    return row.contract == line.contract and line.major in (None, row.major)


def _says(text: str, wanted: tuple[Wanted, ...]) -> bool:
    """Whether the file now tells at least what the code reads."""
    value = read_document(text.encode()).value
    lines = subscriptions_from(value) if isinstance(value, dict) else ()
    return all(
        any(
            _about(row, line) and (not line.columns or (row.columns and set(row.columns) <= set(line.columns)))
            for line in lines
        )
        for row in wanted
    )


def _line(document: Document, number: int) -> int:
    place = document.locate(("consumes", number)) or (1, 1)
    return place[0] - 1


def _list(names: tuple[str, ...]) -> str:
    return f"[{', '.join(map(_quote, names))}]"


def _quote(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text) and text.lower() not in _WORDS else json.dumps(text)


_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
