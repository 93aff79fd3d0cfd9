"""What stops floe from working at all, as opposed to what is wrong with a contract.

FloeError            carries a code; caught in one place (adapters.process.boundary) and printed without a trace
├── UsageError       the command line or an argument makes no sense
├── SettingsError    a file in .floe/ is not usable
├── ArtifactError    compiled.json is not what `floe compile` wrote
├── CannotTell       something that the answer depends on is not on this machine
│   └── MissingExtra an optional package is not installed
├── Declined         what was asked for would break a promise that was made
├── BaseNotFound     the revision to compare with cannot be resolved
├── NothingThere     the place of a table holds nothing to read
└── EngineGone       the engine ended while it was needed
"""

from __future__ import annotations

from . import codes
from .codes import Code


class FloeError(Exception):
    """The tool could not do its work; `exit_code` 2 means "could not check"."""

    exit_code = 2
    code: Code = codes.E592

    def __init__(self, message: str, *, fix: str = "", code: Code | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix
        if code is not None:
            self.code = code


class UsageError(FloeError):
    """Arguments that cannot be meant."""


class SettingsError(FloeError):
    """A settings file that cannot be used as written."""

    code = codes.E590


class CannotTell(FloeError):
    """What the answer depends on is not on this machine; a look before a commit warns and goes on."""


class NothingThere(FloeError):
    """A place that should hold a table, and holds nothing that could be read as one."""


class Declined(FloeError):
    """What was asked for is not done, because it would break a promise: the answer is no, and not "could not check"."""

    exit_code = 1


class ArtifactError(FloeError):
    """A compiled artifact that cannot be used."""

    code = codes.E594


class MissingExtra(CannotTell):
    """A feature whose package is not installed."""

    code = codes.E591

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(
            f"{feature} needs packages that are not installed here", fix=f"pip install 'floe-contracts[{extra}]'"
        )
        self.extra = extra


class BaseNotFound(FloeError):
    """A base revision that should exist and does not."""

    code = codes.E528


class EngineGone(FloeError):
    """The program that measures ended during a run; what it had not measured stays open."""

    def __init__(self) -> None:
        super().__init__(
            "Spark's Java ended during the run: killed, out of memory, or told to exit",
            fix="Look for the cause in Spark's own log, or give it more memory; the next run checks what is missing.",
        )
