"""A report as GitHub workflow commands: annotations on the lines concerned, the worst first, never too many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...codes import Severity
from ...results import Disposition, Finding, Report
from ..headline import headline
from ..outline import advice, cure, excuse, scope_line, worst_first
from ..safe import break_commands, log_safe

# A runner keeps ten annotations per level and step, and drops the rest without a word; it cuts messages at 4,096
# characters (actions/runner, ExecutionContext.cs).
MOST_PER_LEVEL = 10
LONGEST_MESSAGE = 4_096

_LEVELS = ("error", "warning", "notice")
_BY_SEVERITY = {
    Severity.CRITICAL: "error",
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "notice",
}
_SENTENCE, _PATH = 600, 1_000  # characters shown of a sentence and of a path


def render(report: Report) -> str:
    """The verdict and what was compared as lines of the log, then one command per annotation."""
    log = [str(headline(report)), scope_line(report)]
    lines = [*(break_commands(log_safe(line, _SENTENCE)) for line in log if line), *_commands(report)]
    return "\n".join(lines) + "\n"


def _commands(report: Report) -> Iterator[str]:
    """At most ten commands per level; what is left out is counted in a notice, which is one of the ten."""
    sorted_out: dict[str, list[Finding]] = {level: [] for level in _LEVELS}
    passed = report.verdict == "pass"
    for item in worst_first(report.all_findings()):
        if item.standing is not Disposition.ALLOWED:  # a change that is in order needs no mark on every line
            sorted_out[_level(item, passed)].append(item)
    crowded = any(len(findings) > MOST_PER_LEVEL for findings in sorted_out.values())
    left_out: Counter[str] = Counter()
    for level, findings in sorted_out.items():
        most = MOST_PER_LEVEL - 1 if crowded and level == "notice" else MOST_PER_LEVEL
        yield from (_command(level, item) for item in findings[:most])
        left_out[level] = len(findings[most:])
    if crowded:
        yield f"::notice title=More findings::{_escape(_remainder(left_out))}"


def _level(item: Finding, passed: bool) -> str:
    level = _BY_SEVERITY[item.severity]
    harmless = passed or item.standing is not Disposition.OPEN
    return "warning" if level == "error" and harmless else level


def _remainder(left_out: Counter[str]) -> str:
    counts = ", ".join(f"{left_out[level]} {level}s" for level in _LEVELS if left_out[level])
    return f"{left_out.total()} more findings have no annotation ({counts}); the report lists them all."


def _command(level: str, item: Finding) -> str:
    spot = item.location
    properties = {"title": f"{item.code.id} {log_safe(item.rule, 100)}"}
    if spot:
        numbers = {"line": spot.line, "col": spot.column if spot.line else None}
        placed = {name: str(number) for name, number in numbers.items() if number}
        properties = {"file": log_safe(spot.path, _PATH), **placed, **properties}
    spelled = ",".join(f"{name}={_escape_property(value)}" for name, value in properties.items())
    return f"::{level} {spelled}::{_escape(_message(item))}"


def _message(item: Finding) -> str:
    lines = [item.message, *_below(item)]
    text = "\n".join(log_safe(line, _SENTENCE) for line in lines)
    return text if len(text) <= LONGEST_MESSAGE else text[: LONGEST_MESSAGE - 1] + "…"


def _below(item: Finding) -> Iterator[str]:
    if item.standing is not Disposition.OPEN:
        yield excuse(item)
        return
    yield from (f"{label}: {text}" for label, text in advice(item))
    if item.blocks and not item.suggestions:
        yield f"fix: {cure(item)}"


def _escape(text: str) -> str:
    """Data of a command, as the toolkit's `escapeData` writes it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
