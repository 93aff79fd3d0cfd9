"""Whose checks these are."""

from __future__ import annotations

from typing import Any

import pytest

from floe_contracts.product.observability import Observability, Product, namespace_of

SHOP = Product(name="shop")


@pytest.mark.parametrize(
    ("said", "environment", "namespace"),
    [
        pytest.param({"namespace": "mine", "product": SHOP}, "theirs", "theirs", id="the environment first"),
        pytest.param({"namespace": "mine", "product": SHOP}, "", "mine", id="then the settings"),
        pytest.param({"product": SHOP}, "", "shop", id="simple: the product"),
        pytest.param({"mode": "centralized", "product": SHOP}, "", "shop", id="centralized: the product"),
        pytest.param({"mode": "mesh", "domain": "sales", "product": SHOP}, "", "sales.shop", id="mesh: domain.product"),
        pytest.param(
            {"mode": "managed", "tenant_id": "7", "project_slug": "web"},
            "",
            "floe.7.web",
            id="managed: tenant and slug",
        ),
        pytest.param({}, "", "floe", id="nothing said"),
    ],
)
def test_namespace(said: dict[str, Any], environment: str, namespace: str) -> None:
    assert namespace_of(Observability(**said), environment) == namespace
