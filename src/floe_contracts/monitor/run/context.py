"""One check of one target at one moment, with everything that measuring and judging it may ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from ...checks.measured import ActualColumn
from ...checks.verdict import Check, conclude, skipped_part
from ...contract.model import Contract, SchemaObject
from ...results import CheckResult
from ...results.facts import skipped_facts
from ..source.binding import Binding, Unbound, as_of, bind
from ..store.protocol import PartitionState, SeenSchema, SlotOutcome, Store
from ..store.slots import Series, SlotKey, is_past
from .engine import Engine, Window
from .targets import Target

Columns = tuple[ActualColumn, ...]
_STREAK = 20  # outcomes to look back for violations in a row; errored and skipped ones among them do not count
Values = tuple[tuple[int, Decimal], ...]  # slot in microseconds, value


@dataclass(frozen=True, slots=True)
class CheckContext:
    """One check at one moment; `past` says that only a source that keeps its history can still be asked."""

    check: Check
    target: Target
    series: Series
    as_of_us: int
    window: Window
    past: bool = False
    limit_s: float = 600.0
    before: Callable[[], tuple[SlotOutcome, ...]] = tuple  # the outcomes directly before this one, newest first
    gauge: Callable[[str, int], Values] = lambda _, __: ()  # a gauge since a moment, newest first
    last_schema: Callable[[str], Columns | None] = lambda _: None
    states: Callable[[str, str], tuple[PartitionState, ...]] = lambda _, __: ()

    @property
    def contract(self) -> Contract:
        return self.target.contract

    @property
    def arrivals(self) -> Window:
        """As long as a slot, up to the moment of the check: a slot that has just begun holds no rows yet."""
        length = self.window.until_us - self.window.since_us or self.target.interval_us(self.check)
        until_us = min(self.window.until_us, self.as_of_us)
        return Window(until_us - length, until_us)

    def tables(self, engine: Engine) -> Iterator[tuple[SchemaObject, Binding | Unbound]]:
        """Every table with where it is; for a past slot as it was then, where its source remembers."""
        for table in self.contract.objects:
            binding = bind(self.contract, table, self.target.where)
            if self.past and isinstance(binding, Binding) and engine.travels(binding):
                binding = as_of(binding, self.as_of_us)
            yield table, binding

    def is_gone(self, binding: Binding) -> bool:
        """Whether the data of the slot can no longer be read."""
        return self.past and binding.as_of_us is None

    def table_key(self, binding: Binding, purpose: str = "") -> str:
        """The name under which a store remembers this table; two contracts on one table remember apart.

        A store keeps the states of one plan per name, so what another purpose remembers needs a name of its own.
        """
        line = f"{self.series.namespace}|{self.series.contract}|v{self.series.major}"
        return f"{line}|{binding.table.name}|{binding.source}{f'|{purpose}' if purpose else ''}"

    def skip(self, status: str) -> CheckResult:
        """The result of a check that had nothing to measure."""
        return conclude(self.check, self.contract, [skipped_part()], skipped_facts(self.check, status))


def context_of(target: Target, key: SlotKey, store: Store, *, now_us: int, limit_s: float) -> CheckContext:
    """The context of one slot, with the history that the store keeps of its series."""
    past = is_past(key, now_us)
    as_of_us = key.end_us if past else now_us
    until_us = key.start_us or as_of_us
    return CheckContext(
        check=key.check,
        target=target,
        series=key.series,
        as_of_us=as_of_us,
        window=Window(as_of_us, as_of_us) if key.run_id else Window(key.start_us, key.end_us),
        past=past,
        limit_s=limit_s,
        before=lambda: tuple(
            outcome for outcome in store.history(key.series, 0, until_us, limit=_STREAK, like=key) if outcome.key != key
        ),
        gauge=lambda name, since_us: store.gauge_history(key.series, name, since_us, until_us),
        last_schema=store.last_schema,
        states=store.partition_states,
    )


@dataclass(frozen=True, slots=True)
class Checked:
    """A verdict, and what to remember for the next one."""

    result: CheckResult
    schemas: tuple[SeenSchema, ...] = ()
    states: tuple[PartitionState, ...] | None = None


Judge: TypeAlias = "Callable[[CheckContext], Checked]"  # whoever measures and judges: floe's own engine, or a plugin
