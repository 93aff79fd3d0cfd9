"""SQL of models, judged by the real sqlfluff."""

from __future__ import annotations

import importlib.util
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from floe_contracts.adapters.sqlfluff import choose_dialect, lint_sql
from floe_contracts.errors import FloeError, MissingExtra
from floe_contracts.product.dbt import DbtNode, DbtProject
from floe_contracts.product.words import SqlLinting

GOOD = "select a\nfrom t\n"
BAD = "SELECT a from t\n"  # keywords in two cases


def shop(root: Path, adapter: str = "duckdb", **models: str | None) -> DbtProject:
    """A project whose models have this compiled SQL; None was never compiled."""
    nodes = []
    for name, text in models.items():
        path, compiled = f"models/{name}.sql", f"target/compiled/shop/models/{name}.sql"
        for place, content in ((path, f"{{{{ config() }}}}\n{text}"), (compiled, text)):
            if content is not None:
                (root / place).parent.mkdir(parents=True, exist_ok=True)
                (root / place).write_text(content)
        nodes.append(DbtNode(name, path=path, compiled_path=compiled, materialized="table"))
    return DbtProject("shop", tuple(nodes), "target/manifest.json", "v12", adapter=adapter)


@pytest.mark.parametrize(
    ("level", "severities"),
    [(SqlLinting.DISABLED, []), (SqlLinting.WARN, ["warning"]), (SqlLinting.ERROR, ["error"])],
)
def test_the_level_decides(tmp_path: Path, level: SqlLinting, severities: list[str]) -> None:
    lint = lint_sql(shop(tmp_path, gold_revenue=BAD), tmp_path, level)
    assert [item.severity.value for item in lint.findings] == severities


def test_a_finding_names_model_rule_and_place(tmp_path: Path) -> None:
    (finding,) = lint_sql(shop(tmp_path, gold_revenue=BAD, clean=GOOD), tmp_path, SqlLinting.ERROR).findings
    assert finding.message == (
        "gold_revenue: CP01 Keywords must be consistently upper case."
        " (target/compiled/shop/models/gold_revenue.sql:1:10)"
    )
    assert (finding.code.id, str(finding.location)) == ("FLOE-E516", "models/gold_revenue.sql")


def test_a_model_without_jinja_is_shown_with_its_line(tmp_path: Path) -> None:
    project = shop(tmp_path, gold_revenue=BAD)
    (tmp_path / "models/gold_revenue.sql").write_text(BAD)
    (finding,) = lint_sql(project, tmp_path, SqlLinting.ERROR).findings
    assert str(finding.location) == "models/gold_revenue.sql:1:10"


def test_line_breaks_that_dbt_leaves_are_no_mistakes(tmp_path: Path) -> None:
    assert lint_sql(shop(tmp_path, a=f"\n\n{GOOD.rstrip()}"), tmp_path, SqlLinting.ERROR).findings == ()


def test_settings_of_the_project_count(tmp_path: Path) -> None:
    (tmp_path / ".sqlfluff").write_text("[sqlfluff]\nexclude_rules = CP01\ntemplater = dbt\n")
    assert lint_sql(shop(tmp_path, a=BAD), tmp_path, SqlLinting.ERROR).findings == ()


def test_sql_that_cannot_be_parsed_is_a_finding(tmp_path: Path) -> None:
    findings = lint_sql(shop(tmp_path, a="selec a frm (\n"), tmp_path, SqlLinting.ERROR).findings
    assert ["PRS" in item.message for item in findings] == [True]


def test_models_that_were_not_compiled_cannot_be_told(tmp_path: Path) -> None:
    lint = lint_sql(shop(tmp_path, a=GOOD, b=None), tmp_path, SqlLinting.ERROR)
    assert (lint.models, lint.cannot_tell) == (1, "cannot tell: run dbt compile (1 without compiled SQL: b)")


def test_a_missing_extra_is_never_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec

    def find(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == "sqlfluff" else real(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find)
    project = shop(tmp_path, a=GOOD)
    assert lint_sql(project, tmp_path, SqlLinting.DISABLED).findings == ()
    with pytest.raises(MissingExtra) as caught:
        lint_sql(project, tmp_path, SqlLinting.WARN)
    assert caught.value.fix == "pip install 'floe-contracts[sql]'"


def test_settings_that_sqlfluff_refuses_are_an_error(tmp_path: Path) -> None:
    (tmp_path / ".sqlfluff").write_text("no section\n")
    with pytest.raises(FloeError, match="sqlfluff could not judge the SQL"):
        lint_sql(shop(tmp_path, a=GOOD), tmp_path, SqlLinting.ERROR)


@pytest.mark.parametrize(
    ("adapter", "dialect"),
    [("duckdb", "duckdb"), ("spark", "sparksql"), ("fabric", "tsql"), ("unheard-of", "ansi"), ("", "ansi")],
)
def test_the_dialect_of_an_adapter(adapter: str, dialect: str) -> None:
    assert choose_dialect(adapter) == dialect


def test_every_dialect_is_one_of_sqlfluff() -> None:
    from sqlfluff.core import dialect_readout

    from floe_contracts.adapters.sqlfluff import _KNOWN

    assert {readout.label for readout in dialect_readout()} == set(_KNOWN)


RELATIONS = [
    pytest.param("SELECT a FROM {{ ref('b') }}\n", 'SELECT a FROM "db"."main"."b"\n', [], id="quotes of dbt"),
    pytest.param('SELECT a FROM "b"\n', 'SELECT a FROM "b"\n', ["RF06"], id="quotes of the team"),
]


@pytest.mark.parametrize(("source", "compiled", "codes"), RELATIONS)
def test_quotes_that_dbt_writes_are_no_mistakes(tmp_path: Path, source: str, compiled: str, codes: list[str]) -> None:
    for path, text in (("models/m.sql", source), ("target/m.sql", compiled)):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    project = DbtProject("p", (DbtNode("m", path="models/m.sql", compiled_path="target/m.sql"),), adapter="duckdb")
    findings = lint_sql(project, tmp_path, SqlLinting.ERROR).findings
    assert [item.message.split()[1] for item in findings] == codes
