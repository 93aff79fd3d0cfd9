"""SQL rules come from whoever writes a contract: they ask the contract's tables, and can do nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from support.spark_plans import plan

from floe_contracts.adapters.spark.measure.tables import MeasureOptions, measure
from floe_contracts.checks.measure import SqlNumber
from floe_contracts.checks.measured import Failure, Number

_REFLECT = "reflect('java.lang.System', 'getProperty', 'user.home')"


@pytest.fixture(scope="module")
def table(spark: SparkSession) -> DataFrame:
    spark.sql("SELECT 42 AS id").write.mode("overwrite").saveAsTable("floe_secret")
    return spark.sql("SELECT * FROM VALUES (1, 'a'), (2, null) AS (id, name)")


def answer(frame: DataFrame, query: str, *, trusted: bool = False) -> Number | Failure:
    people = frame.sparkSession.sql("SELECT 2 AS id")
    options = MeasureOptions(
        names=("shop.orders",), others={"People": "people"}, open_table=lambda _: people, trusts_sql=trusted
    )
    return measure(frame, plan(SqlNumber(query)), options=options).values[SqlNumber(query)]


@pytest.mark.parametrize(
    ("query", "why"),
    [
        pytest.param(f"SELECT length({_REFLECT})", "calls reflect()", id="reflect"),
        pytest.param("SELECT java_method('java.lang.System', 'exit', 0)", "calls java_method()", id="java_method"),
        pytest.param("SELECT try_reflect('java.lang.System', 'exit', 0)", "calls try_reflect()", id="try_reflect"),
        pytest.param(f"SELECT `ReFlEcT`{_REFLECT[7:]}", "calls ReFlEcT()", id="quoted and in another case"),
        pytest.param(f"SELECT /* x */ reflect /* ( */ {_REFLECT[7:]}", "calls reflect()", id="behind comments"),
        pytest.param(f"SELECT 1 -- \u2028\n + length({_REFLECT})", "calls reflect()", id="behind an odd line end"),
        pytest.param(f"SELECT count(*) FROM {{object}} WHERE {_REFLECT} = 'a'", "calls reflect()", id="in WHERE"),
        pytest.param(f"SELECT count(*) FROM {{object}} GROUP BY {_REFLECT}", "calls reflect()", id="in GROUP BY"),
        pytest.param(f"SELECT count(*) FROM {{object}} HAVING {_REFLECT} = ''", "calls reflect()", id="in HAVING"),
        pytest.param(f"SELECT 1 ORDER BY {_REFLECT}", "calls reflect()", id="in ORDER BY"),
        pytest.param(f"SELECT 1 LIMIT length({_REFLECT})", "calls reflect()", id="in LIMIT"),
        pytest.param(f"SELECT count(*) FILTER (WHERE {_REFLECT} = '') FROM {{object}}", "reflect()", id="in FILTER"),
        pytest.param(f"SELECT sum(id) OVER (ORDER BY {_REFLECT}) FROM {{object}}", "reflect()", id="in a window"),
        pytest.param(
            f"SELECT sum(id) OVER w FROM {{object}} WINDOW w AS (ORDER BY {_REFLECT})", "reflect()", id="named window"
        ),
        pytest.param(
            f"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY length({_REFLECT})) FROM {{object}}",
            "reflect()",
            id="in WITHIN GROUP",
        ),
        pytest.param(f"SELECT size(transform(array(1), x -> {_REFLECT}))", "reflect()", id="in a lambda"),
        pytest.param(f"SELECT count(*) FROM VALUES ({_REFLECT})", "reflect()", id="in VALUES"),
        pytest.param(
            f"SELECT count(*) FROM {{object}} LATERAL VIEW explode(array({_REFLECT})) t AS c", "reflect()", id="view"
        ),
        pytest.param("SELECT 1 FROM {object} LATERAL VIEW reflect('a', 'b') t AS c", "reflect()", id="as a generator"),
        pytest.param(f"SELECT count(*) FROM {{object}}, LATERAL (SELECT {_REFLECT})", "reflect()", id="in LATERAL"),
        pytest.param(f"SELECT count(*) FROM {{object}} o JOIN people p ON {_REFLECT} = 'a'", "reflect()", id="in ON"),
        pytest.param("SELECT IDENTIFIER('ref' || 'lect')('a', 'b')", "builds a name", id="a built function"),
        pytest.param("SELECT count(*) FROM IDENTIFIER('floe_' || 'secret')", "builds a name", id="a built table"),
        pytest.param("SELECT TRANSFORM(id) USING 'cat' FROM {object}", "runs a program", id="TRANSFORM USING"),
        pytest.param("FROM {object} MAP id USING 'cat' AS x", "runs a program", id="MAP USING"),
        pytest.param("SELECT count(*) FROM text.`/etc/passwd`", "reads text./etc/passwd", id="a file"),
        pytest.param("SELECT count(*) FROM parquet.`/tmp`", "reads parquet./tmp", id="a folder"),
        pytest.param("SELECT count(*) FROM jdbc.`x`", "reads jdbc.x", id="JDBC"),
        pytest.param("SELECT count(*) FROM read_files('/etc')", "calls read_files()", id="read_files"),
        pytest.param("SELECT count(*) FROM python_worker_logs()", "calls python_worker_logs()", id="a table function"),
        pytest.param("SELECT count(*) FROM floe_secret", "reads floe_secret", id="another table"),
        pytest.param("SELECT count(*) FROM spark_catalog.default.floe_secret", "reads spark_catalog.", id="by catalog"),
        pytest.param("SELECT count(*) FROM default.orders", "reads default.orders", id="the name in a database"),
        pytest.param("SELECT count(*) FROM global_temp.floe_1", "reads global_temp.floe_1", id="a global view"),
        pytest.param("SELECT (SELECT max(id) FROM floe_secret)", "reads floe_secret", id="in a scalar subquery"),
        pytest.param("SELECT 1 WHERE EXISTS (SELECT 1 FROM floe_secret)", "reads floe_secret", id="in EXISTS"),
        pytest.param("SELECT 1 WHERE 1 IN (SELECT id FROM floe_secret)", "reads floe_secret", id="in IN"),
        pytest.param("SELECT 1 UNION SELECT id FROM floe_secret", "reads floe_secret", id="in UNION"),
        pytest.param(
            "WITH floe_secret AS (SELECT * FROM floe_secret) SELECT max(id) FROM floe_secret",
            "reads floe_secret",
            id="a CTE that shadows what it reads",
        ),
        pytest.param(
            "SELECT (WITH floe_secret AS (SELECT 1 id) SELECT 1) + max(id) FROM floe_secret",
            "reads floe_secret",
            id="a CTE of a subquery",
        ),
        pytest.param("SELECT 1) x, (SELECT * FROM floe_secret", "reads floe_secret", id="out of the brackets"),
        pytest.param("SELECT count(*) FROM {object} TIMESTAMP AS OF '2020-01-01'", "another moment", id="time travel"),
        pytest.param("SELECT length(current_user())", "calls current_user()", id="who runs it"),
        pytest.param("SELECT length(current_catalog())", "calls current_catalog()", id="which catalog"),
        pytest.param("SELECT max(input_file_name()) FROM {object}", "calls input_file_name()", id="which files"),
        pytest.param("SELECT spark_catalog.default.f(1)", "calls spark_catalog.default.f()", id="a function of theirs"),
        pytest.param("SELECT from_protobuf(name, 'M', '/etc/passwd') FROM {object}", "from_protobuf()", id="a schema"),
        pytest.param("SELECT count(*) FROM {object} WHERE name RLIKE '^(a|aa)+$'", "exponential time", id="RLIKE"),
        pytest.param("SELECT regexp_count('aab', '(a+)+b')", "exponential time", id="a slow pattern"),
        pytest.param("SELECT regexp_like('a', '(a' || '+)+')", "not written out", id="a built pattern"),
        pytest.param(r"SELECT regexp_like('a', '(?<x>a+)\\\\k<x>*(a|a)*b')", "exponential time", id="a back reference"),
        pytest.param("SELECT count(*) FROM {object} WHERE name RLIKE '^a*a*a*a*a*b'", "take hours", id="steep"),
        pytest.param("SELECT regexp_like('a', '" + "a?" * 40 + "b')", "millions of ways", id="many that are optional"),
        pytest.param("SELECT count(*) FROM {object} WHERE name LIKE '%a%a%a%a%ab'", "more than 4 %", id="LIKE"),
        pytest.param("SELECT count(*) FROM {object} WHERE name ILIKE '%a%a%a%a%ab'", "more than 4 %", id="ILIKE"),
        pytest.param("SELECT like(name, '%a%a%a%a%ab') FROM {object}", "more than 4 %", id="like()"),
        pytest.param(
            "SELECT count(*) FROM {object} WHERE name NOT LIKE ANY ('b', '%a%a%a%a%ab')", "than 4 %", id="LIKE ANY"
        ),
        pytest.param("SELECT count(*) FROM {object} WHERE name LIKE ALL ('%a%a%a%a%ab')", "than 4 %", id="LIKE ALL"),
        pytest.param("SELECT name LIKE repeat('%a', 9) FROM {object}", "not written out", id="a built LIKE"),
        pytest.param("SELECT size(str_to_map(name, 'a*a*a*a*a*b')) FROM {object}", "take hours", id="str_to_map"),
        pytest.param("SELECT size(str_to_map(name, ',', name)) FROM {object}", "not written out", id="built for a map"),
        pytest.param("SELECT length(parse_url(name, 'QUERY', 'a*a*a*a*a*b')) FROM {object}", "hours", id="parse_url"),
        pytest.param("SELECT length(current_user)", "asks who runs it", id="who runs it, without brackets"),
        pytest.param("SELECT (SELECT max(ascii(User)))", "asks who runs it", id="who runs it, in a subquery"),
        pytest.param("SELECT /*+ REPARTITION(2147483647) */ count(*) FROM {object}", "the hint", id="a hint"),
        pytest.param("SELECT count(*) FROM range(0, 9, 1, 2147483647)", "how many partitions", id="parts of a range"),
        pytest.param(
            "SELECT size(filter(sequence(1, 99999), x -> exists(sequence(1, 99999), y -> x + y < 0)))",
            "an array that it makes itself",
            id="loops over nothing",
        ),
        pytest.param("SELECT :x", "has a parameter", id="a parameter"),
        pytest.param("SET spark.sql.ansi.enabled=false", "Syntax error", id="SET"),
        pytest.param("ADD JAR '/tmp/x.jar'", "Syntax error", id="ADD JAR"),
        pytest.param("SELECT 1; SELECT 2", "Syntax error", id="two statements"),
        pytest.param("INSERT INTO floe_secret SELECT 1", "Syntax error", id="INSERT"),
        pytest.param("EXECUTE IMMEDIATE 'SELECT 1'", "Syntax error", id="EXECUTE IMMEDIATE"),
        pytest.param("BEGIN SELECT 1; END", "Syntax error", id="a script"),
        pytest.param("CREATE TABLE floe_new AS SELECT 1", "Syntax error", id="CREATE"),
    ],
)
def test_a_query_that_is_more_than_a_question_is_refused(table: DataFrame, query: str, why: str) -> None:
    found = answer(table, query)
    assert isinstance(found, Failure), found
    assert why in found.reason


@pytest.mark.parametrize(
    ("query", "number"),
    [
        pytest.param("SELECT count(*) FROM shop.orders", 2, id="a name with a dot"),
        pytest.param("SELECT count(*) FROM `shop`.`orders` AS o WHERE '\U0001f4e6' <> ''", 2, id="in backticks"),
        pytest.param("SELECT '\U0001f4e6' = '' AND count(*) > 0 FROM SHOP.Orders", 0, id="after an astral character"),
        pytest.param("SELECT count(*) FROM ORDERS o JOIN people p USING (id)", 1, id="in another case"),
        pytest.param("WITH a AS (SELECT 1 x), b AS (SELECT * FROM a) SELECT x FROM b", 1, id="CTEs"),
        pytest.param("WITH people AS (SELECT 7 id) SELECT id FROM people", 7, id="a CTE named like a table"),
        pytest.param("SELECT count(*) FROM {object} WHERE id IN (SELECT id FROM people)", 1, id="a subquery"),
        pytest.param("SELECT max(r) FROM (SELECT row_number() OVER (ORDER BY id) r FROM {object})", 2, id="a window"),
        pytest.param("SELECT count(*) FROM {object} WHERE name RLIKE '^a$' AND id BETWEEN 1 AND 2", 1, id="a pattern"),
        pytest.param("SELECT count(DISTINCT id) FROM {object} WHERE current_date() > DATE'2020-01-01'", 2, id="a day"),
        pytest.param("SELECT sum(CASE WHEN name IS NULL THEN 1 ELSE 0 END) / count(*) FROM {object}", 0.5, id="CASE"),
        pytest.param("SELECT count(*) FROM {object} LATERAL VIEW explode(array(1, 2)) t AS x", 4, id="explode"),
        pytest.param(
            "SELECT count(*) FROM {object} WHERE name LIKE '%a%' OR name LIKE ANY ('b%', '%c_')", 1, id="LIKE"
        ),
        pytest.param("SELECT count(user) FROM (SELECT 7 AS user)", 1, id="a column called user"),
        pytest.param("SELECT /*+ BROADCAST(p) */ count(*) FROM {object} o JOIN people p USING (id)", 1, id="a hint"),
        pytest.param("SELECT count(*) FROM range(3)", 3, id="a range"),
        pytest.param("SELECT max(size(filter(sequence(1, id), x -> x > 1))) FROM {object}", 1, id="a filtered array"),
        pytest.param("SELECT size(str_to_map('a:1,b:2', ',', ':'))", 2, id="a map of a text"),
        pytest.param("SELECT sum(s) FROM (SELECT sum(id) OVER w s FROM {object} WINDOW w AS ())", 6, id="named window"),
    ],
)
def test_an_honest_query_is_answered(table: DataFrame, query: str, number: Number) -> None:
    assert answer(table, query) == number


def test_names_of_with_keep_their_case_where_spark_does(table: DataFrame) -> None:
    table.sparkSession.conf.set("spark.sql.caseSensitive", "true")
    try:
        other = answer(table, "WITH FLOE_SECRET AS (SELECT 1 id) SELECT max(id) FROM floe_secret")
        own = answer(table, "WITH floe_new AS (SELECT 1 id) SELECT max(id) FROM floe_new")
    finally:
        table.sparkSession.conf.unset("spark.sql.caseSensitive")
    assert isinstance(other, Failure)
    assert "reads floe_secret" in other.reason
    assert own == 1


def test_full_trust_runs_what_is_written(table: DataFrame, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_text("1\n2\n3\n")
    assert answer(table, f"SELECT count(*) FROM text.`{file}`", trusted=True) == 3
