"""`floe action gate`: the whole of action.yml but its installation."""

from __future__ import annotations

from collections.abc import Mapping

from .. import __version__
from ..adapters.gating import Asked, gated
from ..adapters.runner import set_outputs
from ..errors import FloeError
from ..results import Report, decide
from .action_inputs import GateInputs, gate_inputs
from .action_report import Place, counts, not_checked, show

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
        place = Place.here(environ)
        outputs |= counts(report) | show(report, place, inputs.outlets)
        if inputs.comment != "never":
            from .action_talk import Talk, tell_pull_request

            talk = Talk(inputs.comment_key, always=inputs.comment == "always")
            outputs["comment-url"] = tell_pull_request(report, place, talk)
    finally:
        set_outputs(environ, outputs)
    return int(decide(report))


def _checked(environ: Mapping[str, str]) -> tuple[GateInputs, Report]:
    inputs = GateInputs()
    try:
        inputs = gate_inputs(environ)
        asked = Asked(inputs.base_ref, contracts=inputs.contracts, profile=inputs.profile, fail_on=inputs.fail_on)
        return inputs, gated(asked, tool_version=__version__, folder=inputs.working_directory)
    except FloeError as error:
        return inputs, not_checked("gate", error)
