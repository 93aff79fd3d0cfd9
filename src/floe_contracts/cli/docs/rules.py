"""A rule as a page: for the terminal, for docs/rules/, with its examples shown as the edits they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import ndiff
from textwrap import fill

from ...compat.profiles import PROFILES
from ...compat.rule import AREAS, Direction, Rule, fill_template
from ...compat.rulefile import Example, RuleFile

_WORDS = {"element": "ELEMENT", "old": "OLD", "new": "NEW", "next_major": "the next major version"}
_COLOURS = {"+": "32", "-": "31"}
DIRECTIONS = {
    Direction.LOOSENS: "readers can rely on less",
    Direction.TIGHTENS: "writers and rows already written must do more",
    Direction.BOTH: "what was relied on is replaced by something else",
    Direction.NEITHER: "the promise about the data stays",
}


def terminal_page(file: RuleFile, *, colour: bool) -> str:
    """One rule as a short page with its examples."""
    rule = file.rule
    head = f"{rule.id}  {rule.title}"
    lines = [f"\x1b[1m{head}\x1b[0m" if colour else head]
    for label, text in _rows(rule):
        first = f"  {label:<11}"
        lines.append(fill(text, 100, initial_indent=first, subsequent_indent=" " * 13, break_long_words=False))
    for example in file.examples:
        lines += ["", f"  {_caption(example)}", *(f"    {_paint(line, colour)}" for line in edit(example))]
    return "\n".join(lines)


def _rows(rule: Rule) -> Iterator[tuple[str, str]]:
    yield "bump", prices(rule)
    yield "direction", f"{rule.direction.value}: {DIRECTIONS[rule.direction]}"
    yield "why", rule.why
    yield "message", fill_template(rule.message, _WORDS)
    yield "fix", fill_template(rule.fix, _WORDS)
    if rule.caution:
        yield "caution", rule.caution
    yield "docs", rule.docs_url


def prices(rule: Rule) -> str:
    """What a rule costs, with the profiles that see it differently."""
    usual = rule.bump_in("floe")
    others = {profile: rule.bump_in(profile) for profile in PROFILES}
    odd = [f"{bump.value} in profile {profile}" for profile, bump in others.items() if bump is not usual]
    return "; ".join([usual.value, *odd])


def edit(example: Example) -> list[str]:
    """The example as a whole-file diff: lines begin with a space, a minus or a plus."""
    before, after = example.before.splitlines(), example.after.splitlines()
    return [line[0] + line[2:] for line in ndiff(before, after) if line[0] != "?"]


def _caption(example: Example) -> str:
    result = f"reports {', '.join(example.expect)}" if example.expect else "this rule stays silent"
    return f"{example.name} ({example.dialect.value}): {result}"


def _paint(line: str, colour: bool) -> str:
    style = _COLOURS.get(line[:1])
    return f"\x1b[{style}m{line}\x1b[0m" if colour and style else line


def index_page(rules: Sequence[Rule], notice: str) -> str:
    """docs/rules.md: how prices are made, then the table of every area."""
    lines = [notice, *_INTRODUCTION, "", "| profile | what it is |", "|---|---|"]
    lines += [f"| `{name}` | {meaning} |" for name, meaning in PROFILES.items()]
    for area, title in AREAS.items():
        lines += ["", f"## {title}", ""]
        lines += _table([rule for rule in rules if rule.area == area], f"rules/{area}.md")
    return "\n".join(lines) + "\n"


def area_page(files: Sequence[RuleFile], area: str, notice: str) -> str:
    """docs/rules/AREA.md: every rule of an area; the anchors are what docs_url points to."""
    chosen = [file for file in files if file.rule.area == area]
    lines = [notice, f"# Rules: {AREAS[area][0].lower()}{AREAS[area][1:]}", ""]
    lines += ["What a version bump and a profile are stands on the page of [all rules](../rules.md).", ""]
    lines += _table([file.rule for file in chosen])
    for file in chosen:
        lines += _section(file)
    return "\n".join(lines) + "\n"


_INTRODUCTION = (
    "# Rules",
    "",
    "Every change between two versions of a contract is reported by one rule. A rule says how far the version must",
    "rise, why, and how to do the same without breaking anybody. `floe explain RULE` prints the same offline, and",
    "`floe rules` lists them all. `.floe/config.yaml` may raise a price, as in",
    "`rules: {enum-value-added: {bump: major}}`, but never lower it. Each example is also a test: what its caption",
    "says is what the rule reports.",
)


def _table(rules: Iterable[Rule], page: str = "") -> Iterator[str]:
    yield from ("| rule | version bump | what changed |", "|---|---|---|")
    for rule in rules:
        yield f"| [{rule.id}]({page}#{rule.id}) | {prices(rule)} | {rule.title} |"


def _section(file: RuleFile) -> Iterator[str]:
    rule = file.rule
    yield from ("", f"## {rule.id}", "", f"**{rule.title}**: {prices(rule)}.", "", rule.why, "")
    yield from (f"Told as `{fill_template(rule.message, _WORDS)}`", "", f"Fix: {fill_template(rule.fix, _WORDS)}")
    if rule.caution:
        yield from ("", f"Caution: {rule.caution}")
    for example in file.examples:
        result = f"reports `{'`, `'.join(example.expect)}`" if example.expect else "this rule stays silent"
        name = example.name[0].upper() + example.name[1:]
        yield from ("", f"{name} ({example.dialect.value}): {result}", "", "```diff", *edit(example), "```")
