"""dbt: the checks of the contracts whose models a `dbt build` has just built.

    dbt build && python -m floe_contracts.schedules.dbt --contracts contracts --floe /opt/floe/bin/floe

Hooks of dbt are SQL and can start no program, so this is the line after dbt's. A model names its contract in its meta,
`floe/contract`; where no model does, all contracts are checked. The run is dbt's invocation, so that a second call for
the same build finds the same results.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..adapters.dbt.project import find_project
from ..adapters.dbt.views import ManifestNode, ManifestView, RunResultsView, read_artifact
from ..adapters.files.read import read_file
from ..adapters.process.boundary import Alarm, guard
from ..adapters.process.output import say
from ..errors import FloeError
from ..results import ExitCode, decide
from .post_run import PostRunChecks
from .summary import CONTRACT, lines

_BUILD = "Run dbt build first, and name its project with --project-dir."


class DbtPlugin(PostRunChecks):
    """An OrchestratorPlugin for what dbt built."""

    @property
    def name(self) -> str:
        return "dbt"


@dataclass(frozen=True, slots=True)
class Build:
    """One invocation of dbt: its id, and the contracts of what it built; `named` says whether any model names one."""

    run_id: str
    contracts: tuple[str, ...]
    named: bool


def read_build(project: str, environ: Mapping[str, str]) -> Build:
    """The last invocation in a project, from the files that dbt left in its target folder."""
    folder = find_project(Path(project).absolute(), environ)
    if folder is None:
        raise FloeError(f"there is no dbt project at or above {project}", fix=_BUILD)
    results = read_artifact(_read(folder.target / "run_results.json"), "run_results.json", RunResultsView)
    nodes = read_artifact(_read(folder.manifest), "manifest.json", ManifestView).nodes
    run_id = results.metadata.invocation_id
    if not run_id:
        raise FloeError("run_results.json names no invocation", fix=_BUILD)
    built = [nodes[each.unique_id] for each in results.results if each.status == "success" and each.unique_id in nodes]
    contracts = tuple(dict.fromkeys(name for node in built if (name := _contract_of(node))))
    return Build(run_id, contracts, any(map(_contract_of, nodes.values())))


def main(argv: Sequence[str] | None = None) -> int:
    """Check after a build; the exit code is that of `floe monitor run post_run`."""
    given = _parser().parse_args(argv)
    return guard(lambda: _check(given), Alarm())


def _check(given: Namespace) -> int:
    build = read_build(given.project_dir, os.environ)  # noqa: TID251 - a program of its own
    if build.named and not build.contracts:
        say("No model with a contract was built; nothing is checked.")
        return int(ExitCode.PASS)
    plugin = DbtPlugin(given.contracts, given.check, given.floe, given.options, log=lambda line: say(line, error=True))
    report = plugin.check_run(build.run_id, build.contracts)
    for line in lines(report):
        say(line)
    return int(decide(report))


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="python -m floe_contracts.schedules.dbt",
        description="Check the contracts of the models that the last dbt build has built.",
        epilog="Words after -- go to floe as they are.",
    )
    parser.add_argument("--project-dir", default=".", help="folder with dbt_project.yml")
    parser.add_argument("--contracts", action="append", default=[], help="file or folder; may be repeated")
    parser.add_argument("--check", default="post_run", help="a single check instead of all")
    parser.add_argument("--floe", default="floe", help="program of the environment that has floe-contracts[spark]")
    parser.add_argument("options", nargs="*", help="more words for floe, after --")
    return parser


def _read(path: Path) -> bytes:
    file = read_file(str(path))
    if file.problem is not None:
        raise FloeError(f"{path}: {file.problem.message}", fix=_BUILD)
    return file.data


def _contract_of(node: ManifestNode) -> str:
    """The contract in a node's meta; dbt 1.10 keeps it in the node's config."""
    return str({**node.meta, **(node.config.get("meta") or {})}.get(CONTRACT) or "")


if __name__ == "__main__":
    sys.exit(main())
