"""Finding a dbt project and its manifest; without a manifest the names of the models come from their files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from ...contract.model import Json, JsonMap
from ...contract.source import read_document
from ...errors import FloeError
from ...frozen import dataclass
from ...product.dbt import CANNOT_TELL, DbtNode, DbtProject

PROJECT_FILE = "dbt_project.yml"
_SUFFIXES = (".sql", ".py")


@dataclass(frozen=True, slots=True)
class DbtFolder:
    """The folder of a dbt project, and where dbt writes to."""

    root: Path
    name: str
    target: Path
    models: tuple[Path, ...]

    @property
    def manifest(self) -> Path:
        return self.target / "manifest.json"


def load_project(start: Path, manifest: Path | None = None, environ: Mapping[str, str] | None = None) -> DbtProject:
    """The project at or above a folder, from its manifest or a given one; empty where there is no project."""
    folder = find_project(start, environ or {})
    if manifest is not None:
        return _read(manifest, required=True) or DbtProject()
    if folder is None:
        return DbtProject()
    return _read(folder.manifest, required=False) or _name_models(folder)


def find_project(start: Path, environ: Mapping[str, str]) -> DbtFolder | None:
    """The nearest folder at or above `start` with a dbt_project.yml, no higher than the git repository."""
    for folder in (start, *start.parents):
        if (folder / PROJECT_FILE).is_file():
            return _read_folder(folder, environ)
        if (folder / ".git").exists():
            return None
    return None


def _read_folder(root: Path, environ: Mapping[str, str]) -> DbtFolder:
    value = read_document((root / PROJECT_FILE).read_bytes()).value
    if not isinstance(value, dict):
        raise FloeError(f"{root / PROJECT_FILE} cannot be read as YAML", fix="Run dbt parse, which says what is wrong.")
    target = environ.get("DBT_TARGET_PATH") or _plain_text(value.get("target-path")) or "target"
    return DbtFolder(root, _plain_text(value.get("name")), root / target, tuple(_model_paths(root, value)))


def _plain_text(value: Json) -> str:
    """Text without Jinja, which only dbt can render."""
    return value if isinstance(value, str) and "{{" not in value else ""


def _model_paths(root: Path, value: JsonMap) -> Iterator[Path]:
    listed = value.get("model-paths", value.get("source-paths"))
    for path in listed if isinstance(listed, list) else ["models"]:
        if _plain_text(path):
            yield root / _plain_text(path)


def _read(path: Path, *, required: bool) -> DbtProject | None:
    try:
        data = path.read_bytes()
    except OSError as error:
        if isinstance(error, (FileNotFoundError, NotADirectoryError)) and not required:
            return None
        reason = error.strerror or type(error).__name__
        raise FloeError(
            f"{path} cannot be read: {reason}", fix="Run dbt parse, or name the manifest.json that it wrote."
        ) from error
    from .manifest import read_manifest  # a fresh clone has none

    return read_manifest(data, os.path.relpath(path))


def _name_models(folder: DbtFolder) -> DbtProject:
    """The project with nothing but the names of its models."""
    models = [
        DbtNode(file.stem, path=file.relative_to(folder.root).as_posix(), described=False)
        for path in folder.models
        for file in _model_files(path)
    ]
    models.sort(key=lambda model: (model.path, model.name))
    shown = os.path.relpath(folder.manifest)
    notes = (f"{shown} is not there, so tests, columns and descriptions are unknown; {CANNOT_TELL}",) if models else ()
    return DbtProject(folder.name, tuple(models), notes=notes)


def _model_files(path: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(folder, name) for name in sorted(files) if name.endswith(_SUFFIXES))
