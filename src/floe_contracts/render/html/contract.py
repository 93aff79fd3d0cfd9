"""One contract on the HTML page: its version step, its findings by standing, its readers, and both texts."""

from __future__ import annotations

from collections.abc import Iterator

from ...frozen import dataclass
from ...results import Disposition, Finding, Outcome, Reader
from ..headline import version_cure
from ..links import Links
from ..outline import ContractSection, advice, excuse, is_change, sides, step, worst_first
from ..phrases import caution, cures, gate_rule, mark_message
from .blast import blast_picture
from .markup import code, link, prose, sentence, tag, text
from .sources import Sources, line_anchor, side_by_side

_OPEN_TITLES = {True: "Blocks this change", False: "Worth a look"}
_FOLDED = {
    Disposition.WAIVED: "Waived",
    Disposition.REPORTED: "Reported only",
    Disposition.ALLOWED: "Allowed",
}


@dataclass(frozen=True, slots=True)
class ContractCard:
    """A contract, its place on the page, and what its links may point to."""

    number: int
    group: ContractSection
    links: Links | None = None
    sources: Sources | None = None

    @property
    def anchor(self) -> str:
        return f"contract-{self.number}"

    @property
    def title(self) -> str:
        return self.group.title or self.group.path or "Besides the contracts"

    def anchored_findings(self) -> tuple[tuple[str, Finding], ...]:
        """The findings, worst first, each with its anchor."""
        findings = enumerate(worst_first(self.group.findings), 1)
        return tuple((f"{self.anchor}-finding-{number}", item) for number, item in findings)

    def html(self) -> str:
        group = self.group
        path = tag("span", text(group.path), class_="path") if group.path not in ("", self.title) else ""
        dialect = tag("span", text(group.dialect), class_="pill") if group.dialect else ""
        heading = tag("header", tag("h2", text(self.title)), path, dialect, self.state())
        parts = [heading, *self.version(), *self.open(), *self.readers(), *self.folds(), *self.texts()]
        return tag("section", *parts, class_="card", id=self.anchor, aria_label=self.title)

    def state(self) -> str:
        """The outcome in one word, in the colour of what is worst."""
        blocking = sum(item.blocks for item in self.group.findings)
        if self.group.outcome is Outcome.ERRORED:
            return tag("span", "could not be checked", class_="pill warning")
        if blocking:
            return tag("span", f"{blocking} blocking", class_="pill error")
        return tag("span", self.group.outcome.value, class_="pill passed")

    def version(self) -> Iterator[str]:
        version = self.group.version
        if version:
            yield tag("p", step(version, code), class_="version")
        if version and version.next:
            yield tag(
                "p", tag("strong", "Fix: "), version_cure(version, code).replace("`floe bump`", code("floe bump"))
            )

    def open(self) -> Iterator[str]:
        for blocking, title in _OPEN_TITLES.items():
            opened = [each for each in self.anchored_findings() if each[1].standing is Disposition.OPEN]
            findings = [each for each in opened if each[1].blocks is blocking]
            if findings:
                yield tag("h3", title)
                yield from (self.finding(*each) for each in findings)

    def folds(self) -> Iterator[str]:
        for standing, title in _FOLDED.items():
            findings = [each for each in self.anchored_findings() if each[1].standing is standing]
            if findings:
                summary = tag("summary", f"{title} ({len(findings)})")
                unfolded = "" if standing is Disposition.WAIVED else None
                yield tag("details", summary, *(self.finding(*each) for each in findings), open=unfolded)

    def finding(self, anchor: str, item: Finding) -> str:
        rule = gate_rule(item)
        facts = (
            tag("span", item.severity.value, class_=f"pill {item.severity.value}"),
            tag("span", link(text(item.rule), rule.docs_url if rule else item.docs_url), class_="rule"),
            code(item.element) if item.element else "",
            tag("span", f"needs {item.bump.value}", class_=f"pill {item.bump.value}") if rule else "",
            tag("span", item.code.id, class_="soft"),
            self.place(item),
        )
        show = code if rule else sentence
        excused = item.standing is not Disposition.OPEN
        parts = [tag("p", mark_message(item, show, prose)), _both_sides(item)]
        if excused:
            parts.append(tag("p", excuse(item, text), class_="soft"))
        else:
            parts += (tag("p", tag("strong", "Fix: "), fix) for fix in cures(item, show, prose))
        parts += [tag("p", tag("strong", "Mind: "), prose(caution(item)))] if caution(item) else []
        kind = "excused" if excused else item.severity.value
        return tag("article", tag("div", *facts, class_="facts"), *parts, class_=f"finding {kind}", id=anchor)

    def place(self, item: Finding) -> str:
        spot = item.location
        if spot is None:
            return ""
        words = text(str(spot)) if spot.path != self.group.path or not spot.line else f"line {spot.line}"
        if self.sources and spot.line and spot.path == self.group.path and self.sources.shows(spot.line):
            return link(words, f"#{line_anchor(self.anchor, spot.line)}")
        return link(words, self.links.line(spot) if self.links else "")

    def readers(self) -> Iterator[str]:
        everyone = [(reader, "breaks") for reader in self.group.readers]
        everyone += [(reader, "further down") for reader in self.group.downstream]
        everyone += [(reader, "not touched") for reader in self.group.spared]
        if not everyone:
            return
        rows = (
            tag(
                "tr",
                tag("td", text(reader.name)),
                tag("td", text(reader.owner) or "–"),
                tag("td", self._reads(reader)),
                tag("td", tag("span", effect, class_="pill error" if effect == "breaks" else "pill")),
            )
            for reader, effect in everyone
        )
        head = tag("tr", *(tag("th", name, scope="col") for name in ("reader", "owner", "reads", "effect")))
        yield tag("h3", "Who reads this contract")
        table = tag("table", tag("thead", head), tag("tbody", *rows), class_="readers")
        yield tag("div", table, class_="wide", tabindex="0", role="region", aria_label="Readers")
        yield from blast_picture(self.group)

    def _reads(self, reader: Reader) -> str:
        names = (reader.through,) if reader.through else reader.columns
        words = " ".join(code(name) for name in names) or "every column"
        return words + "".join(f"<br>{text(place)}" for place in reader.places)

    def texts(self) -> Iterator[str]:
        if self.sources:
            noted = {
                item.location.line: anchor
                for anchor, item in reversed(self.anchored_findings())
                if item.location and item.location.line and item.location.path == self.group.path
            }
            table = side_by_side(self.sources, self.anchor, noted)
            yield tag("details", tag("summary", "Both texts side by side"), table, open="")


def _both_sides(item: Finding) -> str:
    """Old and new beside each other, or what was expected beside what is there."""
    pairs = sides(item) if is_change(item) else tuple(pair for pair in advice(item) if pair[0] != "fix")
    shown = [
        tag("div", tag("dt", label), tag("dd", text(words) if words else "nothing"), class_=label)
        for label, words in pairs
    ]
    return tag("dl", *shown, class_="sides") if shown else ""
