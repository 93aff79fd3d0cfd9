"""A pull request comment as people see it on GitHub: GitHub's own style sheet, as npm publishes it."""

from __future__ import annotations

import subprocess
from pathlib import Path

_PACKAGE = "github-markdown-css@5.9.0"

# The frame around the text is not part of GitHub's style sheet for Markdown.
_FRAME = """
body { margin: 0; padding: 24px; }
.comment { max-width: 900px; margin: 0 auto; border: 1px solid var(--borderColor-default); border-radius: 6px; }
.head { padding: 8px 16px; border-bottom: 1px solid var(--borderColor-default); background: var(--bgColor-muted); }
.text { padding: 16px; }
@media (max-width: 600px) { body { padding: 8px; } }
"""

# GitHub draws its signs as pictures, and a machine that only builds has no font for them.
_CROSS = (
    '<svg viewBox="0 0 16 16" width="18" height="18" style="vertical-align:-3px">'
    '<path d="M2 2 14 14M14 2 2 14" stroke="#d1242f" stroke-width="3.2" stroke-linecap="round"/></svg>'
)


def fetch_style(folder: Path) -> str:
    """GitHub's style sheet for light and dark, installed once."""
    sheet = folder / "node_modules" / "github-markdown-css" / "github-markdown.css"
    if not sheet.exists():
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), _PACKAGE]
        subprocess.run(command, check=True)
    return sheet.read_text(encoding="utf-8")


def comment_page(inside: str, author: str, style: str) -> str:
    """`inside` is Markdown that was rendered; it comes from floe itself."""
    head = f'<div class="head"><strong>{author}</strong> bot commented now</div>'
    body = f'<div class="comment">{head}<div class="text">{inside.replace(chr(0x274C), _CROSS)}</div></div>'
    meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    sheet = f"<style>{style}{_FRAME}</style>"
    return f'<!doctype html>\n<html lang="en">{meta}{sheet}<body class="markdown-body">{body}</body></html>\n'
