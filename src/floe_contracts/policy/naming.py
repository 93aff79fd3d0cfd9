"""Names of models and the layers that they show, by the platform's architecture and by the patterns of every tier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from ..frozen import dataclass
from ..product.manifest import Manifest
from .tier import tiers_of

_PATTERNS: dict[str, dict[str, tuple[str, str]]] = {  # layer: glob, what its models hold
    "medallion": {
        "bronze": ("bronze_*", "raw data"),
        "silver": ("silver_*", "cleaned data"),
        "gold": ("gold_*", "aggregated data"),
    },
    "kimball": {
        "dim": ("dim_*", "dimension"),
        "fact": ("fact_*", "measurements"),
        "bridge": ("bridge_*", "many-to-many relation"),
    },
    "data_vault": {
        "hub": ("hub_*", "business keys"),
        "link": ("link_*", "relations of keys"),
        "sat": ("sat_*", "attributes over time"),
    },
}
_FOREIGN = (
    *("stg", "staging", "int", "intermediate", "fct", "fact", "dim", "raw", "base", "src", "mart", "rpt", "bridge"),
    *("hub", "link", "sat", "bronze", "silver", "gold", "ods", "agg"),
)


@dataclass(frozen=True, slots=True)
class Architecture:
    """The layers of a platform, each with the globs of its names and what it holds."""

    pattern: str
    layers: Mapping[str, tuple[tuple[str, ...], str]]
    tier_patterns: tuple[tuple[str, ...], ...] = ()  # naming_conventions, one entry per tier that has any

    @property
    def globs(self) -> tuple[str, ...]:
        return tuple(glob for globs, _ in self.layers.values() for glob in globs)

    def layer_of(self, name: str) -> str:
        """The layer that a name shows; empty when it shows none."""
        return next((layer for layer, (globs, _) in self.layers.items() if matches(name, globs)), "")

    def missed_patterns(self, name: str) -> tuple[str, ...]:
        """The patterns of the first tier of which the name matches none."""
        return next((globs for globs in self.tier_patterns if not matches(name, globs)), ())

    def suggest(self, name: str, layer: str = "") -> tuple[str, ...]:
        """Names that would do, for one layer or for all."""
        stem = strip_prefix(name)
        return tuple(
            f"Rename to {globs[0].replace('*', stem, 1)}" + (f" ({holds})" if holds else "")
            for known, (globs, holds) in self.layers.items()
            if not layer or known == layer
            if globs and globs[0].count("*") == 1
        )


def architecture_of(manifest: Manifest) -> Architecture:
    """The architecture that a merged manifest asks for; without a pattern there are no layers."""
    settings = manifest.data_architecture
    pattern = settings.pattern or ""
    known = {layer: ((glob,), holds) for layer, (glob, holds) in _PATTERNS.get(pattern, {}).items()}
    own = {layer: (tuple(globs), "") for layer, globs in settings.layers.items()} if pattern == "custom" else {}
    return Architecture(pattern, {**known, **own}, _patterns_by_tier(manifest))


def _patterns_by_tier(manifest: Manifest) -> tuple[tuple[str, ...], ...]:
    written = (tier.keys.get(("naming_conventions",)) for tier in tiers_of(manifest))
    return tuple(tuple(str(glob) for glob in item.value) for item in written if item and isinstance(item.value, list))


def suggest_names(name: str, globs: Sequence[str]) -> tuple[str, ...]:
    """Names that would match a glob with one place for the rest of the name."""
    stem = strip_prefix(name)
    return tuple(f"Rename to {glob.replace('*', stem)}" for glob in globs if glob.count("*") == 1 and "?" not in glob)


def matches(name: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)


def strip_prefix(name: str) -> str:
    """The name without the prefix of some other convention: `stg_payments` is `payments`."""
    prefix, _, rest = name.partition("_")
    return rest if rest and prefix.lower() in _FOREIGN else name
