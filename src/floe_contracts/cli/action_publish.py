"""`floe action publish`: the whole of actions/publish but its installation."""

from __future__ import annotations

import os
from collections.abc import Mapping

from ..adapters.github.runner import set_outputs
from ..adapters.process.console import Console
from ..app.publish import PublishRequest, publish_manifest, report_refusal
from ..results import Report
from .action_checks import enter_folder
from .action_inputs import PublishInputs, publish_inputs

PUBLISH_OUTPUTS: Mapping[str, str] = {"reference": "", "digest": ""}


def run_publish_action(environ: Mapping[str, str]) -> int:
    """Publish the manifest with a note of the commit, and return the exit code."""
    outputs = dict(PUBLISH_OUTPUTS)
    start = os.getcwd()
    try:
        inputs = publish_inputs(environ)
        enter_folder(inputs.working_directory)
        published = publish_manifest(_request(inputs, environ))
        if isinstance(published, Report):
            return report_refusal(Console(), published)
        outputs |= {"reference": published.reference, "digest": published.digest}
        published.tell(Console())
        return 0
    finally:
        os.chdir(start)
        set_outputs(environ, outputs)


def _request(inputs: PublishInputs, environ: Mapping[str, str]) -> PublishRequest:
    repository = environ.get("GITHUB_REPOSITORY", "")
    source = f"{environ.get('GITHUB_SERVER_URL', 'https://github.com')}/{repository}" if repository else ""
    notes = {"source": source, "revision": environ.get("GITHUB_SHA", "")}
    return PublishRequest(inputs.version, inputs.manifest, inputs.to, inputs.refs, notes)
