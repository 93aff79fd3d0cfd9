"""Plans: the questions that one table must answer, each asked once in as few scans as possible, and a plan as text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ...checks.measure import (
    DuplicateCount,
    InvalidCount,
    ItemCount,
    Measure,
    MissingCount,
    NullCount,
    OrphanCount,
    Path,
    RowCount,
    SqlNumber,
)
from ...checks.names import below_items, spell_path
from ...checks.promises.promise import ClockChoice
from ...checks.rules.check import QualityCheck, SkippedRule, TableRules
from ...checks.rules.constraints import rules_of
from ...contract.meaning.phrase import plural
from ...contract.model import Contract, SchemaObject

Count: TypeAlias = "RowCount | ItemCount | NullCount | MissingCount | InvalidCount"  # what one aggregation can count
KeySet: TypeAlias = "tuple[Path, ...]"

WIDTH = 80  # aggregates in one pass: Spark gives up code generation above 100 fields and becomes ten times slower
_CLOCK_WIDTH = 4  # newest, newest not after now, later ones, nulls
COUNTS = (RowCount, ItemCount, NullCount, MissingCount, InvalidCount)


@dataclass(frozen=True, slots=True)
class TablePlan:
    """Everything to measure on one table; rules may share measures, measures share passes."""

    table: str  # by its name in the contract
    rules: tuple[QualityCheck, ...] = ()
    skipped: tuple[SkippedRule, ...] = ()
    passes: tuple[tuple[Count, ...], ...] = ()  # each is one scan; the first counts rows and reads the clock
    key_sets: tuple[KeySet, ...] = ()  # all of them in one scan, and one more where there are suspects
    orphans: tuple[OrphanCount, ...] = ()  # each is an anti-join
    queries: tuple[SqlNumber, ...] = ()  # each runs as it was written
    clock: ClockChoice | None = None

    @property
    def counts(self) -> tuple[Count, ...]:
        """Every count-like measure in the order of the passes."""
        return tuple(count for group in self.passes for count in group)

    @property
    def plan_hash(self) -> str:
        """Changes with anything that a kept state depends on, and not with thresholds, severities or names of rules."""
        clock = self.clock and (self.clock.path, self.clock.zone)
        text = repr(("floe/plan/v1", self.table, self.counts, self.key_sets, clock))
        declared = (self.clock.format, self.clock.unit_us) if self.clock else ("", 0)
        absent = tuple(count.path for count in self.counts if isinstance(count, NullCount) and count.absent)
        text += repr((declared, absent)) if absent or any(declared) else ""
        return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def plan_table(contract: Contract, table: SchemaObject, *, clock: ClockChoice | None = None) -> TablePlan:
    """The plan for one table; a clock that is a column is read in the first pass."""
    return plan_rules(rules_of(contract, table), clock=clock)


def plan_rules(rules: TableRules, *, clock: ClockChoice | None = None) -> TablePlan:
    """The plan for rules that were chosen already."""
    measures = _collect_measures(rules.rules)
    column_clock = clock if clock is not None and clock.path is not None else None
    return TablePlan(
        table=rules.table,
        rules=rules.rules,
        skipped=rules.skipped,
        passes=_passes(
            [measure for measure in measures if isinstance(measure, COUNTS)], _CLOCK_WIDTH if column_clock else 0
        ),
        key_sets=tuple(dict.fromkeys(key_set(measure) for measure in measures if isinstance(measure, DuplicateCount))),
        orphans=tuple(measure for measure in measures if isinstance(measure, OrphanCount)),
        queries=tuple(measure for measure in measures if isinstance(measure, SqlNumber)),
        clock=column_clock,
    )


def key_set(measure: DuplicateCount) -> KeySet:
    """The columns of a key in an order of their own: (a, b) is unique exactly where (b, a) is."""
    return tuple(sorted(set(measure.keys)))


def _collect_measures(rules: Iterable[QualityCheck]) -> tuple[Measure, ...]:
    """Each question once, in the order of the rules; the row count comes first because all of them need it."""
    questions: Iterator[Measure] = (measure for rule in rules for measure in rule.measures)
    return tuple(dict.fromkeys((RowCount(), *questions)))


def _passes(counts: list[Count], extra: int) -> tuple[tuple[Count, ...], ...]:
    """Equal shares, because a wide pass costs more than its share; neighbours stay together, they read one column."""
    number = -(-(len(counts) + extra) // WIDTH)
    size, rest = divmod(len(counts) + extra, number)
    groups, start = [], 0
    for index in range(number):
        end = start + size + (index < rest) - (extra if index == 0 else 0)
        groups.append(tuple(counts[start:end]))
        start = end
    return tuple(groups)


def describe(plan: TablePlan) -> tuple[str, ...]:
    """The plan as lines of text: a headline, then one paragraph for each way of measuring."""
    headline = f"{plan.table}: {plural(len(plan.rules), 'rule')}, {_cost(plan)}"
    return headline, *_describe_passes(plan), *_describe_rest(plan)


def count_scans(plan: TablePlan) -> tuple[int, int]:
    """How often the table is read at least, and at most when keys repeat; metadata may save some."""
    least = len(plan.passes) + bool(plan.key_sets) + len(plan.orphans) + len(plan.queries)
    return least, least + bool(plan.key_sets)


def _cost(plan: TablePlan) -> str:
    least, most = count_scans(plan)
    return f"{plural(least, 'scan')}" + (", one more if keys repeat" if most > least else "")


def _describe_passes(plan: TablePlan) -> Iterator[str]:
    for number, group in enumerate(plan.passes, 1):
        clock = plan.clock if number == 1 else None
        shared = f"{plural(len(group), 'count')}" + (f" and the clock {spell_path(clock.path or ())}" if clock else "")
        yield f"  pass {number}: {shared} in one aggregation"
        yield from _rule_lines(plan, group)
        known = [measure for measure in group if _in_metadata(measure)]
        if known or clock:
            yield f"    metadata may answer {_list_known(known, clock=clock is not None)}"


def _in_metadata(measure: Measure) -> bool:
    """Files and snapshots know their rows and the nulls of columns that are not nested."""
    return measure == RowCount() or (
        isinstance(measure, NullCount) and len(measure.path) == 1 and not below_items(measure.path)
    )


def _list_known(known: Sequence[Measure], *, clock: bool) -> str:
    nulls = sum(isinstance(measure, NullCount) for measure in known)
    words = ["the number of rows"] if RowCount() in known else []
    words += [f"nulls of {plural(nulls, 'column')}"] if nulls else []
    words += ["the clock"] if clock else []
    return ", ".join(words)


def _describe_rest(plan: TablePlan) -> Iterator[str]:
    if plan.key_sets:
        yield f"  keys: {plural(len(plan.key_sets), 'set')} of columns hashed in one scan, repeats confirmed by value"
        yield from _rule_lines(plan, [measure for measure in _measures(plan) if isinstance(measure, DuplicateCount)])
    for orphan in plan.orphans:
        yield f"  anti-join with {orphan.target}"
        yield from _rule_lines(plan, [orphan])
    for query in plan.queries:
        yield "  query"
        yield from _rule_lines(plan, [query])
    for skipped in plan.skipped:
        yield f"  not measured: {skipped.id}, because {skipped.reason}"


def _measures(plan: TablePlan) -> Iterator[Measure]:
    return (measure for rule in plan.rules for measure in rule.measures)


def _rule_lines(plan: TablePlan, measures: Iterable[Measure]) -> Iterator[str]:
    """The rules that need one of these numbers, each with its promise."""
    wanted = set(measures)
    for rule in plan.rules:
        if rule.measure in wanted:
            yield f"    {rule.id}: {_promise(rule)}"


def _promise(rule: QualityCheck) -> str:
    return rule.says or rule.name
