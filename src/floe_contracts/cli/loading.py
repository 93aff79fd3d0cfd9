"""Files from the command line as loaded contracts, each with its result: the first half of most commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..adapters.files import find_contracts, read_files
from ..codes import E500, E592
from ..contract.load import Loaded, load
from ..results import CheckResult, Finding, Outcome, made_strict, outcome_of


@dataclass(frozen=True, slots=True)
class Taken:
    """One file as taken up: what was loaded, and what lint says about it."""

    path: str
    loaded: Loaded | None
    result: CheckResult


def take(paths: Iterable[str], *, strict: bool = False, allow_empty: bool = False) -> Iterator[Taken]:
    """Load every file that the arguments mean; without arguments, those that match the default globs."""
    for file in read_files(paths or find_contracts()):
        if file.problem is not None:
            if not (allow_empty and file.problem.rule == "nothing-matches"):
                yield Taken(file.path, None, _unread(file.path, file.problem))
            continue
        taken = judge(file.data, file.path, strict=strict)
        if file.certain or (taken.loaded and taken.loaded.dialect):
            yield taken


def judge(data: bytes, path: str, *, strict: bool = False) -> Taken:
    """Load one file from its bytes and lint it."""
    loaded = load(data, path)
    return Taken(path, loaded, _result(loaded, strict))


def _unread(path: str, problem: Finding) -> CheckResult:
    # A file that is absent or locked says nothing about the contract; one that is too large does.
    outcome = Outcome.ERRORED if problem.code in (E500, E592) else Outcome.VIOLATED
    return CheckResult("lint", path, outcome, path, (problem,))


def _result(loaded: Loaded, strict: bool) -> CheckResult:
    findings = made_strict(loaded.findings) if strict else loaded.findings
    name = loaded.contract.label if loaded.contract else next((item.contract for item in findings if item.contract), "")
    return CheckResult(
        check="lint",
        contract=name or loaded.path,
        outcome=outcome_of(findings),
        path=loaded.path,
        findings=findings,
        context=(("dialect", loaded.spelling),) if loaded.dialect else (),
    )
