"""Appends one acknowledgement to `.floe/acks.yaml`, keeping what people wrote there."""

from __future__ import annotations

import json
import os
import re
from datetime import datetime, timezone

from ..adapters.files import read_file
from ..adapters.outfile import write_whole
from ..adapters.worktree_settings import settings_here
from ..compat.settings import ACKS, read_settings, usable

_HEAD = "# Readers that no longer need a MAJOR version; written by `floe consumers ack`.\nacks:\n"


_ROW = re.compile(r"^( *)- ", re.MULTILINE)


def record(contract: str, major: int, consumer: str, by: str) -> str:
    """Write the acknowledgement unless it stands there already; returns what to tell the person."""
    today = datetime.now(timezone.utc).date()
    for one in settings_here().register.acknowledgements:
        if (one.contract, one.major, one.consumer) == (contract, major, consumer):
            return f"{consumer} acknowledged {contract} v{major} on {one.date} already."
    before = read_file(ACKS).data.decode("utf-8") if os.path.isfile(ACKS) else ""
    after = appended(before, {"contract": contract, "major": major, "consumer": consumer, "by": by, "date": str(today)})
    usable(read_settings({ACKS: after.encode("utf-8")}, today))  # never leaves a file behind that the gate would refuse
    os.makedirs(os.path.dirname(ACKS), exist_ok=True)
    write_whole(ACKS, after)
    return f"{ACKS}: {consumer} no longer needs {contract} v{major}. Commit the file; it counts after the merge."


def appended(text: str, row: dict[str, object]) -> str:
    """The file with one more row at its end; `acks: []` becomes a list in block style first."""
    if not text.strip():
        text = _HEAD
    text = text.rstrip().removesuffix("[]").rstrip() + "\n" if text.rstrip().endswith("[]") else text
    text = text if text.endswith("\n") else text + "\n"
    pairs = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in row.items()]
    rows = _ROW.findall(text)
    indent = rows[-1] if rows else "  "
    return text + f"{indent}- " + f"\n{indent}  ".join(pairs) + "\n"
