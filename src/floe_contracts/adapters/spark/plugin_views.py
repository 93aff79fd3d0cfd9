"""Tables as views in a session of their own, for plugins that look at tables by name and change settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pyspark.sql import SparkSession

from ...checks.measured import Failure
from ...monitor.binding import Binding
from ..plugins.datacontract_runs import view_name
from .opening import open_table
from .session import own_session


@contextmanager
def registered(spark: SparkSession, bindings: Sequence[Binding]) -> Iterator[SparkSession | Failure]:
    """The session with one view per table, or why one of them cannot be opened; the views end with it."""
    own = own_session(spark)
    names = []
    try:
        for one in bindings:
            opened = open_table(own, one)
            if isinstance(opened, Failure):
                yield Failure(f"{one.table.name}: {opened.reason}" if len(bindings) > 1 else opened.reason)
                return
            name = view_name(one.table.name, one.table.physical_name)
            opened.frame.createOrReplaceTempView(f"`{name}`")
            names.append(name)
        yield own
    finally:
        for name in names:
            own.catalog.dropTempView(name)
