"""Pages that need Spark are followed as a reader would, and everything happens as the page says."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.builds import ROOT
from support.told_commands import before, followed, told_pages


@pytest.mark.parametrize("path", [pytest.param(path, id=str(path.relative_to(ROOT))) for path in told_pages("spark")])
def test_the_page_can_be_followed(path: Path, tmp_path: Path) -> None:
    assert followed(before(path) + path.read_text("utf-8"), tmp_path) == []
