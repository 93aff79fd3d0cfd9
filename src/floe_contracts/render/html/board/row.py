"""The row of a contract in the list: its state, its worst violation in words, since when, and whom to ask."""

from __future__ import annotations

from ....results import Outcome
from ..markup import sentence, tag, text
from .lines import CheckLine, Line, State
from .words import CHECK_NAMES, amount, glyph, number, pill, spell_length

COLUMNS = ("contract", "worst violation", "state", "since", "owner")


def row(line: Line, now_us: int) -> str:
    """The summary of a contract: one line where the page is wide."""
    version = tag("span", f" {text(line.version, 40)}", class_="number version") if line.version else ""
    parts = (
        glyph(line.state.value),
        tag("span", tag("h3", text(line.name, 120)), version, class_="who"),
        tag("span", _worst(line, now_us), class_="what"),
        tag("span", pill(line.state.value, _kind(line)), class_="how"),
        tag("span", _since(line, now_us), class_="soft number since"),
        tag("span", text(line.owner, 80), class_="soft owner"),
    )
    return tag("summary", *(part.strip("\n") for part in parts))


def columns() -> str:
    """What stands in the columns of the rows, for eyes; every row says it by itself, too."""
    return tag("div", *(tag("span", name) for name in ("", *COLUMNS)), class_="columns", aria_hidden="true")


def _kind(line: Line) -> str:
    return "missed" if line.mild else line.state.value


def _since(line: Line, now_us: int) -> str:
    if line.since_us is None or line.state is State.IDLE:
        return ""
    return f"for {spell_length(now_us - line.since_us)}"


def _worst(line: Line, now_us: int) -> str:
    if line.state is State.IDLE:
        return "not checked yet" if not line.checks else "no promise to check"
    if line.state is State.MISSED or (line.state is State.PASSING and any(check.late for check in line.checks)):
        return _late([check for check in line.checks if check.late], now_us)
    if line.state is State.PASSING:
        return _health(line)
    if line.open:
        more = len(line.open) - 1
        return f"{sentence(line.open[0][1].item.message)}{f' (and {more} more)' if more else ''}"
    troubled = [CHECK_NAMES[check.check].lower() for check in line.checks if check.state is line.state]
    outcome = "not measured" if line.state is State.ERRORED else Outcome.VIOLATED.value
    return f"{', '.join(troubled)}: {outcome}"


def _late(checks: list[CheckLine], now_us: int) -> str:
    """What did not run in time, by the check that waits for longest."""
    late = min(checks, key=lambda check: check.last_us or 0)
    last = spell_length(now_us - (late.last_us or 0))
    return f"{CHECK_NAMES[late.check]} last ran {last} ago, expected every {spell_length(late.interval_us)}"


def _health(line: Line) -> str:
    """The numbers of a contract that is well, in a few words."""
    checks = {check.check: check for check in line.checks}
    parts = []
    ratio = checks["availability"].number("availability") if "availability" in checks else None
    age = checks["freshness"].number("freshness_seconds") if "freshness" in checks else None
    score = checks["quality"].number("score") if "quality" in checks else None
    if ratio is not None:
        parts.append(f"{number(ratio)} % available")
    if age is not None:
        parts.append(f"{spell_length(int(age) * 1_000_000)} old")
    if score is not None:
        parts.append(f"quality score {number(score)}")
    return " · ".join(parts) or f"{amount(len(line.checks), 'check')} passed"
