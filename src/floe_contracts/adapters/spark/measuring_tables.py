"""Measures an opened table with as little reading as possible: metadata, then parts that are new, then all rows."""

from __future__ import annotations

from dataclasses import replace

from ...monitor.engine import Surroundings
from ...monitor.measurements import Measurements
from ...monitor.plan import TablePlan
from . import metadata
from .measuring import Options, measure
from .opening import Opened
from .parts import measure_parts


def measure_table(table: Opened, plan: TablePlan, around: Surroundings, options: Options) -> Measurements:
    """Every answer of the plan; `how` says what was used.

    What metadata answers is never mixed with a scan of some files. Repeated keys need the rows in any case, so a table
    with keys is measured by parts where it has any, and the next run reads only the parts that are new.
    """
    known, how = metadata.known(table, plan)
    options = replace(options, known=known, known_how=how)
    parts = None if _needs_no_rows(plan, options) else metadata.parts_of(table)
    if parts is None:
        return measure(table.frame, plan, options=options)
    listed = parts.only(parts.files)  # exactly these, whatever is written meanwhile
    return measure_parts(listed, plan, parts, around.kept(plan.plan_hash), options=options)


def _needs_no_rows(plan: TablePlan, options: Options) -> bool:
    return not plan.key_sets and all(one in options.known for one in plan.counts)
