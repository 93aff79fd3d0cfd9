"""Contract files as targets of a run; compiled artifacts will become targets beside them, and nobody will know."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..contract.load import Loaded
from ..contract.model import Json
from ..contract.source import read_document
from ..errors import UsageError
from ..monitor.connecting import connection_from
from ..monitor.connection import Connection
from ..monitor.targets import Choice, Target, targets_from
from .linting import take
from .monitoring_project import Project


def file_targets(
    project: Project, contracts: Sequence[str], *, server: str = "", connection: Sequence[str] = ()
) -> tuple[Target, ...]:
    """Every contract that files, folders and globs mean, as elsewhere; one that cannot be read is a target too."""
    choice = Choice(server, connection_of(connection), project.root)
    return tuple(_placed(one) for one in targets_from(_loaded(contracts), project.config, choice))


def connection_of(pairs: Sequence[str]) -> Connection | None:
    """`--connection KEY=VALUE` as the connection of the settings."""
    said = said_by(pairs)
    return connection_from(said) if said else None


def said_by(pairs: Sequence[str]) -> dict[str, Json]:
    """`--connection KEY=VALUE` as it would stand in the settings; a dot leads into `options` and `tables`."""
    said: dict[str, Json] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name.strip():
            raise UsageError(
                "--connection needs KEY=VALUE", fix="Write --connection type=postgres --connection host=db.example."
            )
        *path, last = name.strip().split(".")
        here = said
        for step in path:
            inner = here.setdefault(step, {})
            if not isinstance(inner, dict):
                raise UsageError(f"--connection says {step} twice, once as a value", fix="Write one of them.")
            here = inner
        here[last] = text
    return said


def _loaded(contracts: Sequence[str]) -> Iterator[Loaded]:
    for one in take(contracts):
        if one.loaded is not None:
            yield one.loaded
        else:  # absent or locked: what stands in its result is all there is to say
            yield Loaded(one.path, read_document(b""), None, None, one.result.findings)


def _placed(target: Target) -> Target:
    """Paths in a contract start at its folder, and are told the same whatever folder a job starts in."""
    return replace(target, where=replace(target.where, folder=os.path.abspath(target.where.folder)))
