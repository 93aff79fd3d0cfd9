"""A crontab for the checks."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from .jobs import Job

_HEAD = """\
# Checks of data contracts, written by `floe schedule cron`; install it with `crontab -e`.
# Each start says which slot it stands for, so a second start in the same slot counts nothing twice.
# A slow check does not pile up: a start that finds the same check running leaves it alone.
# Slots are counted in UTC; where cron does not know CRON_TZ, they are still the same.
CRON_TZ=UTC
"""
_NOW = '"$(date -u +%Y-%m-%dT%H:%MZ)"'


def crontab(jobs: Sequence[Job], folder: str, floe: str = "floe") -> str:
    """One line per check, run in the folder of the project."""
    return _HEAD + "".join(f"{job.cadence.cron:<14} {_command(job, folder, floe)}\n" for job in jobs)


def _command(job: Job, folder: str, floe: str) -> str:
    run = shlex.join([floe, "monitor", "run", job.check, *job.options])
    command = f"cd {shlex.quote(folder)} && mkdir -p .floe && flock -n .floe/{job.name}.lock {run} --slot {_NOW}"
    return command.replace("%", r"\%")  # cron ends a command at a percent sign that is not escaped
