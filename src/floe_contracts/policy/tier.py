"""A tier: one manifest with every key that it writes, and the place where it writes it."""

from __future__ import annotations

from ..contract.meaning.sla import meaning
from ..contract.model import Json, Pointer, Sla
from ..frozen import dataclass, field
from ..product.manifest import Manifest
from ..product.reading import WrittenFile
from ..results import Location
from .keys import keys_of


@dataclass(frozen=True, slots=True)
class WrittenValue:
    """What a tier says about a key, and where; a manifest that was made from a mapping has no places."""

    value: Json
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class Tier:
    """One step from the enterprise down to the product."""

    name: str
    version: str
    scope: str
    keys: dict[Pointer, WrittenValue] = field(default_factory=dict)
    reference: str = ""  # how the tier below refers to it
    digest: str = ""  # of its bytes

    @property
    def label(self) -> str:
        """For messages: `domain sales v2.0.0`."""
        return f"{self.scope} {self.name} v{self.version}"


def tier_of(manifest: Manifest, source: WrittenFile | None = None, reference: str = "", digest: str = "") -> Tier:
    """The tier of one manifest, with places when the file that it was read from is given."""
    keys = {
        pointer: WrittenValue(value, source.locate(_as_written(pointer, source)) if source else None)
        for pointer, value in keys_of(manifest).items()
    }
    head = manifest.metadata
    return Tier(head.name, head.version, manifest.scope, keys, reference, digest)


def tiers_of(manifest: Manifest) -> tuple[Tier, ...]:
    """All tiers that a merged manifest was made of; one for a manifest that stands alone."""
    return manifest.tiers or (tier_of(manifest),)


def _as_written(pointer: Pointer, source: WrittenFile) -> Pointer:
    """The key as the file spells it: kinds of service levels and categories have one name and several spellings."""
    block, *rest = pointer
    written = source.canonical.value.get(str(block))
    if block not in ("sla_minimums", "classification_categories") or not isinstance(written, dict) or not rest:
        return pointer
    fold = (lambda name: meaning(Sla(name, "")).name) if block == "sla_minimums" else str.casefold
    spelling = next((name for name in written if fold(name) == rest[0]), rest[0])
    return (block, spelling)
