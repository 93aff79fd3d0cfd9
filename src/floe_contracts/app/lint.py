"""Files from the command line as loaded contracts, each with its result: the first half of most commands."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from .. import __version__
from ..adapters.files.read import find_contracts, present_in, read_files
from ..codes import E500, E592, E593, Severity
from ..compat.settings_paths import FOLDER
from ..contract.dialects import looks_like_contract
from ..contract.discovery import selection
from ..contract.load import Loaded
from ..frozen import dataclass
from ..results import CheckResult, Finding, Location, Outcome, Report, outcome_of, raise_warnings
from ..results.facts import ContractFacts
from .sql_trust import load_here

if TYPE_CHECKING:
    from ..adapters.process.console import Console
    from ..contract.discovery import Selection

MAX_FINDINGS = 100_000  # of a run: findings are what lint keeps of a file, and nobody reads so many


@dataclass(frozen=True, slots=True)
class LintedFile:
    """One file after lint: what was loaded, and the result."""

    path: str
    loaded: Loaded | None
    result: CheckResult


def lint_files(paths: Iterable[str], *, strict: bool = False, allow_empty: bool = False) -> Iterator[LintedFile]:
    """Load every file that the arguments mean; without arguments, those below this folder that match the globs."""
    count = 0
    for file in read_files(paths or _contracts_here()):
        if count > MAX_FINDINGS:
            yield LintedFile(file.path, None, unread_result(file.path, _too_many(file.path)))
            return
        if file.problem is not None:
            if not (allow_empty and file.problem.rule == "nothing-matches"):
                yield LintedFile(file.path, None, unread_result(file.path, file.problem))
            continue
        taken = lint_file(file.data, file.path, strict=strict)
        if file.certain or (taken.loaded and is_meant_as_contract(taken.loaded, file.data)):
            count += len(taken.result.findings)
            yield taken


def _too_many(path: str) -> Finding:
    return Finding.of(
        E592,
        "too-many-findings",
        f"one run lists up to {MAX_FINDINGS:,} findings, and there are more: {path} and what follows was not read",
        location=Location(path),
        suggestions=("Correct what is listed, or lint fewer files at a time.",),
    )


def is_meant_as_contract(loaded: Loaded, data: bytes) -> bool:
    """Whether a file that nobody named is a contract, or would be one if its YAML could be parsed."""
    return loaded.dialect is not None or (loaded.document.value is None and looks_like_contract(data))


def _contracts_here() -> list[str]:
    """Files below the current folder that match its globs, or those of the repository around it."""
    own, top = _globs_of("."), _top_around()
    if top is None:
        return find_contracts(chosen=own)
    inside = os.path.relpath(os.path.realpath("."), top).replace(os.sep, "/")
    around = _globs_of(top)
    return [
        path
        for path in find_contracts(chosen=selection(("**",)))
        if f"{inside}/{path}" in around or (path in own and not around.excludes(f"{inside}/{path}"))
    ]


def _top_around() -> str | None:
    """The top of the repository that the current folder lies in; None when it is the top itself, or in none."""
    here = folder = os.path.realpath(".")
    while not os.path.exists(os.path.join(folder, ".git")):
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return None
    return None if folder == here else folder


def _globs_of(folder: str) -> Selection:
    """What .floe/config.yaml of a folder says; the default globs without such a folder."""
    if not os.path.isdir(os.path.join(folder, FOLDER)):
        return selection(is_there=present_in(folder))
    from ..adapters.files.settings import selection_here

    return selection_here(folder=folder)


def lint_file(data: bytes, path: str, *, strict: bool = False, more: tuple[Finding, ...] = ()) -> LintedFile:
    """Load one file from its bytes and lint it; `more` are findings of the caller's own."""
    loaded = load_here(data, path)
    return LintedFile(path, loaded, _result(loaded, strict, more))


def unread_result(path: str, problem: Finding) -> CheckResult:
    """The result for a file whose bytes are not available."""
    # A file that is absent or locked says nothing about the contract; one that is too large does.
    outcome = Outcome.ERRORED if problem.code in (E500, E592) else Outcome.VIOLATED
    return CheckResult("lint", path, outcome, path, (problem,))


def not_gated_warning(path: str) -> Finding:
    """The warning that a contract lies where the gate does not look."""
    return Finding.of(
        E593,
        "not-gated",
        "this contract is outside the globs, so the gate does not see it",
        severity=Severity.WARNING,
        location=Location(path, 1, 1),
        suggestions=("Add its path to contracts: in .floe/config.yaml.",),
    )


def show_lint(
    console: Console,
    paths: tuple[str, ...],
    *,
    strict: bool = False,
    allow_empty: bool = False,
    form: str = "terminal",
    output: str | None = None,
) -> int:
    """`floe lint` from paths to exit code: lint the files and print or write the report."""
    from ..adapters.process.progress import Progress
    from .report import deliver

    with Progress("linted") as progress:
        files = progress.over(lint_files(paths, strict=strict, allow_empty=allow_empty))
        results = tuple(file.result for file in files)
    return deliver(Report("lint", __version__, results, allow_empty=allow_empty), console, form, output)


def _result(loaded: Loaded, strict: bool, more: tuple[Finding, ...]) -> CheckResult:
    findings = (*loaded.findings, *more)
    findings = raise_warnings(findings) if strict else findings
    name = loaded.contract.label if loaded.contract else next((item.contract for item in findings if item.contract), "")
    return CheckResult(
        check="lint",
        contract=name or loaded.path,
        outcome=outcome_of(findings),
        path=loaded.path,
        findings=findings,
        facts=ContractFacts(loaded.spelling) if loaded.dialect else None,
    )
