"""Output columns and columns read of queries, with the lines of the text they were given in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from floe_contracts.adapters.sql.process import DbtContext, SqlProcess, SqlText
from floe_contracts.definitions.definition import DefinedColumn, Definition, Gap
from floe_contracts.definitions.query import Query, resolve_query

UPSTREAM = Definition("up.sql", (DefinedColumn("id", type="BIGINT"), DefinedColumn("coupon"), DefinedColumn("z")))


@pytest.fixture(scope="module")
def process() -> Iterator[SqlProcess]:
    with SqlProcess() as running:
        yield running


def read(process: SqlProcess, text: str, template: DbtContext | None = None, dialect: str = "duckdb") -> Query:
    query = process.read_query(SqlText(text, dialect, template))
    assert isinstance(query, Query), query
    return query


def resolved(query: Query) -> Definition:
    return resolve_query(query, lambda table: UPSTREAM if table in ("up", "ref:up") else None, "model.sql")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("select id, coupon as c from up", "id c"),
        ("select * from up", "id coupon z"),
        ("select u.* exclude (z), 1 as one from up u", "id coupon one"),
        ("with a as (select * from up), b as (select a.*, 2 as two from a) select * from b", "id coupon z two"),
        ("select * from up join (select 1 as id, 2 as other) o using (id)", "id coupon z other"),
        ("select id from up union all select coupon from up", "id"),
        ("with a(x, y) as (select 1, 2) select * from a", "x y"),
        ("select * from (values (1, 2)) as t(a, b)", "a b"),
        ("select * from up semi join (select 1 as q) s on true", "id coupon z"),
        ("with recursive r as (select 1 as n union all select n + 1 from r) select * from r", "n"),
        ("select * replace (1 as id) from up", "id coupon z"),
        ("from up", "id coupon z"),
        ("select z.part, up.z.part.deep from up", "part deep"),
    ],
)
def test_every_output_name_is_known(process: SqlProcess, text: str, names: str) -> None:
    definition = resolved(read(process, text))
    assert definition.unknown == ()
    assert sorted(column.name for column in definition.columns) == sorted(names.split())


@pytest.mark.parametrize(
    "text",
    [
        "select * from elsewhere",
        "select count(*) from up",
        "select columns('x.*') from up",
        "select * from read_csv('x.csv')",
        "select * from up pivot (sum(id) for coupon in ('a', 'b'))",
        "select z.* from up",
        "select *, id from up",
        "select unnest(z) from up",
        "select (z).part from up",
        "select struct_pack(p := id).p from up",
        "with r as (select * from r2), r2 as (select * from r) select * from r",
    ],
)
def test_what_cannot_be_resolved_is_not_complete(process: SqlProcess, text: str) -> None:
    assert not resolved(read(process, text)).complete


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("snowflake", "select * from up match_recognize (measures id as m pattern (x) define x as true)"),
        ("tsql", "select * from up for json auto"),
        ("bigquery", "select as struct id from up"),
        ("snowflake", "select * ilike '%a%' from up"),
        ("snowflake", "select * from up, lateral flatten(input => up.z) f"),
        ("spark", "select * from up lateral view explode(z) t as y"),
        ("postgres", "select (r).* from up r"),
    ],
)
def test_a_dialects_own_shapes_are_not_complete(process: SqlProcess, dialect: str, text: str) -> None:
    assert not resolved(read(process, text, dialect=dialect)).complete


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("select cast(coupon as date) as c from up", "DATE"),
        ("select id as c from up", "BIGINT"),
        ("with a as (select * from up) select id as c from a", "BIGINT"),
        ("select id + 1 as c from up", ""),
        ("select sum(id) as c from up", ""),
        ("select id as c from up union all select 'x' from up", ""),
    ],
)
def test_types_come_from_casts_and_columns_passed_through(process: SqlProcess, text: str, kind: str) -> None:
    assert [column.type for column in resolved(read(process, text)).columns] == [kind]


MODEL = """{{ config(materialized='table') }}
{% set kinds = ['card', 'cash'] %}
with src as (
    select * from {{ ref('up') }}
)
select
    id,
    {% for kind in kinds %}
    sum(z) as {{ kind }}_amount,
    {% endfor %}
    {{ dbt_utils.generate_surrogate_key(['id']) }} as key,
    {{ cents('coupon') }} as dollars
from src
{% if is_incremental() %}where id > (select max(id) from {{ this }}){% endif %}
"""


def test_a_model_keeps_its_lines_through_jinja(process: SqlProcess) -> None:
    macros = {"macros/cents.sql": "{% macro cents(name) %}({{ name }} / 100)::decimal(16, 2){% endmacro %}"}
    query = read(process, MODEL, DbtContext("duckdb", macros))
    definition = resolved(query)
    assert [(column.name, column.line, column.type) for column in definition.columns] == [
        ("id", 7, "BIGINT"),
        ("card_amount", 9, ""),
        ("cash_amount", 9, ""),
        ("key", 11, ""),
        ("dollars", 12, "DECIMAL(16, 2)"),
    ]
    assert definition.complete
    assert query.macros == ("macros/cents.sql",)
    assert query.tables == ("ref:up",)
    assert {(read.column, read.line) for read in query.reads} == {("id", 7), ("z", 9), (None, 11), ("coupon", 12)}


@pytest.mark.parametrize(
    "text",
    [
        "{% if var('x') %}select 1 as a{% else %}select 1 as b{% endif %}",
        "{% if execute %}select 1 as a{% endif %}",
        "{% if target.name == 'dev' %}select 1 as a{% else %}select 1 as b{% endif %}",
        "{% for name in var('names') %}select 1 as {{ name }}{% endfor %}",
        "{% set q %}{{ var('x') }}{% endset %}{% if q == 'a' %}select 1 as a{% else %}select 1 as b{% endif %}",
        "{% if (var('x') ~ 'y') | length > 3 %}select 1 as a{% else %}select 1 as b{% endif %}",
        "{% if '%s' % var('x') == 'a' %}select 1 as a{% else %}select 1 as b{% endif %}",
        "{{ dbt_utils.union_relations([ref('a'), ref('b')]) }}",
        "{{ exceptions.raise_compiler_error('no') }}",
        "{% snapshot s %}select 1 as a{% endsnapshot %}",
    ],
)
def test_a_decision_on_what_only_dbt_knows_cannot_be_told(process: SqlProcess, text: str) -> None:
    assert isinstance(process.read_query(SqlText(text, "duckdb", DbtContext("duckdb"))), Gap)


@pytest.mark.parametrize(
    "text",
    [
        "select a, {{ star(ref('up')) }} from t",
        "select a, {{ var('n') }}_x from t",
        "select * from {{ ref('up') }} {{ more_joins() }}",
        "select 1 as {{ var('n') }}",
    ],
)
def test_a_hole_among_the_outputs_leaves_them_incomplete(process: SqlProcess, text: str) -> None:
    assert not resolved(read(process, text, DbtContext("duckdb"))).complete
