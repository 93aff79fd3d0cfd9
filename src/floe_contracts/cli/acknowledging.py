"""Appends one acknowledgement to `.floe/acks.yaml`, keeping what people wrote there."""

from __future__ import annotations

import json
import os
import re
from datetime import datetime, timezone

from ..adapters.files import find_contracts, read_file
from ..adapters.linting import take
from ..adapters.outfile import write_whole
from ..adapters.worktree_settings import settings_here, top_here
from ..compat.consumers import Acknowledgement, Register, major_of, named
from ..compat.settings import Settings, read_settings
from ..compat.settings_paths import ACKS
from ..contract.discovery import selection
from ..errors import FloeError, UsageError

_HEAD = "# Readers that no longer need a MAJOR version; written by `floe consumers ack`."
_KEY = re.compile(r"^acks *:", re.MULTILINE)
_ROW = re.compile(r"^( *)- ", re.MULTILINE)


def record(contract: str, major: int, consumer: str, by: str) -> str:
    """Write the acknowledgement unless it stands there already; returns what to tell the person."""
    top = top_here()
    settings = settings_here(top)
    for one in settings.register.acknowledgements:
        if (one.contract, one.major, one.consumer) == (contract, major, consumer):
            return f"{consumer} acknowledged {contract} v{major} on {one.date} already."
    _known(settings, top, contract, major, consumer)
    today = datetime.now(timezone.utc).date()
    path = os.path.join(top, ACKS)
    before = read_file(path).data.decode("utf-8") if os.path.isfile(path) else ""
    new = Acknowledgement(contract, major, consumer, by, str(today))
    after = appended(before, new)
    written = read_settings({ACKS: after.encode("utf-8")}, today).register
    if written != Register((), (*settings.register.acknowledgements, new)):
        raise FloeError(f"{path} is not written in a form that a row can be added to", fix="Add the row by hand.")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write_whole(path, after)
    return f"{ACKS}: {consumer} no longer needs {contract} v{major}. Commit the file; it counts after the merge."


def _known(settings: Settings, top: str, contract: str, major: int, consumer: str) -> None:
    """A misspelled name would be recorded and never count."""
    config = settings.config
    paths = find_contracts(top, selection(config.include, config.exclude))
    loaded = [each.loaded.contract for each in take(paths) if each.loaded and each.loaded.contract] if paths else []
    called = [each for each in loaded if named(contract, each)]
    if not called:
        fix = "Use its id, domain/name or name; `floe consumers list` shows them."
        raise UsageError(f"no contract here is called {contract!r}", fix=fix)
    if major not in {major_of(each) for each in called}:
        here = ", ".join(sorted({f"v{major_of(each)}" for each in called}))
        raise UsageError(f"{contract} has no version v{major} here", fix=f"It is here as {here}.")
    readers = {one.name for each in called if major_of(each) == major for one in settings.register.readers(each)}
    if readers and consumer not in readers:
        fix = f"Its readers are {', '.join(sorted(readers))}."
        raise UsageError(f"{consumer!r} is no registered reader of {contract} v{major}", fix=fix)


def appended(text: str, row: Acknowledgement) -> str:
    """The file with one more row at its end; `acks: []` becomes a list in block style first."""
    ending = "\r\n" if "\r\n" in text else "\n"
    text = text.rstrip() or _HEAD
    text = text if _KEY.search(text) else f"{text}{ending}acks:"
    text = text.removesuffix("[]").rstrip() if text.endswith("[]") else text
    rows = _ROW.findall(text)
    indent = rows[-1] if rows else "  "
    pairs = [
        f"{key}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in (
            ("contract", row.contract),
            ("major", row.major),
            ("consumer", row.consumer),
            ("by", row.by),
            ("date", row.date),
        )
    ]
    return text + ending + f"{indent}- " + f"{ending}{indent}  ".join(pairs) + ending
