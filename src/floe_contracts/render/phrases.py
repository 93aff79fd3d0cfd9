"""Sentences taken apart again into floe's own words and the contract's, so that a format can mark which is which."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..results import Finding
from .outline import Show, is_change

if TYPE_CHECKING:
    from ..compat.rule import Rule

_FIELD = re.compile(r"\{\w+(?:\|[^{}]*)?\}")  # as compat.wording writes them
_LONGEST = 600  # beyond this, matching is not worth its time


def told(item: Finding, show: Show) -> str:
    """The message of a finding, with everything that did not come from a rule's own template shown by `show`."""
    rule = gate_rule(item)
    return _marked(item.message, rule.message if rule else "", show)


def cures(item: Finding, show: Show) -> Iterable[str]:
    """What to do about a finding; the code's general advice when it brings none of its own."""
    if not item.suggestions:
        return (item.code.fix,) if item.blocks else ()
    rule = gate_rule(item)
    return (_marked(text, rule.fix if rule else "", show) for text in item.suggestions)


def gate_rule(item: Finding) -> Rule | None:
    """The rule of the gate that speaks in a finding, if one does."""
    if not is_change(item):
        return None
    from ..compat.ruleset import find_rule  # a lint needs no rules

    return find_rule(item.rule)


def _marked(text: str, template: str, show: Show) -> str:
    """The text rebuilt from its template; a text that does not fit the template is shown whole."""
    own = _FIELD.split(template)
    found = None
    if template and len(text) <= _LONGEST:
        found = re.fullmatch("(.*?)".join(re.escape(words) for words in own), text, re.DOTALL)
    if found is None:
        return show(text)
    words = [own[0]]
    for data, following in zip(found.groups(), own[1:], strict=True):
        words += [show(data) if data else "", following]
    return "".join(words)
