"""Rules as SARIF describes them: what a rule means, why it exists, and how to get out of it."""

from __future__ import annotations

import re
from typing import Any

from ..codes import Severity
from ..results import Bump, Finding
from .phrases import gate_rule
from .safe import log_safe

# GitHub cuts names at 255 and descriptions at 1,024 characters.
_NAME, _DESCRIPTION, _HELP = 255, 1_000, 4_000
_GENERAL = {"next_major": "the next major version", "old": "the old one", "new": "the new one"}
_BUMP_LEVELS = {Bump.NONE: "note", Bump.PATCH: "note", Bump.MINOR: "warning", Bump.MAJOR: "error", Bump.BLOCK: "error"}


def descriptor(item: Finding) -> dict[str, Any]:
    """The rule behind a finding: one of the gate's with its own texts, else the code it belongs to."""
    rule, code = gate_rule(item), item.code
    title, why, fix = (rule.title, rule.why, rule.fix) if rule else (code.title, code.cause, code.fix)
    address = rule.docs_url if rule else code.docs_url
    quiet = code.severity.rank < Severity.ERROR.rank
    level = _BUMP_LEVELS[rule.bump] if rule else "warning" if quiet else "error"
    return {
        "id": log_safe(item.rule, 200),
        "name": _pascal(item.rule),
        "shortDescription": {"text": log_safe(title, _DESCRIPTION)},
        "fullDescription": {"text": log_safe(why, _DESCRIPTION)},
        "help": {
            "text": log_safe(f"{why} {_plain(fix)}", _HELP),
            "markdown": f"**{title}**\n\n{why}\n\nFix: {_plain(fix)}\n\n[{code.id}]({code.docs_url})",
        },
        "helpUri": address,
        "defaultConfiguration": {"level": level},
        "properties": {"tags": ["data-contract", code.id, *([rule.area] if rule else [])]},
    }


def _plain(fix: str) -> str:
    """The advice without the words of a certain change."""
    return re.sub(r"\{(\w+)[^{}]*\}", lambda found: _GENERAL.get(found[1], found[1]), fix)


def _pascal(rule: str) -> str:
    words = "".join(word.capitalize() for word in log_safe(rule, 200).replace("_", "-").split("-"))
    return words[:_NAME] or "Finding"
