"""What sources keep of a type that they cannot hold, or that their driver hands over as another."""

from __future__ import annotations

from typing import TypeAlias

from ...contract.meaning.typenames import Family, TypeExpr, parse_type
from ...contract.model import Property

_DIGITS = 38  # of Spark's decimals
_Kept: TypeAlias = "dict[Family, tuple[Family, ...]]"
_WHOLE: _Kept = {Family.INT8: (Family.INT32,), Family.INT16: (Family.INT32,)}
_TIME: _Kept = {Family.TIME: (Family.INT32, Family.INT64)}  # milliseconds and microseconds of a day
_DRIVER: _Kept = {  # Spark has no type for these that drivers of databases could use
    Family.TIME: (Family.TIMESTAMP,),
    Family.INTERVAL: (Family.STRING,),
    Family.JSON: (Family.STRING,),
}
_DOUBLE: _Kept = {Family.FLOAT32: (Family.FLOAT64,)}  # their `float` has 53 bits
KEPT: dict[str, _Kept] = {
    "iceberg": _WHOLE,
    "avro": {**_WHOLE, **_TIME},
    "parquet": _TIME,
    "sql": _DOUBLE,  # what statements of such a database say
    "postgresql": {**_DRIVER, **_DOUBLE},
    "redshift": {**_DRIVER, **_DOUBLE},
    "sqlserver": {**_DRIVER, **_DOUBLE},
    "oracle": {**_DRIVER, **_DOUBLE},
    "mysql": _DRIVER,
    "mariadb": _DRIVER,
    "jdbc": _DRIVER,
}
_WORDS = {"time": Family.TIME, "object": Family.JSON}
_SAME_WORD = {Family.FLOAT32: ("float",)}  # only under this name: a `real` stays one


def is_kept_as(prop: Property, actual: TypeExpr, source: str) -> bool:
    """Whether the actual type is what the source keeps of the promised one."""
    promised = parse_type(prop.exact_type) if prop.exact_type else None
    if promised is None or promised.family is Family.UNKNOWN:
        family = None if prop.properties else _WORDS.get(prop.logical_type or "")
        return family is not None and actual.family in KEPT.get(source, {}).get(family, ())
    if promised.family is Family.DECIMAL and promised.params and promised.params[0] > _DIGITS:
        return source in KEPT and actual.family is Family.DECIMAL
    words = _SAME_WORD.get(promised.family)
    if words is not None and (prop.exact_type or "").strip().casefold() not in words:
        return False
    return actual.family in KEPT.get(source, {}).get(promised.family, ())
