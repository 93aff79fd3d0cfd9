"""One contract in the catalogue: what it is, its columns, service levels, rules, readers and versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from ....contract.lifecycle import Stage
from ....contract.model import JsonMap, Property, SchemaObject, Sla
from ....contract.source.scalars import text_of
from ...links import encode_path
from ..board.card import readers_table, table
from ..board.words import amount, day, glyph, pill
from ..markup import code, tag, text
from .promises import promises, rule_line
from .values import CatalogEntry, VersionChange, VersionEntry

STAGE_GLYPHS = {Stage.ACTIVE: "passing", Stage.DEPRECATED: "missed", Stage.SUNSET: "violated", Stage.RETIRED: "idle"}
_STAGE_PILLS = {Stage.ACTIVE: "passing", Stage.DEPRECATED: "warning", Stage.SUNSET: "error", Stage.RETIRED: "idle"}
_MOST_COLUMNS = 500
_MOST_CHANGES = 40


@dataclass(frozen=True, slots=True)
class CatalogCard:
    """An entry, and the numbers that owners and domains have on its page."""

    entry: CatalogEntry
    owners: Mapping[str, str]
    domains: Mapping[str, str]

    def html(self) -> str:
        contract, stage = self.entry.contract, self.entry.life.stage
        return tag(
            "details",
            self._summary(),
            tag("div", *self._body(), class_="body"),
            class_="card",
            id=f"contract-{sha256(encode_path(self.entry.path).encode()).hexdigest()[:10]}",
            data_card="",
            data_state=stage.value,
            data_owner=self.owners.get(contract.owner or "", ""),
            data_domain=self.domains.get(contract.domain or "", ""),
        )

    def _summary(self) -> str:
        contract, stage = self.entry.contract, self.entry.life.stage
        about = [text(part, 80) for part in (contract.owner, contract.domain) if part]
        columns = sum(len(each.properties) for each in contract.objects)
        sizes = [amount(columns, "column")]
        if self.entry.readers:
            sizes.append(amount(len(self.entry.readers), "reader"))
        draft = (contract.status or "").strip().casefold() in ("draft", "proposed")
        word = (contract.status or "") if draft and stage is Stage.ACTIVE else stage.value
        parts = (
            glyph(STAGE_GLYPHS[stage]),
            tag("h3", text(contract.label, 120)),
            tag("span", text(contract.version, 40), class_="number version"),
            tag("span", " · ".join(about), class_="soft about"),
            tag(
                "span",
                tag("span", " · ".join(sizes), class_="soft number"),
                pill(word, _STAGE_PILLS[stage] if not draft else "info"),
                class_="standing",
            ),
        )
        return tag("summary", *parts)

    def _body(self) -> Iterator[str]:
        contract = self.entry.contract
        purpose = _purpose(contract.docs)
        if purpose:
            yield tag("p", text(purpose), class_="purpose")
        yield tag("dl", *self._facts(), class_="facts-list")
        columns = tag("div", *(_columns(each) for each in contract.objects))
        yield tag("div", columns, tag("div", *self._beside()), class_="split")

    def _beside(self) -> Iterator[str]:
        contract = self.entry.contract
        if contract.slas:
            yield tag("h4", "Service levels", class_="part")
            head = ("promise", "value", "about")
            yield table(
                head, "".join(_sla(sla, contract.sla_default_element) for sla in contract.slas), "Service levels"
            )
        rules = [(each.name, rule) for each in contract.objects for rule in each.quality]
        if rules:
            yield tag("h4", "Rules of tables", class_="part")
            yield tag("ul", *(tag("li", rule_line(rule)) for _, rule in rules))
        if self.entry.readers:
            yield tag("h4", "Who reads this", class_="part")
            yield readers_table(self.entry.readers, "wide")
        if self.entry.versions:
            yield tag("h4", "Versions", class_="part")
            yield tag("ol", *(_version(version) for version in self.entry.versions), class_="timeline")

    def _facts(self) -> Iterator[str]:
        entry, contract = self.entry, self.entry.contract
        notice = contract.deprecation
        facts = (
            ("key", contract.key if contract.key != contract.label else ""),
            ("product", contract.product),
            ("sunset", str(entry.life.sunset or "")),
            ("replaced by", notice.replacement if notice else ""),
            ("how to move on", notice.migration_guide if notice else ""),
            ("data in", ", ".join(f"{server.name} ({server.type})" for server in contract.servers)),
            ("tags", ", ".join(contract.tags)),
            ("written in", entry.spelling),
            ("file", entry.path),
        )
        for name, words in facts:
            if words:
                yield tag("div", tag("dt", name), tag("dd", text(words, 300)))


def _purpose(docs: JsonMap) -> str:
    description = docs.get("description")
    if isinstance(description, dict):
        description = description.get("purpose")
    return description if isinstance(description, str) else ""


def _columns(each: SchemaObject) -> str:
    columns = [(path, prop) for path, prop in each.columns() if prop.name]
    described = any(_purpose(prop.docs) for _, prop in columns)
    rows = "".join(_column(path, prop, described=described) for path, prop in columns[:_MOST_COLUMNS])
    head = ("column", "type", "promises", "meaning")[: 4 if described else 3]
    more = len(columns) - _MOST_COLUMNS
    rest = tag("p", f"and {more} more", class_="soft small") if more > 0 else ""
    purpose = _purpose(each.docs)
    words = tag("span", f" {text(purpose)}", class_="soft small") if purpose else ""
    title = tag("h4", code(each.name), words, class_="part")
    return title + table(head, rows, f"Columns of {each.name}") + rest


def _column(path: tuple[str, ...], prop: Property, *, described: bool) -> str:
    kind = prop.physical_type or prop.logical_type or "–"
    return tag(
        "tr",
        tag("td", code(".".join(path))),
        tag("td", text(kind, 120), class_="soft"),
        tag("td", promises(prop), class_="marks"),
        tag("td", text(_purpose(prop.docs), 300), class_="meaning") if described else "",
    )


def _sla(sla: Sla, usual: str | None) -> str:
    value = " ".join(text_of(part) for part in (sla.value, sla.unit) if part is not None) or sla.schedule or "–"
    return tag(
        "tr",
        tag("td", text(sla.property, 120)),
        tag("td", text(value, 120), class_="number"),
        tag(
            "td",
            code(sla.element or usual or "") if sla.element or usual else tag("span", "the contract", class_="soft"),
        ),
    )


def _version(version: VersionEntry) -> str:
    when = day(version.day) if version.day else "not committed yet"
    commit = f" · {code(version.commit)}" if version.commit else ""
    head = tag("p", tag("strong", text(version.number, 40)), " ", tag("span", when, commit, class_="soft small number"))
    remark = "first version" if version.first else "nothing changed in meaning"
    changes = [_change(each) for each in version.changes[:_MOST_CHANGES]]
    more = len(version.changes) - _MOST_CHANGES
    rest = tag("li", f"and {more} more", class_="soft small") if more > 0 else ""
    body = tag("ul", *changes, rest, class_="changes") if changes else tag("p", remark, class_="soft small")
    worst = version.changes[0].bump.value if version.changes else ""
    return tag("li", head, body, class_={"major": "error", "block": "error", "minor": "warning"}.get(worst))


def _change(change: VersionChange) -> str:
    return tag("li", pill(change.bump.value, change.bump.value), " ", text(change.words), title=change.rule)
