"""Readers of a break that the head's own code tells of: dbt models and exposures, with file and line, three steps deep.

Looked for only when something breaks, and only in a repository with a dbt project. They are named, and decide nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...adapters.dbt.project import PROJECT_FILE
from ...adapters.git import Repository
from ...adapters.git.objects import TreeEntry
from ...frozen import dataclass, field, replace
from ...results import Bump, CheckResult, Finding, Reader, Report
from .view import GateView

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from ...contract.model import Contract
    from ...definitions.readers import CodeRead, ReadingCode
    from .sides import Sides

_DEPTH = 3
_ENDINGS = (".sql", ".py", ".yml", ".yaml")


def name_code_readers(report: Report, view: GateView, sides: Sides) -> Report:
    """The report with the readers that code of the head tells of beside those that are registered."""
    if not any(_breaks(item) for result in report.results for item in result.findings):
        return report
    listed = (*view.files, *(change.path for change in view.changes))
    if not any(path.rpartition("/")[2] == PROJECT_FILE for path in listed):
        return report
    files = view.repo.files(view.revisions.head, lambda path: path.endswith(_ENDINGS))
    from ...adapters.sql.process import SqlProcess
    from ...definitions.readers import match_reads
    from ..discover.code import read_code

    contracts = {path: item.contract for path, item in sides.old.items() if item.contract}
    with SqlProcess() as process:
        codes = read_code(RevisionTree(view.repo, files), process).codes
    reads = match_reads(codes, contracts.values())
    results = (_name(result, contracts.get(result.path), reads, codes) for result in report.results)
    return replace(report, results=tuple(results))


@dataclass(frozen=True, slots=True)
class RevisionTree:
    """The files of a revision, read all at once when the first is asked for."""

    repo: Repository
    files: Mapping[str, TreeEntry]
    _texts: dict[str, bytes] = field(default_factory=dict)

    def paths(self) -> Iterable[str]:
        return self.files

    def read(self, path: str) -> bytes | None:
        if not self._texts:
            self._texts.update(self.repo.read(self.files.values()))
        return self._texts.get(path)


def _breaks(item: Finding) -> bool:
    return item.blocks and item.bump is Bump.MAJOR


def _name(
    result: CheckResult, contract: Contract | None, reads: tuple[CodeRead, ...], codes: tuple[ReadingCode, ...]
) -> CheckResult:
    broken = [item.element for item in result.findings if _breaks(item)]
    own = [read for read in reads if contract is not None and read.key == contract.key]
    touched = [read for read in own if any(_touches(element, read.column) for element in broken)]
    if not touched:
        return result
    known = {reader.name: reader for reader in result.readers}
    for name in sorted({read.reader for read in touched}):
        known[name] = _reader(name, [read for read in touched if read.reader == name], known.get(name))
    return replace(result, readers=(*known.values(), *_downstream(set(known), codes)))


def _touches(element: str, column: str | None) -> bool:
    """Whether a break of an element reaches a column: its own name, a part of it, or the whole table."""
    words = element.casefold().rsplit('"', 1)[-1].lstrip(".").split(".")
    names = words if element.startswith('"') else words[1:]
    wanted = (column or "").rpartition(".")[2].casefold()
    return column is None or not names or names == [""] or names[0] == wanted


def _reader(name: str, reads: list[CodeRead], known: Reader | None) -> Reader:
    columns = {read.column for read in reads}
    places = tuple(dict.fromkeys(f"{read.path}:{read.line}" for read in reads))
    owner = (known.owner if known else "") or next((read.owner for read in reads if read.owner), "")
    listed = () if None in columns else tuple(sorted(column for column in columns if column))
    return Reader(name, owner, listed, affected=True, places=places)


def _downstream(readers: set[str], codes: tuple[ReadingCode, ...]) -> Iterator[Reader]:
    """Who reads what the readers make, up to three steps from the contract; each is named once."""
    seen, level = set(readers), sorted(readers)
    for _ in range(_DEPTH - 1):
        following: list[str] = []
        for name in level:
            for code in codes:
                line = next((read.line for read in code.reads if f"ref:{name}" in read.tables), None)
                if line is not None and code.reader not in seen:
                    seen.add(code.reader)
                    following.append(code.reader)
                    yield Reader(code.reader, code.owner, places=(f"{code.path}:{line}",), through=name)
        level = following
