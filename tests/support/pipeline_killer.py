"""`floe run` killed at the n-th thing that it does, and run again: started by `test_pipeline_kills.py`.

Production code has no such points. What a run leans on is wrapped here: its store, its outbox, its children, compile,
the checks and the deliveries. Every run is a process of its own, forked from one that has imported everything.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from floe_contracts.adapters.process.console import Console
from floe_contracts.app.monitor.drain import Sinks
from floe_contracts.app.monitor.log import RunLog
from floe_contracts.app.pipeline import run, transforms
from floe_contracts.app.pipeline.request import PipelinePorts, PipelineRequest
from floe_contracts.app.pipeline.voice import Voice
from support.crash_runner import DyingStore, Killer


@dataclass
class Counter(Killer):
    """Ends this process at the n-th point, whichever that is; 0 for never."""

    end_at: int = 0
    seen: int = 0

    def at(self, point: str) -> None:
        self.seen += 1
        with Path("trail").open("a") as trail:
            trail.write(f"{point}\n")
        if self.seen == self.end_at:
            Path("killed").write_text(point)
            os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class DyingSink:
    """A real sink with points around its deliveries."""

    sink: Any
    killer: Counter

    @property
    def name(self) -> str:
        return str(self.sink.name)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.sink, name)
        return around(self.killer, name, found) if name in ("deliver", "push") else found


def around(killer: Counter, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """The same with a point before and one after it."""

    def called(*words: Any, **more: Any) -> Any:
        killer.at(f"before {name}")
        answer = call(*words, **more)
        killer.at(f"after {name}")
        return answer

    return called


def wrap(killer: Counter) -> None:
    """Everything that a run changes the world by gets its points."""
    open_store, load_sinks = vars(run)["open_project_store"], vars(run)["load_sinks"]

    @contextmanager
    def dying(*words: Any, **more: Any) -> Iterator[Any]:
        with open_store(*words, **more) as store:
            yield DyingStore(store, killer)

    def sinks(*words: Any) -> Sinks:
        loaded: Sinks = load_sinks(*words)
        return replace(
            loaded,
            sinks=tuple(DyingSink(sink, killer) for sink in loaded.sinks),
            mirrors=tuple(DyingSink(mirror, killer) for mirror in loaded.mirrors),
        )

    wrapped = {"open_project_store": dying, "load_sinks": sinks}
    wrapped |= {name: around(killer, name, vars(run)[name]) for name in ("compile_folder", "run_checks")}
    for name, made in wrapped.items():
        setattr(run, name, made)
    setattr(transforms, "run_child", around(killer, "run_child", vars(transforms)["run_child"]))  # noqa: B010


def run_apart(folder: Path, end_at: int) -> int:
    """One run in a process of its own: its exit code, negative for a signal."""
    child = os.fork()
    if not child:
        os.chdir(folder)
        killer = Counter(end_at=end_at)
        wrap(killer)
        console = Console()
        environ = {**os.environ, "OPENLINEAGE_ENDPOINT": folder.name}
        ports = PipelinePorts(environ=environ)
        code = run.run_pipeline(PipelineRequest(run_id="r1"), ports, Voice(console), RunLog(console))
        sys.stdout.flush()
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    """For every folder `<n>`: killed at point n, then run in peace; the exit codes go to a file of the folder."""
    for word in sys.argv[1:]:
        folder = Path(word)
        (folder / "exits").write_text(json.dumps([run_apart(folder, int(folder.name)), run_apart(folder, 0)]))


if __name__ == "__main__":
    main()
