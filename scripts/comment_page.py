"""A pull request comment as people see it on GitHub, near enough for a picture."""

from __future__ import annotations

STYLE = """
body { margin: 0; padding: 24px; background: #fff; color: #1f2328;
  font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
.comment { max-width: 900px; margin: 0 auto; border: 1px solid #d1d9e0; border-radius: 6px; overflow: hidden; }
.head { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; padding: 8px 16px; color: #59636e; }
.head b { color: #1f2328; }
.head span { border: 1px solid #d1d9e0; border-radius: 999px; padding: 0 7px; font-size: 12px; }
.text { padding: 16px; overflow-wrap: break-word; }
h3 { font-size: 1.25em; margin: 0 0 16px; } h4 { font-size: 1em; margin: 24px 0 16px; } p { margin: 0 0 16px; }
code { background: #818b981f; border-radius: 6px; padding: 0.2em 0.4em; font: 85% ui-monospace, Menlo, monospace; }
pre { background: #f6f8fa; border-radius: 6px; padding: 16px; overflow: auto; }
pre code { background: none; padding: 0; }
table { border-collapse: collapse; margin: 0 0 16px; width: 100%; }
th, td { border: 1px solid #d1d9e0; padding: 6px 13px; text-align: left; vertical-align: top; } th { font-weight: 600; }
a { color: #0969da; text-decoration: underline; }
"""


# GitHub draws its signs as pictures, and a machine that only builds has no font for them.
_CROSS = (
    '<svg viewBox="0 0 16 16" width="18" height="18" style="vertical-align:-3px">'
    '<path d="M2 2 14 14M14 2 2 14" stroke="#d1242f" stroke-width="3.2" stroke-linecap="round"/></svg>'
)


def comment_page(inside: str, author: str) -> str:
    """`inside` is Markdown that was rendered; it comes from floe itself."""
    head = f'<div class="head"><b>{author}</b> <span>bot</span> commented now</div>'
    body = f'<div class="comment">{head}<div class="text">{inside.replace(chr(0x274C), _CROSS)}</div></div>'
    return f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><style>{STYLE}</style>{body}</html>\n'
