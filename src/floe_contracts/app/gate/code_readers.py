"""Readers of a break that the head's own code tells of: dbt models and exposures, with file and line, three steps deep.

Looked for only when something breaks, and only in a repository with a dbt project. They are named, and decide nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...adapters.dbt.project import PROJECT_FILE
from ...adapters.git import Repository
from ...adapters.git.objects import TreeEntry
from ...codes import E530, E531, E536
from ...frozen import dataclass, field, replace
from ...results import Bump, CheckResult, Finding, Reader, Report
from .view import GateView

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from ...adapters.sql.process import SqlProcess
    from ...contract.model import Contract
    from ...definitions.readers import CodeRead, ReadingCode
    from .sides import Sides

_DEPTH = 3
_LOST = (E530, E531, E536)  # what a definition no longer keeps
_ENDINGS = (".sql", ".py", ".yml", ".yaml")


def name_code_readers(report: Report, view: GateView, sides: Sides, sql: SqlProcess) -> Report:
    """The report with the readers that code of the head tells of beside those that are registered."""
    broken = [result for result in report.results if any(_breaks(item) for item in result.findings)]
    if not broken:
        return report
    listed = (*view.files, *(change.path for change in view.changes))
    if not any(path.rpartition("/")[2] == PROJECT_FILE for path in listed):
        return report
    files = view.repo.files(view.revisions.head, lambda path: path.endswith(_ENDINGS))
    from ...definitions.readers import match_reads
    from ..discover.code import read_code

    beside = (
        () if all(result.path in sides.old for result in broken) else sides.find_named({r.contract for r in broken})
    )
    sources = {**{item.path: item for item in beside}, **sides.new, **sides.old}
    contracts = {path: item.contract for path, item in sources.items() if item.contract}
    names = {name for result in broken if (contract := contracts.get(result.path)) for name in _names_of(contract)}
    codes = read_code(RevisionTree(view.repo, files), sql, about=names).codes
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


def _names_of(contract: Contract) -> Iterator[str]:
    """What code may call the tables of a contract; the last part is enough to look for."""
    yield contract.name
    for table in contract.objects:
        yield table.name
        yield (table.physical_name or table.name).rpartition(".")[2]


def _breaks(item: Finding) -> bool:
    """Whether readers lose something: by a break of the contract, or by a definition that no longer keeps it."""
    return item.blocks and (item.bump is Bump.MAJOR or item.code in _LOST)


def _name(
    result: CheckResult, contract: Contract | None, reads: tuple[CodeRead, ...], codes: tuple[ReadingCode, ...]
) -> CheckResult:
    from ...definitions.comparison import broken_columns

    broken = [item.element for item in result.findings if item.blocks and item.bump is Bump.MAJOR]
    lost = {pair for pairs in broken_columns(contract, result.findings) for pair in pairs} if contract else set()
    names = {name.casefold() for table, column in lost for name in (column, f"{table}.{column}")}
    own = [read for read in reads if contract is not None and read.key == contract.key]
    touched = [
        read
        for read in own
        if any(_touches(element, read.column) for element in broken)
        or (names and (read.column is None or read.column.casefold() in names))
    ]
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
