"""Earlier versions of a contract as the base branch had them, newest first; read only where the base cannot tell."""

from __future__ import annotations

from collections.abc import Iterator

from ...adapters.git import Repository
from ...adapters.git.past import Deepen, past_contents
from ...compat.gate import as_base
from ...compat.release import is_release_of
from ...contract.load import Loaded, load
from ...frozen import dataclass


@dataclass(frozen=True, slots=True)
class EarlierVersions:
    """The past of the files of one base commit; None stands for the empty tree, which has none."""

    repo: Repository
    commit: str | None
    deepen: Deepen | None = None  # None: history may not be fetched

    def of(self, path: str) -> Iterator[Loaded]:
        """What the file held up to the base commit, newest first, the base's own content included.

        Take no more than you need: running past the end of a shallow clone fetches, or raises BaseNotFound.
        """
        if self.commit is None:
            return
        for past in past_contents(self.repo, self.commit, path, self.deepen):
            yield as_base(load(past.content, past.path))

    def last_readable(self, path: str) -> Loaded | None:
        """The newest content of a file that can be read as a contract."""
        return next((item for item in self.of(path) if item.contract is not None), None)

    def last_release(self, base: Loaded) -> Loaded | None:
        """The newest release of the line that a file of the base belongs to."""
        return next((item for item in self.of(base.path) if is_release_of(item, base)), None)
