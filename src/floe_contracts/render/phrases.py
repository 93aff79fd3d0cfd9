"""Sentences taken apart again into floe's own words and the contract's, so that a format can mark which is which."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..frozen import dataclass
from ..results import Finding
from .outline import Show, is_change

if TYPE_CHECKING:
    from ..compat.rule import Rule

_FIELD = re.compile(r"\{\w+(?:\|([^{}]*))?\}")  # as in compat/rule.py: {new}, or {new|what to say without it}
_NOTHING = "nothing"  # what wording.py says for a side that is absent
_LONGEST = 600  # beyond this, matching is not worth its time


def mark_message(item: Finding, show: Show, own: Show = str) -> str:
    """The message of a finding: words of the rule's template pass through `own`, everything else through `show`."""
    rule = gate_rule(item)
    return _mark_words(item.message, rule.message if rule else "", show, own)


def cures(item: Finding, show: Show, own: Show = str) -> Iterable[str]:
    """What to do about a finding; the code's general advice when it brings none of its own."""
    if not item.suggestions:
        return (own(item.code.fix),) if item.blocks else ()
    rule = gate_rule(item)
    return (_mark_words(text, rule.fix if rule else "", show, own) for text in item.suggestions)


def caution(item: Finding) -> str:
    """What people should hear about a change even when it is allowed, or an empty text."""
    rule = gate_rule(item)
    return rule.caution if rule else ""


def gate_rule(item: Finding) -> Rule | None:
    """The rule of the gate that speaks in a finding, if one does."""
    if not is_change(item):
        return None
    from ..compat.ruleset import find_rule  # a lint needs no rules

    return find_rule(item.rule)


def _mark_words(text: str, template: str, show: Show, own: Show) -> str:
    """The text rebuilt from its template; a text that does not fit the template is shown whole."""
    literal, spare = _FIELD.split(template)[::2], _FIELD.split(template)[1::2]
    match = None
    if template and len(text) <= _LONGEST:
        match = re.fullmatch("(.*?)".join(re.escape(words) for words in literal), text, re.DOTALL)
    if match is None:
        return show(text)
    pieces = [Words(literal[0])]
    for data, instead, following in zip(match.groups(), spare, literal[1:], strict=True):
        pieces += [Words(data, strange=data not in ("", instead or _NOTHING)), Words(following)]
    return join_words(pieces, show, own)


@dataclass(frozen=True, slots=True)
class Words:
    """A piece of a sentence: floe's own, which may hold code between backticks, or a stranger's."""

    text: str
    strange: bool = False


def join_words(pieces: Iterable[Words], show: Show, own: Show) -> str:
    """The one builder of sentences with code in them, at any depth.

    A stranger's words inside floe's own code make one span with it, and two spans never touch: in both cases Markdown
    would end the code at the wrong backtick and obey what follows.
    """
    prose, code, strange, ended = "", "", False, False
    words: list[str] = []
    inside = False
    for piece in pieces:
        if piece.strange and not inside:
            words += [own(prose or (" " if ended else "")), show(piece.text)]
            prose, ended = "", True
            continue
        for number, part in enumerate([piece.text] if piece.strange else piece.text.split("`")):
            if number and inside:  # the code is whole: ours alone stays ours
                words += [own(prose or (" " if ended else "")), show(code) if strange else own(f"`{code}`")]
                prose, code, strange, ended = "", "", False, True
            inside ^= bool(number)
            code, prose = (code + part, prose) if inside else (code, prose + part)
            strange |= inside and piece.strange
    return "".join((*words, own(prose), show(code) if code else ""))
