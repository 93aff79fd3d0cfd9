"""Definitions of a change held to their contracts: only what changed on either side is read, at both revisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ... import codes
from ...adapters.sql.process import SqlProcess
from ...compat.consumers import Register, is_name_of
from ...compat.release import is_unreleased
from ...compat.settings import Config, DefinitionEntry, Settings
from ...compat.settings_paths import CONFIG
from ...compat.waivers import Waivers
from ...contract.load import Loaded
from ...contract.model import Contract, SchemaObject
from ...contract.settings_file import settings_finding
from ...definitions.comparison import broken_columns, compare_definition, gap_finding, missing_table
from ...definitions.definition import Definition, Gap
from ...definitions.migration import Act
from ...frozen import dataclass, replace
from ...results import CheckResult, Disposition, Finding, Location, Report, outcome_of
from ...results.facts import ContractFacts
from ..gate.inheritance import join_results
from ..gate.sides import Sides
from ..gate.view import GateView
from .pairing import find_models, names_of, pair_sources
from .sources import DefinitionSource, MigrationSource, ModelSource, SourceBook
from .tree import DefinitionTree


def hold_to_definitions(
    report: Report,
    view: GateView,
    sides: Sides,
    configs: tuple[Config, Config],
    settings: Settings,
    sql: SqlProcess,
) -> Report:
    """The report with what definitions and contracts of the head disagree on."""
    entries = tuple(dict.fromkeys(entry for config in configs for entry in config.definitions))
    contracts = [item for item in sides.new.values() if item.contract]
    if not (entries or view.has_dbt) or not (view.code or contracts):
        return report
    books = tuple(
        SourceBook(DefinitionTree(view.repo, side), sql, view.repo) for side in (view.old, view.revisions.head)
    )
    judging = _Judging(view, sides, books[0], books[1], entries)
    report = replace(report, findings=(*report.findings, *judging.mistakes(configs[1])))
    judged: dict[str, tuple[Loaded, list[Finding]]] = {}
    for pair in judging.pairs():
        judged.setdefault(pair.item.path, (pair.item, []))[1].extend(judging.judge(pair))
    return _add(report, [(item, findings) for item, findings in judged.values() if findings], settings)


@dataclass(frozen=True, slots=True)
class _DefinedTable:
    """A table of a contract and its definition at both revisions."""

    item: Loaded
    table: SchemaObject
    old: DefinitionSource | None
    new: DefinitionSource | None
    entry: DefinitionEntry | None = None  # of the settings, where it is written there


@dataclass(frozen=True, slots=True)
class _Judging:
    view: GateView
    sides: Sides
    before: SourceBook
    after: SourceBook
    entries: tuple[DefinitionEntry, ...]

    @property
    def changed(self) -> frozenset[str]:
        return frozenset(change.path for change in self.view.code)

    def mistakes(self, config: Config) -> Iterator[Finding]:
        """E590 for an entry of the head that names no contract of the head, E525 for a second model of one."""
        models: dict[tuple[str, str], str] = {}
        for index, entry in enumerate(config.definitions):
            named = list(self._contracts([entry.contract]))
            if not named:
                message = f"definitions names the contract {entry.contract!r}, and there is none of that name"
                fix = "Write its id, domain/name or name, or remove the entry."
                element = f"definitions.{index}.contract"
                yield settings_finding(CONFIG, "definition-contract", message, fix, element=element)
            tables = [(item.path, table.name) for item in named if (table := _pick_table(item, entry))]
            first = [models.setdefault(key, entry.target) for key in tables if entry.kind == "dbt"]
            if first and first[0] != entry.target:
                message = f"definitions names two models for {entry.contract}: {first[0]} and {entry.target}"
                fix = "Keep the one that makes the table, and write `table:` where the contract has several."
                element = f"definitions.{index}.dbt"
                yield settings_finding(CONFIG, "definition-twice", message, fix, element=element, code=codes.E525)

    def pairs(self) -> Iterator[_DefinedTable]:
        """What may have changed on either side; an entry of the settings replaces what is found by name."""
        written = [(entry, item) for entry in self.entries for item in self._contracts([entry.contract])]
        for entry, item in written:
            table = _pick_table(item, entry)
            if table is not None:
                called = table.physical_name or table.name
                sources = (self.before.source(entry, called), self.after.source(entry, called))
                pair = _DefinedTable(item, table, *sources, entry)
                if CONFIG in self.changed or self._concerns(pair):
                    yield pair
        taken = {item.path for _, item in written}
        yield from (pair for pair in self._found() if pair.item.path not in taken)

    def _found(self) -> Iterator[_DefinedTable]:
        """dbt models that bear the name of a contract."""
        names: set[str] = set()
        for root in dict.fromkeys((*self.before.roots, *self.after.roots)):
            touched = self._touched_models(root)
            for book in (self.before, self.after) if touched else ():
                project = book.project(root)
                names |= names_of(touched.intersection(project.models), project)
        changed = [item for item in self.sides.new.values() if item.contract]
        for item in {item.path: item for item in (*changed, *self._contracts(sorted(names)))}.values():
            contract = _contract(item)
            if len(contract.objects) == 1:
                before, after = find_models(contract, self.before), find_models(contract, self.after)
                pairs = (_DefinedTable(item, contract.objects[0], *pair) for pair in pair_sources(before, after))
                yield from filter(self._concerns, pairs)

    def _touched_models(self, root: str) -> set[str]:
        """Models that changed, whose YAML or macros did, and all that refer to one of them."""
        touched: set[str] = set()
        changed = {path for path in self.changed if path.startswith(root)}
        if not changed:
            return touched
        for book in (self.before, self.after):
            project = book.project(root)
            direct = {name for name, paths in project.paths.items() if changed.intersection(paths)}
            for path in changed.intersection(project.notes):
                direct |= {name for name in project.models if name in project.tree.text(path)}
            if changed.intersection((*project.macro_files, f"{root}dbt_project.yml", f"{root}profiles.yml")):
                direct |= set(project.models)
            touched |= direct | project.readers_of(direct)
        return touched

    def _concerns(self, pair: _DefinedTable) -> bool:
        if pair.item.path in self.sides.new:
            return True
        return any(source is not None and source.touched_by(self.changed) for source in (pair.old, pair.new))

    def _contracts(self, names: list[str]) -> Iterator[Loaded]:
        """Contracts of the head that are called one of these names."""
        known = [item for item in self.sides.new.values() if item.contract]
        for item in (*known, *self.sides.find_named(names)):
            if item.contract and any(is_name_of(name, item.contract) for name in names):
                yield item

    def judge(self, pair: _DefinedTable) -> list[Finding]:
        contract = _contract(pair.item)
        old = pair.old.define() if pair.old is not None else None
        new = pair.new.define() if pair.new is not None else None
        if new is None and old is None:
            return [self._nowhere(pair.entry, contract, pair.table)] if pair.entry is not None else []
        if new is None:
            return [self._gone(pair, contract)]
        if isinstance(new, Gap):
            return [gap_finding(contract, pair.table, new, new.path)]
        before = old if isinstance(old, Definition) else None
        findings = compare_definition(contract, pair.table, new, before)
        known = {(item.code.id, item.element) for item in self._base_findings(pair, before)}
        return [
            _report_only(item) if (item.code.id, item.element) in known and item.blocks else item for item in findings
        ]

    def _nowhere(self, entry: DefinitionEntry, contract: Contract, table: SchemaObject) -> Finding:
        """E537 for an entry that leads to nothing, which would else never be noticed."""
        what = {
            "dbt": f"no dbt project here has a model {entry.target}",
            "ddl": f"no .sql file that matches {entry.target} makes {entry.table or table.physical_name or table.name}",
        }.get(entry.kind, f"there is no file {entry.target}")
        return gap_finding(contract, table, Gap(f"definitions leads nowhere, {what}"), CONFIG)

    def _gone(self, pair: _DefinedTable, contract: Contract) -> Finding:
        """E531 for the table: at the statement that took it away, at the model that is disabled, or at the file."""
        source = pair.old if pair.new is None else pair.new
        place = source.last_place() if source is not None else None
        old = pair.old.define() if place is None and pair.old is not None else None
        place = place or Location(*((old.path, old.line) if isinstance(old, Definition) else (pair.item.path,)))
        return missing_table(contract, pair.table, place, _say_end(pair.new))

    def _base_findings(self, pair: _DefinedTable, before: Definition | None) -> list[Finding]:
        if before is None:
            return []
        old = self.sides.old.get(pair.item.path) if pair.item.path in self.sides.new else pair.item
        contract = old.contract or old.unfit if old is not None else None
        if contract is None:
            return []
        table = next((item for item in contract.objects if item.name == pair.table.name), None)
        return compare_definition(contract, table, before) if table is not None else []


def _say_end(source: DefinitionSource | None) -> str:
    """Why a source defines nothing any more."""
    if isinstance(source, ModelSource):
        return "it is disabled"
    end = source.end if isinstance(source, MigrationSource) else None
    if end is not None and end.act is Act.RENAME_TABLE:
        return f"it is called {end.to} now"
    return "it was deleted"


def _contract(item: Loaded) -> Contract:
    if item.contract is None:
        raise AssertionError(f"{item.path} has no readable contract")
    return item.contract


def _report_only(item: Finding) -> Finding:
    hint = (*item.suggestions, "The base branch has the same difference, so this change is not blocked.")
    return replace(item, standing=Disposition.REPORTED, suggestions=hint)


def _pick_table(item: Loaded, entry: DefinitionEntry) -> SchemaObject | None:
    objects = _contract(item).objects
    wanted = entry.table.rpartition(".")[2].casefold()
    named = [o for o in objects if wanted in (o.name.casefold(), (o.physical_name or "").rpartition(".")[2].casefold())]
    return named[0] if named else objects[0] if len(objects) == 1 else None


def _add(report: Report, judged: Sequence[tuple[Loaded, list[Finding]]], settings: Settings) -> Report:
    if not judged:
        return report
    waivers = settings.waivers
    results = {result.path: result for result in report.results}
    for item, findings in judged:
        result = _result(item, [_settle(finding, item, waivers) for finding in findings], settings.register)
        results[item.path] = join_results(results.get(item.path), result)
    of_all = [finding for result in results.values() for finding in result.findings]
    own = tuple(finding for finding in report.findings if finding.rule not in ("waiver-unused", "waiver-of-another"))
    return replace(report, results=tuple(results.values()), findings=(*own, *waivers.note_unused(of_all)))


def _settle(finding: Finding, item: Loaded, waivers: Waivers) -> Finding:
    if not finding.blocks:
        return finding
    if is_unreleased(_contract(item)):
        return replace(finding, standing=Disposition.REPORTED)
    waiver = waivers.find_in_force(finding.fingerprint, finding.contract, finding.rule, finding.element)
    return replace(finding, standing=Disposition.WAIVED) if waiver else finding


def _result(item: Loaded, findings: list[Finding], register: Register) -> CheckResult:
    contract = _contract(item)
    broken = broken_columns(contract, findings)
    readers = register.mark_reading(contract, broken) if broken else ()
    facts = ContractFacts(item.spelling, contract.label)
    return CheckResult(
        "gate", contract.key, outcome_of(findings), item.path, tuple(findings), readers=readers, facts=facts
    )
