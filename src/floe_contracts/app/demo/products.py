"""The demo's platform: a manifest of the enterprise, one of a domain, and a product that promises too little.

Not called platform.py: spark-submit puts this folder before the standard library, which has a module of that name.
"""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

from .stage import DemoStage

_FILES = {
    "platform.manifest.yaml": "platform/manifest.yaml",
    "domain.manifest.yaml": "domains/sales/manifest.yaml",
    "product.floe.yaml": "products/order-history/floe.yaml",
    "product_refunds.py": "products/order-history/refunds.py",
    "product_history.py": "products/order-history/history.py",
}
PRODUCT = "products/order-history"
_WEAK, _STRONG = "value: PT12H", "value: PT6H"


def make_platform(place: Path) -> None:
    """Both manifests and the product, as their teams wrote them."""
    for name, path in _FILES.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        text = files(__package__).joinpath(name).read_text("utf-8").replace("{python}", sys.executable)
        (place / path).write_text(text, "utf-8")


def play_pipeline(stage: DemoStage, place: Path, store: str) -> None:
    """A night without a delivery, and the next one; both stand on the page that is written afterwards."""
    stage.step("The product runs", "One command compiles, loads, transforms and checks; what breaks says where.")
    command = ("floe", "run", PRODUCT, "--store", store, "--trigger", "scheduled")
    stage.show(*command, "--run-id", "monday", code=1, title=f"floe run {PRODUCT} --run-id monday", last=4)
    stage.say("\n   Nothing was delivered, so nothing was built. On Tuesday finance delivers again.")
    inbox = place / PRODUCT / "inbox"
    inbox.mkdir()
    (inbox / "refunds.csv").write_text("order_id\no-00001\no-00007\n", "utf-8")
    stage.show(*command, "--run-id", "tuesday", title=f"floe run {PRODUCT} --run-id tuesday", last=16)


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
