"""Which promises of a contract datacontract-cli can measure, and which are left for floe's own engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...checks.names import find_column
from ...checks.promises.promise import Promise, clock_of, promises
from ...contract.meaning.duration import Duration
from ...contract.meaning.sla import meaning
from ...contract.meaning.sla_kinds import Kind
from ...contract.model import Contract, Property, SchemaObject, Sla


def ages_only(contract: Contract, timestamp_column: str | None) -> Contract:
    """The contract with the service levels that it measures, spelled so that it finds their columns."""
    ages = [_for_it(contract, promise, timestamp_column) for promise in _freshness(contract)]
    kept = [sla for sla in contract.slas if meaning(sla).kind is Kind.RETENTION and sla.element]
    return replace(contract, slas=(*(sla for sla in ages if sla is not None), *kept))


def without_ages(contract: Contract, timestamp_column: str | None) -> Contract:
    """The contract with the other promises about time."""
    left = [promise.sla for promise in _freshness(contract) if _for_it(contract, promise, timestamp_column) is None]
    return replace(contract, slas=tuple(sla for sla in contract.slas if any(sla is each for each in left)))


def row_floors(contract: Contract) -> Contract:
    """The contract with nothing but its floors of rows per day."""
    slas = tuple(sla for sla in contract.slas if meaning(sla).kind is Kind.MIN_ROWS_PER_DAY)
    return replace(contract, slas=slas, objects=tuple(_bare(table) for table in contract.objects))


def _freshness(contract: Contract) -> Iterator[Promise]:
    for table in contract.objects:
        yield from (promise for promise in promises(contract, table) if promise.check == "freshness")


def _for_it(contract: Contract, promise: Promise, timestamp_column: str | None) -> Sla | None:
    """The SLA as `table.column` with a duration; None where it would pass over it or judge something else."""
    options = promise.options
    plain = promise.kind is Kind.FRESHNESS and not (promise.schedule or promise.problem)
    if not plain or options.calendar or options.group_by or options.grace_us or not _is_length(promise):
        return None
    clock = clock_of(contract, promise, timestamp_column)
    if clock.path is None or len(clock.path) > 1 or clock.zone_declared or clock.day_end:
        return None
    spot = find_column(contract, promise.table, clock.path[0])
    name = spot.column[0] if spot else clock.path[0]
    if "." in name or "." in promise.table.name or not isinstance(promise.quantity, Duration):
        return None
    return replace(promise.sla, element=f"{promise.table.name}.{name}", value=promise.quantity.text, unit=None)


def _is_length(promise: Promise) -> bool:
    """Months have no fixed length, and it counts whole seconds."""
    quantity = promise.quantity
    whole = isinstance(quantity, Duration) and not quantity.months and quantity.microseconds >= 1_000_000
    return whole and isinstance(quantity, Duration) and quantity.microseconds % 1_000_000 == 0


def _bare(table: SchemaObject) -> SchemaObject:
    """The table without any rule."""
    columns = tuple(
        Property(
            column.name,
            physical_name=column.physical_name,
            logical_type=column.logical_type,
            physical_type=column.physical_type,
        )
        for column in table.properties
    )
    return SchemaObject(table.name, physical_name=table.physical_name, properties=columns)
