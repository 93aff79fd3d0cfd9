"""The example with a dbt project: honest without dbt's target folder, and compiled with what real dbt writes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.builds import ROOT
from support.needs import cannot_run
from support.platform_example import run_compile

REVENUE = "products/revenue"


def test_a_fresh_clone_says_what_it_cannot_tell(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run_compile(capsys, REVENUE)
    assert code == 2, text
    assert "gold_daily_revenue: valid (gold layer)" in text
    assert "test coverage and required tests cannot tell: run dbt parse" in text
    assert not (platform / REVENUE / "target").exists()


def install_dbt(folder: Path) -> Path:
    """The programs of an environment with real dbt, made by the script that records its manifests."""
    code = "import sys, pathlib, record_dbt; record_dbt.make_environment(pathlib.Path(sys.argv[1]), '1.11')"
    command = [sys.executable, "-c", code, str(folder)]
    done = subprocess.run(command, cwd=ROOT / "scripts", capture_output=True, text=True, check=False)
    if done.returncode:
        cannot_run(f"dbt 1.11 cannot be installed: {done.stderr[-300:]}")
    return folder / "bin"


@pytest.mark.slow
def test_it_compiles_after_real_dbt(
    platform: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = install_dbt(tmp_path / "env")
    folder = platform / REVENUE
    environ = {**os.environ, "DBT_PROFILES_DIR": str(folder)}
    for words in (["seed"], ["compile"]):
        subprocess.run([str(programs / "dbt"), *words], cwd=folder, env=environ, check=True, stdout=subprocess.DEVNULL)
    code, text = run_compile(capsys, REVENUE)
    assert code == 0, text
    assert "Test coverage: 2 of 2 models, 100.0%" in text
    assert "target/manifest.json: manifest v12, dbt 1.11" in text
    (contract,) = json.loads((folder / "target/floe/compiled.json").read_text())["data_contracts"]
    assert contract["provenance"]["schema.daily.revenue.physicalType"] == "dbt"
    assert contract["provenance"]["schema.daily.paid_on.required"] == "port"
    schema = folder / "models/schema.yml"
    schema.write_text(schema.read_text().replace("        description: In euro\n", ""))
    subprocess.run([str(programs / "dbt"), "parse"], cwd=folder, env=environ, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(folder / "target/floe")
    code, text = run_compile(capsys, REVENUE)
    assert "Missing: [documentation]" in text
    assert code != 0
