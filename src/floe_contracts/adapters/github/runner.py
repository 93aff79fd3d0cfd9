"""How a step talks to the GitHub runner: outputs, job summary, notices, and where it may put files."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Mapping

from ...errors import FloeError, UsageError
from ...render.safe import log_safe
from ..files.write import write_whole
from ..process.output import put

Environment = Mapping[str, str]

_LONGEST_SUMMARY = 1_048_576  # bytes; the runner drops a longer one as a whole


def set_outputs(environ: Environment, values: Mapping[str, str]) -> None:
    """Write every output of the step; the runner reads them after it, so nothing printed before can forge one."""
    lines = []
    for name, value in values.items():
        end = f"floe_{secrets.token_hex(16)}"  # a value that could guess its end could add outputs
        lines.append(f"{name}<<{end}\n{value}\n{end}\n")
    _append(environ, "GITHUB_OUTPUT", "".join(lines))


def add_summary(environ: Environment, markdown: str) -> None:
    """Put a page on the job's summary, if the runner would take it."""
    if len(markdown.encode("utf-8", "backslashreplace")) <= _LONGEST_SUMMARY:
        _append(environ, "GITHUB_STEP_SUMMARY", markdown)


def notice(title: str, message: str) -> None:
    """A line of the log that the job's page shows too."""
    text = log_safe(message, 1_000).replace("%", "%25")
    put(f"::notice title={log_safe(title)}::{text}\n")


def report_folder(environ: Environment, wanted: str, otherwise: str) -> str:
    """Where reports go: a named folder of the workspace, else one of the runner's own, which no change can touch."""
    if not wanted:
        folder = os.path.join(environ.get("RUNNER_TEMP") or tempfile.gettempdir(), otherwise)
    else:
        folder = os.path.join(_workspace(environ), wanted)
        if not os.path.isabs(wanted) and not _inside(folder, _workspace(environ)):
            raise UsageError(
                f"report-dir {log_safe(wanted)!r} leads out of the workspace",
                fix="Name a folder below the workspace that is not a symbolic link, or leave report-dir empty.",
            )
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise FloeError(f"{folder} cannot be made: {error.strerror}", fix="Name another report-dir.") from error
    return folder


def put_file(folder: str, name: str, text: str) -> str:
    """Write a file of the report and return its path; what a change planted in its place is not followed."""
    path = os.path.join(folder, name)
    if os.path.islink(path) or not _inside(path, folder):
        raise UsageError(f"{log_safe(path)} is a symbolic link", fix="Remove it, or name another folder or file.")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write_whole(path, text)
    return path


def _workspace(environ: Environment) -> str:
    return environ.get("GITHUB_WORKSPACE") or os.getcwd()


def _inside(path: str, folder: str) -> bool:
    root = os.path.realpath(folder)
    return os.path.commonpath([root, os.path.realpath(path)]) == root


def _append(environ: Environment, name: str, text: str) -> None:
    path = environ.get(name)
    if path:  # outside a runner nobody asks
        with open(path, "ab") as file:
            file.write(text.encode("utf-8", "backslashreplace"))
