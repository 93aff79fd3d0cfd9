"""The functions of the Python interface: read a contract, compare two, run the gate. Nothing is printed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeAlias

from .. import __version__
from ..adapters.files.read import read_file
from ..adapters.process.environment import utc_today
from ..compat.consumers import Register
from ..compat.gate import as_base
from ..compat.profiles import DEFAULT_PROFILE
from ..compat.retirement import overdue_facts, pair_findings
from ..compat.ruleset import make_ruleset
from ..compat.verdict import GatePolicy, judge
from ..contract.lifecycle import NOTICE_DAYS
from ..contract.load import Loaded
from ..contract.model import Contract
from ..contract.source import Document
from ..errors import FloeError
from ..frozen import replace
from ..results import CheckResult, Outcome, Report, outcome_of
from ..results.facts import GateScope
from .gate.request import GateRequest
from .gate.run import run_gate
from .lint import LintedFile, lint_file, unread_result

if TYPE_CHECKING:
    from os import PathLike

ContractFile: TypeAlias = "str | PathLike[str]"


def load_contract(path: ContractFile) -> Contract:
    """The contract in a file, in any dialect; a FloeError with the first error says why there is none."""
    side = _lint(path)
    if side.loaded is not None and side.loaded.contract is not None:
        return side.loaded.contract
    first = max(side.result.findings, key=lambda item: item.severity.rank)  # of equals the first in the file
    fix = first.suggestions[0] if first.suggestions else first.code.fix
    raise FloeError(f"{first.location or side.path}: {first.message}", fix=fix, code=first.code)


def compare(old: ContractFile | Contract, new: ContractFile | Contract, profile: str = DEFAULT_PROFILE) -> Report:
    """The report on NEW as the successor of OLD, with the verdict of `floe diff`; files or contracts."""
    before, after = _side(old), _side(new)
    return compare_sides(before, after, GateScope(base=before.path, head=after.path, profile=profile))


def gate(folder: ContractFile = ".", base: str | None = None) -> Report:
    """The report of `floe gate` on the repository around a folder: its index against the base branch."""
    return run_gate(GateRequest(base=base, folder=os.fspath(folder)), utc_today())


def compare_sides(old: LintedFile, new: LintedFile, scope: GateScope, *, ignore_version: bool = False) -> Report:
    """The report on two linted files as the gate would give it; one that could not be read is an error."""
    policy = GatePolicy(make_ruleset(scope.profile), ignore_version=ignore_version)
    unread = tuple(_report_unread(side) for side in (old, new) if side.result.outcome is Outcome.ERRORED)
    return Report("diff", __version__, unread or (_compare(old, new, policy),), scope=scope, allow_empty=False)


def _side(source: ContractFile | Contract) -> LintedFile:
    """A file as lint sees it; a contract as if it had been read from a file of its name."""
    if not isinstance(source, Contract):
        return _lint(source)
    loaded = Loaded(source.label, Document(None), source.dialect, source, ())
    return LintedFile(source.label, loaded, CheckResult("lint", source.label, outcome_of(()), source.label))


def _lint(path: ContractFile) -> LintedFile:
    file = read_file(os.fspath(path))
    if file.problem is not None:
        return LintedFile(file.path, None, unread_result(file.path, file.problem))
    return lint_file(file.data, file.path)


def _compare(old: LintedFile, new: LintedFile, policy: GatePolicy) -> CheckResult:
    """A base with lint errors is compared as far as it was read; one that is not a contract cannot be compared."""
    before = as_base(old.loaded) if old.loaded else None
    if before is None or before.contract is None:
        return _report_unread(old)
    after = new.loaded
    if after is None or after.contract is None:
        return CheckResult("diff", new.result.contract, Outcome.VIOLATED, new.path, new.result.findings)
    contract, today = before.contract, utc_today()
    policy = replace(policy, overdue=overdue_facts(contract, today))
    ending = () if policy.ignore_version else pair_findings(contract, after.contract, after, today, NOTICE_DAYS)
    return judge(before, after, policy, readers=lambda facts: Register().mark_affected(contract, facts), more=ending)


def _report_unread(side: LintedFile) -> CheckResult:
    return CheckResult("diff", side.result.contract, Outcome.ERRORED, side.path, side.result.findings)
