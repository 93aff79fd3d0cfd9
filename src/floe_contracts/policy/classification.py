"""Levels and categories of a platform: which word is how strict, and which columns hold personal data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from ..frozen import dataclass
from ..product.manifest import Manifest
from .compare import level_ranks
from .table import row_of

_PII_FORMATS = ("email", "phone")


@dataclass(frozen=True, slots=True)
class Classifications:
    """Two axes: levels by rank, and categories that stand for a level; both words in any letter case."""

    levels: Mapping[str, int]
    categories: Mapping[str, str]
    pii_names: Sequence[str] = ()

    def rank(self, word: str) -> int | None:
        """How strict a word is; None for a word that no tier knows."""
        text = word.strip()
        level = self.categories.get(text.casefold(), text)
        return self.levels.get(level.upper())

    def ranks(self) -> dict[str, int]:
        """Every word, level or category, in lower case with its rank."""
        words = (*self.levels, *self.categories)
        return {word.casefold(): rank for word in words if (rank := self.rank(word)) is not None}

    def known_words(self) -> tuple[str, ...]:
        return (*sorted(self.levels, key=lambda name: self.levels[name]), *sorted(self.categories))

    def pii_reason(self, name: str, written_format: str = "", pii_type: str = "") -> str:
        """Why a column holds personal data, by what it says or by its name; empty when nothing shows it."""
        if pii_type:
            return f"pii_type is {pii_type}"
        if written_format.strip().casefold() in _PII_FORMATS:
            return f"its format is {written_format}"
        glob = next((glob for glob in self.pii_names if fnmatchcase(name.casefold(), glob.casefold())), "")
        return f"its name matches {glob}" if glob else ""


def classifications_of(manifest: Manifest) -> Classifications:
    """What a merged manifest says; the usual categories hold where no tier names them."""
    row = row_of(("classification_categories", "pii"))
    usual = row.default if row and isinstance(row.default, dict) else {}
    levels = level_ranks([{"name": str(level.name), "rank": level.rank} for level in manifest.classification_levels])
    categories = {**{name: str(level) for name, level in usual.items()}, **manifest.classification_categories}
    return Classifications(levels, categories, tuple(manifest.pii_names))
