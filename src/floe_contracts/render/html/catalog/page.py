"""The catalogue of contracts as one HTML page: what each promises, to whom, since when, and how it came about."""

from __future__ import annotations

from collections.abc import Sequence

from ....contract.lifecycle import Stage
from ..board.words import amount, glyph
from ..frame import KEYS, Filter, number_names, page, tools
from ..markup import code, tag, text
from .card import STAGE_GLYPHS, CatalogCard
from .values import Catalog, CatalogEntry

__all__ = ["render_catalog"]

_WORDS = {
    Stage.ACTIVE: "promised and kept up",
    Stage.DEPRECATED: "readers were told to move",
    Stage.SUNSET: "gone within a week",
    Stage.RETIRED: "no longer promised",
}


def render_catalog(catalog: Catalog) -> str:
    """The catalogue as HTML; the same catalogue gives the same bytes."""
    entries = sorted(catalog.entries, key=lambda entry: (entry.contract.label.casefold(), entry.path))
    owners = number_names([entry.contract.owner for entry in entries if entry.contract.owner])
    domains = number_names([entry.contract.domain for entry in entries if entry.contract.domain])
    cards = "".join(
        _domain(domain, [entry for entry in entries if entry.contract.domain == domain], owners, domains)
        for domain in sorted({entry.contract.domain for entry in entries}, key=_domain_order)
    )
    choices = (
        Filter("owner", "Every owner", tuple((value, name) for name, value in owners.items())),
        Filter("domain", "Every domain", tuple((value, name) for name, value in domains.items())),
    )
    used = tuple(choice for choice in choices if choice.entries)
    body = f"{_counts(entries)}{tools(used, 'contracts')}{_list(cards, entries)}{_remarks(catalog)}"
    about = f"{amount(len(entries), 'contract')}{_revision(catalog)}"
    title = tag("div", tag("h1", "Contract catalogue"), tag("p", about, class_="soft"))
    footer = f"{KEYS}{tag('p', 'floe ', text(catalog.tool_version, 40))}"
    return page("Contract catalogue", tag("header", tag("div", title), class_="top"), body, footer)


def _domain_order(domain: str | None) -> tuple[bool, str]:
    """By name, and what belongs to no domain at the end."""
    return not domain, (domain or "").casefold()


def _domain(
    domain: str | None, entries: Sequence[CatalogEntry], owners: dict[str, str], domains: dict[str, str]
) -> str:
    """The contracts of one domain below its name; no heading where no contract names a domain."""
    title = text(domain, 120) if domain else "no domain"
    size = tag("span", f" {amount(len(entries), 'contract')}", class_="soft small")
    heading = tag("h2", title, size) if domains else ""
    return tag("div", heading, *(CatalogCard(entry, owners, domains).html() for entry in entries), class_="group")


def _revision(catalog: Catalog) -> str:
    return f" · commit {text(catalog.revision, 40)}" if catalog.revision else ""


def _counts(entries: Sequence[CatalogEntry]) -> str:
    counts = {stage: sum(entry.life.stage is stage for entry in entries) for stage in Stage}
    shown = [stage for stage in Stage if counts[stage] or stage is Stage.ACTIVE]
    if shown == [Stage.ACTIVE]:
        return ""
    return tag("div", *(_count(stage, counts[stage]) for stage in shown), class_="counts", role="group")


def _count(stage: Stage, number: int) -> str:
    name = tag("span", glyph(STAGE_GLYPHS[stage]), stage.value, class_="label")
    words = tag("span", _WORDS[stage], class_="soft small")
    return (
        f'<button type="button" data-state="{stage.value}" aria-pressed="false" disabled>'
        f"{name}{tag('strong', str(number))}{words}</button>\n"
    )


def _list(cards: str, entries: Sequence[CatalogEntry]) -> str:
    empty = tag("p", "There is no contract here.", class_="soft") if not entries else ""
    clear = '<button type="button" id="clear">Show all</button>'
    nothing = f'<p id="nothing" hidden>No contract fits. {clear}</p>\n'
    title = tag("h2", "Contracts", class_="unseen")
    return tag("section", title, cards, empty, nothing, id="contracts", aria_label="Contracts")


def _remarks(catalog: Catalog) -> str:
    remarks = [tag("p", code(path), " could not be read; floe lint tells why.") for path in catalog.unread]
    if not catalog.whole:
        remarks.append(tag("p", "This clone holds only a part of the history, so older versions may be missing."))
    return tag("div", *remarks, class_="soft small end") if remarks else ""
