"""`floe action gate`: the whole of action.yml but its installation."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

from .. import __version__
from ..adapters.git import open_repository
from ..adapters.github.runner import set_outputs
from ..app.gate.run import GateRequest, gated
from ..app.lint import take
from ..codes import Severity
from ..errors import FloeError, UsageError
from ..results import CheckResult, Finding, Report, decide
from .action_inputs import GateInputs, LintInputs, gate_inputs, lint_inputs
from .action_report import ActionJob, counts, not_checked, show

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
        inputs, report = _checked(environ)
        place = ActionJob.here(environ)
        outputs |= counts(report) | show(report, place, inputs.outlets)
        if inputs.comment != "never":
            from .action_report import Talk, tell_pull_request

            talk = Talk(inputs.comment_key, always=inputs.comment == "always")
            outputs["comment-url"] = tell_pull_request(report, place, talk)
    finally:
        set_outputs(environ, outputs)
    return int(decide(report))


def _checked(environ: Mapping[str, str]) -> tuple[GateInputs, Report]:
    inputs = GateInputs()
    try:
        inputs = gate_inputs(environ)
        asked = GateRequest(inputs.base_ref, contracts=inputs.contracts, profile=inputs.profile, fail_on=inputs.fail_on)
        return inputs, gated(asked, tool_version=__version__, folder=inputs.working_directory)
    except FloeError as error:
        return inputs, not_checked("gate", error)


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
        inputs, report = _linted(environ)
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


def _linted(environ: Mapping[str, str]) -> tuple[LintInputs, Report]:
    inputs = LintInputs()
    start = os.getcwd()
    try:
        inputs = lint_inputs(environ)
        _enter(inputs.working_directory)
        results = tuple(each.result for each in take(inputs.contracts, strict=inputs.strict))
        return inputs, Report("lint", __version__, _below(_prefix(), results), allow_empty=False)
    except FloeError as error:
        return inputs, not_checked("lint", error)
    finally:
        os.chdir(start)


def _enter(folder: str) -> None:
    try:
        os.chdir(folder)
    except OSError as error:
        raise UsageError(f"working-directory: {error.strerror}", fix="Name a folder of the checkout.") from error


def _prefix() -> str:
    """This folder as seen from the top of the repository: annotations and links count paths from there."""
    try:
        top = open_repository().top
    except FloeError:
        return ""  # no repository: the workspace is all there is
    prefix = os.path.relpath(os.path.realpath("."), os.path.realpath(top)).replace(os.sep, "/")
    return "" if prefix == "." else f"{prefix}/"


def _below(prefix: str, results: tuple[CheckResult, ...]) -> tuple[CheckResult, ...]:
    if not prefix:
        return results
    return tuple(
        replace(
            result,
            path=f"{prefix}{result.path}",
            findings=tuple(_moved(item, prefix) for item in result.findings),
        )
        for result in results
    )


def _moved(item: Finding, prefix: str) -> Finding:
    place = item.location
    return replace(item, location=replace(place, path=f"{prefix}{place.path}")) if place else item
