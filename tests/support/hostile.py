"""Reports whose every text is written by somebody who wants to be obeyed."""

from __future__ import annotations

from hypothesis import strategies as st

from floe_contracts.codes import CODES, Severity
from floe_contracts.compat.rule import WORDS, fill_template
from floe_contracts.compat.ruleset import all_rules
from floe_contracts.results import (
    Bump,
    CheckResult,
    Disposition,
    Finding,
    Location,
    Outcome,
    Reader,
    Report,
    VersionStep,
)
from floe_contracts.results.facts import read_finding, read_result, read_scope

PLANTED = "Ω"  # stands in every planted text and nowhere in floe's own words

_PIECES = [
    "##[",
    "::",
    "::error::",
    "::set-output name=a::b",
    "##[add-mask]",
    "%0A",
    "%25",
    "\r",
    "\n",
    "\r\n",
    "\t",
    "\x0b",
    "\x0c",
]
_PIECES += [
    "\x1b[31m",
    "\x1b]8;;http://x\x07",
    "\x9b1m",
    "\u0085",
    "\u00a0",
    "\u2028",
    "\u202e",
    "\u200b",
    "\ufeff",
    "\udcff",
]
_PIECES += [
    "`",
    "``",
    "```",
    "~~~",
    "|",
    "\\",
    "\\|",
    "-->",
    "<!--",
    "<b>",
    "</details>",
    "<script>alert(1)</script>",
    "<img src=x>",
]
_PIECES += [
    "@all",
    "#1",
    "org/repo#2",
    "[a](http://x)",
    "![a](http://x)",
    "](",
    "http://x.io",
    "www.x.io",
    "*",
    "_",
    "# ",
    "- ",
    "> ",
]
_PIECES += ["&lt;", "&#64;", '"', "'", "]]>", "<![CDATA[", "{old}", ",", "=", ":", " ", "    ", "", "a", "…"]


def _joined(number: int) -> str:
    """Two pieces, the mark, two pieces: one draw instead of many makes a whole report cheap."""
    chosen = []
    for _ in range(4):
        number, index = divmod(number, len(_PIECES))
        chosen.append(_PIECES[index])
    return "".join((*chosen[:2], PLANTED, *chosen[2:]))


def planted_names(number: int) -> list[str]:
    """So many different names, spread over all that the pieces can make; the first says what was once obeyed."""
    step = len(_PIECES) ** 4 // number
    return [
        f"@acme/everyone {PLANTED} [x](https://x.io) <img src=x>",
        *(_joined(i * step + i % 97) for i in range(number)),
    ]


planted = st.integers(0, len(_PIECES) ** 4 - 1).map(_joined)
texts = st.one_of(planted, st.just(""))
maybe = st.one_of(planted, st.none())
lines = st.one_of(st.none(), st.integers(1, 10**6))
RULES = {rule.id: rule for rule in all_rules()}
rule_ids = st.one_of(planted, st.sampled_from(sorted(RULES)))


def _filled(template: str, word: str) -> str:
    return fill_template(template, dict.fromkeys(WORDS, word))


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    """A finding; some imitate what a rule would say, with a planted text where the contract's words stand."""
    rule, word = draw(rule_ids), draw(planted)
    imitated = rule in RULES and draw(st.sampled_from((True, True, False)))
    item = Finding(
        code=draw(st.sampled_from(list(CODES.values()))),
        rule=rule,
        message=_filled(RULES[rule].message, word) if imitated else draw(planted),
        severity=draw(st.sampled_from(Severity)),
        contract=draw(texts),
        element=draw(texts),
        location=draw(st.one_of(st.none(), st.builds(Location, planted, lines, lines))),
        expected=draw(texts),
        actual=draw(texts),
        suggestions=(_filled(RULES[rule].fix, word),) if imitated else tuple(draw(st.lists(planted, max_size=2))),
        bump=draw(st.sampled_from(Bump)),
        standing=draw(st.sampled_from((*Disposition, Disposition.OPEN, Disposition.OPEN, Disposition.OPEN))),
        fingerprint=draw(planted if imitated else texts),
    )
    pairs = st.one_of(st.just(()), st.tuples(st.tuples(st.sampled_from(("waiver", "standing")), planted)))
    return read_finding(item, draw(pairs))


versions = st.builds(VersionStep, maybe, maybe, st.sampled_from(Bump), st.sampled_from(Bump), maybe, texts)
readers = st.builds(Reader, planted, texts, st.lists(planted, max_size=3).map(tuple), st.booleans())
contexts = st.dictionaries(st.one_of(planted, st.sampled_from(("base", "head", "unchanged"))), texts, max_size=3)
_results = st.builds(
    CheckResult,
    check=planted,
    contract=planted,
    outcome=st.sampled_from(Outcome),
    path=texts,
    findings=st.lists(findings(), max_size=3).map(tuple),
    version=st.one_of(st.none(), versions),
    readers=st.lists(readers, max_size=3).map(tuple),
)
_dialects = st.one_of(st.just(()), st.tuples(st.tuples(st.just("dialect"), planted)))
results = st.builds(read_result, _results, _dialects)


def reports() -> st.SearchStrategy[Report]:
    """Any report at all, with planted text in every place that takes text."""
    built = st.builds(
        Report,
        command=planted,
        tool_version=planted,
        results=st.lists(results, max_size=2).map(tuple),
        findings=st.lists(findings(), max_size=2).map(tuple),
        notes=st.lists(planted, max_size=2).map(tuple),
        fail_on=st.sampled_from(("any", "breaking", "never")),
        allow_empty=st.booleans(),
    )
    return st.builds(read_scope, built, contexts.map(lambda pairs: tuple(pairs.items())))
