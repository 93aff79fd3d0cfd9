"""dbt as another program: `dbt parse`, and `dbt build` of all nodes or of some."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from ...errors import CannotTell, FloeError
from ..process.child import ChildEnd, run_child
from .project import DbtFolder, find_project
from .views import RunResultsView, read_artifact, schema_version

PROGRAM = "FLOE_DBT"
_ERROR_BEGINS = "Encountered an error:"
_NEXT_ENTRY = re.compile(r"\d\d:\d\d:\d\d\b")
_QUIET = {"DBT_SEND_ANONYMOUS_USAGE_STATS": "0"}


@dataclass(frozen=True, slots=True)
class DbtProgram:
    """A dbt for one project, with the environment that it is started in."""

    program: str
    folder: DbtFolder
    environ: Mapping[str, str]

    def parse(self) -> ChildEnd:
        return self._run("parse")

    def build(self, selectors: Sequence[str], more: Mapping[str, str]) -> tuple[ChildEnd, RunResultsView | None]:
        """Build what is selected, all without a selector; None when dbt ended before it wrote any results."""
        before = self._results()
        end = self._run("build", *(["--select", *selectors] if selectors else []), more=more)
        after = self._results()
        return end, None if after == before or after is None else self._read(after)

    @property
    def results_path(self) -> Path:
        return self.folder.target / "run_results.json"

    def _run(self, *words: str, more: Mapping[str, str] | None = None) -> ChildEnd:
        project = ["--project-dir", str(self.folder.root)]
        environ = {**self.environ, **_QUIET, **(more or {})}
        return run_child([self.program, *words[:1], *project, *words[1:]], str(self.folder.root), environ, "dbt")

    def _results(self) -> bytes | None:
        try:
            return self.results_path.read_bytes()
        except OSError:
            return None

    def _read(self, data: bytes) -> RunResultsView:
        path = os.path.relpath(self.results_path)
        view = read_artifact(data, path, RunResultsView)
        schema_version(view.metadata, "run-results", path)
        return view


def failure_words(end: ChildEnd) -> str:
    """What dbt says of its error, which need not come last: deprecations are summed up after it."""
    places = [place for place, line in enumerate(end.lines) if line.rstrip().endswith(_ERROR_BEGINS)]
    if not places:
        return end.reason
    error = takewhile(lambda line: not _NEXT_ENTRY.match(line), end.lines[places[-1] + 1 :])
    return " ".join(" ".join(error).split())[:500] or end.reason


def dbt_program(start: Path, environ: Mapping[str, str]) -> DbtProgram:
    """The dbt of FLOE_DBT, else of the PATH, for the project at or above a folder."""
    folder = find_project(start, environ)
    if folder is None:
        raise FloeError(
            f"there is no dbt_project.yml at or above {os.path.relpath(start)}", fix="Correct `path` of the transform."
        )
    named = environ.get(PROGRAM, "").strip()
    program = shutil.which(named or "dbt", path=environ.get("PATH"))
    if program is None:
        what = f"{PROGRAM} names {named}, which is not a program here" if named else "there is no dbt on PATH"
        raise CannotTell(what, fix=f"Install dbt-core 1.10 or 1.11 with its adapter, or name its program by {PROGRAM}.")
    return DbtProgram(os.path.abspath(program), folder, environ)
