"""Which columns hold personal or confidential data, by their classification, by what they say, or by their name."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from ...frozen import dataclass, field
from ..model import Property
from .strictness import RANKS, Ranks

CONFIDENTIAL = RANKS["confidential"]  # from here on values are shown to nobody
_PII_FORMATS = ("email", "phone")


@dataclass(frozen=True, slots=True)
class PrivacyRules:
    """How strict each word of a platform is, and the globs of names that show personal data."""

    ranks: Ranks = field(default_factory=lambda: RANKS)
    pii_names: tuple[str, ...] = ()

    def hides(self, prop: Property) -> bool:
        """Whether the values of a column are confidential; a column without a word is, when it holds personal data."""
        word = (prop.classification or "").strip().casefold()
        if word:
            return self.ranks.get(word, 0) >= CONFIDENTIAL
        return bool(self.pii_reason(prop.name, prop.options.format or "", prop.pii_type or ""))

    def pii_reason(self, name: str, written_format: str = "", pii_type: str = "") -> str:
        """Why a column holds personal data; empty when nothing shows it."""
        return find_pii(self.pii_names, name, written_format, pii_type)


def find_pii(pii_names: Sequence[str], name: str, written_format: str = "", pii_type: str = "") -> str:
    """Why a column holds personal data, by what it says or by its name; empty when nothing shows it."""
    if pii_type:
        return f"pii_type is {pii_type}"
    if written_format.strip().casefold() in _PII_FORMATS:
        return f"its format is {written_format}"
    glob = next((glob for glob in pii_names if fnmatchcase(name.casefold(), glob.casefold())), "")
    return f"its name matches {glob}" if glob else ""
