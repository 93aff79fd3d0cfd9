"""The inputs of the GitHub actions, as action.yml passes them on: FLOE_INPUT_* variables, checked word by word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, cast

from ..errors import UsageError
from ..render.safe import log_safe
from ..results import FAIL_ON, FailOn

Environment = Mapping[str, str]
When = Literal["auto", "always", "never"]

_WHEN = ("auto", "always", "never")
_SWITCH = ("true", "false")
COMMENT_KEY = "gate"


@dataclass(frozen=True, slots=True)
class ReportOutputs:
    """Where a report goes."""

    annotations: When = "auto"
    summary: When = "auto"
    sarif_file: str = ""
    report_dir: str = ""


@dataclass(frozen=True, slots=True)
class GateInputs:
    """Inputs of the gate that are not read by its scripts."""

    contracts: tuple[str, ...] = ()
    base_ref: str | None = None
    fail_on: FailOn | None = None
    profile: str | None = None
    comment: When = "auto"
    comment_key: str = COMMENT_KEY
    working_directory: str = "."
    outlets: ReportOutputs = ReportOutputs()


@dataclass(frozen=True, slots=True)
class BumpInputs:
    """Inputs of actions/bump that are not read by its scripts."""

    contracts: tuple[str, ...] = ()
    allow_major: bool = False
    status: str = ""
    comment: When = "auto"
    comment_key: str = COMMENT_KEY
    working_directory: str = "."
    outlets: ReportOutputs = ReportOutputs()


@dataclass(frozen=True, slots=True)
class LintInputs:
    """Inputs of actions/lint that are not read by its scripts."""

    contracts: tuple[str, ...] = ()
    strict: bool = False
    working_directory: str = "."
    outlets: ReportOutputs = ReportOutputs()


@dataclass(frozen=True, slots=True)
class CompileInputWords:
    """Inputs of actions/compile that are not read by its scripts."""

    products: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    working_directory: str = "."
    outlets: ReportOutputs = ReportOutputs()


@dataclass(frozen=True, slots=True)
class PublishInputs:
    """Inputs of actions/publish that are not read by its scripts."""

    version: str
    manifest: str = "manifest.yaml"
    to: str = ""
    refs: tuple[str, ...] = ()
    working_directory: str = "."


@dataclass(frozen=True, slots=True)
class CommentInputs:
    """Inputs of actions/comment that are not read by its scripts."""

    report: str
    comment: When = "auto"
    comment_key: str = COMMENT_KEY


def gate_inputs(environ: Environment) -> GateInputs:
    """What the gate was asked for; a word that means nothing is an error, never a default."""
    return GateInputs(
        contracts=_lines(environ, "contracts"),
        base_ref=_text(environ, "base-ref") or None,
        fail_on=cast("FailOn | None", _word(environ, "fail-on", ("", *FAIL_ON)) or None),
        profile=_text(environ, "profile") or None,
        comment=_when(environ, "comment"),
        comment_key=_text(environ, "comment-key") or COMMENT_KEY,
        working_directory=_text(environ, "working-directory") or ".",
        outlets=_outlets(environ),
    )


def bump_inputs(environ: Environment) -> BumpInputs:
    """What actions/bump was asked for."""
    return BumpInputs(
        contracts=_lines(environ, "contracts"),
        allow_major=_word(environ, "allow-major", ("", *_SWITCH)) == "true",
        status=_text(environ, "status"),
        comment=_when(environ, "comment"),
        comment_key=_text(environ, "comment-key") or COMMENT_KEY,
        working_directory=_text(environ, "working-directory") or ".",
        outlets=_outlets(environ),
    )


def lint_inputs(environ: Environment) -> LintInputs:
    """What actions/lint was asked for."""
    return LintInputs(
        contracts=_lines(environ, "contracts"),
        strict=_word(environ, "strict", ("", *_SWITCH)) == "true",
        working_directory=_text(environ, "working-directory") or ".",
        outlets=_outlets(environ),
    )


def compile_inputs(environ: Environment) -> CompileInputWords:
    """What actions/compile was asked for."""
    return CompileInputWords(
        products=_lines(environ, "products"),
        refs=_lines(environ, "refs"),
        working_directory=_text(environ, "working-directory") or ".",
        outlets=_outlets(environ),
    )


def publish_inputs(environ: Environment) -> PublishInputs:
    """What actions/publish was asked for."""
    version = _text(environ, "version")
    if not version:
        raise UsageError("the input version is empty", fix="Name the version that the manifest has.")
    manifest = _text(environ, "manifest") or "manifest.yaml"
    folder = _text(environ, "working-directory") or "."
    return PublishInputs(version, manifest, _text(environ, "to"), _lines(environ, "refs"), folder)


def comment_inputs(environ: Environment) -> CommentInputs:
    """What actions/comment was asked for."""
    report = _text(environ, "report")
    if not report:
        raise UsageError("the input report is empty", fix="Name the report.json that the gate's run has uploaded.")
    return CommentInputs(report, _when(environ, "comment"), _text(environ, "comment-key") or COMMENT_KEY)


def _outlets(environ: Environment) -> ReportOutputs:
    return ReportOutputs(
        _when(environ, "annotations"),
        _when(environ, "summary"),
        _text(environ, "sarif-file"),
        _text(environ, "report-dir"),
    )


def _when(environ: Environment, name: str) -> When:
    return cast(When, _word(environ, name, ("", *_WHEN)) or "auto")


def _word(environ: Environment, name: str, allowed: Iterable[str]) -> str:
    given = _text(environ, name)
    words = tuple(allowed)
    if given not in words:
        raise UsageError(
            f"the input {name} is {log_safe(given, 100)!r}",
            fix=f"Write {name}: {', '.join(filter(None, words[:-1]))} or {words[-1]}.",
        )
    return given


def _lines(environ: Environment, name: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in _text(environ, name).splitlines() if line.strip())


def _text(environ: Environment, name: str) -> str:
    return environ.get(f"FLOE_INPUT_{name.upper().replace('-', '_')}", "").strip()
