"""`floe explain`: what a code or a rule means, why it is there and what to do about it, without a network."""

from __future__ import annotations

import re
import sys
from textwrap import fill

import click

from ..adapters.process.console import Console
from ..adapters.process.output import put_page
from ..codes import CODES, Code, find_code
from ..compat.compiled_rules import RULES
from ..compat.ruleset import find_rule
from ..contract.meaning.phrase import close_names, did_you_mean
from ..render.machine.json_report import printed
from ..render.safe import log_safe
from .docs.detectors import DETECTORS
from .options import format_option, global_options
from .rules import rule_entry


@click.command(short_help="Say what a code or a rule means and how to get out of it.")
@click.argument("words", nargs=-1, metavar="[CODE|RULE]...")
@format_option("terminal", "json")
@global_options(hidden=True)
@click.pass_obj
def explain(console: Console, words: tuple[str, ...], form: str) -> int:
    """Say what a code or a rule means and how to get out of it. Without either, list all codes.

    CODE is written as FLOE-E520, E520 or 520; RULE is the word in brackets behind it, as in property-removed.
    `floe rules` lists the rules of the gate.
    """
    chosen = [_find(word) for word in words]
    if form == "json":
        _print_json(chosen or list(CODES.values()))
    elif chosen:
        colour = console.colour(sys.stdout)
        put_page("\n\n".join(page(each, colour=colour) for each in chosen) + "\n")
    else:
        put_page("".join(f"{code.id}  {code.title}\n" for code in CODES.values()))
    return 0


def page(what: Code | str, *, colour: bool) -> str:
    """A code, or the rule with an id, as a short page."""
    if isinstance(what, str):
        from ..adapters.files.packaged import rule_file
        from .docs.rules import terminal_page

        return terminal_page(rule_file(what), colour=colour)
    return _code_page(what, colour)


def _code_page(code: Code, colour: bool) -> str:
    rows = [("severity", code.severity.value), ("cause", code.cause), ("fix", code.fix), ("docs", code.docs_url)]
    if code.violation_type:
        rows.insert(1, ("violation", code.violation_type.value))
    lines = [f"\x1b[1m{code.id}  {code.title}\x1b[0m" if colour else f"{code.id}  {code.title}"]
    for label, text in rows:
        first = f"  {label:<10}"
        lines.append(fill(text, 100, initial_indent=first, subsequent_indent=" " * 12, break_long_words=False))
    return "\n".join(lines)


def _find(text: str) -> Code | str:
    """A code, the id of a rule of the gate, or the code behind any other word that a report prints in brackets."""
    code = find_code(text)
    if code is not None:
        return code
    if re.match(r"(?:FLOE-?)?E?\d", text.strip(), re.IGNORECASE):
        raise _no_code(text)
    word = text.strip().lower()
    if find_rule(word):
        return word
    if word in DETECTORS:
        return DETECTORS[word]
    raise _no_rule(text, word)


def _no_code(text: str) -> click.UsageError:
    wanted = text.strip().upper().removeprefix("FLOE-")
    short = {each.removeprefix("FLOE-"): each for each in CODES}
    close = [each for each in short if each.startswith(wanted)][:3] or close_names(wanted, short, 3, cutoff=0.5)
    hint = did_you_mean(*close, otherwise="`floe explain` lists all codes.")
    return click.UsageError(f"There is no code '{log_safe(text, 60)}'. {hint}")


_SYNONYMS = (("column", "property"), ("field", "property"), ("table", "object"), ("model", "object"))


def _no_rule(text: str, word: str) -> click.UsageError:
    """Suggests by what people call things, by parts of words, then by likeness."""
    known = [*RULES, *DETECTORS]
    for theirs, ours in _SYNONYMS:
        word = word.replace(theirs, ours)
    close = [each for each in known if word and word in each][:4] or close_names(word, known, 3)
    hint = did_you_mean(*close, otherwise="`floe explain` lists all codes, `floe rules` all rules.")
    return click.UsageError(f"There is no code or rule '{log_safe(text, 60)}'. {hint}")


def _print_json(chosen: list[Code | str] | list[Code]) -> None:
    codes = [_code_entry(each) for each in chosen if isinstance(each, Code)]
    rules = [_rule_entry(each) for each in chosen if isinstance(each, str)]
    put_page(printed({"schema": "floe/codes/v1", "codes": codes, "rules": rules}))


def _code_entry(code: Code) -> dict[str, str | None]:
    return {
        "code": code.id,
        "title": code.title,
        "severity": code.severity.value,
        "violation_type": code.violation_type.value if code.violation_type else None,
        "cause": code.cause,
        "fix": code.fix,
        "docs_url": code.docs_url,
    }


def _rule_entry(rule_id: str) -> dict[str, object]:
    from ..adapters.files.packaged import rule_file

    file = rule_file(rule_id)
    examples = [
        {
            "name": example.name,
            "dialect": example.dialect.value,
            "before": example.before,
            "after": example.after,
            "reports": list(example.expect),
        }
        for example in file.examples
    ]
    return {**rule_entry(file.rule), "examples": examples}
