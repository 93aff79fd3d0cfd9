"""The rows of files, and what is odd about the files."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from ..columns.paths import quote
from .schema_union import ColumnVariant

OWN = ("mode", "columnnameofcorruptrecord")  # options by which people say themselves what becomes of bad rows


@dataclass(frozen=True, slots=True)
class FilesRead:
    """The rows of all files, and what is odd about the files."""

    frame: DataFrame
    variants: tuple[ColumnVariant, ...] = ()
    remark: str = ""
    unreadable: int = 0  # rows that are left out of the frame
    listing: DataFrame | None = None  # a frame over the same files and nothing else, where this one is more than that
    contradictions: DataFrame | None = None  # one row: by column, rows whose folder says another value than the file


def keep_readable(rows: DataFrame, bad: str) -> DataFrame:
    """The rows without text in the column of bad ones.

    Spark refuses a look at that column and at nothing else, as when rows are counted, so another is always looked at.
    """
    other = sf.col(quote(next(name for name in rows.columns if name != bad))).cast("string")
    always = sf.length(sf.coalesce(other, sf.lit(""))) >= sf.lit(0)
    return rows.where(sf.col(quote(bad)).isNull() & always)
