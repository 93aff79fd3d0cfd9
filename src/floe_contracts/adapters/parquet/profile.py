"""What is in Parquet files, without Spark: types and null counts of all rows that are looked at, keys, values."""

from __future__ import annotations

import os
import re
from typing import Any

from ...contract.propose import MOST_VALUES, Seen, is_key_name, may_list_values
from ...errors import FloeError, MissingExtra
from ...frozen import dataclass, replace

MOST_ROWS = 1_000_000
_IN_FILE = re.compile(r"Could not open Parquet input source '([^']*)': (.+)")
_QUOTED = re.compile(r"(?<!\w)'(?:.*'|.*$)")


@dataclass(frozen=True, slots=True)
class Look:
    """Columns as seen in so many rows; `whole` when these were all."""

    columns: tuple[Seen, ...]
    rows: int
    whole: bool = True


def is_parquet(source: str) -> bool:
    """A Parquet file, or a folder that holds some."""
    if os.path.isdir(source):
        return any(name.endswith(".parquet") for _, _, names in os.walk(source) for name in names)
    return source.endswith(".parquet") and os.path.isfile(source)


def look_into_parquet(source: str, table: str) -> Look:
    """Every column of the first million rows, one column at a time."""
    try:
        import pyarrow as pa
        from pyarrow import dataset
    except ImportError as error:
        raise MissingExtra("reading Parquet files", "spark") from error
    try:
        files = dataset.dataset(source, format="parquet", partitioning="hive", exclude_invalid_files=False)
        total = files.count_rows()
        rows = min(total, MOST_ROWS)
        columns = tuple(_profile_column(files, field, rows, table) for field in files.schema)
    except (pa.ArrowException, OSError) as error:
        raise FloeError(
            f"{source} cannot be read as Parquet: {cause(str(error), source)}", fix="Check the path and the files."
        ) from error
    return Look(columns, rows, rows == total)


def cause(message: str, source: str) -> str:
    """What Arrow says is wrong, and in which file of a folder; what it quotes may be a value, and is left out."""
    first = message.partition("\n")[0]
    match = _IN_FILE.search(first)
    path, reason = match.groups() if match else (source, first)
    return f"{f'{path}: ' if path != source else ''}{_QUOTED.sub('…', reason)}"[:240].rstrip(".")


def _profile_column(files: Any, field: Any, rows: int, table: str) -> Seen:
    import pyarrow as pa
    import pyarrow.compute as pc

    values = files.head(rows, columns=[field.name]).column(0)
    seen = Seen(field.name, spark_name(field.type), nulls=values.null_count)
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if not (
        pa.types.is_string(values.type) or pa.types.is_large_string(values.type) or pa.types.is_integer(values.type)
    ):
        return seen
    seen = replace(seen, distinct=pc.count_distinct(values, mode="only_valid").as_py())
    if is_key_name(field.name, table) or not may_list_values(seen, rows) or (seen.distinct or 0) > MOST_VALUES:
        return seen
    return replace(seen, values=tuple(str(value) for value in pc.unique(values).to_pylist() if value is not None))


def spark_name(kind: Any) -> str:
    """A type of Arrow as Spark would show it."""
    import pyarrow as pa

    is_ = pa.types
    if is_.is_dictionary(kind):
        return spark_name(kind.value_type)
    if is_.is_decimal(kind):
        return f"decimal({kind.precision},{kind.scale})"
    if is_.is_timestamp(kind):
        return "timestamp" if kind.tz else "timestamp_ntz"
    if is_.is_struct(kind):
        return f"struct<{','.join(f'{field.name}:{spark_name(field.type)}' for field in kind)}>"
    if is_.is_map(kind):
        return f"map<{spark_name(kind.key_type)},{spark_name(kind.item_type)}>"
    if is_.is_list(kind) or is_.is_large_list(kind) or is_.is_fixed_size_list(kind):
        return f"array<{spark_name(kind.value_type)}>"
    return _NAMES.get(str(kind), str(kind))


_NAMES = {
    "int8": "tinyint", "int16": "smallint", "int32": "int", "int64": "bigint",
    "uint8": "smallint", "uint16": "int", "uint32": "bigint", "uint64": "decimal(20,0)",
    "halffloat": "float", "float": "float", "double": "double", "bool": "boolean",
    "string": "string", "large_string": "string", "string_view": "string",
    "binary": "binary", "large_binary": "binary", "date32[day]": "date", "date64[ms]": "date",
}  # fmt: skip
