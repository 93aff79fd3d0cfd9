"""HTML from values: every text is made harmless here, and tags take only what came out of here."""

from __future__ import annotations

import re
from html import escape

from ..safe import log_safe

_SENTENCE = 600  # characters shown of a text
_BLOCKS = frozenset({
    "article", "colgroup", "details", "div", "dl", "footer", "h1", "h2", "h3", "header", "li", "main", "nav", "p",
    "pre", "section", "summary", "table", "thead", "title", "tr", "ul",
})  # fmt: skip


def text(value: str, limit: int = _SENTENCE) -> str:
    """Text that is only text: one line, no hidden characters, no tag, no entity of its own."""
    return escape(log_safe(value, limit))


def sentence(value: str) -> str:
    """Text in which `code` is marked."""
    return with_code(text(value))


def code(value: str) -> str:
    """A word from a contract."""
    return tag("code", text(value))


def prose(words: str) -> str:
    """Words of floe itself, with `code` marked."""
    return with_code(escape(words, quote=False))


def with_code(words: str) -> str:
    """HTML without tags, in which what stands between backticks becomes code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", words)


def tag(name: str, *inside: str, **attributes: str | None) -> str:
    """An element; what stands inside is HTML already, attribute values are texts (`class_` spells `class`)."""
    spelled = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value, 4_000)}"'
        for key, value in attributes.items()
        if value is not None
    )
    end = "\n" if name in _BLOCKS else ""  # so that the source of a page can be read, too
    return f"<{name}{spelled}>{''.join(inside)}</{name}>{end}"


def link(inside: str, address: str) -> str:
    """A link when there is an address, else what would have been inside it."""
    return tag("a", inside, href=address) if address else inside
