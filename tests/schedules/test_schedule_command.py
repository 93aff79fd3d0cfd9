"""`floe schedule`: what it prints is accepted by those it is for, and starts floe with the right slot."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from support.needs import needs

from floe_contracts.cli.main import main

Run = Callable[..., str]

SPY = """#!/bin/sh
pwd >"$SPY"
printf '%s\\n' "$@" >>"$SPY"
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a blank and an apostrophe, as real ones have."""
    folder = tmp_path / "Ada's shop 100%"
    (folder / ".floe").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def spy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `floe` on PATH that writes down how it was started."""
    program = tmp_path / "bin/floe"
    program.parent.mkdir()
    program.write_text(SPY)
    program.chmod(0o755)
    nap = tmp_path / "bin/sleep"
    nap.write_text("#!/bin/sh\n")
    nap.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SPY", str(tmp_path / "started"))
    return tmp_path / "started"


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str) -> str:
        assert main(["schedule", *words]) == 0
        return capsys.readouterr().out

    return run


def _settings(project: Path, text: str) -> None:
    (project / ".floe/monitoring.yaml").write_text(text)


def test_a_line_of_the_crontab_starts_floe(project: Path, spy: Path, printed: Run) -> None:
    text = printed("cron", "--contracts", "my contracts", "--floe", str(spy.parent / "bin/floe"))
    lines = [line for line in text.splitlines() if "monitor run" in line]
    assert [re.search(r"run (\w+)", line)[1] for line in lines if line] == [  # type: ignore[index]
        *("availability", "freshness", "schema_drift", "quality", "lifecycle")
    ]
    command = " ".join(lines[1].split(" ")[5:]).strip().replace(r"\%", "%")  # as cron hands it to the shell
    subprocess.run(["sh", "-c", command], check=True)
    place, *words = spy.read_text().splitlines()
    assert place == str(project)
    assert words[:-1] == ["--quiet", "monitor", "run", "freshness", "--contracts", "my contracts", "--slot"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\dZ", words[-1])


def test_intervals_of_the_settings_are_used(project: Path, printed: Run) -> None:
    _settings(
        project,
        "data_contracts:\n  monitoring:\n    freshness: {check_interval: 30m}\n"
        "contracts:\n  shop.orders:\n    quality: {check_interval: 2h}\n",
    )
    text = printed("cron")
    assert re.search(r"^\*/30 \* \* \* \* .* run freshness ", text, re.MULTILINE)
    assert re.search(r"^0 \*/2 \* \* \* .* run quality ", text, re.MULTILINE)


def test_systemd_takes_the_units(project: Path, tmp_path: Path, spy: Path, printed: Run) -> None:
    analyze = needs("systemd-analyze")
    units = tmp_path / "units"
    units.mkdir()
    assert main(["schedule", "systemd", "-o", str(units), "--floe", str(tmp_path / "bin/floe")]) == 0
    timers = sorted(one.name for one in units.glob("*.timer"))
    assert len(timers) == 5
    for name in timers:
        calendar = re.search(r"OnCalendar=(.*)", (units / name).read_text())
        assert calendar
        subprocess.run([analyze, "calendar", calendar[1]], check=True, capture_output=True)
    done = subprocess.run(
        [analyze, "verify", "--man=no", "--recursive-errors=no", *(units / name for name in timers)],
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{units}:"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not [line for line in done.stderr.splitlines() if "floe" in line], done.stderr


def test_the_service_of_systemd_starts_floe(project: Path, spy: Path, printed: Run) -> None:
    names = ["a b", "Ada's", "50%", "a\\b", "$HOME", "${HOME} $$"]
    text = printed("systemd", "--floe", "floe", *(word for name in names for word in ("--contracts", name)))
    line = re.search(r"ExecStart=/bin/sh -c '(.*)' floe %i", text)
    assert line
    shell = re.sub(r"\\(.)|'", r"\1", line[1])  # as systemd takes a word out of its quotes, then fills in
    shell = shell.replace("%%", "%").replace("$$", "$")
    subprocess.run(["sh", "-c", shell, "floe", "quality"], check=True)
    _, *words, _, slot = spy.read_text().splitlines()
    assert words == ["monitor", "run", "quality", *(word for name in names for word in ("--contracts", name))]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\dZ", slot)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        pytest.param("cron", "cd {here}/shop && ", id="cron"),
        pytest.param("systemd", "WorkingDirectory={here}/shop\n", id="systemd"),
        pytest.param("kubernetes", 'workingDir: "{here}/shop"\n', id="kubernetes"),
        pytest.param("airflow", 'folder="{here}/shop"', id="airflow"),
    ],
)
def test_a_folder_is_written_whole(
    kind: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said.format(here=tmp_path) in printed(kind, "--folder", "./shop")


@pytest.mark.parametrize("kind", ["cron", "systemd"])
def test_the_program_is_named_by_its_whole_path(kind: str, project: Path, printed: Run) -> None:
    """cron and systemd know little of anybody's PATH: a bare word would end in `not found`, which nobody reads."""
    (program,) = {match[1] for match in re.finditer(r"(\S+/floe) (?:--quiet )?monitor run", printed(kind))}
    assert Path(program).is_absolute()


def test_what_cron_starts_is_logged_and_spread_over_the_minute(project: Path, spy: Path, printed: Run) -> None:
    floe = spy.parent / "bin/floe"
    floe.write_text("#!/bin/sh\necho 'FLOE-E592 no store' >&2\nexit 2\n")
    lines = [line for line in printed("cron", "--floe", str(floe)).splitlines() if "monitor run" in line]
    delays = [int(re.search(r"&& sleep (\d+) &&", line)[1]) for line in lines]  # type: ignore[index]
    assert max(delays) < 60
    assert len(set(delays)) > 1
    command = " ".join(lines[0].split(" ")[5:]).strip().replace(r"\%", "%")
    subprocess.run(["sh", "-c", command], check=False)
    assert (project / ".floe/floe-availability.log").read_text() == "FLOE-E592 no store\n"


@pytest.mark.parametrize("words", [[], ["--serve"]], ids=["timers", "service"])
def test_units_run_as_a_user_without_rights(words: list[str], project: Path, printed: Run) -> None:
    text = printed("systemd", "--user", "shop", *words)
    assert "\nUser=shop\n" in text
    assert {"NoNewPrivileges=yes", "ProtectSystem=full", "PrivateTmp=yes", "CapabilityBoundingSet="} <= set(
        text.splitlines()
    )
    assert words or "\nRandomizedDelaySec=50\nFixedRandomDelay=true\n" in text


def test_no_image_is_called_latest(project: Path, printed: Run) -> None:
    assert ":latest" not in printed("kubernetes")


def test_a_pod_finds_its_slot_in_the_name_of_its_job(project: Path, spy: Path, printed: Run) -> None:
    documents = list(yaml.safe_load_all(printed("kubernetes", "--image", "shop:1", "--folder", "/work: here")))
    assert documents[0]["spec"]["schedule"] == "*/5 * * * *"
    (container,) = documents[0]["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    assert (container["image"], container["workingDir"]) == ("shop:1", "/work: here")
    minute = int(time.time()) // 60
    assert _started(container, spy, f"floe-availability-{minute}") == ["--slot", str(minute * 60)]


@pytest.mark.parametrize(
    ("job", "slot"),
    [
        pytest.param("floe-availability-29123456", ["--slot", "1747407360"], id="made by the schedule"),
        pytest.param("eu-floe-availability-30000000", ["--slot", "1800000000"], id="a CronJob of another name"),
        pytest.param("manual", [], id="one word"),
        pytest.param("manual-x7k2p", [], id="a random end"),
        pytest.param("manual-2", [], id="a number"),
        pytest.param("manual-02912345", [], id="a number with a zero before it"),
        pytest.param("manual-20261117", [], id="a date"),
        pytest.param("manual-1763344800", [], id="seconds"),
        pytest.param("29123456x", [], id="digits and a letter"),
        pytest.param("", [], id="no name"),
    ],
)
def test_a_job_made_by_hand_runs_for_now(job: str, slot: list[str], project: Path, spy: Path, printed: Run) -> None:
    document = next(yaml.safe_load_all(printed("kubernetes")))
    (container,) = document["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    assert _started(container, spy, job) == slot


def _started(container: dict[str, list[str]], spy: Path, job: str) -> list[str]:
    """The words that a pod of a Job adds to the check."""
    environ = {**os.environ, "JOB_NAME": job}
    subprocess.run([*container["command"], *container["args"]], check=True, env=environ)
    _, *words = spy.read_text().splitlines()
    assert words[:3] == ["monitor", "run", "availability"]
    return words[3:]


@pytest.mark.parametrize(
    ("words", "written"),
    [
        pytest.param(["--contracts", "."], "--contracts teams/data --slot", id="this folder"),
        pytest.param(["--contracts", "*.yaml"], "--contracts 'teams/data/*.yaml' --slot", id="a glob"),
        pytest.param(["--contracts", "../../c"], "--contracts c --slot", id="a folder above"),
        pytest.param(["--contracts", "/srv/c/"], "--contracts /srv/c/ --slot", id="a whole path"),
        pytest.param(
            ["--config", "../../.floe/monitoring.yaml"], "--config .floe/monitoring.yaml --slot", id="settings"
        ),
        pytest.param(["--contracts", "c", "--folder", "/srv"], "--contracts c --slot", id="another folder"),
        pytest.param([], "run availability --slot", id="nothing"),
    ],
)
def test_paths_of_a_subfolder_are_written_from_the_project(
    words: list[str], written: str, project: Path, monkeypatch: pytest.MonkeyPatch, printed: Run
) -> None:
    _settings(project, "data_contracts: {}\n")
    (project / "teams/data").mkdir(parents=True)
    monkeypatch.chdir(project / "teams/data")
    assert f" {written}" in printed("cron", *words).splitlines()[6]


def test_the_file_for_airflow_is_python_that_says_what_differs(project: Path, printed: Run) -> None:
    _settings(project, "data_contracts:\n  monitoring:\n    freshness: {check_interval: 30m}\n")
    text = printed("airflow", "--contracts", "contracts", "--folder", "/srv/shop", "--floe", "/opt/floe/bin/floe")
    compile(text, "dag.py", "exec")
    assert 'contracts=["/srv/shop/contracts"]' in text
    assert 'intervals={"freshness": timedelta(seconds=1800)}' in text


def test_airflow_without_contracts_checks_all_of_the_project(project: Path, printed: Run) -> None:
    text = printed("airflow")
    assert "contracts=[]," in text
    assert str(project) in text.replace("\\'", "'")


def test_control_characters_are_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schedule", "cron", "--folder", "a\nb"]) == 2
    assert "control characters" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["cron", "systemd", "kubernetes", "airflow", "systemd --serve", "kubernetes --serve"])
def test_nothing_is_scheduled_where_monitoring_is_off(
    project: Path, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    _settings(project, "data_contracts:\n  monitoring:\n    enabled: false\n")
    assert main(["schedule", *words.split()]) == 2
    printed = capsys.readouterr()
    assert (printed.out, "monitoring is switched off" in printed.err) == ("", True)


# --- the service


SERVED = ["monitor", "serve", "--contracts", "Ada's $HOME"]


def test_systemd_takes_the_unit_of_the_service(project: Path, tmp_path: Path, spy: Path) -> None:
    analyze = needs("systemd-analyze")
    units = tmp_path / "units"
    units.mkdir()
    assert main(["schedule", "systemd", "--serve", "-o", str(units), "--floe", str(tmp_path / "bin/floe")]) == 0
    assert [path.name for path in units.iterdir()] == ["floe-serve.service"]
    done = subprocess.run(
        [analyze, "verify", "--man=no", "--recursive-errors=no", units / "floe-serve.service"],
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{units}:"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not [line for line in done.stderr.splitlines() if "floe" in line], done.stderr


def test_the_unit_starts_the_service_and_gives_it_time_to_end(project: Path, spy: Path, printed: Run) -> None:
    text = printed("systemd", "--serve", "--floe", "floe", "--contracts", "Ada's $HOME")
    line = re.search(r"ExecStart=/bin/sh -c '(.*)'\n", text)
    assert line
    shell = re.sub(r"\\(.)|'", r"\1", line[1]).replace("%%", "%").replace("$$", "$")
    subprocess.run(["sh", "-c", shell], check=True)
    assert spy.read_text().splitlines()[1:] == SERVED
    assert {"KillMode=mixed", "TimeoutStopSec=35", "Restart=on-failure"} <= set(text.splitlines())


def test_a_pod_of_the_service_is_probed_and_scraped_where_it_listens(project: Path, printed: Run) -> None:
    (document,) = yaml.safe_load_all(
        printed("kubernetes", "--serve", "--image", "shop:1", "--contracts", "Ada's $HOME")
    )
    assert (document["kind"], document["spec"]["replicas"]) == ("Deployment", 1)
    pod = document["spec"]["template"]
    (container,) = pod["spec"]["containers"]
    assert container["command"] == ["floe", *SERVED, "--listen", "0.0.0.0:9464"]
    assert (container["image"], container["workingDir"]) == ("shop:1", str(project))
    assert container["ports"] == [{"name": "metrics", "containerPort": 9464}]
    assert container["livenessProbe"]["httpGet"] == {"path": "/healthz", "port": "metrics"}
    assert pod["spec"]["terminationGracePeriodSeconds"] > 30
    assert pod["metadata"]["annotations"]["prometheus.io/port"] == "9464"


@pytest.mark.parametrize(
    ("settings", "kind", "said"),
    [
        pytest.param("data_contracts: {}\n", "cron", "starts jobs, and no service", id="cron"),
        pytest.param("data_contracts: {}\n", "airflow", "starts jobs, and no service", id="airflow"),
        pytest.param(
            "data_contracts: {monitoring: {mode: on_demand}}\n", "systemd", "monitoring is on demand", id="on demand"
        ),
    ],
)
def test_a_service_that_would_do_nothing_is_refused(
    settings: str, kind: str, said: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _settings(project, settings)
    assert main(["schedule", kind, "--serve"]) == 2
    printed = capsys.readouterr()
    assert (printed.out, said in printed.err) == ("", True)


@pytest.mark.parametrize("kind", ["cron", "systemd", "kubernetes", "airflow"])
def test_jobs_that_would_check_nothing_on_demand_are_noted(
    kind: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _settings(project, "data_contracts: {monitoring: {mode: on_demand}}\n")
    assert main(["schedule", kind, "--image", "shop:1"]) == 0
    assert "these jobs check nothing until it is scheduled or continuous" in capsys.readouterr().err
