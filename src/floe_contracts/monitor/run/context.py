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
from ..store.protocol import PartitionState, SeenSchema, SlotOutcome
from ..store.slots import Series
from .engine import Engine, Window
from .targets import Target

Columns = tuple[ActualColumn, ...]
Values = tuple[tuple[int, Decimal], ...]  # slot in microseconds, value


@dataclass(frozen=True, slots=True)
class CheckContext:
    """`past` says that the slot is over for so long that only a source that keeps its history can be asked."""

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

    def gone(self, binding: Binding) -> bool:
        """Whether the data of the slot can no longer be read."""
        return self.past and binding.as_of_us is None

    def table_key(self, binding: Binding, purpose: str = "") -> str:
        """The name under which a store remembers this table; two contracts on one table remember apart.

        A store keeps the states of one plan per name, so what another purpose remembers needs a name of its own.
        """
        line = f"{self.series.namespace}|{self.series.contract}|v{self.series.major}"
        return f"{line}|{binding.table.name}|{binding.source}{f'|{purpose}' if purpose else ''}"

    def passed_over(self, status: str) -> CheckResult:
        """The result of a check that had nothing to measure."""
        return conclude(self.check, self.contract, [skipped_part()], skipped_facts(self.check, status))


@dataclass(frozen=True, slots=True)
class Checked:
    """A verdict, and what to remember for the next one."""

    result: CheckResult
    schemas: tuple[SeenSchema, ...] = ()
    states: tuple[PartitionState, ...] | None = None


Judge: TypeAlias = "Callable[[CheckContext], Checked]"  # whoever measures and judges: floe's own engine, or a plugin
