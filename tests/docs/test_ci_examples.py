"""Examples for other CI systems: the commands they run exist, and the GitLab script keeps its verdict."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from pathlib import Path

import pytest
import yaml
from support.builds import ROOT

import floe_contracts

GITLAB = ROOT / "examples/ci/gitlab-ci.yml"
AZURE = ROOT / "examples/ci/azure-pipelines.yml"
DOCKERFILE = ROOT / "examples/docker/Dockerfile"
SPARK_IMAGE = ROOT / "examples/docker/Dockerfile.spark"
APPLICATION = ROOT / "examples/schedules/spark_application.yaml"


@pytest.mark.parametrize("verdict", [0, 1, 2])
def test_the_gitlab_script_ends_as_the_gate_does(tmp_path: Path, verdict: int) -> None:
    """Its lines run by a shell as GitLab's runner runs them, with a program called floe that only returns a verdict."""
    program = tmp_path / "floe"
    program.write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/calls\nexit {verdict}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    lines = yaml.safe_load(GITLAB.read_text("utf-8"))["contract-gate"]["script"]
    script = "\n".join(line.replace("/tmp/floe/bin", str(tmp_path)) for line in lines)
    done = subprocess.run(
        ["sh", "-e", "-c", script], cwd=tmp_path, env={"PATH": os.environ["PATH"]}, capture_output=True, check=False
    )
    assert done.returncode == verdict, done.stderr
    calls = (tmp_path / "calls").read_text().splitlines()
    assert [re.sub(r" --output.*", "", call) for call in calls] == [
        "gate --format junit",
        "gate --format gitlab",
        "gate --format markdown",
        "gate",
    ]


@pytest.mark.parametrize("path", [GITLAB, AZURE, DOCKERFILE, SPARK_IMAGE], ids=lambda path: path.name)
def test_the_version_is_pinned_to_this_one(path: Path) -> None:
    pins = re.findall(r"floe-contracts(?:\[[a-z,]+\])?==([0-9.]+)", path.read_text("utf-8"))
    assert set(pins) == {floe_contracts.__version__}
    assert ":latest" not in path.read_text("utf-8")


def test_the_application_of_spark_starts_the_job_that_its_image_holds() -> None:
    template = yaml.safe_load(APPLICATION.read_text("utf-8"))["spec"]["template"]
    job = template["mainApplicationFile"].removeprefix("local://")
    assert f'cp "$(floe job path all)" {job}' in SPARK_IMAGE.read_text("utf-8")
    assert f"apache/spark:{template['sparkVersion']}-" in SPARK_IMAGE.read_text("utf-8")
    assert ":latest" not in APPLICATION.read_text("utf-8")
    for pod in (template["driver"], template["executor"]):
        assert pod["securityContext"]["runAsUser"] == 185


def test_azure_keeps_the_verdict_for_last() -> None:
    steps = yaml.safe_load(AZURE.read_text("utf-8"))["steps"]
    assert steps[2]["script"].strip().splitlines()[-1] == "floe gate"


def test_the_image_runs_as_a_user_that_passwd_knows() -> None:
    text = DOCKERFILE.read_text("utf-8")
    assert re.search(r"useradd --uid 10001\b", text)
    assert re.search(r"^USER 10001:10001$", text, re.MULTILINE)


@pytest.mark.parametrize("path", [DOCKERFILE, SPARK_IMAGE], ids=lambda path: path.name)
def test_the_steps_of_the_image_are_a_script_that_runs(path: Path, tmp_path: Path) -> None:
    """No engine builds images here: each RUN is run by a shell, with programs that only note how they were called."""
    programs = tmp_path / "bin"
    programs.mkdir()
    note = f'#!/bin/sh\necho "${{0##*/}} $*" >>{tmp_path}/calls\n'
    venv = f'{note}test "$2" != venv || {{ mkdir -p "$3/bin" && cp {programs}/pip "$3/bin/pip"; }}\n'
    job = f"{note}echo {ROOT}/batch/all_checks.py\n"
    texts = dict.fromkeys(("apt-get", "groupadd", "useradd", "pip"), note) | {"python": venv, "floe": job}
    for name, text in texts.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    steps = re.findall(r"^RUN ((?:.*\\\n)*.*)$", path.read_text("utf-8"), re.MULTILINE)
    for step in steps:
        script = re.sub(r"/(opt|var)/", rf"{tmp_path}/\1/", step)
        subprocess.run(["sh", "-e", "-c", script], check=True, env={"PATH": f"{programs}:{os.environ['PATH']}"})
    calls = (tmp_path / "calls").read_text()
    assert f"=={floe_contracts.__version__}" in calls
    assert path == DOCKERFILE or (tmp_path / "opt/floe/all_checks.py").is_file()
