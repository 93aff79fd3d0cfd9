"""What the report page is made of: everything a store remembers of one window, and what contracts say beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeAlias

from ....contract.lifecycle import Lifecycle
from ....contract.model import Contract
from ....monitor.store.outbox import Backlog
from ....monitor.store.protocol import SlotOutcome
from ....monitor.store.slots import Series
from ....monitor.store.totals import SeriesStatus
from ....results import Reader

Points: TypeAlias = "tuple[tuple[int, Decimal], ...]"  # slot in microseconds and value, newest first


@dataclass(frozen=True, slots=True)
class SeriesRecord:
    """One check on one line of a contract, as a store keeps it; outcomes and gauges are those of the window."""

    standing: SeriesStatus
    outcomes: tuple[SlotOutcome, ...] = ()  # newest first
    gauges: Mapping[str, Points] = field(default_factory=dict)
    cut: bool = False  # whether older outcomes of the window were left out


@dataclass(frozen=True, slots=True)
class Known:
    """A contract with its lifecycle and readers, which no store knows."""

    contract: Contract
    major: int
    life: Lifecycle
    path: str = ""
    readers: tuple[Reader, ...] = ()


@dataclass(frozen=True, slots=True)
class PipelineRecord:
    """A pipeline or one of its steps, as a store keeps it: one outcome for each run of the window, newest first."""

    series: Series
    name: str
    runs: tuple[SlotOutcome, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """Everything that the report page shows; the same record is the same page, byte for byte."""

    as_of_us: int
    since_us: int
    kept: tuple[SeriesRecord, ...] = ()
    known: tuple[Known, ...] = ()
    backlog: tuple[Backlog, ...] = ()
    tool_version: str = ""
    pipelines: tuple[PipelineRecord, ...] = ()
