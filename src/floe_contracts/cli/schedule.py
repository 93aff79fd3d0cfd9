"""`floe schedule`: crontab, systemd timers, Kubernetes manifests or an Airflow file that start the checks."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import click

from .. import __version__
from ..adapters.files.write import write_whole
from ..adapters.process.console import Console
from ..adapters.process.output import put_page
from ..adapters.process.program import own_program
from ..contract.meaning.phrase import plural
from ..errors import UsageError
from ..schedules.cadence import Job, JobSource, jobs_for
from ..schedules.kubernetes import manifests, serve_manifest
from ..schedules.timers import crontab, serve_unit, units
from .options import artifact_options, global_options

if TYPE_CHECKING:
    from ..app.monitor.project import Project

KINDS = ("cron", "systemd", "kubernetes", "airflow")


_ON_DEMAND = "monitoring is on demand (data_contracts.monitoring.mode)"


@click.command(short_help="Print what makes a scheduler run the checks.")
@click.argument("kind", type=click.Choice(KINDS), metavar="KIND")
@click.option(
    "--contracts", multiple=True, metavar="PATH", help="What to check; without it all contracts of the project."
)
@click.option("--serve", is_flag=True, help="One service, `floe monitor serve`, for systemd or kubernetes.")
@artifact_options
@click.option("--config", default="", metavar="FILE", help="Settings instead of .floe/monitoring.yaml.")
@click.option(
    "--floe",
    default="",
    metavar="PROGRAM",
    help="The floe to start.  [default: this one, by its whole path; in kubernetes floe on the image's PATH]",
)
@click.option("--folder", default="", metavar="FOLDER", help="Where the project will be; without it where it is here.")
@click.option("--user", default="floe", show_default=True, metavar="NAME", help="The user of systemd's services.")
@click.option(
    "--image",
    default=f"floe-contracts:{__version__}",
    show_default=True,
    metavar="NAME",
    help="The image of kubernetes.",
)
@click.option("--output", "-o", metavar="PLACE", help="A file, or a folder for systemd, instead of printing.")
@global_options(hidden=True)
@click.pass_obj
def schedule(
    console: Console,
    kind: str,
    contracts: tuple[str, ...],
    serve: bool,
    artifacts: str,
    root: str,
    config: str,
    floe: str,
    folder: str,
    user: str,
    image: str,
    output: str | None,
) -> int:
    """Print what makes KIND run every check as often as the settings say: cron, systemd, kubernetes or airflow.

    Each start tells the slot it stands for, so a start that comes late, twice or again counts nothing twice. With
    --serve it is one service instead, which checks by itself and can be scraped.

    \b
    Examples:
      { crontab -l; floe schedule cron --contracts contracts; } | crontab -
      floe schedule systemd --folder /srv/shop -o /etc/systemd/system
      floe schedule kubernetes --image registry.example.com/shop-contracts:1.4.0 --folder /work
      floe schedule systemd --serve --folder /srv/shop -o /etc/systemd/system
      floe schedule cron --artifacts target/floe/compiled.json
      floe schedule airflow --contracts /srv/shop/contracts --floe /opt/floe/bin/floe -o dags/contracts.py
    """
    from ..app.monitor.artifact import refuse_paths
    from ..app.monitor.project import project_here

    _refuse_lines(contracts, artifacts, root, config, floe, folder, user, image)
    floe = floe or ("floe" if kind == "kubernetes" else own_program())
    project = project_here(config, artifacts, root)
    if not project.config.data_contracts.monitoring.enabled:
        fix = "Set data_contracts.monitoring.enabled to true first, else every job would check nothing."
        raise UsageError("monitoring is switched off (data_contracts.monitoring.enabled is false)", fix=fix)
    if project.product is not None:
        refuse_paths(contracts)
    if not folder:
        contracts = tuple(_from(project.root, path) for path in contracts)
        artifacts, root, config = (_from(project.root, path) for path in (artifacts, root, config))
    source = JobSource(contracts, artifacts, root, config)
    place = os.path.abspath(folder) if folder else project.root  # systemd takes no other
    if serve:
        return _serve(console, kind, source, project, place, floe, user, image, output)
    if _is_on_demand(project):
        console.note(f"{_ON_DEMAND}: these jobs check nothing until it is scheduled or continuous.")
    jobs = jobs_for(_intervals(project), source)
    if kind == "systemd":
        return _systemd(console, units(jobs, place, floe, user), output)
    return _put(console, _one_file(kind, jobs, project, place, floe, image), output)


def _is_on_demand(project: Project) -> bool:
    from ..product.data_contracts import Mode

    return project.config.data_contracts.monitoring.mode is Mode.ON_DEMAND


def _put(console: Console, text: str, output: str | None) -> int:
    if not output:
        put_page(text)
        return 0
    write_whole(output, text)
    console.note(f"Written to {output}.")
    return 0


def _one_file(kind: str, jobs: tuple[Job, ...], project: Project, folder: str, floe: str, image: str) -> str:
    if kind == "cron":
        return crontab(jobs, folder, floe)
    if kind == "kubernetes":
        return manifests(jobs, folder, image, floe)
    from ..schedules.dag_text import dag_file

    source = jobs[0].source
    places = [os.path.join(folder, path) for path in source.contracts]
    options = [word for name, path in source.files for word in (name, os.path.join(folder, path))]
    intervals = {check: min(lengths) for check, lengths in _intervals(project).items()}
    name = re.sub(r"[^A-Za-z0-9_.-]+", "_", os.path.basename(folder.rstrip("/"))) or "floe"  # as names of DAGs may be
    return dag_file(name, places, floe, folder, intervals, options)


def _serve(
    console: Console, kind: str, source: JobSource, project: Project, folder: str, floe: str, user: str,
    image: str, output: str | None,
) -> int:  # fmt: skip
    """One service instead of a start for every slot."""
    if kind not in ("systemd", "kubernetes"):
        raise UsageError(f"{kind} starts jobs, and no service", fix="Write --serve with systemd or kubernetes.")
    if _is_on_demand(project):
        fix = "Set data_contracts.monitoring.mode to scheduled or continuous, else the service would check nothing."
        raise UsageError(_ON_DEMAND, fix=fix)
    command = [floe, "monitor", "serve", *source.options]
    if kind == "kubernetes":
        return _put(console, serve_manifest([*command, "--listen", "0.0.0.0:9464"], folder, image), output)
    return _systemd(console, serve_unit(command, folder, user), output)


def _systemd(console: Console, files: dict[str, str], output: str | None) -> int:
    if not output:
        put_page("\n".join(f"# --- {name}\n{text}" for name, text in files.items()))
        return 0
    for name, text in files.items():
        write_whole(os.path.join(output, name), text)
    number = plural(len(files), "unit")
    console.note(f"{number} written to {output}; `systemctl daemon-reload` makes them known.")
    return 0


def _from(root: str, path: str) -> str:
    """A path of this folder as it is written in the folder where the schedule runs."""
    return os.path.relpath(path, root) if path and not os.path.isabs(path) else path


def _intervals(project: Project) -> dict[str, list[int]]:
    """Every interval that a check has here: the usual one, and those of single contracts."""
    from ..monitor.settings.model import CHECKS

    keys = ("", *project.config.contracts)
    return {check: [project.config.interval_us(check, key) for key in keys] for check in CHECKS}


def _refuse_lines(contracts: tuple[str, ...], *others: str) -> None:
    for text in (*contracts, *others):
        if not text.isprintable() and text:
            raise UsageError(f"{text!r} cannot stand in a schedule", fix="Leave out control characters.")
