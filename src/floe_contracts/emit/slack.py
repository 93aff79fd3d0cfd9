"""News as the JSON that Slack and its likes take: a text for the notification, and blocks for the channel."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ..contract.model import Json
from ..monitor.run.delivery import Told
from ..results import Outcome
from .notices import REMEMBERED, Item, News

_MOST_ITEMS = 10
_MOST_CHARACTERS = 250  # of one line; a block takes 3,000
_WORDS = {
    News.NEW: "",
    News.WORSE: "Worse: ",
    News.STILL: "Still: ",
    News.OVER: "Over: ",
    News.ERRORED: "",
    News.CHECKED: "Over: ",
}


def message_of(told: Told, items: Sequence[Item]) -> tuple[str, bytes]:
    """What it is, in one word for people, and the bytes for the wire; the same bytes for the same news."""
    head = _headline(told, items)
    lines = [_line(one) for one in items[:_MOST_ITEMS]]
    if len(items) > _MOST_ITEMS:
        lines.append(f"… and {len(items) - _MOST_ITEMS} more")
    body: dict[str, Json] = {
        "text": head,
        "blocks": [
            {"type": "section", "text": {"type": "mrkdwn", "text": f"*{head}*\n" + "\n".join(lines)}},
            {"type": "context", "elements": [{"type": "mrkdwn", "text": _context(told)}]},
        ],
    }
    return kind_of(items), json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def kind_of(items: Sequence[Item]) -> str:
    """The most urgent news in it."""
    kinds = {one.news for one in items}
    order = (News.ERRORED, News.NEW, News.WORSE, News.STILL, News.OVER, News.CHECKED)
    return next(one for one in order if one in kinds).value.upper()


def _headline(told: Told, items: Sequence[Item]) -> str:
    outcome = told.outcome
    who = f"{plain(outcome.label)} {plain(outcome.version)}".strip()
    check = outcome.key.check_type.replace("_", " ")
    if outcome.result.outcome is Outcome.ERRORED:
        return f"{who}: {check} could not be checked"
    open_ones = [one for one in items if one.news not in (News.OVER, News.CHECKED)]
    if all(one.news is News.CHECKED for one in items):
        return f"{who}: {check} can be checked again"
    if not open_ones:
        kept = outcome.result.outcome is Outcome.PASSED
        return f"{who}: {check} is kept again" if kept else f"{who}: {check} is better, and not yet kept"
    worst = max((one.finding.severity for one in open_ones), key=lambda one: one.rank)
    return f"{who}: {check} violated ({worst.value})"


def _line(item: Item) -> str:
    found = item.finding
    code = f"<{found.docs_url}|{found.code.id}>"
    more = " or more" if item.slots >= REMEMBERED else ""
    lasted = f" ({item.slots} slots{more})" if item.slots > 1 else ""
    return f"• {_WORDS[item.news]}{plain(found.message)} [{found.severity.value}, {code}]{lasted}"


def _context(told: Told) -> str:
    outcome = told.outcome
    owner = told.target.contract.owner
    parts = [plain(outcome.key.namespace), f"slot {plain(outcome.key.when)}"]
    parts += [f"owner {plain(owner)}"] if owner else []
    return " · ".join(parts)


def plain(text: str) -> str:
    """One line that nobody's words can turn into a link, a mention or a second line."""
    shown = "".join(each if each.isprintable() else " " for each in text)
    shown = " ".join(shown.split())
    shown = shown if len(shown) <= _MOST_CHARACTERS else f"{shown[: _MOST_CHARACTERS - 1]}…"
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
