"""The site as it is published: python scripts/build_site.py FOLDER. A link or an anchor that leads nowhere fails it.

FOLDER/docs holds the pages, FOLDER/schemas every JSON schema at the path of its `$id`; both can be read from a disk.
"""

from __future__ import annotations

import json
import shutil
import sys
from html import escape
from pathlib import Path

from site_links import dead_links
from sphinx.cmd.build import main as sphinx

from floe_contracts.adapters.files.packaged import rule_file
from floe_contracts.codes import HOME
from floe_contracts.compat.kinds import FactKind

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
TREES = ROOT / "build" / "doctrees"  # what Sphinx knows of pages that did not change


def main(folder: Path) -> int:
    _forget_pages_that_are_gone(folder / "docs")
    words = ["-q", "-W", "--keep-going", "-b", "html", "-c", str(ROOT / "scripts/site"), "-d", str(TREES)]
    if code := sphinx([*words, str(DOCS), str(folder / "docs")]):
        shutil.rmtree(TREES)  # a second build would no longer warn of pages that it has read
        return code
    _publish_schemas(folder)
    _write_signposts(folder)
    dead = dead_links(folder, HOME)
    for line in dead:
        print(line, file=sys.stderr)
    return 1 if dead else 0


def _forget_pages_that_are_gone(built: Path) -> None:
    pages = [page for page in built.rglob("*.html") if page.name not in ("genindex.html", "search.html", "index.html")]
    if any(not (DOCS / page.relative_to(built)).with_suffix(".md").is_file() for page in pages):
        shutil.rmtree(built)
        shutil.rmtree(TREES, ignore_errors=True)


def _publish_schemas(folder: Path) -> None:
    for path in (ROOT / "src" / "floe_contracts").rglob("schemas/*.json"):
        address = str(json.loads(path.read_text("utf-8")).get("$id", ""))
        if address.startswith(f"{HOME}/"):
            target = folder / address.removeprefix(f"{HOME}/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def _write_signposts(folder: Path) -> None:
    """The address without a page, and the addresses that 0.1.0 prints."""
    rules = {kind.value: f"../rules/{rule_file(kind.value).rule.area}.html" for kind in FactKind}
    _write_signpost(folder / "index.html", "docs/index.html", {})
    _write_signpost(folder / "docs/errors/index.html", "../errors.html", {})
    _write_signpost(folder / "docs/rules/index.html", "../rules.html", rules)


def _write_signpost(path: Path, target: str, pages: dict[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    choice = f"({json.dumps(pages)})[location.hash.slice(1)] || {json.dumps(target)}"
    path.write_text(
        f'<!doctype html><meta charset="utf-8"><title>floe-contracts</title>'
        f"<script>location.replace(({choice}) + location.hash)</script>"
        f'<noscript><meta http-equiv="refresh" content="0; url={escape(target)}"></noscript>'
        f'<a href="{escape(target)}">The page is here.</a>\n',
        "utf-8",
    )


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
