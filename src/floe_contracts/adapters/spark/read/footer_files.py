"""Reads the footers of Parquet files, wherever they are."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from typing import Any, BinaryIO

from .file_streams import are_local, read_each
from .relation import ListedFile, TableRelation

FAR = 256  # files elsewhere that are asked one by one; of more Spark asks with all its machines
_END = 8  # the length of the footer in four bytes, and four letters
_PARQUET = "org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat"


def is_parquet(relation: TableRelation) -> bool:
    """Whether the files of a relation are read as Parquet."""
    return str(relation.java.fileFormat().getClass().getName()) == _PARQUET


def are_near(files: Sequence[ListedFile]) -> bool:
    """Whether each file may be asked, because it costs little or because there are few."""
    return len(files) <= FAR or are_local(files)


def read_footers(relation: TableRelation, files: Sequence[ListedFile]) -> list[Any]:
    """The footers, as pyarrow reads them."""
    from pyarrow import parquet

    return read_each(relation, files, parquet.read_metadata)


def hash_footers(relation: TableRelation, files: Sequence[ListedFile]) -> list[str]:
    """A hash of each footer; empty texts for files that are not Parquet, and for too many elsewhere."""
    return read_each(relation, files, _hash_footer) if are_near(files) else [""] * len(files)


def _hash_footer(stream: BinaryIO) -> str:
    size = stream.seek(0, io.SEEK_END)
    stream.seek(max(size - _END, 0))
    end = stream.read(_END)
    length = int.from_bytes(end[:4], "little")
    if end[4:] != b"PAR1" or length > size - _END:
        return ""
    stream.seek(size - _END - length)
    return hashlib.sha256(stream.read(length)).hexdigest()[:16]
