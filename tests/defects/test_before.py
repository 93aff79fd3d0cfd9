"""Every row of rows/*.yaml through a wheel of the commit before the fixes: each one was wrong there."""

from __future__ import annotations

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

import pytest
from support.builds import ROOT, build
from support.defects import BEFORE, Row, environment, repository, rows
from support.environments import environment as make_environment
from support.needs import cannot_run
from support.running import Ran

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def old_floe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The program `floe` of the commit before the fixes, in an environment of its own."""
    place = tmp_path_factory.mktemp("before")
    done = subprocess.run(["git", "-C", str(ROOT), "archive", BEFORE], capture_output=True, check=False)
    if done.returncode:
        cannot_run(f"this clone does not have commit {BEFORE}: {done.stderr.decode().strip()}")
    with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
        archive.extractall(place / "tree", filter="data")
    build(place / "tree", place / "dist", "--wheel")
    (wheel,) = (place / "dist").glob("*.whl")
    return make_environment(place / "venv", wheel).program("floe")


@pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in rows()])
def test_the_defect_was_there(row: Row, old_floe: str, tmp_path: Path) -> None:
    clone = repository(row, tmp_path)
    done = subprocess.run(
        [old_floe, *row.run], cwd=clone.path, env=environment(clone), capture_output=True, text=True, check=False
    )
    ran = Ran(done.returncode, done.stdout, done.stderr)
    assert row.before.differences(ran) == [], ran.out + ran.err
    assert row.now.differences(ran), f"0.1.0 gave today's answer:\n{ran.out}{ran.err}"
