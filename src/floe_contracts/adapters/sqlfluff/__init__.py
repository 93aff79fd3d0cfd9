"""SQL of dbt models judged by sqlfluff, as a program of its own: importing it would cost half a second."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ... import codes
from ...codes import Severity
from ...errors import FloeError, MissingExtra
from ...frozen import dataclass
from ...product.dbt import DbtNode, DbtProject
from ...product.words import SqlLinting
from ...render.safe import log_safe
from ...results import Finding, Location

TIME_LIMIT_S = 300
_SEVERITIES = {SqlLinting.WARN: Severity.WARNING, SqlLinting.ERROR: Severity.ERROR}
_RENDERING = frozenset({"LT12", "LT13"})  # line breaks at both ends of a file: dbt's, not the team's
# Quotes around names and long lines: dbt's, where it put the name of a relation in place of a ref.
_RELATIONS = frozenset({"RF06", "LT05"})
_DIALECTS = {  # of sqlfluff, where it is not called like dbt's adapter
    "spark": "sparksql",
    "sqlserver": "tsql",
    "fabric": "tsql",
    "synapse": "tsql",
    "dremio": "ansi",
}
_KNOWN = (
    *("ansi", "athena", "bigquery", "clickhouse", "databricks", "db2", "doris", "duckdb"),
    *("exasol", "flink", "greenplum", "hive", "impala", "mariadb", "materialize", "mysql"),
    *("oracle", "postgres", "redshift", "snowflake", "soql", "sparksql", "sqlite", "starrocks"),
    *("teradata", "trino", "tsql", "vertica"),
)


@dataclass(frozen=True, slots=True)
class SqlLint:
    """What sqlfluff says about the models of a project, and which of them it could not look at."""

    findings: tuple[Finding, ...] = ()
    models: int = 0
    uncompiled: tuple[str, ...] = ()

    @property
    def cannot_tell(self) -> str:
        """Why the SQL could not be judged whole; empty when it could."""
        if not self.uncompiled:
            return ""
        names = ", ".join(self.uncompiled[:3]) + (" …" if len(self.uncompiled) > 3 else "")
        return f"cannot tell: run dbt compile ({len(self.uncompiled)} without compiled SQL: {names})"


def lint_sql(project: DbtProject, root: Path, level: SqlLinting) -> SqlLint:
    """The compiled SQL of a project in the folder of its dbt_project.yml; DISABLED looks at nothing.

    MissingExtra without sqlfluff: a policy that asks for it is never passed over in silence.
    """
    if level is SqlLinting.DISABLED:
        return SqlLint()
    if importlib.util.find_spec("sqlfluff") is None:
        raise MissingExtra("linting SQL", "sql")
    compiled, uncompiled = _split_models(project, root)
    problems = _run(sorted(compiled), root, choose_dialect(project.adapter)) if compiled else []
    findings = [
        _finding(compiled[path], path, violation, root, _SEVERITIES[level])
        for path, violation in problems
        if not _is_of_dbt(violation, compiled[path], path, root)
    ]
    return SqlLint(tuple(findings), len(compiled), uncompiled)


def _is_of_dbt(violation: dict[str, object], model: DbtNode, path: str, root: Path) -> bool:
    """Whether a violation is about what dbt wrote, not the team."""
    code = violation.get("code")
    return code in _RENDERING or (code in _RELATIONS and _text(root / model.path) != _text(root / path))


def choose_dialect(adapter: str) -> str:
    """The dialect of sqlfluff for an adapter of dbt; ANSI SQL for one that it does not know."""
    name = _DIALECTS.get(adapter, adapter)
    return name if name in _KNOWN else "ansi"


def _split_models(project: DbtProject, root: Path) -> tuple[dict[str, DbtNode], tuple[str, ...]]:
    """Models by the path of their compiled SQL, and the names of those that have none; Python models have no SQL."""
    compiled: dict[str, DbtNode] = {}
    missing: list[str] = []
    for model in project.models:
        if not model.counts or model.path.endswith(".py"):
            continue
        if model.compiled_path and (root / model.compiled_path).is_file():
            compiled[model.compiled_path] = model
        else:
            missing.append(model.name)
    return compiled, tuple(missing)


def _run(paths: Sequence[str], root: Path, dialect: str) -> list[tuple[str, dict[str, object]]]:
    """Every violation with the path of its file; settings in a .sqlfluff of the project count."""
    command = [sys.executable, "-m", "sqlfluff", "lint", "--nofail", "--format", "json", "--nocolor"]
    command += ["--disable-progress-bar", "--dialect", dialect, "--templater", "raw", "--", *paths]
    environ = {**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONSAFEPATH": "1"}
    try:
        done = subprocess.run(
            command, cwd=root, env=environ, capture_output=True, timeout=TIME_LIMIT_S, check=False, text=True
        )
    except subprocess.TimeoutExpired:
        raise FloeError(f"sqlfluff gave no answer within {TIME_LIMIT_S} s", fix="Run it alone to see where.") from None
    try:
        answer = json.loads(done.stdout) if done.returncode == 0 else None
    except ValueError:
        answer = None
    if not isinstance(answer, list):
        lines = (done.stderr or done.stdout).strip().splitlines()
        reason = log_safe(lines[-1], 300) if lines else f"exit code {done.returncode}"
        raise FloeError(
            f"sqlfluff could not judge the SQL: {reason}", fix="Run sqlfluff lint on target/compiled to see why."
        )
    return list(_violations(answer))


def _violations(answer: list[object]) -> Iterator[tuple[str, dict[str, object]]]:
    for file in answer:
        listed = file.get("violations") if isinstance(file, dict) else None
        for violation in listed if isinstance(listed, list) else ():
            if isinstance(file, dict) and isinstance(violation, dict):
                yield str(file.get("filepath")).replace("\\", "/"), violation


def _finding(model: DbtNode, path: str, violation: dict[str, object], root: Path, severity: Severity) -> Finding:
    """At the model's file; with a line only where compiling changed nothing, for else the lines are others."""
    line, column = violation.get("start_line_no"), violation.get("start_line_pos")
    same = _text(root / model.path) == _text(root / path)
    warned = violation.get("warning") is True
    return Finding.of(
        codes.E516,
        "sql-lint",
        f"{model.name}: {violation.get('code')} {violation.get('description')} ({path}:{line}:{column})",
        severity=Severity.WARNING if warned else severity,
        element=model.name,
        location=Location(model.path, line, column)
        if same and isinstance(line, int) and isinstance(column, int)
        else Location(model.path),
        suggestions=(
            f"Correct the SQL, or write the rule into .sqlfluff; sqlfluff rules describes {violation.get('code')}.",
        ),
    )


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
