"""The demo's scene about the platform: what weakens it does not compile, and the fix does."""

from __future__ import annotations

from pathlib import Path

import pytest

from floe_contracts.adapters.process.console import Console
from floe_contracts.app.demo.products import PRODUCT, play_platform
from floe_contracts.app.demo.stage import DemoStage, environment


def test_the_scene_plays_to_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play_platform(DemoStage(Console(), tmp_path, environment({}), 1), tmp_path)
    shown = capsys.readouterr().out
    assert "[5/6] Compilation FAILED" in shown
    assert f"at {PRODUCT}/floe.yaml:17:26" in shown
    assert "exit 1" in shown
    assert "[6/6] Writing compiled artifacts" in shown
    assert "domains/sales/manifest.yaml:8:14  effective" in shown
    assert (tmp_path / PRODUCT / "target/floe/compiled.json").exists()
