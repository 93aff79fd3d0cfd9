"""The rows of `floe consumers list`: contract, reader, owner, columns, acknowledgement."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict

from ..adapters.linting import take
from ..adapters.worktree_settings import settings_here, top_here
from ..compat.consumers import Register, major_of, named
from ..contract.model import Contract
from ..frozen import dataclass
from ..render.safe import log_safe


@dataclass(frozen=True, slots=True)
class Row:
    """One reader of one contract."""

    contract: str
    version: str
    consumer: str
    owner: str
    columns: tuple[str, ...]
    acknowledged: bool


@dataclass(frozen=True, slots=True)
class ReadingList:
    """Every reader of every readable contract, the paths that hold no readable one, and readers of nothing."""

    rows: tuple[Row, ...]
    unread: tuple[str, ...]
    strays: tuple[str, ...] = ()


def reading_list(paths: tuple[str, ...]) -> ReadingList:
    """Who reads the named contracts, or all that there are; only of all of them can be said what is missing."""
    top = top_here()
    register = settings_here(top).register
    found, unread, contracts = [], [], []
    for taken in take(paths, allow_empty=not paths):
        contract = taken.loaded.contract if taken.loaded else None
        if contract is None:
            unread.append(taken.path)
            continue
        contracts.append(contract)
        silent = {reader.name for reader in register.silent(contract)}
        found += [
            Row(contract.key, contract.version, one.name, one.owner, one.columns, one.name not in silent)
            for one in register.readers(contract)
        ]
    ordered = sorted(found, key=lambda row: (row.contract, row.version, row.consumer))
    everything = not paths and not unread and os.path.samefile(top, ".")
    return ReadingList(tuple(ordered), tuple(unread), tuple(_strays(register, contracts)) if everything else ())


def _strays(register: Register, contracts: list[Contract]) -> Iterator[str]:
    """Lines of consumer files that no contract answers to: their readers would never be told of anything."""
    for line in register.subscriptions:
        called = [each for each in contracts if named(line.contract, each)]
        if not called:
            yield f"{line.path}: {line.consumer} reads {line.contract!r}, and no contract here is called so."
        elif not any(line.means(each) for each in called):
            here = ", ".join(sorted({f"v{major_of(each)}" for each in called}))
            yield f"{line.path}: {line.consumer} reads {line.contract} v{line.major}, and it is here as {here} only."


def shown(found: tuple[Row, ...], form: str) -> str:
    """The rows as a table or as JSON."""
    if form == "json":
        return json.dumps([asdict(row) for row in found], indent=2) + "\n"
    if not found:
        return "No contract here names a reader. Add consumers: to a contract, or a file in .floe/consumers/.\n"
    table = [("CONTRACT", "VERSION", "READER", "OWNER", "COLUMNS", "ACKNOWLEDGED")]
    table += [
        (
            log_safe(row.contract),
            log_safe(row.version),
            log_safe(row.consumer),
            log_safe(row.owner) or "–",
            log_safe(", ".join(row.columns)) or "all",
            "yes" if row.acknowledged else "no",
        )
        for row in found
    ]
    widths = [max(len(row[index]) for row in table) for index in range(len(table[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
    return "\n".join(lines) + "\n"
