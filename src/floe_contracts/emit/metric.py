"""What a metric is: its names, its labels, and how its number is read from where a series stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ..checks.verdict import Check
from ..monitor.settings.model import CHECKS
from ..monitor.store.protocol import SeriesTotals
from ..monitor.store.slots import Kind as SeriesKind

PREFIX = "floe_contract_"
Kind = Literal["counter", "gauge", "histogram"]
Read = Callable[[SeriesTotals], "Decimal | None"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric; `read` gives a gauge's number, and None where it is not known: then there is no sample at all."""

    name: str
    kind: Kind
    help: str
    labels: tuple[str, ...] = ("contract",)
    checks: tuple[SeriesKind, ...] = CHECKS
    unit: str = "1"  # as UCUM spells it
    read: Read = lambda _: None
    otel: str = ""  # where it is not the name with dots

    @property
    def otel_name(self) -> str:
        """The seeds' names with a dot, which become the same names in Prometheus again."""
        return self.otel or self.name.replace(PREFIX, "floe.contract.", 1)


def gauge(key: str, divided_by: int = 1) -> Read:
    """The number that a check keeps under this name."""

    def read(totals: SeriesTotals) -> Decimal | None:
        value = totals.gauges.get(key)
        return value if value is None or divided_by == 1 else value / divided_by

    return read


def seconds(moment_us: int | None) -> Decimal | None:
    return None if moment_us is None else Decimal(moment_us) / 1_000_000


def of_check(check: Check, name: str, read: Read, text: str, unit: str = "1") -> Metric:
    """A gauge that one check moves."""
    return Metric(name, "gauge", text, checks=(check,), unit=unit, read=read)


def of_every_check(name: str, read: Read, text: str, unit: str = "1") -> Metric:
    """A gauge of every check."""
    return Metric(name, "gauge", text, ("contract", "check_type"), unit=unit, read=read)
