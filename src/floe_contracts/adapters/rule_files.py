"""The rule files that come with the package, for whoever needs their examples: docs, `floe explain`, tests."""

from __future__ import annotations

from importlib.resources import files

from ..compat.rulefile import RuleFile, read_rule_file

_FOLDER = "floe_contracts.compat.rules"


def rule_file(rule_id: str) -> RuleFile:
    """One rule with its examples."""
    return read_rule_file(files(_FOLDER).joinpath(f"{rule_id}.yaml").read_bytes(), rule_id)


def rule_ids() -> tuple[str, ...]:
    """The ids of all rule files, sorted."""
    names = (item.name for item in files(_FOLDER).iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))
