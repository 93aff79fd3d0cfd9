"""The request to run a product, and the process around the run."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ...monitor.pipeline.plan import CHECKS
from ...monitor.pipeline.step import Trigger
from ..compile import CompileRequest


@dataclass(frozen=True, slots=True)
class PipelineRequest:
    """What to run, how it was triggered, and from which step on."""

    folder: str = "."
    run_id: str = ""
    select: tuple[str, ...] = ()
    start: str = ""
    dry_run: bool = False
    trigger: Trigger = "manual"
    refs: tuple[str, ...] = ()
    allow_http: tuple[str, ...] = ()
    config: str = ""
    store: str = ""

    def check_anew(self) -> str:
        """The command that checks once more what a run wrote, as a run of its own."""
        return replace(self, select=(), start=CHECKS).again("")

    def again(self, run_id: str) -> str:
        """The command that goes on with a run; the address of a store may hold what is nobody's business."""
        folder = [] if self.folder in ("", ".") else [self.folder]
        options = [("--run-id", run_id)] if run_id else []
        options += [("--select", name) for name in self.select]
        options += [("--from", self.start)] if self.start else []
        options += [("--trigger", self.trigger)] if self.trigger != "manual" else []
        options += [("--refs", refs) for refs in self.refs] + [("--allow-http", host) for host in self.allow_http]
        options += [("--config", self.config)] if self.config else []
        words = shlex.join(["floe", "run", *folder, *(word for option in options for word in option)])
        return f"{words} --store …" if self.store else words

    @property
    def compile(self) -> CompileRequest:
        return CompileRequest(self.folder, refs=self.refs, allow_http=self.allow_http)


@dataclass(frozen=True, slots=True)
class PipelinePorts:
    """Clocks and environment of a run; a test gives its own."""

    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    now_us: Callable[[], int] = lambda: time.time_ns() // 1000
