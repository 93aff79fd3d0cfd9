"""A plan for people: which rules share which pass, what metadata may answer, and how often the table is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...checks.measure import DuplicateCount, Measure, NullCount, RowCount
from ...checks.names import below_items, spelled
from ...checks.rules.check import QualityCheck
from ...contract.meaning.phrase import plural
from .plan import TablePlan


def describe(plan: TablePlan) -> tuple[str, ...]:
    """Lines without indentation marks of a terminal: a headline, then one paragraph for each way of measuring."""
    return (f"{plan.table}: {plural(len(plan.rules), 'rule')}, {_cost(plan)}", *_passes(plan), *_rest(plan))


def scans(plan: TablePlan) -> tuple[int, int]:
    """How often the table is read at least, and at most when keys repeat; metadata may save some."""
    least = len(plan.passes) + bool(plan.key_sets) + len(plan.orphans) + len(plan.queries)
    return least, least + bool(plan.key_sets)


def _cost(plan: TablePlan) -> str:
    least, most = scans(plan)
    return f"{plural(least, 'scan')}" + (", one more if keys repeat" if most > least else "")


def _passes(plan: TablePlan) -> Iterator[str]:
    for number, group in enumerate(plan.passes, 1):
        clock = plan.clock if number == 1 else None
        shared = f"{plural(len(group), 'count')}" + (f" and the clock {spelled(clock.path or ())}" if clock else "")
        yield f"  pass {number}: {shared} in one aggregation"
        yield from _said(plan, group)
        known = [measure for measure in group if _in_metadata(measure)]
        if known or clock:
            yield f"    metadata may answer {_listed(known, clock=clock is not None)}"


def _in_metadata(measure: Measure) -> bool:
    """Files and snapshots know their rows and the nulls of columns that are not nested."""
    return measure == RowCount() or (
        isinstance(measure, NullCount) and len(measure.path) == 1 and not below_items(measure.path)
    )


def _listed(known: Sequence[Measure], *, clock: bool) -> str:
    nulls = sum(isinstance(measure, NullCount) for measure in known)
    words = ["the number of rows"] if RowCount() in known else []
    words += [f"nulls of {plural(nulls, 'column')}"] if nulls else []
    words += ["the clock"] if clock else []
    return ", ".join(words)


def _rest(plan: TablePlan) -> Iterator[str]:
    if plan.key_sets:
        yield f"  keys: {plural(len(plan.key_sets), 'set')} of columns hashed in one scan, repeats confirmed by value"
        yield from _said(plan, [measure for measure in _measures(plan) if isinstance(measure, DuplicateCount)])
    for orphan in plan.orphans:
        yield f"  anti-join with {orphan.target}"
        yield from _said(plan, [orphan])
    for query in plan.queries:
        yield "  query"
        yield from _said(plan, [query])
    for skipped in plan.skipped:
        yield f"  not measured: {skipped.id}, because {skipped.reason}"


def _measures(plan: TablePlan) -> Iterator[Measure]:
    return (measure for rule in plan.rules for measure in rule.measures)


def _said(plan: TablePlan, measures: Iterable[Measure]) -> Iterator[str]:
    """The rules that need one of these numbers, each with its promise."""
    wanted = set(measures)
    for rule in plan.rules:
        if rule.measure in wanted:
            yield f"    {rule.id}: {_promise(rule)}"


def _promise(rule: QualityCheck) -> str:
    return rule.says or rule.name
