"""Contract files as targets of a run, with their names and the settings that fit none of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...adapters.files.read import find_contracts, read_file
from ...adapters.files.settings import selection_here
from ...checks.disclosure import refused_columns
from ...contract.discovery import selection
from ...contract.load import Loaded, load
from ...contract.mention import look_for
from ...contract.model import Json
from ...contract.source import read_document
from ...errors import FloeError, UsageError
from ...monitor.run.targets import (
    ServerChoice,
    Target,
    keep_labels,
    label_targets,
    major_of,
    target_of,
    targets_from,
    unmatched_settings,
)
from ...monitor.source.binding import SourceHints
from ...monitor.source.connection import Connection, connection_from
from ...monitor.store.protocol import Store
from ..lint import lint_files
from .artifact import CompiledProduct, privacy_of, refuse_paths
from .project import Project


def file_targets(
    project: Project, contracts: Sequence[str], *, server: str = "", connection: Sequence[str] = ()
) -> tuple[Target, ...]:
    """Every contract that files, folders and globs mean, as elsewhere; one that cannot be read is a target too."""
    if project.product is not None:
        return _product_targets(project, project.product, contracts, ServerChoice(server, connection_of(connection)))
    choice = ServerChoice(server, connection_of(connection), project.root)
    targets = targets_from(_load_files(contracts), project.config, choice)
    return tuple(_place(target) for target in label_targets(targets, _others(project, targets)))


def _product_targets(
    project: Project, product: CompiledProduct, contracts: Sequence[str], choice: ServerChoice
) -> tuple[Target, ...]:
    """The contracts of an artifact; paths of their servers start at their folders below the product's."""
    refuse_paths(contracts)
    root = product.folder if product.placed else project.root
    privacy = privacy_of(product)
    targets = []
    for read in product.read.contracts:
        connection = choice.connection or project.config.connections.get(read.contract.key)
        folder = os.path.normpath(os.path.join(product.folder, read.entry.folder))
        where = SourceHints(connection, choice.server, folder, root)
        target = target_of(read.contract, project.config, where, product.path)
        refused = refused_columns(target.contract, target.unmasked, privacy)
        unmasked = tuple(name for name in target.unmasked if name not in refused)
        targets.append(replace(target, privacy=privacy, unmasked=unmasked))
    return label_targets(sorted(targets, key=lambda target: (target.name, target.major)))


def name_as_before(store: Store, namespace: str, targets: Sequence[Target]) -> tuple[Target, ...]:
    """The targets under the names that a store knows them by."""
    known = store.totals(namespace).items()
    labels = [(series.contract, series.major, totals.label) for series, totals in known if totals.label]
    return keep_labels(targets, labels)


def unfitting_settings(project: Project, targets: Sequence[Target]) -> tuple[str, ...]:
    """Notes on settings that are for no contract; none unless every contract of the project is there to be read."""
    if not (project.config.contracts or project.config.connections) or any(target.findings for target in targets):
        return ()
    if project.product is not None:  # settings above the product are for other products too
        whole = project.root == project.product.folder
        return unmatched_settings(project.config, targets) if whole else ()
    files = project_files(project)
    whole = bool(files) and set(files) <= {os.path.realpath(target.path) for target in targets}
    return unmatched_settings(project.config, targets) if whole else ()


def _others(project: Project, targets: Sequence[Target]) -> Iterator[tuple[str, int]]:
    """Further files of the same contracts: key and MAJOR of each, whatever the run was asked to check."""
    may_hold = look_for(target.contract.id or target.contract.name for target in targets if not target.findings)
    taken = {os.path.realpath(target.path) for target in targets}
    beside = {os.path.dirname(path) for path in taken}
    paths = {os.path.join(folder, name) for folder in beside for name in _yaml_in(folder)}
    for path in sorted((paths | set(project_files(project))) - taken):
        data = read_file(path).data
        if may_hold(data):
            contract = load(data, path).contract
            if contract is not None:
                yield contract.key, major_of(contract)


def project_files(project: Project) -> list[str]:
    """Every contract of the project by its globs; none where nothing marks the folder as one."""
    root = os.path.realpath(project.root)
    if not any(os.path.exists(os.path.join(root, mark)) for mark in (".floe", ".git")):
        return []
    try:
        globs = selection_here(folder=root)
    except FloeError:  # a mistake in the settings of the gate is the gate's to tell
        globs = selection()
    return find_contracts(root, globs)


def _yaml_in(folder: str) -> list[str]:
    try:
        return [name for name in os.listdir(folder) if name.endswith((".yaml", ".yml"))]
    except OSError:
        return []


def connection_of(pairs: Sequence[str]) -> Connection | None:
    """`--connection KEY=VALUE` as the connection of the settings."""
    settings = connection_settings(pairs)
    return connection_from(settings) if settings else None


def connection_settings(pairs: Sequence[str]) -> dict[str, Json]:
    """`--connection KEY=VALUE` as it would stand in the settings; a dot leads into `options` and `tables`."""
    settings: dict[str, Json] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name.strip():
            raise UsageError(
                "--connection needs KEY=VALUE", fix="Write --connection type=postgres --connection host=db.example."
            )
        *path, last = name.strip().split(".")
        here = settings
        for step in path:
            inner = here.setdefault(step, {})
            if not isinstance(inner, dict):
                raise UsageError(f"--connection says {step} twice, once as a value", fix="Write one of them.")
            here = inner
        here[last] = text
    return settings


def _load_files(contracts: Sequence[str]) -> Iterator[Loaded]:
    for file in lint_files(contracts):
        if file.loaded is not None:
            yield file.loaded
        else:  # absent or locked: what stands in its result is all there is to say
            yield Loaded(file.path, read_document(b""), None, None, file.result.findings)


def _place(target: Target) -> Target:
    """The target with an absolute folder: paths in a contract start at its folder, wherever a job starts."""
    return replace(target, where=replace(target.where, folder=os.path.abspath(target.where.folder)))
