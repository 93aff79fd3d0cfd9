"""A crontab for the checks, and timers of systemd."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from .cadence import Job

_HEAD = """\
# Checks of data contracts, written by `floe schedule cron`; install it with `crontab -e`.
# Each start says which slot it stands for, so a second start in the same slot counts nothing twice.
# A slow check does not pile up: a start that finds the same check running leaves it alone.
# Starts are spread over the minute; what is not well is in the log of each check, .floe/*.log.
# Slots are counted in UTC; where cron does not know CRON_TZ, they are still the same.
CRON_TZ=UTC
"""
_NOW = '"$(date -u +%Y-%m-%dT%H:%MZ)"'


def crontab(jobs: Sequence[Job], folder: str, floe: str = "floe") -> str:
    """A crontab with one line per check, run in the folder of the project."""
    return _HEAD + "".join(f"{job.cadence.cron:<14} {_command(job, folder, floe)}\n" for job in jobs)


def _command(job: Job, folder: str, floe: str) -> str:
    run = shlex.join([floe, "--quiet", "monitor", "run", job.check, *job.options])
    start = (
        f"cd {shlex.quote(folder)} && mkdir -p .floe && sleep {job.delay_s(folder)} && flock -n .floe/{job.name}.lock"
    )
    command = f"{start} {run} --slot {_NOW} >>.floe/{job.name}.log 2>&1"
    return command.replace("%", r"\%")  # cron ends a command at a percent sign that is not escaped


_HARDENING = """\
# The service gets no rights that it does not need; the user {user} must be able to read the data and to write .floe.
NoNewPrivileges=yes
CapabilityBoundingSet=
PrivateTmp=yes
PrivateDevices=yes
ProtectSystem=full
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
UMask=0027
"""
_SERVICE = """\
# Written by `floe schedule systemd`. One service for every check: floe-check@freshness.service.
[Unit]
Description=Data contracts: %i
After=network-online.target
Wants=network-online.target

[Service]
Type=oneshot
User={user}
WorkingDirectory={folder}
# The slot that this start stands for; a second start in the same slot counts nothing twice.
ExecStart=/bin/sh -c 'exec {run} --slot "$$(date -u +%%Y-%%m-%%dT%%H:%%MZ)"' floe %i
# Addresses and secrets of the store and the sinks, such as FLOE_PUSHGATEWAY_URL=…
EnvironmentFile=-/etc/floe/environment
{hardening}"""
_SERVE = """\
# Written by `floe schedule systemd --serve`; `systemctl enable --now floe-serve.service` starts it.
[Unit]
Description=Data contracts: every check, and metrics to scrape
After=network-online.target
Wants=network-online.target

[Service]
Type=exec
User={user}
WorkingDirectory={folder}
ExecStart=/bin/sh -c 'exec {run}'
# Addresses and secrets of the store and the sinks, such as FLOE_PUSHGATEWAY_URL=…
EnvironmentFile=-/etc/floe/environment
# It ends with 2 when Spark's Java has ended; a new start repeats no slot.
Restart=on-failure
RestartSec=10
# Only floe is told to stop: it finishes checks, for which Spark must live, and takes no longer than 30 seconds.
KillMode=mixed
TimeoutStopSec=35
{hardening}
[Install]
WantedBy=multi-user.target
"""
_TIMER = """\
# Written by `floe schedule systemd`; `systemctl enable --now {name}.timer` starts it.
[Unit]
Description=Data contracts: {check}, every slot

[Timer]
OnCalendar={calendar}
AccuracySec=1s
# Not all checks at second 0; each machine and check has its own second.
RandomizedDelaySec=50
FixedRandomDelay=true
Persistent=true
Unit=floe-check@{check}.service

[Install]
WantedBy=timers.target
"""


def units(jobs: Sequence[Job], folder: str, floe: str = "floe", user: str = "floe") -> dict[str, str]:
    """The units of systemd by the names of their files, which belong together into /etc/systemd/system."""
    files = {f"{job.name}.timer": _timer(job) for job in jobs}
    options = jobs[0].options if jobs else ()
    program, more = _word(shlex.join([floe, "monitor", "run"])), _word(shlex.join(options))
    service = _SERVICE.format(run=f'{program} "$$1" {more}'.rstrip(), **_surroundings(folder, user))
    return {"floe-check@.service": service, **files}


def serve_unit(command: Sequence[str], folder: str, user: str = "floe") -> dict[str, str]:
    """The unit of the service by the name of its file."""
    return {"floe-serve.service": _SERVE.format(run=_word(shlex.join(command)), **_surroundings(folder, user))}


def _surroundings(folder: str, user: str) -> dict[str, str]:
    return {"folder": _specifiers(folder), "user": _specifiers(user), "hardening": _HARDENING.format(user=user)}


def _timer(job: Job) -> str:
    return _TIMER.format(name=job.name, check=job.check, calendar=job.cadence.calendar)


def _specifiers(text: str) -> str:
    """Text whose percent signs are escaped, because systemd gives them a meaning."""
    return text.replace("%", "%%")


def _word(text: str) -> str:
    """Text inside the single quotes of a command: systemd reads backslashes there, and variables after a dollar."""
    return _specifiers(text).replace("\\", r"\\").replace("$", "$$").replace("'", r"'\''")
