"""The pictures of the documentation, made by a real browser from real runs: `make screenshots`.

The report shows a shop of the tests over two weeks, and the same shop with 200 contracts; the catalogue its example
contracts with a past in git; comment and gate page are what the gate says about breaking and harmless changes to them.
The site is built as `make docs` does. Arguments choose pictures by how their names begin.
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

from comment_page import comment_page, fetch_style  # noqa: E402 - beside this script
from support.docs_site import built_site  # noqa: E402
from support.shop_history import large_record, shop_record  # noqa: E402
from support.shop_versions import CUSTOMERS, ORDERS, commit_in, shop_repository  # noqa: E402
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


OPEN_ONE = "document.querySelectorAll('[data-card]')[2].open = true"
SHOTS = tuple(
    Shot(f"{name}-{width}{'-dark' if dark else ''}", page or name, width, height, dark, before)
    for name, page, before in (
        ("report", "", ""),
        ("report-200", "", ""),
        ("catalog", "", OPEN_ONE),
        ("comment", "", ""),
        ("gate", "", ""),
        ("docs-home", "docs/index", ""),
        ("docs-rule", "docs/rules/lifecycle", ""),
    )
    for width, height, dark in ((1280, 1000, False), (390, 844, False), (1280, 1000, True))
)


def main() -> int:
    if absent := missing():
        print(f"screenshots: {absent}", file=sys.stderr)
        return 1
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        reports = {"report": board(shop_record(14)), "report-200": board(large_record(200))}
        pages = {**reports, **_shop_pages(folder)}
        for page, html in pages.items():
            (folder / f"{page}.html").write_text(html, encoding="utf-8")
        (folder / "docs").symlink_to(built_site() / "docs")
        (folder / "browser").mkdir()
        with started(folder / "browser") as browser:
            for shot in SHOTS:
                if shot.name.startswith(tuple(sys.argv[1:]) or ""):
                    _take(browser, shot, folder)
    return 0


def _shop_pages(folder: Path) -> dict[str, str]:
    clone = shop_repository(folder)
    os.chdir(clone.path)
    catalog = render_catalog(read_catalog((), datetime(2026, 1, 10, tzinfo=timezone.utc)))
    orders, customers = ((clone.path / path).read_text(encoding="utf-8") for path in (ORDERS, CUSTOMERS))
    # A break in one contract, words in another.
    orders = orders.replace("NUMERIC(12,2)", "STRING").replace("  - name: coupon\n    type: STRING\n", "")
    clone.switch("change", "main")
    commit_in(clone, 6, {ORDERS: orders, CUSTOMERS: customers.replace("ever placed an order", "placed an order")})
    head = clone.git("rev-parse", "HEAD").strip()
    comment, gate = (_gate(form, head) for form in ("markdown", "html"))
    os.chdir(ROOT)
    inside = MarkdownIt("commonmark", {"html": True}).enable("table").render(comment)
    style = fetch_style(ROOT / "build" / "npm")
    return {"catalog": catalog, "comment": comment_page(inside, f"floe {__version__}", style), "gate": gate}


def _gate(form: str, head: str) -> str:
    """What the gate says in a workflow: files and the run are linked."""
    workflow = {"SERVER_URL": "https://github.com", "REPOSITORY": "shop/contracts", "SHA": head, "RUN_ID": "1"}
    environ = {**os.environ, **{f"GITHUB_{name}": value for name, value in workflow.items()}}
    command = [sys.executable, "-m", "floe_contracts", "gate", "--base", "main", "--format", form]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environ)
    assert ran.returncode == 1, ran.stderr  # noqa: S101
    return ran.stdout


def _take(browser: Browser, shot: Shot, folder: Path) -> None:
    browser.open(folder / f"{shot.page}.html", width=shot.width, height=shot.height, dark=shot.dark)
    if shot.before:
        browser.run(shot.before)
    path = IMAGES / f"{shot.name}.png"
    path.write_bytes(browser.picture())
    print(f"{path.relative_to(ROOT)}  {path.stat().st_size // 1024} kB")


if __name__ == "__main__":
    sys.exit(main())
