"""`floe monitor run` and the files of jobs, without Spark."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from support.job_desk import ORDERS
from support.running import Floe, fresh_floe

from floe_contracts.cli.job import JOBS
from floe_contracts.cli.monitor import COMMANDS, monitor
from floe_contracts.cli.monitor_run import CHECKS
from floe_contracts.monitor.settings.model import CHECKS as ALL_CHECKS

BATCH = Path(__file__).parents[2] / "batch"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "orders.yaml").write_text(ORDERS.replace("{name}", "orders"))
    return tmp_path


def test_the_lifecycle_needs_no_spark(floe: Floe, shop: Path) -> None:
    ran = floe("monitor", "run", "lifecycle")
    assert ran.code == 0
    assert ran.out.startswith("PASS: 1 contract checked, every promise kept.\n\norders  contracts/orders.yaml\n")


ENDED = 'status: deprecated\ndeprecation: {announced: "2025-01-01", sunset_date: "2025-04-01", replacement: sales}\n'


@pytest.mark.parametrize(
    ("more", "words", "first"),
    [
        pytest.param("", ("monitor", "run", "lifecycle"), "", id="kept"),
        pytest.param(ENDED, ("monitor", "run", "lifecycle"), "ALERT: orders has broken promises.", id="alert only"),
        pytest.param(ENDED, ("lint", "contracts"), "", id="fine for lint"),
    ],
)
def test_quiet_keeps_what_is_not_well(floe: Floe, shop: Path, more: str, words: tuple[str, ...], first: str) -> None:
    contract = shop / "contracts/orders.yaml"
    contract.write_text(contract.read_text() + more)
    for ran in (floe("--quiet", *words), floe(*words, "-q")):
        assert ran.code == 0
        assert ran.out.startswith(first)
        assert bool(ran.out) is bool(first)


@pytest.mark.skipif(find_spec("pyspark") is not None, reason="pyspark is installed here")
def test_spark_that_is_not_installed_is_one_clear_message(floe: Floe, shop: Path) -> None:
    ran = floe("monitor", "run", "freshness")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "FLOE-E591 checking data needs packages that are not installed here\n"
        "  fix: pip install 'floe-contracts[spark]'\n"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(("freshnes",), "'freshnes' is not one of", id="misspelt check"),
        pytest.param(("lifecycle", "--slot", "soon"), "the slot 'soon' is not a moment", id="no moment"),
        pytest.param(("lifecycle", "--slot", "2999-01-01"), "lies in the future", id="the future"),
        pytest.param(("lifecycle", "--limit", "1 month"), "'--limit'", id="no length"),
        pytest.param(("lifecycle", "--store", "mysql://x"), "it begins with mysql:", id="unknown store"),
        pytest.param(("post_run",), "no run is named", id="no run"),
        pytest.param(("stream",), "Missing option '--checkpoint'", id="no checkpoint"),
        pytest.param(("stream", "--slot", "now"), "No such option '--slot'", id="a stream has no slots"),
        pytest.param(("--dry-run", "stream"), "Write stream before its options", id="options first"),
    ],
)
def test_what_cannot_be_meant_is_said(floe: Floe, shop: Path, arguments: tuple[str, ...], words: str) -> None:
    ran = floe("monitor", "run", *arguments)
    assert ran.code == 2
    assert words in ran.err


def test_checks_are_the_same_everywhere() -> None:
    assert CHECKS == ALL_CHECKS
    assert set(JOBS) == {*ALL_CHECKS, "post_run", "all", "stream"}
    assert {f"{name}.py" for name in JOBS.values()} == {path.name for path in BATCH.glob("[!_]*.py")}


def test_table_of_commands_says_what_the_commands_say() -> None:
    context = click.Context(monitor)
    for name, entry in COMMANDS.items():
        command = monitor.get_command(context, name)
        assert command is not None
        assert (command.name, command.short_help, command.hidden) == (name, entry.help, entry.hidden)


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    after = "print('', *{name.split('.')[0] for name in sys.modules})"
    ran = fresh_floe("monitor", "--help", cwd=tmp_path, after=after)
    assert ran.code == 0, ran.err
    assert set(ran.out.splitlines()[-1].split()) & {"pydantic", "yaml", "git", "sqlalchemy", "pyspark"} == set()


@pytest.mark.parametrize("check", JOBS)
def test_every_job_has_its_file(floe: Floe, check: str) -> None:
    ran = floe("job", "path", check)
    assert (ran.code, Path(ran.out.strip()).name) == (0, f"{JOBS[check]}.py")
    assert Path(ran.out.strip()).is_file()


def test_a_job_runs_from_a_checkout_that_is_not_installed(shop: Path) -> None:
    """The lifecycle job is the one that plain Python can run; `-S` leaves out the editable install."""
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    job = [sys.executable, "-S", str(BATCH / "lifecycle.py"), "--contracts", "contracts", "--format", "json"]
    done = subprocess.run(job, env={"PYTHONPATH": packages}, capture_output=True, text=True, check=False, cwd=shop)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["command"] == "monitor run lifecycle"


@pytest.mark.parametrize("job", sorted(set(JOBS.values())))
def test_every_job_says_what_it_takes(job: str) -> None:
    asked = [sys.executable, str(BATCH / f"{job}.py"), "--help"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "--contracts PATH" in done.stdout
    assert ("--run-id ID" in done.stdout) is (job == "post_run")


def test_post_run_must_know_which_run(shop: Path) -> None:
    asked = [sys.executable, str(BATCH / "post_run.py"), "--contracts", "contracts"]
    done = subprocess.run(asked, env={}, capture_output=True, text=True, check=False, cwd=shop)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no run is named\n  fix: Say --run-id" in done.stderr
