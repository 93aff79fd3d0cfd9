"""The catalogue of contracts as one HTML page: what each promises, to whom, since when, and how it came about."""

from __future__ import annotations

from collections.abc import Sequence

from ....contract.lifecycle import Stage
from ..board.words import counted, glyph
from ..frame import KEYS, Filter, numbered, page, tools
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
    """The page; the same catalogue gives the same bytes."""
    entries = sorted(catalog.entries, key=lambda one: (one.contract.label.casefold(), one.path))
    owners = numbered([one.contract.owner for one in entries if one.contract.owner])
    domains = numbered([one.contract.domain for one in entries if one.contract.domain])
    cards = "".join(CatalogCard(entry, owners, domains).html() for entry in entries)
    choices = (
        Filter("owner", "Every owner", tuple((value, name) for name, value in owners.items())),
        Filter("domain", "Every domain", tuple((value, name) for name, value in domains.items())),
    )
    used = tuple(one for one in choices if one.entries)
    body = f"{_counts(entries)}{tools(used, 'contracts')}{_list(cards, entries)}{_remarks(catalog)}"
    about = f"{counted(len(entries), 'contract')}{_revision(catalog)}"
    title = tag("div", tag("h1", "Contract catalogue"), tag("p", about, class_="soft"))
    footer = f"{KEYS}{tag('p', 'floe ', text(catalog.tool_version, 40))}"
    return page("Contract catalogue", tag("header", tag("div", title), class_="top"), body, footer)


def _revision(catalog: Catalog) -> str:
    return f" · commit {text(catalog.revision, 40)}" if catalog.revision else ""


def _counts(entries: Sequence[CatalogEntry]) -> str:
    found = {stage: sum(one.life.stage is stage for one in entries) for stage in Stage}
    shown = [stage for stage in Stage if found[stage] or stage is Stage.ACTIVE]
    if shown == [Stage.ACTIVE]:
        return ""
    return tag("div", *(_count(stage, found[stage]) for stage in shown), class_="counts", role="group")


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
    said = [tag("p", code(path), " could not be read; floe lint tells why.") for path in catalog.unread]
    if not catalog.whole:
        said.append(tag("p", "This clone holds only a part of the history, so older versions may be missing."))
    return tag("div", *said, class_="soft small end") if said else ""
