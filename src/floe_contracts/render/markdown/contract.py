"""One contract in Markdown: the version to write, what changed from breaking to patch, and who would break.

Findings are items of a list, not rows of a table: a telephone shows them whole, and the fix has a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ...results import Bump, Disposition, Finding, Outcome, Reader
from ..headline import version_cure
from ..links import Links
from ..outline import ContractSection, advice, blast_edges, excuse, is_change, sides, step, who, worst_first
from ..phrases import caution, cures, gate_rule
from ..safe import code_block, code_span
from .fitting import Section, amount

_MOST_READERS = 20
_MOST_EDGES = 100  # GitHub draws no diagram of more than 500, and nobody reads one of 100
_UNSAFE = re.compile(r"[^\w.:/ -]", re.ASCII)
_LABELS = {Bump.MAJOR: "Breaking", Bump.MINOR: "Minor", Bump.PATCH: "Patch"}
_NO_READER = "No consumer is registered for this contract, so nobody can be named. Register them in `.floe/consumers/`."


def contract_section(group: ContractSection, links: Links | None) -> Section:
    """What is open about one contract; what is waived or allowed is listed elsewhere."""
    version = f": {step(group.version, code_span)}" if group.version else ""
    path = "" if group.path == group.title else f"{code_span(group.path)}: "
    lines = [f"#### {code_span(group.title)}{version}", "", f"{path}{_state(group)}".strip()]
    if group.version and group.version.next:
        lines += ["", version_cure(group.version, code_span)]
    return _section(("contract", "contracts"), lines, group, links)


def own_section(group: ContractSection, links: Links | None) -> Section:
    """Findings that belong to no single contract."""
    return _section(("list of other findings", "lists of other findings"), ["#### Besides the contracts"], group, links)


def excused_item(group: ContractSection, item: Finding, links: Links | None) -> str:
    """An item of the list of everything that does not block."""
    words = (_passes(item), caution(item))
    return _item(item, links, words, title=f"{code_span(group.title)}: ")


def _passes(item: Finding) -> str:
    why = excuse(item, code_span)
    return why[:1].upper() + why[1:]


def _section(kind: tuple[str, str], lines: list[str], group: ContractSection, links: Links | None) -> Section:
    findings = [item for item in worst_first(group.findings) if item.standing is Disposition.OPEN]
    items = tuple(_item(item, links, (*_expectations(item), *_fixes(item), caution(item))) for item in findings)
    head = "\n".join(lines) + ("\n" if items else "")
    return Section(kind, head, items, "".join(f"\n\n{part}" for part in _readers(group)))


def _state(group: ContractSection) -> str:
    if group.outcome is Outcome.ERRORED:
        return "could not be checked."
    number = sum(item.blocks for item in group.findings)
    return f"{amount(number, ('finding blocks', 'findings block'))}." if number else "nothing blocks."


def _item(item: Finding, links: Links | None, below: tuple[str, ...], title: str = "") -> str:
    """The label, what changed and where, then what to do on lines of their own."""
    first = [f"**{_label(item)}** {title}{_change(item)}", _place(item, links), _rule(item)]
    return "<br>".join([f"- {' · '.join(part for part in first if part)}", *(words for words in below if words)])


def _label(item: Finding) -> str:
    return _LABELS.get(item.bump, "") or item.severity.value.capitalize()


def _fixes(item: Finding) -> Iterator[str]:
    for words in cures(item, code_span):
        yield f"Fix: {words}"


def _rule(item: Finding) -> str:
    rule = gate_rule(item)
    if rule:
        return f"[{rule.id}]({rule.docs_url})"
    return f"{code_span(item.rule)} [{item.code.id}]({item.docs_url})"


def _change(item: Finding) -> str:
    if is_change(item) and gate_rule(item):  # what differs from a definition or a parent needs its sentence
        (_, before), (_, after) = sides(item)
        return f"{_element(item)}{_difference(before, after)}"
    return f"{_element(item)}{code_span(item.message, 600)}"


def _expectations(item: Finding) -> Iterator[str]:
    if not is_change(item):
        yield from (f"{label.capitalize()}: {code_span(text)}" for label, text in advice(item) if label != "fix")


def _element(item: Finding) -> str:
    return f"{code_span(item.element)}: " if item.element else ""


def _difference(before: str, after: str) -> str:
    if not after:
        return f"{code_span(before)} removed" if before else "changed"
    return f"{code_span(before)} → {code_span(after)}" if before else f"{code_span(after)} added"


def _place(item: Finding, links: Links | None) -> str:
    """The file and the line, as a link to the commit that was checked."""
    spot = item.location
    if spot is None:
        return ""
    place = code_span(f"{spot.path}:{spot.line}" if spot.line else spot.path)
    address = links.line(spot) if links else ""
    return f"[{place}]({address})" if address else place


def _readers(group: ContractSection) -> Iterator[str]:
    if any(item.blocks and item.bump is Bump.MAJOR for item in group.findings) and not (group.readers or group.spared):
        yield _NO_READER
    if group.readers:
        yield _list("**Who breaks**", group.readers, lambda reader: who(reader, code_span))
    if group.downstream:
        yield _list(
            "Readers of what these consumers make of it", group.downstream, lambda reader: who(reader, code_span)
        )
        yield from _diagram(group)
    if group.spared:
        yield _list("Also read by, but not touched", group.spared, lambda reader: code_span(reader.name))


def _diagram(group: ContractSection) -> Iterator[str]:
    """The way of a break as Mermaid, where it stays small; names become plain words there."""
    edges = blast_edges(group)
    if len(edges) > _MOST_EDGES:
        return
    names = list(dict.fromkeys(name for edge in edges for name in edge))
    nodes = [f'  n{number}["{_UNSAFE.sub("·", name)[:60]}"]' for number, name in enumerate(names)]
    arrows = [f"  n{names.index(start)} ==> n{names.index(end)}" for start, end in edges]
    yield code_block(["graph LR", *nodes, *arrows], "mermaid")


def _list(title: str, readers: tuple[Reader, ...], show: Callable[[Reader], str]) -> str:
    more = len(readers) - _MOST_READERS
    lines = [f"- {show(reader)}" for reader in readers[:_MOST_READERS]]
    lines += [f"- and {amount(more, ('other', 'others'))}"] if more > 0 else []
    return "\n".join([f"{title}:", "", *lines])
