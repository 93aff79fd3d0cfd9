"""Contracts that are gone: who may say so of a series, and what is said about it.

Only a whole run of the project that last wrote a series knows that its contract was deleted, renamed or raised to
another MAJOR. A run of some contracts, or of another repository that shares the store, knows nothing of it.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256

from ...adapters.git.command import git_at
from ...errors import FloeError
from ...monitor.run.targets import Target
from ...monitor.store.protocol import Store
from ...monitor.store.totals import SeriesStatus
from .project import Project
from .targets import project_files

_LOGIN = re.compile(r"//[^/@\s]*@")


def project_id(project: Project, environ: Mapping[str, str]) -> str:
    """The same in every checkout of a project, and another one for another: a digest, which says nothing of where."""
    if project.product is not None:
        words = f"product {project.product.read.artifacts.product.name}"
    else:
        words = _repository(project.root, environ) or f"folder {platform.node()} {os.path.realpath(project.root)}"
    return sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _repository(root: str, environ: Mapping[str, str]) -> str:
    """The address that the repository came from, with the folder of the project in it; empty where there is none."""
    try:
        git = git_at(root, environ)
        address = git.ask("config", "--get", "remote.origin.url")
        prefix = git.ask("rev-parse", "--show-prefix")
    except FloeError:
        return ""
    url = address.out.decode("utf-8", "replace").strip() if not address.status else ""
    if not url:
        return ""
    bare = re.sub(r"\.git/*$", "", _LOGIN.sub("//", url)).rstrip("/")
    return f"repository {bare} {prefix.out.decode('utf-8', 'replace').strip()}"


def is_whole(project: Project, targets: Sequence[Target]) -> bool:
    """Whether the targets are all contracts of the project, each one readable: an unread file may be any of them."""
    if any(target.findings for target in targets):
        return False
    if project.product is not None:
        return True
    files = project_files(project)
    return bool(files) and set(files) <= {os.path.realpath(target.path) for target in targets}


def mark_gone(store: Store, namespace: str, project: str, targets: Sequence[Target], now_us: int) -> tuple[str, ...]:
    """Mark the series of this project whose contract is none of its targets; one note for each contract."""
    kept = {(target.key, target.major) for target in targets}
    gone = {
        series: totals.label or series.contract
        for series, totals in store.totals(namespace).items()
        if totals.gone_us is None and totals.project == project and (series.contract, series.major) not in kept
    }
    if gone:
        store.mark_gone(tuple(gone), now_us)
    return tuple(f"{name} is gone from this project: {_LEFT}" for name in sorted(set(gone.values())))


def forget(store: Store, statuses: Sequence[SeriesStatus], now_us: int) -> tuple[str, ...]:
    """Take contracts out of status, report and metrics because somebody says so."""
    store.mark_gone([status.series for status in statuses], now_us)
    return tuple(f"{name}: {_LEFT}" for name in sorted({status.name for status in statuses}))


_LEFT = "it left status, report and metrics; its history stays until it is pruned."
