"""Earlier versions of a contract as the base branch had them, newest first; read only where the base cannot tell."""

from __future__ import annotations

from collections.abc import Iterator

from ...adapters.git import Repository
from ...adapters.git.objects import Match, everything
from ...adapters.git.past import Deepen, past_contents, past_states
from ...compat.gate import as_base
from ...compat.pairing import contract_of
from ...compat.release import is_another, is_release_of
from ...contract.discovery import line_major
from ...contract.load import Loaded, load
from ...contract.mention import look_for
from ...frozen import dataclass


@dataclass(frozen=True, slots=True)
class EarlierVersions:
    """The past of the files of one base commit; None stands for the empty tree, which has none."""

    repo: Repository
    commit: str | None
    chosen: Match = everything  # which paths are contracts of the base
    deepen: Deepen | None = None  # None: history may not be fetched

    def of(self, path: str) -> Iterator[Loaded]:
        """What the file held up to the base commit, newest first, the base's own content included.

        Take no more than you need: running past the end of a shallow clone fetches, or raises BaseNotFound.
        """
        if self.commit is None:
            return
        for past in past_contents(self.repo, self.commit, path, self.deepen):
            if past.content is not None:
                yield as_base(load(past.content, past.path))

    def last_readable(self, path: str) -> Loaded | None:
        """The newest content of a file that can be read as a contract."""
        return next((item for item in self.of(path) if item.contract is not None), None)

    def last_release(self, base: Loaded) -> Loaded | None:
        """The newest release of the line that a file of the base belongs to, whichever file held it.

        Where the contracts of the base never had one, the names that the file itself has had are followed further down.
        """
        both = (item for items in (self._list_line(base), self.of(base.path)) for item in items)
        return next((item for item in both if is_release_of(item, base)), None)

    def _list_line(self, base: Loaded) -> Iterator[Loaded]:
        """What any file held of a contract, newest first, without the files that hold another line of it now."""
        if self.commit is None:
            return
        contract, held = contract_of(base), dict[str, bool]()
        may_hold = look_for((contract.key, contract.name))
        for past in past_states(self.repo, self.commit, self.chosen, base.path, self.deepen):
            there = past.content is not None and may_hold(past.content)
            item = as_base(load(past.content or b"", past.path)) if there else None
            same = item is not None and item.contract is not None and not is_another(item, base)
            is_held = held.setdefault(past.path, same)
            if item is not None and same and (not is_held or line_major(past.path) == line_major(base.path)):
                yield item
