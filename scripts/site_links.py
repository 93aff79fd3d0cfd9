"""Links of a built site that lead to no page, no file or no anchor of it."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The anchors of a page, and what it links to or loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors = {""}
        self.links: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value is not None:
                self.links.add(value)


def dead_links(site: Path, home: str) -> list[str]:
    """One line per page and link; addresses below `home` are links into the site."""
    pages = {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}
    return [
        f"{path.relative_to(site.resolve())}: {link} leads nowhere"
        for path, page in pages.items()
        for link in sorted(page.links)
        if not _leads_somewhere(link, path, pages, site.resolve(), home)
    ]


def _leads_somewhere(link: str, path: Path, pages: dict[Path, Page], site: Path, home: str) -> bool:
    inside = link.startswith(f"{home}/")
    parts = urlsplit(link)
    if not inside and (parts.scheme or parts.netloc):
        return True
    target = (site / parts.path.lstrip("/") if inside else path.parent / unquote(parts.path)) if parts.path else path
    target = (target / "index.html" if target.is_dir() else target).resolve()
    if not target.is_file():
        return False
    return target not in pages or unquote(parts.fragment) in pages[target].anchors
