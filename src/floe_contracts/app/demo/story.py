"""The demo from beginning to end: before the merge, after the merge, and the same again."""

from __future__ import annotations

import shutil
import sys
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from ...adapters.files.packaged import job_file
from ...adapters.process.console import Console
from ...adapters.process.java_options import STACK
from ...errors import FloeError, MissingExtra, UsageError
from .counts import DemoCounts, count_results, metrics_of, metrics_text, pushgateway
from .products import play_pipeline, play_platform
from .shop import edit_orders, git, make_repository, stage_all
from .stage import DemoStage, environment

_STEPS = 10


@dataclass(frozen=True, slots=True)
class DemoFolders:
    """The folders and files of a demo."""

    folder: Path

    @property
    def shop(self) -> Path:
        return self.folder / "shop"

    @property
    def store(self) -> str:
        return f"sqlite:///{self.folder}/monitoring.db"

    @property
    def events(self) -> Path:
        return self.folder / "lineage-events.jsonl"

    @property
    def metrics(self) -> Path:
        return self.folder / "metrics.prom"


def play(console: Console, folder: Path) -> int:
    """Play the demo in a new folder; a FloeError says what did not go as it should."""
    submit = _spark_submit()
    _make_folder(folder)
    places, began = DemoFolders(folder.resolve()), time.monotonic()
    with pushgateway() as gateway:
        stage = DemoStage(console, places.shop, _environ(places, gateway), _STEPS)
        now = datetime.now(timezone.utc)
        stage.say(f"A small shop in {folder}, from its first contract to its first alerts.")
        _publish(stage, places, now)
        _good_change(stage, places)
        _break(stage, places)
        _way_out(stage, places)
        play_platform(stage, places.shop)
        _data(stage, submit, now)
        first = _check(stage, places, submit, now, gateway)
        _again(stage, places, submit, now, gateway, first)
        play_pipeline(stage, places.shop, places.store)
        _results(stage, places, gateway)
    stage.say(f"\nDone in {time.monotonic() - began:.0f} s. Nothing of it touched anything outside {folder}.")
    return 0


def _environ(places: DemoFolders, gateway: str) -> dict[str, str]:
    values = {
        "OPENLINEAGE__TRANSPORT__TYPE": "file",
        "OPENLINEAGE__TRANSPORT__LOG_FILE_PATH": str(places.events),
        "OPENLINEAGE__TRANSPORT__APPEND": "true",
        "FLOE_PUSHGATEWAY_URL": gateway,
    }
    return environment(values)


def _publish(stage: DemoStage, places: DemoFolders, now: datetime) -> None:
    stage.step("A repository of contracts", "Three teams, three ways to write a contract; one command reads them all.")
    make_repository(places.shop, now.date())
    stage.show("floe", "lint", "contracts")


def _good_change(stage: DemoStage, places: DemoFolders) -> None:
    stage.step("A good change", "One more status and a new version number: additive, so MINOR is enough.")
    git(places.shop, "checkout", "--quiet", "-b", "rework-orders")
    edit_orders(places.shop, ("shipped, cancelled", "shipped, returned, cancelled"), ("2.1.0", "2.2.0"))
    stage.show("floe", "gate")


def _break(stage: DemoStage, places: DemoFolders) -> None:
    stage.step(
        "A break", "A column that two teams read is gone. The merge stops, and this is what the pull request says."
    )
    edit_orders(places.shop, ("  - name: coupon\n    type: STRING\n", ""))
    stage.show("floe", "gate", "--format", "markdown", code=1)
    comment = str(places.folder / "pull-request.html")
    stage.show("floe", "gate", "--format", "html", "--output", comment, code=1)


def _way_out(stage: DemoStage, places: DemoFolders) -> None:
    stage.step("The way out", "Say so in the version: readers are warned, the gate is green, the findings stay listed.")
    stage.show("floe", "bump", "--yes")
    stage_all(places.shop)
    stage.show("floe", "gate")
    git(places.shop, "commit", "--quiet", "--message", "Drop the coupon")
    git(places.shop, "checkout", "--quiet", "main")  # what runs is what was merged


def _data(stage: DemoStage, submit: str, now: datetime) -> None:
    stage.step("A bad night", "Spark writes the shop's tables, with faults: late, broken, doubled, gone.")
    script = str(Path(__file__).with_name("shop_data.py"))
    words = [submit, "--master", "local[2]", script, "data", str(int(now.timestamp()))]
    stage.quietly("written with Spark: orders, customers, payments, coupons", words)


def _submit(stage: DemoStage, places: DemoFolders, submit: str, now: datetime, last: int = 0) -> None:
    job, slot = job_file("all_checks"), now.strftime("%Y-%m-%dT%H:%M:%SZ")
    options = ("--contracts", "contracts", "--store", places.store, "--slot", slot)
    title = f"spark-submit {Path(job).name} --contracts contracts --slot {slot} --store …"
    stage.show(submit, "--master", "local[2]", "--driver-java-options", STACK, job, *options, title=title, last=last)


def _check(stage: DemoStage, places: DemoFolders, submit: str, now: datetime, gateway: str) -> DemoCounts:
    stage.step("The morning after", "Every check in one submit. Violations alert; the pipeline goes on.")
    _submit(stage, places, submit, now)
    return _count(places, gateway)


def _again(stage: DemoStage, places: DemoFolders, submit: str, now: datetime, gateway: str, first: DemoCounts) -> None:
    stage.step("The same again", "A scheduler that runs a slot twice must not double an alert.")
    _submit(stage, places, submit, now, last=3)
    second = _count(places, gateway)
    again = second.attempts - first.attempts
    stage.say(f"""
   slots filled         {first.slots:>3} by the first run, {second.slots} after the second
   violations counted   {first.violations:>3} by the first run, {second.violations} after the second
   in the metrics       {first.shown:>3} after the first run, {second.shown} after the second
   Only the {again} checks of the dead source were tried again: a finished slot stays finished.""")
    if (first.slots, first.violations, first.shown) != (second.slots, second.violations, second.shown):
        raise FloeError("the second run changed what was counted", fix="Report it: this is a bug of floe.")


def _results(stage: DemoStage, places: DemoFolders, gateway: str) -> None:
    stage.step("What is left for you", "Metrics, lineage and a page for whoever is on call.")
    page = str(places.folder / "report.html")
    stage.show("floe", "monitor", "status", "--store", places.store)
    stage.show("floe", "monitor", "report", "contracts", "--store", places.store, "--output", page)
    final = _count(places, gateway)
    source = "scraped from a real Pushgateway" if gateway else "as a Pushgateway would show them"
    stage.say(f"""
   {places.folder / "report.html"}
       how the contracts stand and how the product ran, as a page
   {places.folder / "pull-request.html"}
       the break, as a page for reviewers
   {places.metrics}
       metrics, {source}: {final.shown} violations counted
   {places.events}
       {final.events} OpenLineage events of {final.attempts} checks and steps, a start and an end each
   {places.shop}
       the repository; look around with `floe gate` and `floe monitor history shop.orders --store {places.store}`""")


def _count(places: DemoFolders, gateway: str) -> DemoCounts:
    metrics = metrics_of(gateway) if gateway else metrics_text(places.store)
    places.metrics.write_text(metrics, "utf-8")
    return count_results(places.store, places.events, metrics)


def _spark_submit() -> str:
    """The spark-submit of this environment, once Java is there: before anything was made."""
    try:
        from ...adapters.spark.session.java import java_problem
    except ModuleNotFoundError:
        raise MissingExtra("the demo", "spark") from None
    problem = java_problem()
    if problem:
        raise FloeError(problem)
    if shutil.which("git") is None:
        raise FloeError("the demo needs git, and there is none on PATH", fix="Install it (Debian: apt install git).")
    own = Path(sys.executable).with_name("spark-submit")
    program = str(own) if own.exists() else shutil.which("spark-submit")
    if program is None:
        raise FloeError(
            "there is no spark-submit beside this Python or on PATH", fix="pip install 'floe-contracts[spark]'"
        )
    return program


def _make_folder(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty", fix="Name a new folder: floe demo FOLDER.")
    folder.mkdir(parents=True, exist_ok=True)
