"""Levels and categories of a platform: which word is how strict, and which columns hold personal data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..contract.meaning.privacy import PrivacyRules, find_pii
from ..contract.model import Json
from ..frozen import dataclass
from ..product.manifest import Manifest
from .compare import level_ranks
from .table import row_of

_LEVELS, _CATEGORIES, _NAMES = "classification_levels", "classification_categories", "pii_names"


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
        return find_pii(self.pii_names, name, written_format, pii_type)

    def privacy(self) -> PrivacyRules:
        """The same for run time, which shows no value of a confidential column."""
        return PrivacyRules(self.ranks(), tuple(self.pii_names))


def classifications_of(manifest: Manifest) -> Classifications:
    """What a merged manifest says; the usual categories hold where no tier names them."""
    dump = manifest.model_dump(mode="json", include={_LEVELS, _CATEGORIES, _NAMES})
    row = row_of((_CATEGORIES, "pii"))
    usual = row.default if row and isinstance(row.default, dict) else {}
    return _read(dump.get(_LEVELS), {**usual, **dump.get(_CATEGORIES, {})}, dump.get(_NAMES))


def classifications_from(values: Mapping[str, Json]) -> Classifications:
    """The same from the flat keys of an artifact, which hold the usual categories too."""
    prefix = f"{_CATEGORIES}."
    categories = {key.removeprefix(prefix): value for key, value in values.items() if key.startswith(prefix)}
    return _read(values.get(_LEVELS), categories, values.get(_NAMES))


def _read(levels: Json, categories: Mapping[str, Json], names: Json) -> Classifications:
    words = {name: str(level) for name, level in categories.items()}
    globs = tuple(str(glob) for glob in names) if isinstance(names, list) else ()
    return Classifications(level_ranks(levels), words, globs)
