"""The dbt projects of a product: one for every dbt transform, read together, and their SQL linted."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..adapters.dbt.project import find_project, load_project
from ..adapters.sqlfluff import SqlLint, lint_sql
from ..frozen import dataclass, replace
from ..product.data_product import DataProduct
from ..product.dbt import DbtProject
from ..product.transforms import DbtTransform
from ..product.words import SqlLinting


@dataclass(frozen=True, slots=True)
class PlacedProject:
    """A project, and its folder as messages show it; empty for the current one."""

    project: DbtProject
    root: str = ""


def load_projects(
    product: DataProduct, folder: str, manifest: str, environ: Mapping[str, str]
) -> tuple[PlacedProject, ...]:
    """Every project that a dbt transform leads to, each once; a given manifest is the one of the project it names."""
    paths = [item.path for item in product.transforms if isinstance(item, DbtTransform)]
    starts = [Path(folder or ".", path).resolve() for path in paths or (["."] if manifest else [])]
    placed: dict[str, PlacedProject] = {}
    for start in starts:
        located = find_project(start, environ)
        root = os.path.relpath(located.root) if located else folder
        if root not in placed:
            placed[root] = PlacedProject(load_project(start, None, environ), "" if root == "." else root)
    if not manifest:
        return tuple(placed.values())
    given = load_project(starts[0], Path(manifest), environ)
    roots = [root for root, item in placed.items() if item.project.name == given.name] or list(placed)
    return tuple(replace(item, project=given) if root == roots[0] else item for root, item in placed.items())


def find_roots(product: DataProduct, folder: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The folders of the projects that dbt transforms lead to, as messages show them; empty for the current one."""
    paths = [item.path for item in product.transforms if isinstance(item, DbtTransform)]
    located = [find_project(Path(folder or ".", path).resolve(), environ) for path in paths]
    roots = [os.path.relpath(item.root) for item in located if item]
    return tuple(dict.fromkeys("" if root == "." else root for root in roots))


def join_projects(placed: Sequence[PlacedProject]) -> DbtProject:
    """All projects as one, whose models lie where messages show them."""
    projects = [item.project for item in placed]
    first = next((project for project in projects if project.manifest), projects[0] if projects else DbtProject())
    models = [
        replace(model, path="/".join(part for part in (item.root, model.path) if part) if model.path else "")
        for item in placed
        for model in item.project.models
    ]
    notes = (note for project in projects for note in (*_say_version(project), *project.notes))
    return replace(first, models=tuple(models), notes=tuple(notes))


def _say_version(project: DbtProject) -> Iterator[str]:
    if project.manifest:
        by = f", dbt {project.dbt_version}" if project.dbt_version else ""
        yield f"{project.manifest}: manifest {project.version}{by}"


def lint_projects(placed: Sequence[PlacedProject], level: SqlLinting) -> SqlLint:
    """The SQL of every project judged by the linter, each in its own dialect."""
    lints = [_lint(item, level) for item in placed if item.project.counted]
    return SqlLint(
        tuple(finding for lint in lints for finding in lint.findings),
        sum(lint.models for lint in lints),
        tuple(name for lint in lints for name in lint.uncompiled),
    )


def _lint(item: PlacedProject, level: SqlLinting) -> SqlLint:
    lint = lint_sql(item.project, Path(item.root or "."), level)
    placed = (
        replace(finding, location=replace(finding.location, path=f"{item.root}/{finding.location.path}"))
        if finding.location and item.root
        else finding
        for finding in lint.findings
    )
    return replace(lint, findings=tuple(placed))
