"""A repository that uses the hooks from a clone of this one, by the real pre-commit."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from support.builds import ROOT, run
from support.git_sandbox import Clone, Sandbox
from support.orders import orders
from support.running import Ran

HOOKS = ("floe-contract-lint", "floe-contract-bump", "floe-contract-gate")
PRE_COMMIT = (sys.executable, "-m", "pre_commit")


@dataclass(frozen=True)
class Offer:
    """This working tree as a repository that others take hooks from, and where pre-commit puts their environment."""

    url: str
    rev: str
    home: Path

    @property
    def environments(self) -> list[Path]:
        return list(self.home.glob("repo*/py_env-*"))


def make_offer(sandbox: Sandbox) -> Offer:
    """The working tree committed to a repository of its own, what is not yet committed here included."""
    clone = sandbox.init("floe")
    for name in run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
        if name and (ROOT / name).is_file() and not (ROOT / name).is_symlink():
            target = clone.path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target)
    return Offer(str(clone.path), clone.commit(), sandbox.root / "pre-commit")


def make_shop(sandbox: Sandbox, offer: Offer) -> Clone:
    """A repository with a released contract on main, the hooks configured, and branch feature checked out."""
    listed = "".join(f"      - id: {name}\n" for name in HOOKS)
    shop = sandbox.init("shop")
    shop.commit(
        {
            ".pre-commit-config.yaml": f"repos:\n  - repo: {offer.url}\n    rev: {offer.rev}\n    hooks:\n{listed}",
            "contracts/orders.yaml": orders(),
            "README.md": "shop\n",
        }
    )
    shop.switch("feature", "main")
    return shop


def tried(shop: Clone, offer: Offer, *command: str) -> Ran:
    """A command as a developer's shell runs it, with the machine's own way to packages."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("GIT", "PYTHON"))}
    env = {
        **inherited,
        **shop.environ,
        "HOME": os.environ.get("HOME", shop.environ["HOME"]),
        "GIT_CONFIG_GLOBAL": str(Path(shop.environ["HOME"], ".gitconfig")),
        "PRE_COMMIT_HOME": str(offer.home),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(command, cwd=shop.path, env=env, capture_output=True, text=True, check=False)
    return Ran(done.returncode, done.stdout, done.stderr)
