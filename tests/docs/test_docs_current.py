"""Pages that are rendered from code say what the code says."""

from __future__ import annotations

from pathlib import Path

import pytest

from floe_contracts.cli.docs.command import PAGES, stale_pages
from floe_contracts.cli.main import main
from floe_contracts.codes import CODES

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("path", PAGES)
def test_page_is_current(path: str) -> None:
    assert path not in stale_pages(ROOT), f"{path} is not current: run `make docs`"


def test_every_code_has_a_section() -> None:
    page = (ROOT / "docs/errors.md").read_text("utf-8")
    assert [code for code in CODES if f"\n## {code}\n" not in page] == []


def test_stale_pages_are_named_and_nothing_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs", "--check", "--root", str(tmp_path)]) == 1
    assert "docs/errors.md is not current: run `make docs`" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_written_pages_are_current(tmp_path: Path) -> None:
    assert main(["docs", "--root", str(tmp_path)]) == 0
    assert main(["docs", "--check", "--root", str(tmp_path)]) == 0
