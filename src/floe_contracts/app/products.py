"""Every product of a repository held to its platform: looked at before a commit, or compiled in CI."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from .. import __version__
from ..adapters.files.read import find_contracts
from ..adapters.files.settings import settings_here, top_here
from ..codes import E501, Severity
from ..contract.discovery import PRODUCT, selection
from ..errors import CannotTell, FloeError
from ..frozen import replace
from ..results import CheckResult, Finding, Location, Outcome, Report, outcome_of
from .compile import (
    CompileOutcome,
    CompileRequest,
    compile_folder,
    register_outcome,
    unknown_finding,
    write_artifact,
)
from .compile_show import describe_problem, failed_result
from .platform_diff import note_platform_changes

UNKNOWN = frozenset({"gate-unknown", "sql-unknown"})  # rules that say that something is not known here


def check_products(top: str, paths: Iterable[str], refs: Sequence[str], today: date) -> Report:
    """Steps 1 to 4 for the floe.yaml files at these paths below `top`, less those that .floe/config.yaml excludes."""
    chosen = selection((f"**/{PRODUCT}",), settings_here(top, today).config.exclude)
    folders = [os.path.dirname(os.path.relpath(os.path.join(top, path))) for path in paths if path in chosen]
    results, notes = [], list[str]()
    for folder in folders:
        result, more = _check(CompileRequest(folder or ".", refs=tuple(refs), look=True))
        results.append(result)
        notes += more
    return Report("compile", __version__, tuple(find_clashes(results)), notes=tuple(dict.fromkeys(notes)))


def find_products() -> list[str]:
    """Folders with a floe.yaml at or below the current one, less those that .floe/config.yaml of the top excludes."""
    top = top_here()
    chosen = selection((f"**/{PRODUCT}",), settings_here(top).config.exclude)
    inside = os.path.relpath(os.path.realpath("."), os.path.realpath(top)).replace(os.sep, "/")
    paths = find_contracts(chosen=selection((f"**/{PRODUCT}",)))
    return [os.path.dirname(path) or "." for path in paths if os.path.normpath(f"{inside}/{path}") in chosen]


def compile_products(folders: Sequence[str], refs: Sequence[str]) -> tuple[Report, list[str]]:
    """Compile every product, and write the artifacts of those that comply; the report, and the paths written."""
    requests = [CompileRequest(os.path.normpath(folder), refs=tuple(refs)) for folder in dict.fromkeys(folders)]
    outcomes = [_compile(request) for request in requests]
    results = tuple(find_clashes([result for result, _ in outcomes]))
    finished = [_finish(result, outcome) for result, (_, outcome) in zip(results, outcomes, strict=True)]
    written = [
        request.target
        for request, (result, outcome) in zip(requests, finished, strict=True)
        if result.outcome is Outcome.PASSED and outcome and write_artifact(request, outcome)
    ]
    results = tuple(result for result, _ in finished)
    notes = [note for _, outcome in outcomes if outcome for note in outcome.compilation.notes]
    notes += note_platform_changes(folders, refs)
    return Report("compile", __version__, results, notes=tuple(dict.fromkeys(notes)), allow_empty=False), written


def _compile(request: CompileRequest) -> tuple[CheckResult, CompileOutcome | None]:
    try:
        outcome = compile_folder(request)
    except FloeError as error:
        return failed_result(request, error), None
    return outcome.report.results[0], outcome


def _finish(result: CheckResult, outcome: CompileOutcome | None) -> tuple[CheckResult, CompileOutcome | None]:
    """Step 5 for a product that complies."""
    if outcome is None or result.outcome is not Outcome.PASSED:
        return result, outcome
    try:
        done = register_outcome(outcome)
    except FloeError as error:
        return replace(
            result, outcome=Outcome.ERRORED, findings=(*result.findings, describe_problem(result.path, error))
        ), None
    return done.report.results[0], done


def _check(request: CompileRequest) -> tuple[CheckResult, tuple[str, ...]]:
    try:
        outcome = compile_folder(request)
    except CannotTell as error:
        return CheckResult(
            "compile", request.path, Outcome.PASSED, request.path, (unknown_finding(error, request.path),)
        ), ()
    except FloeError as error:
        return failed_result(request, error), ()
    (result,) = outcome.report.results
    findings = tuple(
        replace(item, severity=Severity.WARNING) if item.rule in UNKNOWN else item for item in result.findings
    )
    return replace(result, findings=findings, outcome=outcome_of(findings)), outcome.compilation.notes


def find_clashes(results: Sequence[CheckResult]) -> Iterator[CheckResult]:
    """The results, with an error in every product whose id an earlier one has."""
    first: dict[str, str] = {}
    for result in results:
        other = first.setdefault(result.contract, result.path)
        yield (
            result
            if other == result.path
            else replace(result, outcome=Outcome.VIOLATED, findings=(*result.findings, _clash(result, other)))
        )


def _clash(result: CheckResult, other: str) -> Finding:
    return Finding.of(
        E501,
        "product-conflict",
        f"the id {result.contract} is that of the product in {other}; ids are lower case and use _ for -",
        location=Location(result.path),
        expected="an id of its own",
        actual=result.contract,
        suggestions=("Choose another name under metadata.",),
    )
