"""The gate's report names what a change makes products and domains stand on."""

from __future__ import annotations

from support.git_sandbox import Clone
from support.orders import orders
from support.running import Floe

OLD, NEW = "oci://registry.acme.com/platform:v1.2.3", "oci://registry.acme.com/platform:v1.3.0"
PRODUCT = "apiVersion: floe.dev/v1\nkind: DataProduct\nmetadata: {name: shop, version: 1.0.0}\nplatform: %s\n"
LOCK = "version: 1\nreferences:\n  %s:\n    digest: sha256:%s\n"


def test_moved_references_are_named(shop: Clone, floe: Floe) -> None:
    shop.switch("main")
    shop.commit({"shop/floe.yaml": PRODUCT % OLD, "shop/floe.lock": LOCK % (OLD, "a" * 64)})
    shop.switch("next", "main")
    shop.commit({"shop/floe.yaml": PRODUCT % NEW, "shop/floe.lock": LOCK % (NEW, "b" * 64)})
    ran = floe("gate", "--base", "main", "--head", "HEAD")
    assert ran.code == 0, ran
    text = ran.out + ran.err
    assert f"shop/floe.yaml: platform was {OLD} and becomes {NEW}." in text
    assert f"shop/floe.lock: {OLD} is removed: sha256:{'a' * 64}." in text
    assert f"shop/floe.lock: {NEW} is new: sha256:{'b' * 64}." in text


def test_a_password_in_a_reference_is_not_repeated(shop: Clone, floe: Floe) -> None:
    shop.switch("main")
    shop.commit({"shop/floe.yaml": PRODUCT % OLD})
    shop.switch("next", "main")
    shop.commit({"shop/floe.yaml": PRODUCT % NEW.replace("//", "//ann:s3cret@")})
    text = "".join(
        floe("gate", "--base", "main", "--head", "HEAD", "--format", form).out for form in ("json", "markdown")
    )
    assert "becomes oci://…@registry.acme.com/platform:v1.3.0." in text
    assert "s3cret" not in text


def test_another_digest_of_the_same_reference_is_named(shop: Clone, floe: Floe) -> None:
    shop.switch("main")
    shop.commit({"shop/floe.lock": LOCK % (OLD, "a" * 64)})
    shop.switch("next", "main")
    shop.commit({"shop/floe.lock": LOCK % (OLD, "b" * 64)})
    ran = floe("gate", "--base", "main", "--head", "HEAD")
    assert f"{OLD} was sha256:{'a' * 64} and becomes sha256:{'b' * 64}." in ran.out + ran.err, ran


def test_other_changes_name_nothing(shop: Clone, floe: Floe) -> None:
    shop.switch("main")
    shop.commit({"shop/floe.yaml": PRODUCT % OLD})
    shop.switch("next", "main")
    changed = PRODUCT.replace("1.0.0", "1.1.0") % OLD
    shop.commit({"shop/floe.yaml": changed, "contracts/orders.yaml": orders(version="1.0.1")})
    ran = floe("gate", "--base", "main", "--head", "HEAD")
    assert "becomes" not in ran.out + ran.err, ran
