"""`floe action compile`: the whole of actions/compile but its installation."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace

from ..adapters.github.runner import set_outputs
from ..app.products import compile_products, find_products
from ..codes import Severity
from ..errors import FloeError
from ..results import Report, decide
from .action_checks import enter_folder, folder_prefix, move_results
from .action_inputs import CompileInputWords, compile_inputs
from .action_report import ActionJob, report_failure, show

COMPILE_OUTPUTS: Mapping[str, str] = {
    "verdict": "error",
    "error-count": "0",
    "warning-count": "0",
    "artifacts": "[]",
    "report-json": "",
    "report-markdown": "",
    "sarif-file": "",
}


def run_compile_action(environ: Mapping[str, str]) -> int:
    """Compile the products, tell everybody, and return the exit code."""
    outputs = dict(COMPILE_OUTPUTS)
    try:
        inputs, report, artifacts = _compile_workspace(environ)
        errors = report.count(Severity.ERROR) + report.count(Severity.CRITICAL)
        outputs |= {
            "verdict": report.verdict,
            "error-count": str(errors),
            "warning-count": str(report.count(Severity.WARNING)),
            "artifacts": json.dumps(artifacts),
        }
        outputs |= show(report, ActionJob.here(environ), inputs.outlets)
    finally:
        set_outputs(environ, outputs)
    return int(decide(report))


def _compile_workspace(environ: Mapping[str, str]) -> tuple[CompileInputWords, Report, list[str]]:
    inputs = CompileInputWords()
    start = os.getcwd()
    try:
        inputs = compile_inputs(environ)
        enter_folder(inputs.working_directory)
        report, written = compile_products(inputs.products or find_products(), inputs.refs)
        moved = replace(report, results=move_results(folder_prefix(), report.results))
        return inputs, moved, [os.path.abspath(path) for path in written]
    except FloeError as error:
        return inputs, report_failure("compile", error), []
    finally:
        os.chdir(start)
