"""The settings of a project decide whether lint refuses queries; a contract and broken settings do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from floe_contracts.app.sql_trust import load_here

CONTRACT = b"""\
apiVersion: v3.1.0
kind: DataContract
id: orders
version: 1.0.0
status: active
schema:
  - name: orders
    quality: [{type: sql, query: "SELECT reflect('java.lang.System', 'exit', 0)", mustBe: 0}]
    properties: [{name: id, logicalType: string}]
"""


@pytest.mark.parametrize(
    ("settings", "codes"),
    [
        pytest.param("sql_trust: full\n", [], id="full"),
        pytest.param("sql_trust: restricted\n", ["FLOE-E561"], id="restricted"),
        pytest.param("{}\n", ["FLOE-E561"], id="nothing said"),
        pytest.param("sql_trust: full\nsql_trust: [\n", ["FLOE-E561"], id="settings that cannot be read"),
    ],
)
def test_who_trusts_sql(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: str, codes: list[str]) -> None:
    (tmp_path / ".floe").mkdir()
    (tmp_path / "contracts").mkdir()
    (tmp_path / ".floe/monitoring.yaml").write_text(settings)
    monkeypatch.chdir(tmp_path / "contracts")
    assert [item.code.id for item in load_here(CONTRACT, "orders.yaml").findings] == codes
