"""Type names of every engine: one meaning for all spellings, and nothing guessed about unknown ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floe_contracts.contract.meaning.typenames import Family, TypeExpr, Zone, logical_for, normal_type, parse_type


@pytest.mark.parametrize(
    ("spellings", "canonical"),
    [
        pytest.param("string|STRING|text|Varchar|varchar(max)|nvarchar|character varying|clob", "string", id="string"),
        pytest.param("varchar(20)|VARCHAR( 20 )|character varying(20)|varchar2(20 char)", "string(20)", id="length"),
        pytest.param("char(3)|CHARACTER(3)|nchar(3)|bpchar(3)", "char(3)", id="padded"),
        pytest.param("char|char(1)", "char(1)", id="one character"),
        pytest.param("boolean|bool|BOOL|bit", "boolean", id="boolean"),
        pytest.param("tinyint|byte|int1|TINYINT(4)", "tinyint", id="one byte"),
        pytest.param("smallint|short|int2|int16", "smallint", id="two bytes"),
        pytest.param("int|INTEGER|int4|int32|int(11)|serial", "int", id="four bytes"),
        pytest.param("bigint|long|INT64|int8|bigserial", "bigint", id="eight bytes"),
        pytest.param("bigint unsigned|unsigned bigint|uint64|bigint(20) unsigned", "bigint unsigned", id="unsigned"),
        pytest.param("NUMERIC(12, 2)|decimal(12,2)|dec(12,2)|NUMBER(12,2)", "decimal(12,2)", id="decimal"),
        pytest.param("decimal(12)|numeric(12,0)|number(12)", "decimal(12,0)", id="decimal without scale"),
        pytest.param("decimal|NUMERIC", "decimal", id="decimal without size"),
        pytest.param("bignumeric|bigdecimal|decimal(76,38)", "decimal(76,38)", id="BigQuery's big decimal"),
        pytest.param("float|real|float4|FLOAT32|float(24)", "float", id="single"),
        pytest.param("double|double precision|DOUBLE  PRECISION|float8|float64|float(53)", "double", id="double"),
        pytest.param("date|DATE|date32", "date", id="date"),
        pytest.param("timestamp|TIMESTAMP", "timestamp", id="timestamp of unknown zone"),
        pytest.param(
            "timestamptz|timestamp with time zone|timestamp_ltz|TIMESTAMP_TZ|datetimeoffset",
            "timestamp with time zone",
            id="instant",
        ),
        pytest.param(
            "timestamp_ntz|timestamp without time zone|DATETIME|datetime2|timestampntz",
            "timestamp without time zone",
            id="local timestamp",
        ),
        pytest.param(
            "timestamp(6) with time zone|timestamptz(6)|timestamp-micros", "timestamp(6) with time zone", id="digits"
        ),
        pytest.param(
            "timestamp_ns|timestamp_ntz(9)|local-timestamp-nanos", "timestamp(9) without time zone", id="nanos"
        ),
        pytest.param("time|TIME", "time", id="time"),
        pytest.param("timetz|time with time zone", "time with time zone", id="time with zone"),
        pytest.param("interval", "interval", id="interval"),
        pytest.param("INTERVAL DAY TO SECOND|interval  day to second", "interval day to second", id="interval of days"),
        pytest.param("binary|bytea|BLOB|bytes|varbinary", "binary", id="binary"),
        pytest.param("binary(16)|varbinary(16)|fixed(16)", "binary(16)", id="binary length"),
        pytest.param("uuid|UNIQUEIDENTIFIER|guid", "uuid", id="uuid"),
        pytest.param("json|jsonb|VARIANT|super", "json", id="json"),
        pytest.param("array<int>|ARRAY(INTEGER)|int[]|INT ARRAY|list<int>|int[3]", "array<int>", id="array"),
        pytest.param("text[][]|array<array<string>>", "array<array<string>>", id="array of arrays"),
        pytest.param("map<string,int>|MAP(varchar, integer)", "map<string,int>", id="map"),
        pytest.param(
            "struct<a:int,b:string>|STRUCT<b STRING, a INT>|row(a int, b varchar)|record<`a`: int, b: text>",
            "struct<a:int,b:string>",
            id="struct by name",
        ),
        pytest.param("struct<a:int not null comment 'x, y>'>", "struct<a:int not null>", id="struct with remarks"),
        pytest.param("struct<`a b`:int>", "struct<`a b`:int>", id="struct with a blank in a name"),
        pytest.param("row(int, varchar)", "struct<int,string>", id="struct without names"),
        pytest.param("struct|OBJECT|record|struct<>", "struct", id="struct without fields"),
        pytest.param("vector(3)|VECTOR(3)", "vector(3)", id="vector"),
        pytest.param("vector(float, 3)|vector<float32,3>", "vector(float,3)", id="vector of floats"),
        pytest.param("void|null", "void", id="void"),
        pytest.param(
            "array<struct<k:array<decimal(10, 2)>,m:map<string,struct<x:int>>>>",
            "array<struct<k:array<decimal(10,2)>,m:map<string,struct<x:int>>>>",
            id="deep",
        ),
    ],
)
def test_all_spellings_are_one_type(spellings: str, canonical: str) -> None:
    found = {parse_type(text) for text in spellings.split("|")}
    assert {one and one.text for one in found} == {canonical}
    assert len(found) == 1
    assert parse_type(canonical) in found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("varchar(20)", "varchar(30)", id="length"),
        pytest.param("char(3)", "varchar(3)", id="padding"),
        pytest.param("int", "bigint", id="width"),
        pytest.param("int", "int unsigned", id="sign"),
        pytest.param("decimal(12,2)", "decimal(12,3)", id="scale"),
        pytest.param("decimal(12,2)", "decimal", id="size not said"),
        pytest.param("float", "double", id="precision"),
        pytest.param("timestamp", "timestamptz", id="zone not said"),
        pytest.param("timestamp_ntz", "timestamptz", id="zone"),
        pytest.param("timestamp(3)", "timestamp(6)", id="fraction"),
        pytest.param("struct<a:int>", "struct<A:int>", id="case of a field name"),
        pytest.param("struct<a:int>", "struct<a:int not null>", id="nullability inside"),
        pytest.param("geometry(point)", "geometry(line)", id="unknown words"),
        pytest.param("enum('a')", "enum('A')", id="case inside quotes"),
    ],
)
def test_different_types_stay_different(one: str, other: str) -> None:
    assert parse_type(one) != parse_type(other)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        pytest.param("GEOGRAPHY( Point , 4326 )", "geography(point,4326)", id="parameters"),
        pytest.param("Nullable(Int32)", "nullable(int32)", id="wrapper"),
        pytest.param("varchar2(20 byte)", "varchar2(20 byte)", id="length in bytes"),
        pytest.param("string collate 'de-DE'", "string collate 'de-DE'", id="collation"),
        pytest.param("decimal(1,2,3)", "decimal(1,2,3)", id="too many parameters"),
        pytest.param("uuid(3)", "uuid(3)", id="parameter where none belongs"),
        pytest.param("decimal unsigned", "decimal unsigned", id="unsigned where it has no meaning"),
        pytest.param("int" + "[]" * 7, "int" + "[]" * 7, id="too many dimensions"),
        pytest.param("array<int,int>", "array<int,int>", id="two item types"),
        pytest.param("decimal(99999999999,2)", "decimal(99999999999,2)", id="very large parameter"),
    ],
)
def test_unknown_types_keep_their_text(text: str, canonical: str) -> None:
    assert parse_type(text) == TypeExpr(Family.UNKNOWN, text=canonical)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("  ", id="blank"),
        pytest.param("decimal(12", id="never closed"),
        pytest.param("array<int", id="angle never closed"),
        pytest.param("int]", id="never opened"),
        pytest.param("array<int)", id="closed by another"),
        pytest.param("array<" * 40 + "int" + ">" * 40, id="too deep"),
        pytest.param("<" * 100_000, id="an attack"),
    ],
)
def test_text_that_can_be_no_type(text: str) -> None:
    assert parse_type(text) is None


def test_parts_of_a_type() -> None:
    found = parse_type("struct<id:bigint,at:timestamp(3) with time zone,tags:array<string>>")
    assert found is not None
    at, tags = found.child("at"), found.child("tags")
    assert at == TypeExpr(Family.TIMESTAMP, (3,), text="timestamp(3) with time zone", zone=Zone.WITH)
    assert tags is not None
    assert tags.children[0][1].family is Family.STRING
    assert found.child("missing") is None


def test_text_that_cannot_be_read_only_loses_its_spaces() -> None:
    assert normal_type("Decimal( 12") == "decimal(12"


@pytest.mark.parametrize(
    ("text", "logical"),
    [
        pytest.param("VARCHAR(20)", "string", id="string"),
        pytest.param("uuid", "string", id="uuid"),
        pytest.param("long", "integer", id="integer"),
        pytest.param("NUMERIC(12,2)", "number", id="decimal"),
        pytest.param("double", "number", id="float"),
        pytest.param("bool", "boolean", id="boolean"),
        pytest.param("DATETIME", "timestamp", id="timestamp"),
        pytest.param("date", "date", id="date"),
        pytest.param("timetz", "time", id="time"),
        pytest.param("int[]", "array", id="array"),
        pytest.param("map<string,int>", "map", id="map"),
        pytest.param("struct<a:int>", "object", id="struct"),
        pytest.param("variant", "object", id="json"),
        pytest.param("vector(3)", "vector", id="vector"),
        pytest.param("bytea", None, id="binary has no logical type"),
        pytest.param("geography", None, id="unknown"),
        pytest.param("decimal(", None, id="no type"),
    ],
)
def test_logical_types(text: str, logical: str | None) -> None:
    assert logical_for(text) == logical


SCALARS = st.sampled_from(
    ["string", "int", "decimal(10,2)", "timestamp(6) with time zone", "binary(4)", "bigint unsigned"]
)
NAMES = st.from_regex(r"\A[A-Za-z_][A-Za-z0-9_]{0,5}\Z")
TYPES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        inner.map("array<{}>".format),
        st.tuples(inner, inner).map(lambda two: f"map<{two[0]},{two[1]}>"),
        st.dictionaries(NAMES, inner, min_size=1, max_size=3).map(
            lambda fields: "struct<" + ",".join(f"{name}:{kind}" for name, kind in fields.items()) + ">"
        ),
    ),
    max_leaves=6,
)


@given(TYPES)
def test_the_canonical_spelling_reads_back_as_the_same_type(text: str) -> None:
    found = parse_type(text)
    assert found is not None
    assert found.family is not Family.UNKNOWN
    assert parse_type(found.text) == found


@given(TYPES)
def test_case_and_spacing_of_known_words_have_no_meaning(text: str) -> None:
    spaced = text.replace(",", " , ").replace("<", " < ").replace("decimal", "DECIMAL").replace("array", "Array")
    assert parse_type(spaced) == parse_type(text)


@given(st.text(max_size=60))
def test_any_text_is_read_without_complaint(text: str) -> None:
    found = parse_type(text)
    assert found is None or parse_type(found.text) == found or found.family is Family.UNKNOWN
    assert logical_for(text) is None or found is not None
