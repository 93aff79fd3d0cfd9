"""The files of one revision that may define a table, read from git when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Protocol

from ...adapters.git.objects import TreeEntry
from ...frozen import dataclass, field

SUFFIXES = (".sql", ".py", ".avsc", ".json", ".csv", ".yml", ".yaml")


def may_define(path: str) -> bool:
    """Whether a file of that name may be, or may change, the definition of a table."""
    return path.lower().endswith(SUFFIXES)


class Files(Protocol):
    """Where files come from: a repository, or a folder."""

    def files(self, revision: str | None, match: Callable[[str], bool], /) -> dict[str, TreeEntry]:
        """The files of a revision whose paths match."""

    def read(self, entries: Iterable[TreeEntry], /) -> dict[str, bytes]:
        """Their contents."""


@dataclass(frozen=True)
class DefinitionTree:
    """One revision; texts are kept, so that a file is asked for once."""

    repo: Files
    revision: str | None
    _texts: dict[str, str] = field(default_factory=dict)

    @cached_property
    def files(self) -> dict[str, TreeEntry]:
        return self.repo.files(self.revision, may_define)

    def read(self, path: str) -> bytes | None:
        """The content of a file; None where the revision has none."""
        entry = self.files.get(path)
        return self.repo.read((entry,)).get(path) if entry is not None else None

    def text(self, path: str) -> str:
        """The text of a file that is there."""
        if path not in self._texts:
            self.load((path,))
        return self._texts.get(path, "")

    def load(self, paths: Iterable[str]) -> None:
        """Read many files by one git process."""
        wanted = [self.files[path] for path in paths if path in self.files and path not in self._texts]
        for path, content in self.repo.read(wanted).items() if wanted else ():
            self._texts[path] = content.decode("utf-8", "replace")

    def find(self, wanted: Callable[[str], bool]) -> list[str]:
        return [path for path in self.files if wanted(path)]
