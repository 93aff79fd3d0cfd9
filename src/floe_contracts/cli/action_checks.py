"""`floe action gate` and `floe action lint`: the whole of the actions but their installation."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from .. import __version__
from ..adapters.git import INDEX, open_repository
from ..adapters.github.runner import set_outputs
from ..app.gate.request import GateRequest
from ..app.gate.run import run_gate
from ..app.lint import lint_files
from ..codes import Severity
from ..errors import FloeError, UsageError
from ..results import CheckResult, Finding, Report, decide
from ..results.facts import GateScope
from .action_inputs import GateInputs, LintInputs, gate_inputs, lint_inputs
from .action_report import ActionJob, counts, report_failure, show

# Every declared output, with the values of a run that came to nothing: written always, so that none can be forged.
GATE_OUTPUTS: Mapping[str, str] = {
    "verdict": "error",
    "required-bump": "none",
    "breaking-count": "0",
    "change-count": "0",
    "changed-contracts": "[]",
    "report-json": "",
    "report-markdown": "",
    "sarif-file": "",
    "comment-url": "",
}


def run_gate_action(environ: Mapping[str, str]) -> int:
    """Check the checkout, tell everybody, and return the exit code."""
    outputs = dict(GATE_OUTPUTS)
    try:
        place = ActionJob.here(environ)
        inputs, report = _check_contracts(environ, place.today)
        outputs |= counts(report) | show(report, place, inputs.outlets)
        if inputs.comment != "never":
            from .action_report import Talk, tell_pull_request

            talk = Talk(inputs.comment_key, always=inputs.comment == "always")
            outputs["comment-url"] = tell_pull_request(report, place, talk)
    finally:
        set_outputs(environ, outputs)
    return int(decide(report))


def _check_contracts(environ: Mapping[str, str], today: date) -> tuple[GateInputs, Report]:
    inputs = GateInputs()
    try:
        inputs = gate_inputs(environ)
        wishes = (inputs.contracts, inputs.profile, inputs.fail_on)
        request = GateRequest(inputs.base_ref, INDEX, *wishes, folder=inputs.working_directory)
        return inputs, run_gate(request, today)
    except FloeError as error:
        return inputs, report_failure("gate", error, _intended_scope(environ))


def _intended_scope(environ: Mapping[str, str]) -> GateScope | None:
    """The commit that a failed check was about, as far as the event tells; actions/comment shows no report without."""
    from ..adapters.github.event import pull_request

    try:
        pull = pull_request(environ)
    except FloeError:
        return None
    return GateScope(head=pull.head_sha) if pull and pull.head_sha else None


LINT_OUTPUTS: Mapping[str, str] = {
    "verdict": "error",
    "error-count": "0",
    "warning-count": "0",
    "report-json": "",
    "report-markdown": "",
    "sarif-file": "",
}


def run_lint_action(environ: Mapping[str, str]) -> int:
    """Lint the workspace, tell everybody, and return the exit code."""
    outputs = dict(LINT_OUTPUTS)
    try:
        inputs, report = _lint_workspace(environ)
        errors = report.count(Severity.ERROR) + report.count(Severity.CRITICAL)
        outputs |= {
            "verdict": report.verdict,
            "error-count": str(errors),
            "warning-count": str(report.count(Severity.WARNING)),
        }
        outputs |= show(report, ActionJob.here(environ), inputs.outlets)
    finally:
        set_outputs(environ, outputs)
    return int(decide(report))


def _lint_workspace(environ: Mapping[str, str]) -> tuple[LintInputs, Report]:
    inputs = LintInputs()
    start = os.getcwd()
    try:
        inputs = lint_inputs(environ)
        enter_folder(inputs.working_directory)
        results = tuple(file.result for file in lint_files(inputs.contracts, strict=inputs.strict))
        return inputs, Report("lint", __version__, move_results(folder_prefix(), results), allow_empty=False)
    except FloeError as error:
        return inputs, report_failure("lint", error)
    finally:
        os.chdir(start)


def enter_folder(folder: str) -> None:
    """Go to the folder that the input working-directory names."""
    try:
        os.chdir(folder)
    except OSError as error:
        raise UsageError(f"working-directory: {error.strerror}", fix="Name a folder of the checkout.") from error


def folder_prefix() -> str:
    """This folder as seen from the top of the repository: annotations and links count paths from there."""
    try:
        top = open_repository().top
    except FloeError:
        return ""  # no repository: the workspace is all there is
    prefix = os.path.relpath(os.path.realpath("."), os.path.realpath(top)).replace(os.sep, "/")
    return "" if prefix == "." else f"{prefix}/"


def move_results(prefix: str, results: tuple[CheckResult, ...]) -> tuple[CheckResult, ...]:
    """The results with their places as seen from the top of the repository."""
    if not prefix:
        return results
    return tuple(
        replace(
            result,
            path=f"{prefix}{result.path}",
            findings=tuple(_move(item, prefix) for item in result.findings),
        )
        for result in results
    )


def _move(item: Finding, prefix: str) -> Finding:
    place = item.location
    return replace(item, location=replace(place, path=f"{prefix}{place.path}")) if place else item
