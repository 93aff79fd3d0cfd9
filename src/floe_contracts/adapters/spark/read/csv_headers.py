"""The header of each CSV file, and how it uses quotes: each is read by its own header."""

from __future__ import annotations

import bz2
import csv
import gzip
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .relation import ListedFile, TableRelation, TooMany, list_files, local_path

_UNKNOWN = (".zst", ".lz4", ".snappy", ".deflate", ".xz")  # compressed in ways that Python may not read
_MOST = 1 << 20  # characters of a header
_CHUNK = 1 << 22
_THREADS = 8


def group_by_header(relation: TableRelation, options: Mapping[str, str]) -> list[list[str]] | None:
    """The files by the columns that they name, those of the first file first; None where only Spark can look."""
    try:
        listed = [file for file in list_files(relation) if file.size]
    except TooMany:
        return None
    places = [local_path(file.name) for file in listed]
    if any(place is None or place.suffix in _UNKNOWN for place in places):
        return None
    with ThreadPoolExecutor(_THREADS) as pool:
        headers = list(pool.map(lambda place: _read_header(place, options) if place else (), places))
    groups: dict[tuple[str, ...], list[str]] = {}
    for file, header in zip(listed, headers, strict=True):
        groups.setdefault(header, []).append(_spark_name(file))
    return list(groups.values())


@dataclass(frozen=True, slots=True)
class QuoteUse:
    """How files use quotes, as far as a look at their bytes tells."""

    escape: str = ""  # the sign before a quote inside of quotes; empty: nobody looked
    open_at_end: bool = False  # some file leaves its last quote open


def look_at_quotes(relation: TableRelation) -> QuoteUse:
    """Quotes in files on this machine: RFC 4180 doubles a quote inside of quotes, Spark writes a backslash first."""
    try:
        places = [local_path(file.name) for file in list_files(relation) if file.size]
    except TooMany:
        return QuoteUse()
    if any(place is None or place.suffix in (*_UNKNOWN, ".gz", ".bz2") for place in places):
        return QuoteUse()
    with ThreadPoolExecutor(_THREADS) as pool:
        looks = list(pool.map(lambda place: _look(place) if place else (False, 0), places))
    backslash = any(escaped for escaped, _ in looks)
    return QuoteUse("\\" if backslash else '"', not backslash and any(number % 2 for _, number in looks))


def _look(place: Path) -> tuple[bool, int]:
    """Whether a quote stands behind a backslash, and the number of all quotes."""
    escaped, number, last = False, 0, b""
    with place.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            escaped = escaped or b'\\"' in last + chunk
            number += chunk.count(b'"')
            last = chunk[-1:]
    return escaped, number


def are_small(relation: TableRelation, most_bytes: int) -> bool:
    """Whether Spark would give each file to one task in any case."""
    try:
        return all(file.size <= most_bytes for file in list_files(relation))
    except TooMany:
        return False


def _spark_name(file: ListedFile) -> str:
    return str(file.path.toString())


def _read_header(place: Path, options: Mapping[str, str]) -> tuple[str, ...]:
    settings = {name.casefold(): text for name, text in options.items()}
    encoding = settings.get("encoding") or settings.get("charset") or "utf-8-sig"
    separator = settings.get("sep") or settings.get("delimiter") or ","
    quote = settings.get("quote", '"')
    with _open(place, encoding) as stream:
        text = stream.read(_MOST)
    if len(separator) != 1 or len(quote) > 1:  # a separator of several characters is left to Spark
        return (text.partition("\n")[0].rstrip("\r"),)
    lines = text.splitlines(keepends=True)
    quoted = csv.reader(lines, delimiter=separator, quotechar=quote or '"')
    reader = quoted if quote else csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE)
    return tuple(name.strip() for name in next((row for row in reader if row), []))


def _open(place: Path, encoding: str) -> IO[str]:
    if place.suffix == ".gz":
        return gzip.open(place, "rt", encoding=encoding, errors="replace", newline="")
    if place.suffix == ".bz2":
        return bz2.open(place, "rt", encoding=encoding, errors="replace", newline="")
    return place.open(encoding=encoding, errors="replace", newline="")
