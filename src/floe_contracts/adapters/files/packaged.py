"""Files that come with the package: rule files with their examples, and the files of jobs."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from ...compat.rulefile import RuleFile, read_rule_file
from ...errors import FloeError

_FOLDER = "floe_contracts.compat.rules"


def rule_file(rule_id: str) -> RuleFile:
    """One rule with its examples."""
    return read_rule_file(files(_FOLDER).joinpath(f"{rule_id}.yaml").read_bytes(), rule_id)


def rule_ids() -> tuple[str, ...]:
    """The ids of all rule files, sorted."""
    names = (item.name for item in files(_FOLDER).iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))


_PACKAGE = Path(__file__).resolve().parents[2]


def job_file(name: str) -> str:
    """The path that spark-submit takes."""
    for folder in (_PACKAGE / "batch", _PACKAGE.parents[1] / "batch"):
        if (folder / f"{name}.py").is_file():
            return str(folder / f"{name}.py")
    raise FloeError(
        f"the file of the job {name} is not on this disk",
        fix="floe runs from an archive here; take batch/ from a checkout, or install the package.",
    )
