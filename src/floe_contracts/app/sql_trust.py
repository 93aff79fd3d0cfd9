"""Contracts read with the project's word on SQL and on notice: `sql_trust: full` lets any query stand, `notice_days`
says how long before the end readers must know of it.

Lint and gate only tell authors early. What a run does follows from the settings that are merged, so those of the work
tree are good enough here.
"""

from __future__ import annotations

import os

from ..adapters.files.read import read_file
from ..adapters.process.environment import utc_today
from ..codes import E561
from ..contract.lifecycle import NOTICE_DAYS
from ..contract.load import Loaded, load


def load_here(data: bytes, path: str) -> Loaded:
    """Load a contract by the settings of this project, which are read only if they matter to it."""
    loaded = load(data, path)
    trusts = any(item.code is E561 for item in loaded.findings) and _trusts_sql()
    contract = loaded.contract or loaded.named
    days = _notice_days() if contract is not None and contract.deprecation is not None else NOTICE_DAYS
    if not trusts and days == NOTICE_DAYS:
        return loaded
    return load(data, path, trusts_sql=trusts, notice_days=days)


def _trusts_sql() -> bool:
    """Whether the nearest monitoring settings say so; a file that cannot be used says nothing."""
    from ..monitor.settings.reading import PATH, read_config  # only refused queries need them

    file = _nearest(PATH)
    if file is None:
        return False
    config, _ = read_config(read_file(file).data, file)
    return config is not None and config.trusts_sql


def _notice_days() -> int:
    """The days that the nearest settings of the gate ask for; a file that cannot be used asks for the usual ones."""
    from ..compat.settings import read_settings  # only contracts on their way out need them
    from ..compat.settings_paths import CONFIG

    file = _nearest(CONFIG)
    if file is None:
        return NOTICE_DAYS
    return read_settings({CONFIG: read_file(file).data}, utc_today()).config.notice_days


def _nearest(path: str) -> str | None:
    folder, above = os.getcwd(), ""
    while folder != above:
        if os.path.exists(file := os.path.join(folder, path)):
            return file
        folder, above = os.path.dirname(folder), folder
    return None
