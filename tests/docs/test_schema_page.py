"""The page of JSON schemas knows every schema that is shipped."""

from __future__ import annotations

from pathlib import Path

from support.builds import ROOT

from floe_contracts.cli.docs.schemas import PUBLISHED


def test_every_shipped_schema_is_listed() -> None:
    package = ROOT / "src/floe_contracts"
    shipped = {str(path.relative_to(package)) for path in package.rglob("*.schema.json")}
    assert {str(Path(*folder.split("."), file)) for folder, file, _ in PUBLISHED} == shipped
