"""Both texts of the contracts in a report, for the one format that shows them side by side."""

from __future__ import annotations

from ...adapters.git import Repository
from ...adapters.git.base import Base
from ...render.html.sources import Sources
from ...results import Report


def both_texts(repo: Repository, base: Base, head: str, report: Report) -> dict[str, Sources]:
    """By path; files that one side does not have are left out, there is nothing to put beside them."""
    wanted = {result.path for result in report.results if result.findings}
    if not wanted or base.empty:
        return {}
    old, new = (repo.read(repo.files(side, wanted.__contains__).values()) for side in (base.commits[0], head))
    return {path: Sources(_text(old[path]), _text(new[path])) for path in sorted(old.keys() & new.keys())}


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
