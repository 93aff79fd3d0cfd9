"""Contracts of the head held to their parents: those that changed, and those whose parents did."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ...adapters.git.objects import TreeEntry
from ...contract.mention import may_escape
from ...frozen import replace
from ...results import CheckResult, Disposition, Finding, Outcome, Reader, Report, outcome_of
from .view import GateView

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from ...compat.inheritance.chain import ParentChain
    from ...contract.load import Loaded
    from ...contract.model import Contract
    from .sides import Sides

_FEW = 50
_NAMES_PARENT = re.compile(rb"\bparent[\"']?[ \t]*[]:,}\r\n#]|floe\.parent")
_ESCAPES_LETTERS = re.compile(rb"\\(?:x[267]|u00[267]|U000000[267]|\r?\n)")  # of which the word may be made

_WHY = "the contract is a draft or a pre-release, which promises nothing yet"


def hold_to_parents(report: Report, view: GateView, sides: Sides) -> Report:
    """The report with what contracts of the head say wrong about their parents."""
    heirs = [item for item in (*sides.new.values(), *_find_heirs(view, sides)) if item.contract]
    judged = {item.path: result for item in heirs if (result := _judge(item, view))}
    if not judged:
        return report
    kept = [result for result in report.results if result.path not in judged]
    earlier = {result.path: result for result in report.results if result.path in judged}
    return replace(report, results=(*kept, *(join_results(earlier.get(path), new) for path, new in judged.items())))


def may_have_heirs(view: GateView, contracts: Mapping[str, TreeEntry]) -> bool:
    """Whether a file that changed, contract or not, may be the parent of a contract that did not."""
    return bool(_edited(view)) and any(True for _ in _read_candidates(view, contracts))


def _edited(view: GateView) -> set[str]:
    return {change.path for change in view.changes if change.old is not None}


def _find_heirs(view: GateView, sides: Sides) -> Iterator[Loaded]:
    """Unchanged contracts with a file among their parents that may demand something else now."""
    edited = {path for path in _edited(view) if not _demands_the_same(path, sides)}
    if not edited:
        return
    from ...contract.load import load

    for path, content in _read_candidates(view, sides.others):
        item = load(content, path)
        if item.contract and item.contract.parent and edited.intersection(_follow(item, view).paths):
            yield item


def _demands_the_same(path: str, sides: Sides) -> bool:
    """Whether heirs of a changed contract need no look; what is or was not a contract may be a parent all the same."""
    before, after = (side[path].contract if path in side else None for side in (sides.old, sides.new))
    if before is None or after is None or path in sides.recalled:
        return False
    from ...contract.demands import list_demands

    return list_demands(before) == list_demands(after)


def _read_candidates(view: GateView, contracts: Mapping[str, TreeEntry]) -> Iterator[tuple[str, bytes]]:
    """The contracts that seem to name a parent, with their text."""
    files = [entry for entry in contracts.values() if entry.kind == "file"]
    if len(files) > _FEW:  # git looks through many files in half the time
        holders = view.repo.search(("parent", "\\"), view.revisions.head, files)
        files = [entry for entry in files if holders is None or entry.path in holders]
    for path, content in view.repo.read(files).items():
        named = b"parent" in content and _NAMES_PARENT.search(content)  # most have not even the word
        if named or (may_escape(content) and _ESCAPES_LETTERS.search(content)):
            yield path, content


def _judge(item: Loaded, view: GateView) -> CheckResult | None:
    contract = item.contract
    if contract is None or not contract.parent:
        return None
    from ...compat.inheritance.chain import judge_inheritance
    from ...results.facts import ContractFacts

    chain = _follow(item, view)
    findings = report_drafts(contract, judge_inheritance(item, chain))
    if not findings:
        return None
    outcome = outcome_of(findings) if chain.readable else Outcome.ERRORED
    facts = ContractFacts(item.spelling, contract.label)
    return CheckResult("gate", contract.key, outcome, item.path, findings, facts=facts)


def report_drafts(contract: Contract, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings, which block nothing where the contract promises nothing yet."""
    from ...compat.release import is_unreleased
    from ...results.facts import FindingFacts

    if not is_unreleased(contract):
        return findings
    return tuple(
        replace(finding, standing=Disposition.REPORTED, facts=replace(finding.facts or FindingFacts(), standing=_WHY))
        for finding in findings
    )


def join_results(earlier: CheckResult | None, new: CheckResult) -> CheckResult:
    """One result of two about the same contract."""
    if earlier is None:
        return new
    findings: tuple[Finding, ...] = (*earlier.findings, *new.findings)
    errored = Outcome.ERRORED in (earlier.outcome, new.outcome)
    violated = Outcome.VIOLATED in (earlier.outcome, new.outcome)
    outcome = Outcome.ERRORED if errored else Outcome.VIOLATED if violated else earlier.outcome
    return replace(earlier, findings=findings, outcome=outcome, readers=_join_readers(earlier.readers, new.readers))


def _join_readers(earlier: tuple[Reader, ...], new: tuple[Reader, ...]) -> tuple[Reader, ...]:
    """Every reader once; whom one of the two results reaches is reached."""
    known = {reader.name: reader for reader in earlier}
    for reader in new:
        before = known.get(reader.name)
        known[reader.name] = replace(before, affected=before.affected or reader.affected) if before else reader
    return tuple(known.values())


def _follow(item: Loaded, view: GateView) -> ParentChain:
    from ...compat.inheritance.chain import follow_parents
    from ...contract.base import load_parent

    changed = {change.path: change.new for change in view.changes}

    def open_parent(path: str) -> Loaded | None:
        entry = changed[path] if path in changed else view.files.get(path)
        content = view.repo.read((entry,)).get(path) if entry is not None and entry.kind == "file" else None
        return load_parent(content, path) if content is not None else None

    return follow_parents(item, open_parent)
