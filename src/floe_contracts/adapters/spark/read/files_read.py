"""The rows of files, and what is odd about the files."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame

from .schema_union import ColumnVariant


@dataclass(frozen=True, slots=True)
class FilesRead:
    """The rows of all files, and what is odd about the files."""

    frame: DataFrame
    variants: tuple[ColumnVariant, ...] = ()
    remark: str = ""
    unreadable: int = 0  # rows that are left out of the frame
    listing: DataFrame | None = None  # a frame over the same files and nothing else, where this one is more than that
    contradictions: DataFrame | None = None  # one row: by column, rows whose folder says another value than the file
