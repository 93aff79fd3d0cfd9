"""Reads the footers of Parquet files: many at once from this machine's disks, by Hadoop from anywhere else."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .relation import ListedFile, Moved, TableRelation, hadoop_settings, local_path, read_end

_TAIL = 64 << 10  # bytes at the end of a file that hold most footers
_END = 8  # the length of the footer in four bytes, and four letters
_PARQUET = "org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat"
_THREADS = 8


def is_parquet(relation: TableRelation) -> bool:
    """Whether the files of a relation are read as Parquet."""
    return str(relation.java.fileFormat().getClass().getName()) == _PARQUET


def are_local(files: list[ListedFile]) -> bool:
    return all(local_path(file.name) for file in files)


def read_footers(relation: TableRelation, files: list[ListedFile]) -> list[Any]:
    """The footers, as pyarrow reads them."""
    if are_local(files):
        with ThreadPoolExecutor(_THREADS) as pool:
            return list(pool.map(_read_local, files))
    settings = hadoop_settings(relation)
    return [_read_remote(file, settings) for file in files]


def hash_footers(files: list[ListedFile]) -> list[str]:
    """A hash of each footer on this machine's disks; empty texts for files elsewhere, or that are no Parquet."""
    if not are_local(files):
        return [""] * len(files)
    with ThreadPoolExecutor(_THREADS) as pool:
        return list(pool.map(_hash_footer, files))


def _read_local(file: ListedFile) -> Any:
    from pyarrow import parquet

    path = local_path(file.name)
    if path is None or path.stat().st_size != file.size:
        raise Moved
    return parquet.read_metadata(path)


def _read_remote(file: ListedFile, settings: Any) -> Any:
    """The footer of a file whose end alone is fetched; to Parquet's reader it looks like a file with little in it."""
    import pyarrow
    from pyarrow import parquet

    tail = read_end(file.path, file.size, _TAIL, settings)
    length = int.from_bytes(tail[-_END:-4], "little") + _END
    if length > len(tail):
        tail = read_end(file.path, file.size, length + 4, settings)
    return parquet.read_metadata(pyarrow.BufferReader(tail))


def _hash_footer(file: ListedFile) -> str:
    path = local_path(file.name)
    return "" if path is None else _hash_end(path, file.size)


def _hash_end(path: Path, size: int) -> str:
    with path.open("rb") as stream:
        stream.seek(max(size - _END, 0))
        end = stream.read(_END)
        length = int.from_bytes(end[:4], "little")
        if end[4:] != b"PAR1" or length > size:
            return ""
        stream.seek(size - _END - length)
        return hashlib.sha256(stream.read(length)).hexdigest()[:16]
