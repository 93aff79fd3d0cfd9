"""How long the action takes to install floe, by the script it really runs, once the index is warm."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SCRIPT = "actions/scripts/install.sh"
_TOOLS = ("bash", "cat", "dirname", "env", "git", "sh")


def wall_seconds(tool: str) -> float:
    """The quicker of two installations, with uv on PATH or with pip alone; one before them fills the caches."""
    with tempfile.TemporaryDirectory() as place:
        tree, path = _checkout(Path(place, "action")), _tools(Path(place, "bin"), tool)
        times = [_installed(tree, Path(place, f"temp-{number}"), path) for number in range(3)]
    return min(times[1:])


def _installed(tree: Path, temp: Path, path: Path) -> float:
    temp.mkdir()
    inputs = {"FLOE_INPUT_INSTALL": "auto", "FLOE_INPUT_PYTHON": "python3"}
    environ = {**os.environ, **inputs, "RUNNER_TEMP": str(temp), "PATH": str(path), "UV_SYSTEM_CERTS": "1"}
    started = time.perf_counter()
    subprocess.run(["bash", str(tree / SCRIPT)], env=environ, check=True)
    return time.perf_counter() - started


def _checkout(target: Path) -> Path:
    """The tracked files, as a runner fetches them."""
    listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
    for name in filter(os.path.isfile, listed.split("\0")):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(name, target / name)
    return target


def _tools(folder: Path, tool: str) -> Path:
    """A PATH of its own, so that uv is there only when it is meant."""
    folder.mkdir()
    beside = str(Path(sys.executable).parent)
    for name in (*_TOOLS, *(["uv"] if tool == "uv" else [])):
        found = shutil.which(name, path=f"{beside}:{os.environ['PATH']}")
        if found:
            (folder / name).symlink_to(found)
    (folder / "python3").symlink_to(f"{sys.base_prefix}/bin/python3")
    return folder


if __name__ == "__main__":
    for each in ("pip", "uv"):
        print(f"  installation in the action, {each}: {wall_seconds(each):.1f} s")
