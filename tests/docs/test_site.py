"""The site of the documentation builds without a warning, and knows every page."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.builds import ROOT

RECORDS = sorted((ROOT / "docs/adr").glob("0*.md"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Links, anchors and pages outside the navigation are errors."""
    target = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(target)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return target


def test_every_page_is_there(site: Path) -> None:
    pages = [path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if not (site / page).is_file()] == []


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    loaded = re.compile(r"<(?:script|img|link|iframe)[^>]+(?:src|href)=\"?((?:https?:)?//[^\"\s>]+)")
    found = {link for page in site.rglob("*.html") for link in loaded.findall(page.read_text("utf-8"))}
    assert found == set()


def test_files_have_their_names_and_code_is_code(site: Path) -> None:
    page = (site / "quick-start.html").read_text("utf-8")
    assert "<code>shop/contracts/orders.yaml</code>" in page
    assert "title=&quot;" not in page
    assert "```" not in page


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_every_decision_is_in_the_index(record: Path) -> None:
    assert f"({record.name})" in (ROOT / "docs/adr/index.md").read_text("utf-8")
