"""One contract on the report page: its row, and below it violations with their fix, checks and readers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ....codes import Severity
from ....results import Location, Reader
from ...links import Links, person_url
from ..markup import code, link, sentence, tag, text
from .chart import ChartWindow
from .lines import CheckLine, Line, State
from .problems import Episode, ProblemHistory
from .row import row
from .tiles import tile
from .words import CHECK_NAMES, ago, amount, pill, spell_value, when

_MOST_PAST = 12  # earlier violations listed


@dataclass(frozen=True, slots=True)
class BoardCard:
    """A line, and what its page knows: the window, the numbers of owners, where files are read, whether it is open."""

    line: Line
    window: ChartWindow
    owners: Mapping[str, str]
    links: Links | None = None
    unfolded: bool = False

    def html(self) -> str:
        line = self.line
        tokens = [f"{check.check} {check.check}-{check.state.value}" for check in line.checks]
        tokens += [f"{check.check}-{State.MISSED.value}" for check in line.checks if check.late]
        body = tag("div", *self._body(), class_="body")
        return tag(
            "details",
            row(line, self.window.until_us),
            body,
            class_=f"card {line.state.value}{' mild' if line.mild else ''}",
            id=line.anchor,
            data_card="",
            data_state=" ".join(state.value for state in State if state in line.states),
            data_check=" ".join(tokens),
            data_owner=self.owners.get(line.owner, ""),
            open="" if self.unfolded else None,
        )

    def _body(self) -> Iterator[str]:
        line = self.line
        yield tag("p", " · ".join(self._about()), class_="soft small about")
        if line.open:
            yield tag("h4", "Now", class_="part")
            yield tag("ul", *(self._problem(*pair) for pair in line.open), class_="problems")
        if line.checks:
            yield tag("div", *(tile(line, check, self.window) for check in line.checks), class_="tiles")
        if line.past:
            yield self._earlier()
        if line.readers:
            yield tag("h4", "Who reads this", class_="part")
            yield readers_table(line.readers)
        cut = [CHECK_NAMES[check.check].lower() for check in line.checks if check.cut]
        if cut:
            words = f"This page leaves out older violations of {' and '.join(cut)}; the store has them."
            yield tag("p", words, class_="soft small end")

    def _about(self) -> Iterator[str]:
        """Where the contract is written, and whom to ask."""
        line, known = self.line, self.line.known
        if known and known.path:
            address = self.links.line(Location(known.path, 1)) if self.links else ""
            yield f"file {link(text(known.path), address)}"
        if line.owner:
            support = known.contract.support if known else None
            yield f"owner {link(text(line.owner, 120), person_url(line.owner, support, self.links))}"
        if line.namespace:
            yield f"namespace {text(line.namespace, 80)}"

    def _problem(self, check: CheckLine, problem: ProblemHistory) -> str:
        item, latest = problem.item, problem.episodes[0]
        facts = (
            pill(item.severity.value, item.severity.value),
            tag("span", CHECK_NAMES[check.check], class_="check"),
            code(item.element) if item.element else "",
            tag("span", link(item.code.id, item.docs_url), class_="soft"),
        )
        message = tag("p", sentence(item.message), class_="message")
        sides = [
            tag("div", tag("dt", label), tag("dd", text(spell_value(words))))
            for label, words in (("expected", item.expected), ("actual", item.actual))
            if words and item.violation_type
        ]
        compared = tag("dl", *sides, class_="both") if sides else ""
        history = tag("p", *self._since(latest, problem), class_="soft small number") if item.violation_type else ""
        fixes = item.suggestions[:2] or ((item.code.fix,) if item.severity is not Severity.INFO else ())
        hints = "".join(tag("p", tag("strong", "Fix: "), sentence(fix), class_="small") for fix in fixes)
        inside = f"{tag('div', *facts, class_='facts')}{message}{compared}{hints}{history}"
        return tag("li", inside, class_=item.severity.value)

    def _since(self, latest: Episode, problem: ProblemHistory) -> Iterator[str]:
        start = "at least since " if latest.earlier else "since "
        yield f"{start}{when(latest.first_us)} ({ago(latest.first_us, self.window.until_us)})"
        yield f" · violated in {amount(latest.slots, 'slot')} in a row · last seen {when(latest.last_us)}"
        others = len(problem.episodes) - 1
        if others:
            yield f" · {amount(others, 'earlier time', 'earlier times')} since {when(problem.first_us)}"

    def _earlier(self) -> str:
        past = self.line.past
        rows = (
            tag(
                "tr",
                tag("td", pill(problem.item.severity.value, problem.item.severity.value)),
                tag("td", text(CHECK_NAMES[check.check])),
                tag("td", sentence(problem.item.message)),
                tag("td", when(problem.first_us), class_="number"),
                tag("td", when(problem.last_us), class_="number"),
                tag("td", str(problem.slots), class_="number right"),
            )
            for check, problem in past[:_MOST_PAST]
        )
        more = tag("p", f"and {len(past) - _MOST_PAST} more", class_="soft small") if len(past) > _MOST_PAST else ""
        head = ("severity", "check", "violation", "first seen", "last seen", "slots")
        summary = tag("summary", f"Earlier violations ({len(past)})")
        return tag("details", summary, table(head, "".join(rows), "Earlier violations"), more, class_="more")


def readers_table(readers: tuple[Reader, ...], kind: str = "wide snug") -> str:
    """Readers with the owner to tell and what they read."""
    rows = (
        tag(
            "tr",
            tag("td", text(reader.name, 120)),
            tag("td", link(text(reader.owner, 120), person_url(reader.owner)) or "–"),
            tag("td", " ".join(code(name) for name in reader.columns) or "every column"),
        )
        for reader in readers
    )
    return table(("reader", "owner", "reads"), "".join(rows), "Readers", kind)


def table(head: tuple[str, ...], rows: str, label: str, kind: str = "wide") -> str:
    """A table whose rows become lists with labels where the page is narrow."""
    cells = (tag("th", name, scope="col") for name in head)
    labelled = "<tr".join(_label_cells(part, head) for part in rows.split("<tr"))
    whole = tag("table", tag("thead", tag("tr", *cells)), tag("tbody", labelled))
    return tag("div", whole, class_=kind, tabindex="0", role="region", aria_label=label)


def _label_cells(row: str, head: tuple[str, ...]) -> str:
    """A row whose cells carry the name of their column; texts are escaped, so `<td` begins nothing but a cell."""
    start, *cells = row.split("<td")
    return start + "".join(f'<td data-label="{name}"{cell}' for name, cell in zip(head, cells, strict=False))
