"""The rows of `floe consumers list`: contract, reader, owner, columns, acknowledgement."""

from __future__ import annotations

import json
from dataclasses import asdict

from ..adapters.linting import take
from ..adapters.worktree_settings import settings_here, top_here
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


def rows(paths: tuple[str, ...]) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """Every reader of every readable contract, and the paths that hold no readable one."""
    register = settings_here(top_here()).register
    found, unread = [], []
    for taken in take(paths, allow_empty=not paths):
        contract = taken.loaded.contract if taken.loaded else None
        if contract is None:
            unread.append(taken.path)
            continue
        silent = {reader.name for reader in register.silent(contract)}
        found += [
            Row(contract.key, contract.version, one.name, one.owner, one.columns, one.name not in silent)
            for one in register.readers(contract)
        ]
    return tuple(sorted(found, key=lambda row: (row.contract, row.version, row.consumer))), tuple(unread)


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
