"""Versions and definitions of a product's explicit contracts, as the gate judges them inside a git repository."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..adapters.process.environment import utc_today
from ..codes import E520, E521, E522, E523, E524, E530, E531, E532, E535, E536, E537
from ..contract.load import Loaded
from ..errors import FloeError
from ..frozen import dataclass, replace
from ..results import Finding, Location
from .repository import find_repository

_VERSION_CODES = (E520, E521, E522, E523, E524)
_DEFINITION_CODES = (E530, E531, E532, E535, E536, E537)


@dataclass(frozen=True, slots=True)
class VersionJudgement:
    """What the gate says about versions and definitions, and a line on why it says nothing."""

    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()


def judge_versions(folder: str, files: Sequence[Loaded], *, offline: bool = False) -> VersionJudgement:
    """The gate's verdict on explicit contracts; outside git, or without a base, that is said and skipped."""
    if not files:
        return VersionJudgement()
    top = find_repository(folder or ".")
    if top is None:
        return VersionJudgement(notes=("Versions: not compared, there is no git repository",))
    from .gate.request import GateRequest
    from .gate.run import run_gate

    try:
        report = run_gate(GateRequest(folder=folder or ".", offline=offline, versions_only=True), utc_today())
    except FloeError as error:
        return VersionJudgement(notes=(f"Versions: not compared, {error.message}",))
    paths = {os.path.realpath(file.path): file.path for file in files}
    judged = tuple(
        replace(item, location=replace(item.location, path=paths[place]))
        for item in report.all_findings()
        if item.code in _VERSION_CODES and item.location is not None
        if (place := _on_disk(top, item.location)) in paths
    )
    keys = {file.contract.key for file in files if file.contract}
    defined = tuple(
        replace(item, location=replace(item.location, path=os.path.relpath(_on_disk(top, item.location))))
        for item in report.all_findings()
        if item.code in _DEFINITION_CODES and item.location is not None and item.contract in keys
    )
    return VersionJudgement((*judged, *defined))


def _on_disk(top: str, location: Location) -> str:
    return os.path.realpath(os.path.join(top, location.path))
