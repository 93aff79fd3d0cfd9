"""Tables as views in a session of their own, for plugins that look at tables by name and change settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pyspark.sql import SparkSession

from ....checks.measured import Failure
from ....monitor.source.binding import Binding
from ....monitor.source.server_types import Reach
from ...datacontract.runs import view_name
from ..columns.paths import quote
from ..session.start import own_session
from .open import open_table

_CHANGED = ("spark.sql.session.timeZone", "spark.sql.mapKeyDedupPolicy")  # by ibis, and never set back


@contextmanager
def register_views(spark: SparkSession, bindings: Sequence[Binding]) -> Iterator[SparkSession | Failure]:
    """The session with one view per table, or why one of them cannot be opened.

    Views that the caller registered exist in the caller's session alone, so that is lent out and put back as it was.
    """
    lent = any(binding.reach is Reach.DATAFRAME for binding in bindings)
    session = spark if lent else own_session(spark)
    settings = {name: session.conf.get(name) for name in _CHANGED}
    made: list[str] = []
    try:
        failures = (_register_view(session, binding, made) for binding in bindings)
        yield next(filter(None, failures), None) or session
    finally:
        for name in made:
            session.catalog.dropTempView(name)
        for name, value in settings.items():
            if value is not None:
                session.conf.set(name, value)


def _register_view(session: SparkSession, binding: Binding, made: list[str]) -> Failure | None:
    """Registers one more view, unless the caller's own view has the name already."""
    name = view_name(binding.table.name, binding.table.physical_name)
    if binding.reach is Reach.DATAFRAME and binding.name == name and not binding.filter:
        return None
    opened = open_table(session, binding)
    if isinstance(opened, Failure):
        return Failure(f"{binding.table.name}: {opened.reason}")
    opened.frame.createOrReplaceTempView(quote(name))
    made.append(name)
    return None
