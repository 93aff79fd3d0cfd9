"""Notices for people about a result: what is new, worse, still there after a day, and over.

A violation that stands is told once, not for every slot that finds it. All of it follows from the results before, so
that the same result is told in the same words whoever renders it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

from ..checks.moments import DAY
from ..codes import Severity, ViolationType
from ..contract.model import Json
from ..monitor.run.delivery import NewResult
from ..monitor.run.outcome import fingerprint
from ..monitor.store.protocol import SlotOutcome
from ..results import Finding, Outcome

REMEMBERED = 20  # results that a run looks back at
_ERRORS_IN_A_ROW = 2  # the next attempt often succeeds


class News(str, Enum):
    """The reason for an item of a notice."""

    NEW = "new"
    WORSE = "worse"
    STILL = "still"
    OVER = "over"
    ERRORED = "errored"
    CHECKED = "checked"  # again, after it could not be


@dataclass(frozen=True, slots=True)
class Manner:
    """When to send a notice: from which severity, after how many slots in a row, and how often again."""

    least: Severity = Severity.WARNING
    after: int = 1
    again_us: int = DAY


@dataclass(frozen=True, slots=True)
class Item:
    """One finding and the reason to send it; `slots` counts how long it stands, as far as is remembered."""

    news: News
    finding: Finding
    slots: int = 1


def news_of(new: NewResult, manner: Manner) -> tuple[Item, ...]:
    """The items of a notice, worst news first; mostly none."""
    outcome = new.outcome
    before = [earlier for earlier in new.before() if earlier.published]
    if outcome.result.outcome is Outcome.ERRORED:
        return _error_items(outcome, before)
    if outcome.result.outcome is Outcome.SKIPPED:
        return ()
    judged = [earlier for earlier in before if earlier.result.outcome in (Outcome.PASSED, Outcome.VIOLATED)]
    now, past = _by_mark(outcome, manner), [_by_mark(earlier, manner) for earlier in judged]
    time = _Time(outcome, judged, manner)
    standing = [item for mark, finding in now.items() if (item := _news_on(mark, finding, past, time))]
    over = [
        Item(News.OVER, finding, _streak(mark, past))
        for mark, finding in (past[0] if past else {}).items()
        if mark not in now and _streak(mark, past) >= manner.after
    ]
    vain = _count_errors(before)
    again = [Item(News.CHECKED, finding, vain) for finding in _reasons(before[0])] if vain >= _ERRORS_IN_A_ROW else []
    return (*sorted(standing, key=_worst_first), *sorted(over, key=_worst_first), *again)


@dataclass(frozen=True, slots=True)
class _Time:
    """This slot among those before."""

    outcome: SlotOutcome
    judged: Sequence[SlotOutcome]
    manner: Manner

    @property
    def is_again(self) -> bool:
        """Whether the result before is that of another attempt at the same slot."""
        return bool(self.judged) and self.judged[0].key == self.outcome.key

    def is_due_again(self, slots_before: int) -> bool:
        """Whether a new day began since the last slot; not for what began only shortly before."""
        if self.is_again:
            return False
        now_us, last_us = self.outcome.slot_us, self.judged[0].slot_us
        began_us = self.judged[slots_before - 1].slot_us
        forgotten = slots_before >= REMEMBERED // 2 and slots_before == len(self.judged)  # it may be older than that
        young = now_us - began_us < self.manner.again_us // 2 and not forgotten
        return now_us // self.manner.again_us != last_us // self.manner.again_us and not young


def _news_on(mark: str, finding: Finding, past: Sequence[dict[str, Finding]], time: _Time) -> Item | None:
    after, untold = time.manner.after, time.is_again and mark not in past[0]
    before = _streak(mark, past[1:] if time.is_again else past)  # attempts at one slot are one slot
    slots = before + 1
    if slots < after:
        return None
    if untold or (slots == after and not time.is_again):
        return Item(News.NEW, finding, slots)
    if finding.severity.rank > past[0][mark].severity.rank:
        return Item(News.WORSE, finding, slots)
    return Item(News.STILL, finding, slots) if time.is_due_again(before) else None


def _by_mark(outcome: SlotOutcome, manner: Manner) -> dict[str, Finding]:
    """The violations that are severe enough, by the mark that stays the same in every slot."""
    findings: dict[str, Finding] = {}
    for finding in outcome.result.findings:
        if finding.violation_type is not None and finding.severity.rank >= manner.least.rank:
            findings.setdefault(fingerprint(finding), finding)
    return findings


def _streak(mark: str, past: Sequence[dict[str, Finding]]) -> int:
    return next((index for index, findings in enumerate(past) if mark not in findings), len(past))


def _error_items(outcome: SlotOutcome, before: Sequence[SlotOutcome]) -> tuple[Item, ...]:
    """The reasons of an error, once: in the slot in which so many attempts in a row have failed."""
    if before and before[0].key == outcome.key and before[0].result.outcome is Outcome.ERRORED:
        return ()  # told with the attempt before, if at all
    tries = _count_errors(before) + 1
    reasons = _reasons(outcome) if tries == _ERRORS_IN_A_ROW else []
    return tuple(Item(News.ERRORED, finding, tries) for finding in reasons)


def _count_errors(before: Sequence[SlotOutcome]) -> int:
    """How many attempts directly before this one could not measure."""
    return len(list(takewhile(lambda earlier: earlier.result.outcome is Outcome.ERRORED, before)))


def _reasons(outcome: SlotOutcome) -> list[Finding]:
    return [finding for finding in outcome.result.findings if finding.violation_type is None]


def _worst_first(item: Item) -> tuple[int, str, str]:
    return (-item.finding.severity.rank, item.finding.element, item.finding.message)


_MOST_ITEMS = 10
# Verbatim: what looks like an address, a channel or a person in a contract's words does not become one.
_MARKUP: dict[str, Json] = {"type": "mrkdwn", "verbatim": True}
_MOST_CHARACTERS = 250  # of one line; a block takes 3,000
_WORDS = {
    News.NEW: "",
    News.WORSE: "Worse: ",
    News.STILL: "Still: ",
    News.OVER: "Over: ",
    News.ERRORED: "",
    News.CHECKED: "Over: ",
}


def message_of(new: NewResult, items: Sequence[Item]) -> tuple[str, bytes]:
    """What it is, in one word for people, and the bytes for the wire; the same bytes for the same news."""
    head = _headline(new, items)
    lines = [_line(item) for item in items[:_MOST_ITEMS]]
    if len(items) > _MOST_ITEMS:
        lines.append(f"… and {len(items) - _MOST_ITEMS} more")
    body: dict[str, Json] = {
        "text": head,
        "blocks": [
            {"type": "section", "text": {**_MARKUP, "text": f"*{head}*\n" + "\n".join(lines)}},
            {"type": "context", "elements": [{**_MARKUP, "text": _context(new)}]},
        ],
    }
    return kind_of(items), json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def kind_of(items: Sequence[Item]) -> str:
    """The most urgent news in it."""
    kinds = {item.news for item in items}
    order = (News.ERRORED, News.NEW, News.WORSE, News.STILL, News.OVER, News.CHECKED)
    return next(news for news in order if news in kinds).value.upper()


def _headline(new: NewResult, items: Sequence[Item]) -> str:
    outcome = new.outcome
    who = f"{plain(outcome.label)} {plain(outcome.version)}".strip()
    check = outcome.key.check_type.replace("_", " ")
    if outcome.result.outcome is Outcome.ERRORED:
        return f"{who}: {check} could not be checked"
    open_ones = [item for item in items if item.news not in (News.OVER, News.CHECKED)]
    if all(item.news is News.CHECKED for item in items):
        return f"{who}: {check} can be checked again"
    if not open_ones:
        kept = outcome.result.outcome is Outcome.PASSED
        return f"{who}: {check} is kept again" if kept else f"{who}: {check} is better, and not yet kept"
    worst = max((item.finding.severity for item in open_ones), key=lambda severity: severity.rank)
    return f"{who}: {check} violated ({worst.value})"


def _line(item: Item) -> str:
    finding = item.finding
    code = f"<{finding.docs_url}|{finding.code.id}>"
    more = " or more" if item.slots >= REMEMBERED else ""
    lasted = f" ({item.slots} slots{more})" if item.slots > 1 else ""
    return f"• {_WORDS[item.news]}{plain(finding.message)} [{finding.severity.value}, {code}]{lasted}{_advice(item)}"


def _advice(item: Item) -> str:
    """Where readers of a contract that ends may go; of other findings the page of the code says what to do."""
    ends = item.finding.violation_type in (ViolationType.DEPRECATION_WARNING, ViolationType.DEPRECATION_ERROR)
    return (
        "".join(f" {plain(text)}" for text in item.finding.suggestions) if ends and item.news is not News.OVER else ""
    )


def _context(new: NewResult) -> str:
    outcome = new.outcome
    owner = new.target.contract.owner
    parts = [plain(outcome.key.namespace), f"slot {plain(outcome.key.when)}"]
    parts += [f"owner {plain(owner)}"] if owner else []
    return " · ".join(parts)


def plain(text: str) -> str:
    """The text as one line that holds no link, no mention and no second line."""
    shown = "".join(each if each.isprintable() else " " for each in text)
    shown = " ".join(shown.split())
    shown = shown if len(shown) <= _MOST_CHARACTERS else f"{shown[: _MOST_CHARACTERS - 1]}…"
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
