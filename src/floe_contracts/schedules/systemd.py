"""Timers of systemd for the checks: one service for all, one timer for each."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from .jobs import Job

_SERVICE = """\
# Written by `floe schedule systemd`. One service for every check: floe-check@freshness.service.
[Unit]
Description=Data contracts: %i
After=network-online.target
Wants=network-online.target

[Service]
Type=oneshot
WorkingDirectory={folder}
# The slot that this start stands for; a second start in the same slot counts nothing twice.
ExecStart=/bin/sh -c 'exec {run} --slot "$$(date -u +%%Y-%%m-%%dT%%H:%%MZ)"' floe %i
# Addresses and secrets of the store and the sinks, such as FLOE_PUSHGATEWAY_URL=…
EnvironmentFile=-/etc/floe/environment
"""
_TIMER = """\
# Written by `floe schedule systemd`; `systemctl enable --now {name}.timer` starts it.
[Unit]
Description=Data contracts: {check}, every slot

[Timer]
OnCalendar={calendar}
AccuracySec=1s
Persistent=true
Unit=floe-check@{check}.service

[Install]
WantedBy=timers.target
"""


def units(jobs: Sequence[Job], folder: str, floe: str = "floe") -> dict[str, str]:
    """The files by their names, for /etc/systemd/system; they are to stand beside each other."""
    files = {f"{job.name}.timer": _timer(job) for job in jobs}
    options = jobs[0].options if jobs else ()
    program, more = _word(shlex.join([floe, "monitor", "run"])), _word(shlex.join(options))
    service = _SERVICE.format(folder=_specifiers(folder), run=f'{program} "$$1" {more}'.rstrip())
    return {"floe-check@.service": service, **files}


def _timer(job: Job) -> str:
    return _TIMER.format(name=job.name, check=job.check, calendar=job.cadence.calendar)


def _specifiers(text: str) -> str:
    """systemd gives percent signs a meaning of its own."""
    return text.replace("%", "%%")


def _word(text: str) -> str:
    """Text inside the single quotes of a command: systemd reads backslashes there, and variables after a dollar."""
    return _specifiers(text).replace("\\", r"\\").replace("$", "$$").replace("'", r"'\''")
