"""Where the files of jobs are: beside the package when it is installed, in `batch/` of a checkout."""

from __future__ import annotations

from pathlib import Path

from ..errors import FloeError

_PACKAGE = Path(__file__).resolve().parents[1]


def job_file(name: str) -> str:
    """The path that spark-submit takes."""
    for folder in (_PACKAGE / "batch", _PACKAGE.parents[1] / "batch"):
        if (folder / f"{name}.py").is_file():
            return str(folder / f"{name}.py")
    raise FloeError(
        f"the file of the job {name} is not on this disk",
        fix="floe runs from an archive here; take batch/ from a checkout, or install the package.",
    )
