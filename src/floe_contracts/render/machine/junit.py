"""A report as JUnit XML, for servers that show test results: a suite per contract, a case per finding."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from ...results import Disposition, Finding, Outcome, Report
from ..headline import headline
from ..outline import ContractSection, advice, cure, excuse, groups, scope_line, step
from ..safe import log_safe

_LONELY = {Outcome.ERRORED: "error", Outcome.VIOLATED: "failure", Outcome.SKIPPED: "skipped"}
_SENTENCE = 600  # characters shown of a sentence


def render(report: Report) -> str:
    """The report as XML: the verdict names the whole, and numbers count as JUnit counts them."""
    suites = [_suite(group, report.command) for group in groups(report)]
    totals = {name: sum(counts[name] for counts, _ in suites) for name in ("tests", "failures", "errors", "skipped")}
    name = " · ".join(text for text in (str(headline(report)), scope_line(report)) if text)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', _open("testsuites", name=name, **totals)]
    for _, text in suites:
        lines += text
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _suite(group: ContractSection, command: str) -> tuple[dict[str, int], list[str]]:
    name = group.title or group.path or "besides the contracts"
    # A contract without findings is a test that passed, or one that nobody could run.
    states = [_state(item, group) for item in group.findings] or [_LONELY.get(group.outcome, "passed")]
    counts = {
        "tests": len(states),
        "failures": states.count("failure"),
        "errors": states.count("error"),
        "skipped": states.count("skipped"),
    }
    lines = [f"  {_open('testsuite', name=name, file=group.path, **counts)}"]
    if group.version:
        version = _empty("property", name="version", value=step(group.version))
        lines += ["    <properties>", f"      {version}", "    </properties>"]
    for item, state in zip(group.findings, states, strict=False):
        lines += (f"    {line}" for line in _case(item, state, name))
    if not group.findings:
        lines += (f"    {line}" for line in _lonely(group, name, command))
    return counts, [*lines, "  </testsuite>"]


def _state(item: Finding, group: ContractSection) -> str:
    if item.blocks:
        return "error" if group.outcome is Outcome.ERRORED else "failure"
    return "skipped" if item.standing in (Disposition.WAIVED, Disposition.REPORTED) else "passed"


def _case(item: Finding, state: str, suite: str) -> Iterator[str]:
    spot = item.location
    named = f"{item.rule}: {item.element}" if item.element else item.rule
    place = {"file": spot.path, "line": spot.line} if spot else {}
    yield _open("testcase", classname=suite, name=named, time="0", **place)
    if state in ("failure", "error"):
        body = "\n".join(_text(line) for line in _details(item))
        yield f"  {_open(state, type=item.code.id, message=item.message)}{body}</{state}>"
    elif state == "skipped":
        yield f"  {_empty('skipped', message=f'{excuse(item)}: {item.message}')}"
    else:
        message = f"{item.severity.value}: {item.message}"
        yield f"  <system-out>{_text(' – '.join(part for part in (message, excuse(item)) if part))}</system-out>"
    yield "</testcase>"


def _lonely(group: ContractSection, suite: str, command: str) -> Iterator[str]:
    tag = _LONELY.get(group.outcome)
    yield _open("testcase", classname=suite, name=command, time="0", file=group.path)
    if tag:
        yield f"  {_empty(tag, message=f'{group.outcome.value}, and nothing more is known')}"
    yield "</testcase>"


def _details(item: Finding) -> Iterator[str]:
    yield f"{item.location}: {item.message}" if item.location else item.message
    yield from (f"{label}: {text}" for label, text in advice(item))
    if not item.suggestions:
        yield f"fix: {cure(item)}"
    yield item.docs_url


def _open(tag: str, **attributes: object) -> str:
    return f"<{tag}{_attributes(attributes)}>"


def _empty(tag: str, **attributes: object) -> str:
    return f"<{tag}{_attributes(attributes)}/>"


def _attributes(pairs: dict[str, object]) -> str:
    return "".join(f' {name}="{_text(str(value))}"' for name, value in pairs.items() if value not in (None, ""))


def _text(text: str) -> str:
    """What XML 1.0 can hold: `log_safe` leaves no control character, no surrogate and no non-character."""
    return escape(log_safe(text, _SENTENCE))
