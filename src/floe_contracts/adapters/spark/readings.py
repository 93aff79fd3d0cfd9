"""What each kind of source keeps of a type, so that a table made from a contract shows no drift."""

from __future__ import annotations

from pyspark.sql import SparkSession

from ...checks.type_match import Reading
from ...contract.meaning.typenames import Zone
from ...monitor.binding import Binding
from ...monitor.sources import Reach

_INSTANTS = ("mysql", "mariadb")  # whose `timestamp` is a moment, and `datetime` a reading of the local clock


def reading_of(spark: SparkSession, binding: Binding, kind: str) -> Reading:
    """Lengths of text are kept by databases, by Delta and by tables of Spark's own catalog."""
    lengths = binding.reach is Reach.JDBC or kind in ("delta", "table")
    local = binding.reach is Reach.JDBC and binding.type.casefold() not in _INSTANTS
    return Reading(
        keeps_lengths=lengths,
        plain_timestamp=Zone.WITHOUT if local else Zone.WITH,
        case_sensitive=spark.conf.get("spark.sql.caseSensitive", "false") == "true",
    )
