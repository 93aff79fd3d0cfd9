"""One environment of the hooks for all tests here: making it takes most of their time."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.git_sandbox import Clone, Sandbox
from support.hook_users import PRE_COMMIT, Offer, make_offer, make_shop, tried
from support.needs import cannot_run
from support.running import Floe as Try


@pytest.fixture(scope="session")
def offer(tmp_path_factory: pytest.TempPathFactory) -> Offer:
    sandbox = Sandbox(tmp_path_factory.mktemp("offer"))
    found = make_offer(sandbox)
    ran = tried(make_shop(sandbox, found), found, *PRE_COMMIT, "install-hooks")
    if ran.code != 0:
        cannot_run(f"pre-commit could not install the hooks: {(ran.out + ran.err)[-600:]}")
    return found


@pytest.fixture
def shop(tmp_path: Path, offer: Offer) -> Clone:
    """A developer's repository with the hooks installed for commits, merges and pushes."""
    shop = make_shop(Sandbox(tmp_path), offer)
    kinds = [word for kind in ("pre-commit", "pre-merge-commit", "pre-push") for word in ("--hook-type", kind)]
    ran = tried(shop, offer, *PRE_COMMIT, "install", *kinds)
    assert ran.code == 0, ran.err
    return shop


@pytest.fixture
def attempt(shop: Clone, offer: Offer) -> Try:
    """Runs git in the developer's repository and tells what came of it."""
    return lambda *words: tried(shop, offer, "git", *words)
