"""The hooks as people use them: git commit, git merge and git push with pre-commit in between."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.git_sandbox import Clone
from support.hook_users import Offer
from support.orders import BROKEN, orders
from support.running import Floe as Try

pytestmark = pytest.mark.slow

MOST_MEGABYTES = 72  # as in tests/packaging/test_install_size.py
ORDERS = "contracts/orders.yaml"
V2, V3 = "contracts/sales.v2.yaml", "contracts/sales.v3.yaml"
LESS, MORE = ("order_id",), ("order_id", "total", "note")


def commit(shop: Clone, attempt: Try, files: dict[str, str | None]) -> tuple[int, str]:
    shop.write(files)
    shop.git("add", "--all")
    ran = attempt("commit", "--message", "change")
    return ran.code, ran.out + ran.err


def test_a_break_is_blocked_and_its_major_bump_passes(shop: Clone, attempt: Try) -> None:
    code, said = commit(shop, attempt, {ORDERS: orders("1.1.0", columns=LESS)})
    assert (code, "BLOCKED: shop-orders needs version 2.0.0" in said) == (1, True)
    code, said = commit(shop, attempt, {ORDERS: orders("2.0.0", columns=LESS)})
    assert code == 0, said


def test_a_commit_that_only_deletes_is_blocked(shop: Clone, attempt: Try) -> None:
    code, said = commit(shop, attempt, {ORDERS: None})
    assert (code, "contract-deleted" in said) == (1, True)


def test_renaming_a_major_away_is_blocked(shop: Clone, attempt: Try) -> None:
    shop.switch("main")
    shop.write({V2: orders("2.0.0", key="sales", name="sales")})
    shop.git("add", "--all")
    assert attempt("commit", "--message", "v2").code == 0
    code, said = commit(shop, attempt, {V2: None, V3: orders("3.0.0", key="sales", name="sales", columns=LESS)})
    assert (code, f"{V2}: FLOE-E525 [contract-deleted]" in said) == (1, True)


def test_lint_reports_with_lines(shop: Clone, attempt: Try) -> None:
    code, said = commit(shop, attempt, {"contracts/a.yaml": BROKEN})
    assert (code, "contracts/a.yaml:3:1: FLOE-E501 [yaml-syntax]" in said) == (1, True)


def test_bump_writes_and_the_next_commit_passes(shop: Clone, attempt: Try) -> None:
    code, said = commit(shop, attempt, {ORDERS: orders(columns=MORE)})
    assert (code, f"{ORDERS}: version 1.0.0 → 1.1.0" in said) == (1, True)
    assert (shop.path / ORDERS).read_text() == orders("1.1.0", columns=MORE)
    code, said = commit(shop, attempt, {})
    assert code == 0, said


def test_other_commits_pass(shop: Clone, attempt: Try) -> None:
    code, said = commit(shop, attempt, {"README.md": "more\n", "compose.yaml": "services: {}\n"})
    assert code == 0, said


def test_only_what_is_staged_counts(shop: Clone, attempt: Try) -> None:
    shop.write({"README.md": "staged\n"})
    shop.git("add", "--all")
    shop.write({ORDERS: orders(columns=LESS)})  # not staged: pre-commit puts it aside
    assert attempt("commit", "--message", "change").code == 0
    assert (shop.path / ORDERS).read_text() == orders(columns=LESS)


def test_a_push_is_stopped_when_a_commit_slipped_through(tmp_path: Path, shop: Clone, attempt: Try) -> None:
    origin = str(tmp_path / "origin.git")
    shop.git("init", "--quiet", "--bare", origin)
    shop.git("remote", "add", "origin", origin)
    assert attempt("push", "--quiet", "origin", "main").code == 0
    shop.write({ORDERS: orders(columns=LESS)})
    shop.git("add", "--all")
    assert attempt("commit", "--no-verify", "--message", "slipped").code == 0
    pushed = attempt("push", "--quiet", "origin", "feature")
    assert (pushed.code, "needs version 2.0.0" in pushed.out + pushed.err) == (1, True)
    code, said = commit(shop, attempt, {ORDERS: orders("2.0.0", columns=LESS)})
    assert code == 0, said
    assert attempt("push", "--quiet", "origin", "feature").code == 0


def test_merging_main_in_is_not_blamed_on_the_branch(shop: Clone, attempt: Try) -> None:
    assert commit(shop, attempt, {"README.md": "mine\n"})[0] == 0
    shop.switch("main")
    assert commit(shop, attempt, {ORDERS: orders("2.0.0", columns=LESS)})[0] == 0
    shop.switch("feature")
    merged = attempt("merge", "--no-edit", "main")
    assert merged.code == 0, merged.out + merged.err
    assert (shop.path / ORDERS).read_text() == orders("2.0.0", columns=LESS)


def test_the_environment_is_small_and_free_of_engines(offer: Offer) -> None:
    (environment,) = offer.environments
    size = sum(path.lstat().st_size for path in environment.rglob("*") if path.is_file())  # blocks are the disk's
    assert size / 1_000_000 <= MOST_MEGABYTES, size
    names = {path.name.split("-")[0].lower() for path in environment.glob("lib/python*/site-packages/*")}
    assert "floe_contracts" in names
    assert not names & {"pyspark", "datacontract", "datacontract_cli", "openlineage", "prometheus_client"}
