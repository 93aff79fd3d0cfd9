"""The manifests against the schemas of Kubernetes itself, in an environment of their own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.environments import environment

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("version", ["1.29", "1.34"])
def test_manifests_fit_the_schema(version: str, tmp_path: Path, floe: str, shop: Path) -> None:
    made = environment(tmp_path / "venv", "kubernetes-validate")
    words = ["schedule", "kubernetes", "--contracts", "contracts", "-o", str(tmp_path / "jobs.yaml")]
    subprocess.run([floe, *words], cwd=shop, check=True)
    done = subprocess.run(
        [made.program("kubernetes-validate"), "--strict", "--kubernetes-version", version, str(tmp_path / "jobs.yaml")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "jobs.yaml").read_text().count("kind: CronJob") == 5
