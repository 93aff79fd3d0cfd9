"""One contract in Markdown: the version to write, a table of findings with links, and who would break."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...results import Disposition, Finding, Outcome, Reader
from ..headline import version_cure
from ..links import Links
from ..outline import ContractSection, advice, excuse, is_change, sides, step, who, worst_first
from ..phrases import caution, cures, gate_rule
from ..safe import code_span
from .fitting import Section, amount

_MOST_READERS = 20
_NONE = "–"


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


def row_of_excused(group: ContractSection, item: Finding, links: Links | None) -> str:
    """A row of the table of everything that does not block."""
    cells = (code_span(group.title), _rule(item), _element(item), _change(item), _line(item, links, group.path))
    return _row(*cells, "<br>".join(part for part in (excuse(item, code_span), caution(item)) if part))


def _section(kind: tuple[str, str], lines: list[str], group: ContractSection, links: Links | None) -> Section:
    findings = [item for item in worst_first(group.findings) if item.standing is Disposition.OPEN]
    if findings:
        what = "before → after" if any(is_change(item) for item in findings) else "what"
        lines += ["", f"|  | rule | element | {what} | line | fix |", "|---|---|---|---|---|---|"]
    rows = tuple(_finding(item, links, group.path) for item in findings)
    return Section(kind, "\n".join(lines), rows, "".join(f"\n\n{part}" for part in _readers(group)))


def _state(group: ContractSection) -> str:
    if group.outcome is Outcome.ERRORED:
        return "could not be checked."
    number = sum(item.blocks for item in group.findings)
    return f"{amount(number, ('finding blocks', 'findings block'))}." if number else "nothing blocks."


def _finding(item: Finding, links: Links | None, known: str) -> str:
    cells = (item.severity.value, _rule(item), _element(item), _change(item), _line(item, links, known))
    return _row(*cells, "<br>".join(part for part in (*cures(item, code_span), caution(item)) if part))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell or _NONE for cell in cells)} |"


def _rule(item: Finding) -> str:
    rule = gate_rule(item)
    if rule:
        return f"[{rule.id}]({rule.docs_url})<br>needs {item.bump.value.upper()}"
    return f"{code_span(item.rule)}<br>[{item.code.id}]({item.docs_url})"


def _element(item: Finding) -> str:
    return code_span(item.element) if item.element else ""


def _change(item: Finding) -> str:
    if is_change(item):
        (_, before), (_, after) = sides(item)
        return f"{_side(before)} → {_side(after)}"
    lines = [code_span(item.message, 600)]
    lines += [f"{label} {code_span(text)}" for label, text in advice(item) if label != "fix"]
    return "<br>".join(lines)


def _side(text: str) -> str:
    return code_span(text) if text else "nothing"


def _line(item: Finding, links: Links | None, known: str) -> str:
    """The line with a link to it, and the file unless it is the one above the table."""
    spot = item.location
    if spot is None:
        return ""
    path = code_span(spot.path) if spot.path != known else ""
    address = links.line(spot) if links else ""
    number = f"[{spot.line}]({address})" if address else str(spot.line or "")
    return f"{path} {number}".strip()


def _readers(group: ContractSection) -> Iterator[str]:
    if group.readers:
        yield _list("**Who breaks**", group.readers, lambda reader: who(reader, code_span))
    if group.spared:
        yield _list("Also read by, but not touched", group.spared, lambda reader: code_span(reader.name))


def _list(title: str, readers: tuple[Reader, ...], show: Callable[[Reader], str]) -> str:
    more = len(readers) - _MOST_READERS
    lines = [f"- {show(reader)}" for reader in readers[:_MOST_READERS]]
    lines += [f"- and {amount(more, ('other', 'others'))}"] if more > 0 else []
    return "\n".join([f"{title}:", "", *lines])
