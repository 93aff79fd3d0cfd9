"""Texts in one spelling: what editors, file systems and people may write differently without meaning anything."""

from __future__ import annotations

import unicodedata


def compose(text: str) -> str:
    """The text in one Unicode form, because editors and file systems disagree about accents."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def collapse_spaces(text: str) -> str:
    """The text with every run of blanks made one."""
    return " ".join(compose(text).split())


def text(value: str | None) -> str:
    """An optional text with absent and empty made one."""
    return compose(value) if value else ""


def fold(value: str | None) -> str:
    """A word whose case and outer spaces mean nothing."""
    return compose(value).strip().casefold() if value else ""
