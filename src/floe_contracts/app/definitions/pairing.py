"""Which models of dbt define a contract when the settings do not say: by name and MAJOR version, else by alias."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ...compat.consumers import major_of
from ...contract.model import Contract
from ...definitions.definition import Definition, Gap
from ...frozen import dataclass
from ...results import Location
from .dbt import DbtModels
from .sources import DefinitionSource, ModelSource, SourceBook

_VERSIONED = re.compile(r"(.+)[._]v\d+")


@dataclass(frozen=True, slots=True)
class UnclearSource:
    """Several models that bear the name of one contract: nobody can tell which of them defines it."""

    paths: tuple[str, ...]

    def define(self) -> Definition | Gap | None:
        places = " and ".join(self.paths)
        return Gap(
            f"{places} have its name; choose one of them under definitions in .floe/config.yaml", 1, self.paths[0]
        )

    def touched_by(self, changed: frozenset[str]) -> bool:
        return bool(changed.intersection(self.paths))

    def last_place(self) -> Location:
        return Location(self.paths[0], 1)


def find_models(contract: Contract, book: SourceBook) -> list[ModelSource]:
    """The models that bear the name of a contract, of all projects of a revision."""
    projects = [book.project(root) for root in book.roots]
    versioned, plain = spellings_of(contract)
    for spelled in (versioned, plain):
        if named := [ModelSource(each, name) for each in projects for name in spelled if name in each.models]:
            return named
    aliased = [(ModelSource(each, name), alias) for each in projects for name, alias in each.aliases.items()]
    for spelled in (versioned, plain):
        if named := [source for source, alias in aliased if alias in spelled]:
            return named
    return []


def pair_sources(
    before: list[ModelSource], after: list[ModelSource]
) -> Iterator[tuple[DefinitionSource | None, DefinitionSource | None]]:
    """Both revisions of a definition; a model that was the only one stays held to its contract beside new ones."""
    old, new = _single(before), _single(after)
    yield old, new
    if isinstance(old, ModelSource) and isinstance(new, UnclearSource):
        kept = (each for each in after if (each.models.root, each.name) == (old.models.root, old.name))
        yield from ((old, each) for each in kept)


def names_of(models: Iterable[str], project: DbtModels) -> set[str]:
    """Every name that a contract of one of these models may have."""
    spelled = {word for name in models for word in (name, project.aliases.get(name, name))}
    spelled |= {match[1] for name in spelled if (match := _VERSIONED.fullmatch(name))}
    return spelled | {name.replace("_", "-") for name in spelled}


def spellings_of(contract: Contract) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a model of the contract may be called: by its MAJOR version, and plainly."""
    plain, major = contract.name.replace("-", "_"), major_of(contract)
    versioned = () if major is None else (f"{plain}_v{major}", f"{plain}.v{major}")
    return versioned, tuple(dict.fromkeys((contract.name, plain)))


def _single(sources: list[ModelSource]) -> DefinitionSource | None:
    paths = tuple(path for source in sources for path in source.models.paths[source.name])
    if len(paths) > 1:
        return UnclearSource(paths)
    return sources[0] if sources else None
