"""`floe compile` for a person: numbered steps, what each says, and every problem with its place below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...codes import E510, E511, E515, E530, E541, Severity
from ...compiler.compilation import Compilation
from ...results import Finding
from ..safe import break_commands, log_safe

_STEPS = 6
_INDENT = " " * 6
_TEXT = 600
_TESTS = "required-tests"


def render_compilation(compilation: Compilation, written: str = "") -> str:
    """All steps as lines; `written` is the file of the artifact."""
    lines: list[str] = []
    for step in compilation.steps:
        lines.append(f"[{step.number}/{_STEPS}] {step.title}")
        lines += [_INDENT + log_safe(line, _TEXT) for line in step.lines]
        for finding in step.findings:
            lines += [_INDENT + line for line in _block(finding, compilation)]
        if step.number == _STEPS and written:
            lines.append(_INDENT + log_safe(written, _TEXT))
    return "\n".join(break_commands(line) for line in lines) + "\n"


def render_findings(findings: Iterable[Finding]) -> str:
    """Findings outside a compilation, as its steps would show them."""
    alone = Compilation("", "", ())
    lines = [line for finding in findings for line in _block(finding, alone)]
    return "".join(f"{break_commands(line)}\n" for line in lines)


def _block(finding: Finding, compilation: Compilation) -> Iterator[str]:
    if finding.code is E515:
        yield from _naming(finding, compilation)
    elif finding.rule == _TESTS:
        yield f"{_word(finding)}: {log_safe(finding.message, _TEXT)}"
        yield f"Required: {log_safe(finding.expected, _TEXT)}"
        yield f"Missing: {log_safe(finding.actual, _TEXT)}"
        yield from (f"Suggestion: {log_safe(fix, _TEXT)}" for fix in finding.suggestions)
    elif finding.code is E541:
        yield f"{_word(finding)}: {log_safe(finding.message, _TEXT)}"
        yield f"Owner: {log_safe(finding.actual, _TEXT)}"
        yield f"Expected: {log_safe(finding.expected, _TEXT)}"
        yield from (f"Resolution: {log_safe(fix, _TEXT)}" for fix in finding.suggestions)
    else:
        yield from _plain(finding)
    if finding.location:
        indent = "" if finding.code in (E515, E541) or finding.rule == _TESTS else "  "
        yield f"{indent}at {log_safe(str(finding.location), _TEXT)}"


def _naming(finding: Finding, compilation: Compilation) -> Iterator[str]:
    yield f"{_word(finding)}: {log_safe(finding.message, _TEXT)}"
    yield f"Platform: {log_safe(compilation.platform)}"
    yield f"Pattern: {log_safe(compilation.pattern or 'naming_conventions')}"
    yield f"Enforcement: {'strict' if finding.severity is Severity.ERROR else 'warn'}"
    yield f"Expected prefixes: {log_safe(finding.expected, _TEXT)}"
    yield f"Actual name: {log_safe(finding.actual, _TEXT)}"
    yield "Suggestions:"
    yield from (f"  - {log_safe(suggestion, _TEXT)}" for suggestion in finding.suggestions)
    yield f"Documentation: {finding.docs_url}"


def _plain(finding: Finding) -> Iterator[str]:
    mark = {Severity.WARNING: "! ", Severity.INFO: "- "}.get(finding.severity, "✗ ")
    typed = finding.code is E530
    message = f"Type mismatch for column '{finding.element}'" if typed else finding.message
    yield f"{mark}{finding.code.id}: {log_safe(message, _TEXT)}"
    if finding.expected or finding.actual:
        yield f"  {_difference(finding)}"
    fixes = (
        ("Update contract schema or table definition to match",)
        if typed
        else finding.suggestions or ((finding.code.fix,) if finding.blocks else ())
    )
    yield from (f"  Suggestion: {log_safe(fix, _TEXT)}" for fix in fixes)


def _difference(finding: Finding) -> str:
    expected, actual = log_safe(finding.expected, _TEXT), log_safe(finding.actual, _TEXT)
    if finding.code in (E510, E511):
        return f"Parent requires {expected}, child specifies {actual}"
    if finding.code is E530:
        return f"Contract: {expected}, Table: {actual}"
    return f"Expected {expected}, actual {actual}" if expected and actual else f"Expected {expected or actual}"


def _word(finding: Finding) -> str:
    return "ERROR" if finding.blocks else "WARNING"
