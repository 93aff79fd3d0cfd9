"""The pictures of the documentation, made by a real browser from real runs: `make screenshots`.

The report shows a shop of the tests over two weeks, the catalogue its example contracts with a past in git, and the
comment is what the gate says about a breaking change to one of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
sys.path.insert(0, str(ROOT / "tests"))

from comment_page import comment_page  # noqa: E402 - beside this script
from support.shop_history import shop_record  # noqa: E402
from support.shop_versions import ORDERS, commit_in, shop_repository  # noqa: E402
from support.web_driver import Browser, missing, started  # noqa: E402

from floe_contracts import __version__  # noqa: E402
from floe_contracts.app.changelog import read_catalog  # noqa: E402
from floe_contracts.render.html.board import board  # noqa: E402
from floe_contracts.render.html.catalog.page import render_catalog  # noqa: E402


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: the page, how wide and high the window is, and what is done before."""

    name: str
    page: str
    width: int
    height: int
    dark: bool = False
    before: str = ""


OPEN_ALL = "for (const card of document.querySelectorAll('[data-card]')) card.open = true"
SHOTS = (
    Shot("report-1280", "report", 1280, 1000),
    Shot("report-1280-dark", "report", 1280, 1000, dark=True),
    Shot("report-390", "report", 390, 844),
    Shot("catalog-1280", "catalog", 1280, 900, before=OPEN_ALL),
    Shot("catalog-390", "catalog", 390, 844, before=OPEN_ALL),
    Shot("comment-1280", "comment", 1280, 640),
    Shot("comment-390", "comment", 390, 844),
)


def main() -> int:
    if absent := missing():
        print(f"screenshots: {absent}", file=sys.stderr)
        return 1
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pages = {"report": board(shop_record(14)), **_shop_pages(folder)}
        for page, html in pages.items():
            (folder / f"{page}.html").write_text(html, encoding="utf-8")
        (folder / "browser").mkdir()
        with started(folder / "browser") as browser:
            for shot in SHOTS:
                _take(browser, shot, folder)
    return 0


def _shop_pages(folder: Path) -> dict[str, str]:
    clone = shop_repository(folder)
    os.chdir(clone.path)
    catalog = render_catalog(read_catalog((), datetime(2026, 1, 10, tzinfo=timezone.utc)))
    changed = (clone.path / ORDERS).read_text(encoding="utf-8").replace("NUMERIC(12,2)", "STRING")
    clone.switch("change", "main")
    commit_in(clone, 6, {ORDERS: changed})
    command = [sys.executable, "-m", "floe_contracts", "gate", "--base", "main", "--format", "markdown"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 1, ran.stderr  # noqa: S101
    os.chdir(ROOT)
    inside = MarkdownIt("commonmark", {"html": True}).enable("table").render(ran.stdout)
    return {"catalog": catalog, "comment": comment_page(inside, f"floe {__version__}")}


def _take(browser: Browser, shot: Shot, folder: Path) -> None:
    browser.open(folder / f"{shot.page}.html", width=shot.width, height=shot.height, dark=shot.dark)
    if shot.before:
        browser.run(shot.before)
    path = IMAGES / f"{shot.name}.png"
    path.write_bytes(browser.picture())
    print(f"{path.relative_to(ROOT)}  {path.stat().st_size // 1024} kB")


if __name__ == "__main__":
    sys.exit(main())
