"""E561: queries of SQL rules that a run refuses, told by their words when the contract is written."""

from __future__ import annotations

import json

import pytest

from floe_contracts.contract.lint.queries import refused_words
from floe_contracts.contract.load import load

CONTRACT = """\
apiVersion: v3.1.0
kind: DataContract
id: shop-orders
version: 1.0.0
status: active
schema:
  - name: orders
    quality:
      - {type: sql, mustBe: 0,
         query: %s}
    properties:
      - {name: id, logicalType: string}
"""


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        pytest.param("SELECT reflect('java.lang.System', 'exit', 0)", "it calls reflect()", id="reflect"),
        pytest.param("SELECT JAVA_METHOD ('a', 'b')", "it calls java_method()", id="java_method"),
        pytest.param("SELECT `try_reflect`/* x */('a', 'b')", "it calls try_reflect()", id="quoted, with a comment"),
        pytest.param("SELECT 1 -- 'x\n + length(current_user())", "it calls current_user()", id="after a comment"),
        pytest.param("SELECT count(*) FROM read_files('/etc')", "it calls read_files()", id="files by a function"),
        pytest.param("SELECT count(*) FROM text.`/etc/passwd`", "text.`…`", id="files by their path"),
        pytest.param("SELECT 1 FROM a JOIN JDBC.`x`", "jdbc.`…`", id="another database"),
        pytest.param("SELECT 1 FROM ((csv.`/x`) AS a)", "csv.`…`", id="files in brackets"),
        pytest.param("SELECT 1 FROM (TABLE csv.`/x`)", "csv.`…`", id="files by TABLE"),
        pytest.param("SELECT TRANSFORM(id) USING 'cat' FROM a", "it runs a program", id="a program"),
        pytest.param("SELECT count(*) FROM IDENTIFIER('a' || 'b')", "it builds a name", id="a built name"),
        pytest.param("SELECT 1; DROP TABLE a", "more than one statement", id="two statements"),
        pytest.param("WITH a AS (SELECT 1) INSERT INTO b SELECT * FROM a", "INSERT INTO", id="an insert behind WITH"),
        *(
            pytest.param(f"{word} x", f"it begins with {word.upper()}", id=f"the statement {word}")
            for word in ("insert", "Update", "DROP", "set", "ADD", "execute", "begin", "create", "call", "load")
        ),
    ],
)
def test_refused(query: str, reason: str) -> None:
    assert reason in refused_words(query)
    loaded = load((CONTRACT % json.dumps(query)).encode(), "contracts/orders.yaml")
    assert [(item.code.id, item.severity.value) for item in loaded.findings] == [("FLOE-E561", "error")]
    assert loaded.findings[0].location
    assert loaded.findings[0].location.line == 10
    assert loaded.contract  # the other rules are still measured


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM {object} WHERE name = 'reflect(x)'",
        "SELECT count(*) FROM orders -- reflect(",
        "SELECT reflect, user, version FROM orders",
        "SELECT size(transform(items, x -> x + 1)) FROM orders JOIN people USING (id)",
        "SELECT update, `set` FROM orders;",
        "SELECT count(*) FROM parquet.orders",
        "SELECT count(json.`a b`), max(xml.`c`) FROM orders",
        "(SELECT 1) UNION (SELECT 2)",
        "WITH a AS (SELECT 1) SELECT * FROM a",
        "SELECT 'a\\'; drop table b'",
        "",
        "'" * 5001,
    ],
)
def test_nothing_against(query: str) -> None:
    assert refused_words(query) == ""


def test_settings_that_trust_sql_let_it_stand() -> None:
    data = (CONTRACT % '"SELECT reflect(1)"').encode()
    assert load(data, "contracts/orders.yaml", trusts_sql=True).findings == ()
