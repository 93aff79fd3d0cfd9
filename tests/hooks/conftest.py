"""The hooks run as git would have them run: by their console scripts, in a repository of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.git_sandbox import Clone, Sandbox
from support.orders import orders
from support.running import Floe as Hook
from support.running import Ran


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path)


@pytest.fixture(scope="session")
def _released(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    clone = Sandbox(tmp_path_factory.mktemp("released")).init()
    clone.commit({"contracts/orders.yaml": orders(), "README.md": "orders\n"})
    clone.switch("feature", "main")
    return clone


@pytest.fixture
def repo(sandbox: Sandbox, _released: Clone) -> Clone:
    """On branch feature, which is where main is: contracts/orders.yaml at 1.0.0."""
    return sandbox.copy(_released)


@pytest.fixture
def hook(repo: Clone) -> Hook:
    """Runs a hook in the repository, with whatever is in the work tree staged first."""

    def run(name: str, *arguments: str, **environ: str) -> Ran:
        repo.git("add", "--all")
        script = Path(sys.executable).with_name(name)
        env = {**repo.environ, **environ}
        done = subprocess.run([script, *arguments], cwd=repo.path, env=env, capture_output=True, text=True, check=False)
        return Ran(done.returncode, done.stdout, done.stderr)

    return run
