"""Streams of listed files for Python's own readers: from this machine's disks, or from wherever Hadoop reads."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, cast

from .relation import ListedFile, Moved, TableRelation, hadoop_settings, local_path, read_range

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

T = TypeVar("T")
_BUFFER = 64 << 10
_THREADS = 8


def read_each(relation: TableRelation, files: Sequence[ListedFile], read: Callable[[BinaryIO], T]) -> list[T]:
    """What `read` takes from the stream of each file; several files at once."""
    settings = None if are_local(files) else hadoop_settings(relation)

    def read_one(file: ListedFile) -> T:
        with _open(file, settings) as stream:
            return read(stream)

    with ThreadPoolExecutor(_THREADS) as pool:
        return list(pool.map(read_one, files))


def are_local(files: Sequence[ListedFile]) -> bool:
    return all(local_path(file.name) for file in files)


def _open(file: ListedFile, settings: Any) -> BinaryIO:
    path = local_path(file.name)
    if path is None or settings is not None:
        return cast(BinaryIO, io.BufferedReader(_HadoopStream(file, settings), _BUFFER))
    if path.stat().st_size != file.size:
        raise Moved
    return path.open("rb")


class _HadoopStream(io.RawIOBase):
    """A file of any of Hadoop's file systems; each read is one call into the JVM."""

    def __init__(self, file: ListedFile, settings: Any) -> None:
        super().__init__()
        self._file, self._settings, self._at = file, settings, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._file.size}[whence]
        self._at = max(start + offset, 0)
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer).cast("B")
        length = min(len(view), max(self._file.size - self._at, 0))
        content = read_range(self._file.path, self._at, length, self._settings) if length else b""
        view[:length] = content
        self._at += length
        return length
