"""What a commit that touches no contract pays for: git, and hardly anything else."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from support.git_sandbox import Clone

HEAVY = {
    "asyncio",
    "click",
    "datacontract",
    "git",
    "json",
    "jsonschema_rs",
    "pydantic",
    "pyspark",
    "semver",
    "typing",
    "yaml",
}
OURS = {"floe_contracts.compat", "floe_contracts.contract", "floe_contracts.render.text.terminal"}


@pytest.mark.parametrize("module", ["contract_gate", "contract_bump", "contract_policy"])
def test_nothing_changed_imports_nothing_heavy(repo: Clone, module: str) -> None:
    script = f"import sys\nfrom floe_contracts.hooks.{module} import main\ncode = main([])\nprint(code, *sys.modules)"
    paths = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=repo.path,
        env={**repo.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    code, *modules = done.stdout.splitlines()[-1].split()
    assert (code, done.stderr) == ("0", "")
    assert (HEAVY | OURS) & set(modules) == set()
