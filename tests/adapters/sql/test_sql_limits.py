"""Hostile SQL and Jinja end as "cannot tell", in time, and touch nothing."""

from __future__ import annotations

import importlib.util
import signal
import sys
import time
from pathlib import Path

import pytest

from floe_contracts.adapters.sql.dialects import DIALECTS
from floe_contracts.adapters.sql.process import DbtContext, SqlProcess, SqlText
from floe_contracts.definitions.definition import Gap
from floe_contracts.definitions.query import Query

PLAIN = {
    "a megabyte": "select '" + "x" * 1_000_000 + "' as a",
    "a deep nest of parentheses": "select " + "(" * 10_000 + "1" + ")" * 10_000 + " as a",
    "a deep nest of queries": "select * from (" * 5_000 + "select 1 as a" + ")" * 5_000,
    "a long chain of unions": "select 1 as a" + " union all select 1" * 10_000,
    "columns that double": "with a0 as (select 1 as a, 2 as b)"
    + "".join(f", a{n} as (select x.*, y.* from a{n - 1} x, a{n - 1} y)" for n in range(1, 40))
    + " select * from a39",
    "no SQL": "\x00\x01{{{{",
}
JINJA = {
    "nested ranges": "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    "a text repeated": "{{ 'a' * 10**9 }}",
    "a text that doubles": "{% set x = namespace(t='aaaaaaaa') %}{% for n in range(60) %}{% set x.t = x.t ~ x.t %}"
    "{% endfor %}",
    "a large number": "{{ 9 ** 9 ** 9 }}",
    "a walk over attributes": "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "a walk over a function": "{{ ref.__globals__ }}",
    "a walk by attr": "{{ ''|attr('__class__') }}",
    "an import": "{% import 'os' as os %}select 1 as a",
    "an include": "{% include '/etc/passwd' %}",
    "a macro that calls itself": "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}",
    "a padded text": "{{ '%0999999999d' % 1 }}",
}


@pytest.mark.parametrize("name", PLAIN)
def test_hostile_sql_cannot_be_told(name: str) -> None:
    _expect_refusal(SqlText(PLAIN[name], "duckdb"))


@pytest.mark.parametrize("name", JINJA)
def test_hostile_jinja_cannot_be_told(name: str) -> None:
    _expect_refusal(SqlText(JINJA[name], "duckdb", DbtContext("duckdb")))


def _expect_refusal(text: SqlText) -> None:
    with SqlProcess() as process:
        assert isinstance(process.read_query(SqlText("select 1 as a")), Query)  # started, imported
        begin = _child_seconds()
        answer = process.read_query(text)
        assert isinstance(answer, Gap), answer
        assert isinstance(process.read_query(SqlText("select 1 as a")), Query)
    assert _child_seconds() - begin < 4  # 2 for the question, and the start of at most two children


def _child_seconds() -> float:
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize(("there", "lacking"), [((), "sqlglot"), (("sqlglot",), "jinja2")])
def test_a_library_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: tuple[str, ...], lacking: str
) -> None:
    for name in there:
        spec = importlib.util.find_spec(name)
        assert spec
        assert spec.origin
        tmp_path.joinpath(name).symlink_to(Path(spec.origin).parent)
    own = [item for item in sys.path if "site-packages" not in item and item]
    monkeypatch.setattr(sys, "path", [*own, str(tmp_path)])
    with SqlProcess() as process:
        for _ in range(2):
            answer = process.read_query(SqlText("select 1 as a", "duckdb", DbtContext("duckdb")))
            assert isinstance(answer, Gap)
            assert answer.reason.startswith(f"{lacking} cannot be imported")


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        (signal.SIGKILL, "took more than 20 s, or the system ended it"),
        (signal.SIGPROF, "took more than 2 s"),
        (signal.SIGSEGV, "ended by SIGSEGV before it answered"),
    ],
)
def test_a_child_that_ends_is_told_by_its_end(ending: signal.Signals, words: str) -> None:
    with SqlProcess() as process:
        process.read_query(SqlText("select 1 as a"))
        assert process._child is not None
        process._child.send_signal(ending)
        process._child.wait()
        answer = process.read_query(SqlText("select 1 as a"))
        assert isinstance(answer, Gap)
        assert answer.reason.endswith(words)
        assert isinstance(process.read_query(SqlText("select 1 as a")), Query)


def test_a_python_that_cannot_be_started_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with SqlProcess() as process:
        answer = process.read_query(SqlText("select 1 as a"))
    assert answer == Gap("no process can be started to read the SQL: No such file or directory", 1)


def test_a_child_keeps_to_its_memory() -> None:
    with SqlProcess() as process:
        process.read_query(SqlText("select 1 as a"))
        assert process._child is not None
        limits = Path(f"/proc/{process._child.pid}/limits")
        if limits.exists():
            assert f"Max address space         {300 * 1024 * 1024} " in limits.read_text()


def test_a_child_sees_no_environment_and_opens_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLOE_SECRET", "hunter2")
    trap = tmp_path / "trap"
    with SqlProcess() as process:
        for text in ("select '{{ env_var('FLOE_SECRET') }}' as a", f"select * from read_csv('{trap}')"):
            answer = process.read_query(SqlText(text, "duckdb", DbtContext("duckdb")))
            assert "hunter2" not in str(answer)
        child = process._child
        assert child is not None
        seen = Path(f"/proc/{child.pid}/environ")
        if seen.exists():
            assert b"hunter2" not in seen.read_bytes()
    assert not trap.exists()


def test_every_dialect_is_read_behind_closed_doors() -> None:
    """sqlglot imports parts of a dialect late; what is imported after the doors are closed would be refused."""
    query = "select cast(a as date) as b, date_trunc('month', x) as m, coalesce(a, b) as c from t join u using (id)"
    ddl = "create table t (a int not null, b decimal(3, 2)); create view v as select cast(a as timestamp) as x from t"
    with SqlProcess() as process:
        for dialect in sorted(set(DIALECTS.values())):
            assert isinstance(process.read_query(SqlText(query, dialect)), Query), dialect
            assert isinstance(process.read_statements(SqlText(ddl, dialect)), list), dialect


def test_reading_takes_no_longer_than_it_must() -> None:
    begin = time.process_time()
    with SqlProcess() as process:
        process.read_query(SqlText("select 1 as a", "duckdb"))
    assert time.process_time() - begin < 0.5
