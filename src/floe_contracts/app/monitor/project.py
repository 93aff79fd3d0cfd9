"""The project a run is about: its monitoring settings, the folder that their paths start at, and its store."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ...adapters.files.read import read_file
from ...adapters.files.write import make_data_folder
from ...adapters.store.address import DEFAULT_URL, open_store, require_packages
from ...errors import SettingsError, UsageError
from ...monitor.settings.floor import SettingsFloor
from ...monitor.settings.model import MonitoringConfig
from ...monitor.settings.reading import PATH, read_config, read_config_above, require_usable
from ...monitor.store.memory_store import MemoryStore
from ...monitor.store.protocol import Store
from .artifact import CompiledProduct, floor_of, open_product

_SQLITE = "sqlite:///"


@dataclass(frozen=True, slots=True)
class Project:
    """Settings and the absolute folder that holds `.floe`, or would; with a product its artifact says the rest."""

    config: MonitoringConfig
    root: str
    product: CompiledProduct | None = None


def project_here(config: str = "", artifacts: str = "", root: str = "") -> Project:
    """The settings that `--config` names, else `.floe/monitoring.yaml` of this folder or the nearest above; or none.

    With `--artifacts` the settings are those of the artifact, and the nearest file to its folder may only be stricter.
    """
    if root and not artifacts:
        raise UsageError("--root says where the data of --artifacts is", fix="Say --artifacts too, or leave it out.")
    product = open_product(artifacts, root) if artifacts else None
    floor = floor_of(product) if product else None
    if config:
        path = Path(config)
        if not path.exists():
            raise UsageError(f"there is no settings file {config}", fix="Name an existing file with --config.")
        folder = path.resolve().parent
        return Project(_read(str(path), floor), str(folder.parent if folder.name == ".floe" else folder), product)
    top = _root(Path(product.folder) if product else Path.cwd())
    path = top / PATH
    silent = floor.config if floor else MonitoringConfig()
    return Project(_read(str(path), floor) if path.exists() else silent, str(top), product)


@contextmanager
def open_project_store(
    project: Project, url: str = "", *, remembers: bool = True, writes: bool = True
) -> Iterator[Store]:
    """The store of `--store`, else of the settings, else a file in `.floe`; closed afterwards.

    A run that remembers nothing makes no file: where there is none yet, it has no history to look at either.
    """
    url = url or _place(project.config.store or DEFAULT_URL, project.root)
    if not remembers and url.startswith(_SQLITE) and not Path(url[len(_SQLITE) :]).exists():
        yield MemoryStore()
        return
    if writes and url.startswith(_SQLITE):
        _make_folder(Path(url[len(_SQLITE) :]).parent)
    store = open_store(url, writes=writes)
    try:
        yield store
    finally:
        close = getattr(store, "close", None)
        if close is not None:
            close()


@contextmanager
def read_project_store(project: Project, url: str = "", *, writes: bool = False) -> Iterator[Store]:
    """The store for commands that look at what was kept, or tidy it: none is made, and missing packages are named."""
    require_packages(url or project.config.store or DEFAULT_URL)
    with open_project_store(project, url, remembers=False, writes=writes) as store:
        yield store


def refuse_absent(url: str) -> None:
    """Refuse a store to read that `--store` names and that is not there; the default one may be yet to come."""
    path = url.removeprefix(_SQLITE)
    if path not in (url, "", ":memory:") and not Path(path).exists():
        raise UsageError(f"there is no store {path}", fix="Name the file that `floe monitor run` wrote with --store.")


def _read(path: str, floor: SettingsFloor | None) -> MonitoringConfig:
    file = read_file(path)
    if file.problem is not None:
        raise SettingsError(f"{path}: {file.problem.message}", fix="Check the path and its permissions.")
    read = read_config_above(file.data, path, floor) if floor else read_config(file.data, path)
    return require_usable(read)


def _root(here: Path) -> Path:
    """Where the settings are; without any the top of the repository; else this folder. git itself is not needed."""
    for mark in (PATH, ".git"):
        for folder in (here, *here.parents):
            if (folder / mark).exists():
                return folder
    return here


def _place(url: str, root: str) -> str:
    """A file of the settings' store lies where the settings are, whatever folder a job starts in."""
    path = url.removeprefix(_SQLITE)
    if path == url or not path or path.startswith(("/", ":memory:")):
        return url
    return f"{_SQLITE}{os.path.normpath(os.path.join(root, path))}"


def _make_folder(folder: Path) -> None:
    try:
        make_data_folder(str(folder))
    except OSError as error:
        raise UsageError(
            f"the folder {folder} of the store cannot be made: {error.strerror}",
            fix="Name another place with --store or `store:` in .floe/monitoring.yaml.",
        ) from None
