"""The words engines use for types, and the ODCS logical type each kind of value belongs to."""

from __future__ import annotations

from enum import Enum


class Family(str, Enum):
    """What kind of value a type holds; the value is the canonical word for it."""

    STRING = "string"  # params: (max length,) or ()
    CHAR = "char"  # padded to its length
    BOOLEAN = "boolean"
    INT8 = "tinyint"
    INT16 = "smallint"
    INT32 = "int"
    INT64 = "bigint"
    DECIMAL = "decimal"  # params: (precision, scale) or ()
    NUMBER = "number"  # any number, width not said
    FLOAT32 = "float"
    FLOAT64 = "double"
    DATE = "date"
    TIME = "time"  # params: (fraction digits,) or ()
    TIMESTAMP = "timestamp"  # params: (fraction digits,) or ()
    INTERVAL = "interval"
    BINARY = "binary"  # params: (length,) or ()
    UUID = "uuid"
    JSON = "json"
    ARRAY = "array"  # children: (("", item),) or ()
    MAP = "map"  # children: (("key", …), ("value", …)) or ()
    STRUCT = "struct"  # children by name
    VECTOR = "vector"  # params: (dimensions,), children: (("", item),) or ()
    VOID = "void"
    UNKNOWN = "unknown"


class Zone(str, Enum):
    """Whether a time of day or timestamp marks an instant or a reading of the local clock."""

    WITH = "with time zone"
    WITHOUT = "without time zone"
    UNSPECIFIED = ""


LOGICAL = {
    Family.STRING: "string",
    Family.CHAR: "string",
    Family.UUID: "string",
    Family.BOOLEAN: "boolean",
    Family.INT8: "integer",
    Family.INT16: "integer",
    Family.INT32: "integer",
    Family.INT64: "integer",
    Family.DECIMAL: "number",
    Family.NUMBER: "number",
    Family.FLOAT32: "number",
    Family.FLOAT64: "number",
    Family.DATE: "date",
    Family.TIME: "time",
    Family.TIMESTAMP: "timestamp",
    Family.JSON: "object",
    Family.STRUCT: "object",
    Family.ARRAY: "array",
    Family.MAP: "map",
    Family.VECTOR: "vector",
}

_WORDS: dict[Family, str] = {
    Family.STRING: "string text varchar varchar2 nvarchar nvarchar2 sysname clob nclob tinytext mediumtext longtext "
    "ntext utf8 str|character varying|char varying|national character varying|long varchar|character large object",
    Family.CHAR: "char nchar character bpchar|national character|national char",
    Family.BOOLEAN: "boolean bool bit logical",
    Family.INT8: "tinyint byte byteint int1",
    Family.INT16: "smallint short int2 int16 smallserial",
    Family.INT32: "int integer int4 int32 serial",
    Family.INT64: "bigint long int8 int64 bigserial|long integer",
    Family.DECIMAL: "decimal numeric dec bignumeric bigdecimal",
    Family.NUMBER: "number",
    Family.FLOAT32: "float real float4 float32 single",
    Family.FLOAT64: "double float8 float64|double precision",
    Family.DATE: "date date32",
    Family.UUID: "uuid uniqueidentifier guid",
    Family.JSON: "json jsonb variant super",
    Family.BINARY: "binary varbinary bytea blob bytes raw fixed tinyblob mediumblob longblob image|binary varying"
    "|long raw|binary large object",
    Family.VOID: "void null",
    Family.ARRAY: "array list",
    Family.MAP: "map",
    Family.STRUCT: "struct row record object",
    Family.VECTOR: "vector",
    Family.INTERVAL: "interval",
}
FAMILIES = {
    word: family
    for family, text in _WORDS.items()
    for word in (*text.partition("|")[0].split(), *filter(None, text.partition("|")[2].split("|")))
}
# Words of single engines without a common meaning here, and words that follow a type: known to exist, compared as text.
_ENGINE_WORDS = """
aggregatefunction alphanum any bfile bfloat16 bignum binary_double binary_float bitmap bitstring box cidr
circle citext cstring cursor date64 datetime64 day dbclob decfloat decimal128 decimal256 decimal32 decimal64
dictionary duration dynamic enum enum16 enum8 fixed_len_byte_array fixedstring float16 geography geometry
geometrycollection graphic half halffloat halfvec hierarchyid hll hllsketch hour hstore hugeint hyperloglog
identity inet int128 int24 int256 int96 ipaddress ipprefix ipv4 ipv6 jsonpath key large_binary large_list
large_string largebinary largeint largelist largeutf8 latlon line linestring local long_string lowcardinality
lseg ltree lvarchar macaddr macaddr8 mediumint minute money month multilinestring multipoint multipolygon
multiset name nested nstring nullable number_range oid path point polygon primary qdigest quantile_state range
refcursor regclass rowid rowversion sbyte second seconddate serial2 serial4 serial8 set setdigest shape
shorttext signed simpleaggregatefunction smalldatetime smalldecimal smallmoney sparsevec sql_variant
st_geometry st_point symbol tdigest tid time32 time64 timespan to tsquery tsvector tuple ubigint ubyte udouble
ufloat uhugeint uint uint128 uint256 uinteger ulong union unsigned urowid user_defined ushort usmallint
utinyint varbit vargraphic varint view vpath xid xml xmltype year zerofill
"""
ENGINE_WORDS = frozenset(_ENGINE_WORDS.split())
UINTS = {"uint8": Family.INT8, "uint16": Family.INT16, "uint32": Family.INT32, "uint64": Family.INT64}
INTEGERS = frozenset(UINTS.values())
FIXED_PARAMS = {"bignumeric": (76, 38), "bigdecimal": (76, 38)}

# word -> family, zone, fraction digits (None: as written)
CLOCKS: dict[str, tuple[Family, Zone, int | None]] = {
    "timestamp": (Family.TIMESTAMP, Zone.UNSPECIFIED, None),
    "timestamp with time zone": (Family.TIMESTAMP, Zone.WITH, None),
    "timestamp with local time zone": (Family.TIMESTAMP, Zone.WITH, None),
    "timestamp without time zone": (Family.TIMESTAMP, Zone.WITHOUT, None),
    "timestamptz": (Family.TIMESTAMP, Zone.WITH, None),
    "timestamp_tz": (Family.TIMESTAMP, Zone.WITH, None),
    "timestamp_ltz": (Family.TIMESTAMP, Zone.WITH, None),
    "timestampltz": (Family.TIMESTAMP, Zone.WITH, None),
    "timestamp_ntz": (Family.TIMESTAMP, Zone.WITHOUT, None),
    "timestampntz": (Family.TIMESTAMP, Zone.WITHOUT, None),
    "timestamp_s": (Family.TIMESTAMP, Zone.WITHOUT, 0),
    "timestamp_ms": (Family.TIMESTAMP, Zone.WITHOUT, 3),
    "timestamp_ns": (Family.TIMESTAMP, Zone.WITHOUT, 9),
    "timestamptz_ns": (Family.TIMESTAMP, Zone.WITH, 9),
    "timestamp-millis": (Family.TIMESTAMP, Zone.WITH, 3),
    "timestamp-micros": (Family.TIMESTAMP, Zone.WITH, 6),
    "timestamp-nanos": (Family.TIMESTAMP, Zone.WITH, 9),
    "local-timestamp-millis": (Family.TIMESTAMP, Zone.WITHOUT, 3),
    "local-timestamp-micros": (Family.TIMESTAMP, Zone.WITHOUT, 6),
    "local-timestamp-nanos": (Family.TIMESTAMP, Zone.WITHOUT, 9),
    "datetime": (Family.TIMESTAMP, Zone.WITHOUT, None),
    "datetime2": (Family.TIMESTAMP, Zone.WITHOUT, None),
    "datetimeoffset": (Family.TIMESTAMP, Zone.WITH, None),
    "time": (Family.TIME, Zone.UNSPECIFIED, None),
    "time with time zone": (Family.TIME, Zone.WITH, None),
    "time without time zone": (Family.TIME, Zone.WITHOUT, None),
    "timetz": (Family.TIME, Zone.WITH, None),
    "time-millis": (Family.TIME, Zone.WITHOUT, 3),
    "time-micros": (Family.TIME, Zone.WITHOUT, 6),
}
