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
    ages = [_for_it(contract, one, timestamp_column) for one in _freshness(contract)]
    kept = [one for one in contract.slas if meaning(one).kind is Kind.RETENTION and one.element]
    return replace(contract, slas=(*(one for one in ages if one is not None), *kept))


def without_ages(contract: Contract, timestamp_column: str | None) -> Contract:
    """The contract with the other promises about time."""
    left = [one.sla for one in _freshness(contract) if _for_it(contract, one, timestamp_column) is None]
    return replace(contract, slas=tuple(one for one in contract.slas if any(one is each for each in left)))


def row_floors(contract: Contract) -> Contract:
    """The contract with nothing but its floors of rows per day."""
    slas = tuple(one for one in contract.slas if meaning(one).kind is Kind.MIN_ROWS_PER_DAY)
    return replace(contract, slas=slas, objects=tuple(_bare(one) for one in contract.objects))


def _freshness(contract: Contract) -> Iterator[Promise]:
    for table in contract.objects:
        yield from (one for one in promises(contract, table) if one.check == "freshness")


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
            one.name, physical_name=one.physical_name, logical_type=one.logical_type, physical_type=one.physical_type
        )
        for one in table.properties
    )
    return SchemaObject(table.name, physical_name=table.physical_name, properties=columns)
