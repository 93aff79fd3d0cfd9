"""One contract on the report page: a line that says how it stands, and below it checks, violations and readers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ....checks.moments import HOUR
from ....results import Reader
from ..markup import code, link, sentence, tag, text
from .chart import ChartWindow
from .lines import CheckLine, Line, State
from .problems import Episode, ProblemHistory
from .tiles import tile
from .words import CHECK_NAMES, ago, amount, glyph, pill, short, when

_MOST_PAST = 12  # earlier violations listed


@dataclass(frozen=True, slots=True)
class BoardCard:
    """A line and what its page knows about all lines: the window, and the numbers of owners."""

    line: Line
    window: ChartWindow
    owners: Mapping[str, str]

    def html(self) -> str:
        line = self.line
        tokens = [f"{check.check} {check.check}-{check.state.value}" for check in line.checks]
        tokens += [f"{check.check}-{State.MISSED.value}" for check in line.checks if check.late]
        body = tag("div", *self._body(), class_="body")
        return tag(
            "details",
            self._summary(),
            body,
            class_=f"card {line.state.value}{' mild' if line.mild else ''}",
            id=line.anchor,
            data_card="",
            data_state=" ".join(state.value for state in State if state in line.states),
            data_check=" ".join(tokens),
            data_owner=self.owners.get(line.owner, ""),
            open="" if line.state in (State.VIOLATED, State.ERRORED) else None,
        )

    def _summary(self) -> str:
        line = self.line
        about = [text(part, 80) for part in (line.owner, line.namespace) if part]
        parts = (
            glyph(line.state.value),
            tag("h3", text(line.name, 120)),
            tag("span", text(line.version, 40), class_="number version") if line.version else "",
            tag("span", " · ".join(about), class_="soft about"),
            tag("span", *self._standing(), class_="standing"),
        )
        return tag("summary", *parts)

    def _standing(self) -> Iterator[str]:
        line = self.line
        troubled = [check for check in line.checks if check.state is line.state]
        if line.state is State.IDLE:
            yield tag("span", "not checked yet" if not line.checks else "no promise to check", class_="soft")
            return
        if line.state is State.PASSING:
            late = [check for check in line.checks if check.late]
            yield tag("span", _health(line), class_="soft number") if not late else ""
        if line.state is not State.PASSING:
            yield tag("span", ", ".join(CHECK_NAMES[check.check].lower() for check in troubled), class_="which")
        if line.severity and line.state is State.VIOLATED:
            yield tag("span", f"{line.state.value}: ", class_="unseen")
            yield pill(line.severity.value, line.severity.value)
        else:
            yield pill(line.state.value, line.state.value)
        if line.since_us is not None:
            yield tag("span", short(self.window.until_us - line.since_us), class_="soft number since")

    def _body(self) -> Iterator[str]:
        line = self.line
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
        notes = [f"{text(line.known.path)}" if line.known and line.known.path else "", self._cut()]
        yield tag("p", " · ".join(note for note in notes if note), class_="soft small end")

    def _cut(self) -> str:
        cut = [CHECK_NAMES[check.check].lower() for check in self.line.checks if check.cut]
        return f"older violations of {' and '.join(cut)} are in the store" if cut else ""

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
            tag("div", tag("dt", label), tag("dd", text(words)))
            for label, words in (("expected", item.expected), ("actual", item.actual))
            if words and item.violation_type
        ]
        compared = tag("dl", *sides, class_="both") if sides else ""
        history = tag("p", *self._since(latest, problem), class_="soft small number") if item.violation_type else ""
        hints = "".join(tag("p", sentence(hint), class_="small") for hint in item.suggestions[:2])
        inside = f"{tag('div', *facts, class_='facts')}{message}{compared}{hints}{history}"
        return tag("li", inside, class_=item.severity.value)

    def _since(self, latest: Episode, problem: ProblemHistory) -> Iterator[str]:
        start = "at least since " if latest.earlier else "since "
        yield f"{start}{when(latest.first_us)} ({ago(latest.first_us, self.window.until_us)})"
        yield f" · {amount(latest.slots, 'slot')} in a row · last seen {when(latest.last_us)}"
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
        head = ("severity", "check", "what", "first seen", "last seen", "slots")
        summary = tag("summary", f"Earlier violations ({len(past)})")
        return tag("details", summary, table(head, "".join(rows), "Earlier violations"), more, class_="more")


def _health(line: Line) -> str:
    """The numbers of a contract that is well, in a few words."""
    checks = {check.check: check for check in line.checks}
    parts = []
    ratio = checks["availability"].number("availability") if "availability" in checks else None
    age = checks["freshness"].number("freshness_seconds") if "freshness" in checks else None
    score = checks["quality"].number("score") if "quality" in checks else None
    if ratio is not None:
        parts.append(f"{ratio.normalize():f} % up")
    if age is not None:
        parts.append(f"{short(int(age) * HOUR // 3600)} old")
    if score is not None:
        parts.append(f"score {score.normalize():f}")
    return " · ".join(parts)


def readers_table(readers: tuple[Reader, ...], kind: str = "wide snug") -> str:
    """Readers with the owner to tell and what they read."""
    rows = (
        tag(
            "tr",
            tag("td", text(reader.name, 120)),
            tag("td", text(reader.owner, 120) or "–"),
            tag("td", " ".join(code(name) for name in reader.columns) or "every column"),
        )
        for reader in readers
    )
    return table(("reader", "owner", "reads"), "".join(rows), "Readers", kind)


def table(head: tuple[str, ...], rows: str, label: str, kind: str = "wide") -> str:
    """A table that scrolls by itself where the page is narrow."""
    cells = (tag("th", name, scope="col") for name in head)
    whole = tag("table", tag("thead", tag("tr", *cells)), tag("tbody", rows))
    return tag("div", whole, class_=kind, tabindex="0", role="region", aria_label=label)
