"""The checks after a pipeline's run, as plugins of orchestrators have them made: by the floe of another environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .. import __version__
from ..adapters.process.program import Running, run_floe
from ..monitor.plugin.protocol import ContractViolation
from ..monitor.plugin.results import violations_of
from ..results import Report

Log = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class PostRunChecks:
    """A plugin but for its name; `paths` are the contracts' files, none being all of the project in `folder`."""

    paths: Sequence[str] = ()
    check: str = "post_run"
    floe: str = "floe"
    options: Sequence[str] = ()
    folder: str = ""
    env: Mapping[str, str] | None = None
    log: Log = field(default=lambda _: None)
    started: Callable[[Running], object] = field(default=lambda _: None)

    @property
    def version(self) -> str:
        return __version__

    def post_materialize(self, run_id: str, contracts: Sequence[str]) -> dict[str, list[ContractViolation]]:
        """As the protocol says; a FloeError where nothing could be checked."""
        return {**{name: [] for name in contracts}, **violations_of(self.check_run(run_id, contracts))}

    def check_run(self, run_id: str, contracts: Sequence[str]) -> Report:
        """The same as a report, which also tells what passed and what could not be checked."""
        return self.run(("--run-id", run_id), contracts)

    def run(self, when: Sequence[str], contracts: Sequence[str] = ()) -> Report:
        """The check for a run or a slot."""
        named = [word for path in self.paths for word in ("--contracts", path)]
        only = [word for name in contracts for word in ("--only", name)]
        words = ("monitor", "run", self.check, *named, *only, *when, *self.options)
        return run_floe(self.floe, words, log=self.log, environ=self.env, folder=self.folder, started=self.started)
