"""The demo's platform: a manifest of the enterprise, one of a domain, and a product that promises too little.

Not called platform.py: spark-submit puts this folder before the standard library, which has a module of that name.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from .stage import DemoStage

_FILES = {
    "platform.manifest.yaml": "platform/manifest.yaml",
    "domain.manifest.yaml": "domains/sales/manifest.yaml",
    "product.floe.yaml": "products/order-history/floe.yaml",
}
PRODUCT = "products/order-history"
_WEAK, _STRONG = "freshness: PT12H", "freshness: PT6H"


def make_platform(place: Path) -> None:
    """Both manifests and the product, as their teams wrote them."""
    for name, path in _FILES.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(files(__package__).joinpath(name).read_text("utf-8"), "utf-8")


def play_platform(stage: DemoStage, place: Path) -> None:
    """A product that weakens its platform does not compile; the fix does."""
    stage.step("One platform above all", "The platform sets rules once; a product that promises less does not compile.")
    make_platform(place)
    stage.show("floe", "compile", PRODUCT, code=1)
    stage.say("\n   The team promises what the platform asks for, and compiles again.")
    product = place / PRODUCT / "floe.yaml"
    product.write_text(product.read_text("utf-8").replace(_WEAK, _STRONG), "utf-8")
    stage.show("floe", "compile", PRODUCT)
    stage.show("floe", "policy", "explain", "sla_minimums.freshness", "--manifest", f"{PRODUCT}/floe.yaml")
