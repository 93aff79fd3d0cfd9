"""The site of the documentation, built once for all tests of a run and of the next."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path

from support.builds import ROOT

SITE = ROOT / "build" / "site"


def built_site() -> Path:
    """Where `make docs` puts it; only what changed since then is built, by one process at a time."""
    SITE.parent.mkdir(exist_ok=True)
    with (SITE.parent / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        build = [sys.executable, "scripts/build_site.py", str(SITE)]
        done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False, timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr
    return SITE


def at_address(site: Path, address: str, home: str) -> tuple[Path, str]:
    """The file and the anchor behind an address of the published site."""
    path, _, anchor = address.removeprefix(f"{home}/").partition("#")
    return (site / path / "index.html" if path.endswith("/") else site / path), anchor
