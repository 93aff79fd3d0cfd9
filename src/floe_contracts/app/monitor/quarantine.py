"""What became of failing rows in a run with `--quarantine`, for the notes of its report; never a value of a row."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from threading import Lock

from ...checks.disclosure import refused_columns
from ...contract.meaning.phrase import plural
from ...monitor.run.context import CheckContext
from ...monitor.run.plan import plan_table
from ...monitor.run.quarantine import Quarantine, RowsOf, broken_rules, has_rows
from ...monitor.run.targets import Target
from ...monitor.store.slots import SlotKey
from ...results import CheckResult
from .judge import RunJudge
from .project import Project


class RowLog:
    """The rules whose rows were kept, those that have none, and why rows could not be kept."""

    def __init__(self, place: Quarantine) -> None:
        self._place = place
        self._lock = Lock()
        self._kept = 0
        self._without: list[str] = []
        self._troubles: dict[str, list[str]] = {}

    def keep(self, judge: RunJudge, now: CheckContext, result: CheckResult, key: SlotKey, again: bool) -> None:
        """Have the failing rows of one result kept; a table that cannot be written spoils no verdict."""
        reason = judge.keep_rows(self._place, now, result, RowsOf(key.namespace, now.target.name, key.when), again)
        broken = broken_rules(result)
        rules = [rule for table in now.contract.objects for rule in plan_table(now.contract, table).rules]
        with self._lock:  # contracts are checked in several threads
            if reason:
                self._troubles.setdefault(reason, []).append(now.target.name)
                return
            self._kept += sum(rule.id in broken and has_rows(rule) for rule in rules)
            self._without += [rule.id for rule in rules if rule.id in broken and not has_rows(rule)]

    def notes(self) -> tuple[str, ...]:
        """What was kept where, and what was not."""
        notes = [f"The rows that break {plural(self._kept, 'rule')} are in {self._place.name}."] if self._kept else []
        if self._without:
            names = ", ".join(sorted(self._without))
            notes.append(f"No rows are kept for {names}: a number of rows or a query has no single rows at fault.")
        for reason, labels in self._troubles.items():
            whose = ", ".join(sorted(set(labels)))
            notes.append(f"The failing rows of {whose} could not be kept in {self._place.name}: {reason}.")
        return tuple(notes)


def here(place: Quarantine) -> Quarantine:
    """The place with a whole path: Spark's Java may have been started in another folder."""
    relative = place.is_folder and not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", place.name)
    return replace(place, name=os.path.abspath(place.name)) if relative else place


def refused_notes(project: Project, targets: Sequence[Target]) -> tuple[str, ...]:
    """Columns that `unmasked_columns` names in vain."""
    lines = []
    for target in targets:
        own = project.config.contracts.get(target.key)
        platform = target.privacy if project.product is not None else None
        refused = refused_columns(target.contract, own.unmasked_columns if own else (), platform)
        lines += [
            f"contracts.{target.key}.unmasked_columns: {name} stays masked, because {reason}."
            for name, reason in refused.items()
        ]
    return tuple(lines)
