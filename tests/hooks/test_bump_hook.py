"""floe-contract-bump on its own: what it writes, what it leaves to a person."""

from __future__ import annotations

from support.git_sandbox import Clone
from support.orders import orders
from support.running import Floe as Hook

BUMP = "floe-contract-bump"
ORDERS = "contracts/orders.yaml"
LESS, MORE = ("order_id",), ("order_id", "total", "note")


def test_nothing_changed(hook: Hook) -> None:
    ran = hook(BUMP)
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_a_minor_version_is_written_and_the_hook_fails_once(repo: Clone, hook: Hook) -> None:
    repo.write({ORDERS: orders(columns=MORE)})
    ran = hook(BUMP)
    assert (ran.code, ran.out) == (1, f"{ORDERS}: version 1.0.0 → 1.1.0\n")
    assert (repo.path / ORDERS).read_text() == orders("1.1.0", columns=MORE)
    again = hook(BUMP)
    assert (again.code, again.out) == (0, "")


def test_a_major_version_is_left_to_a_person(repo: Clone, hook: Hook) -> None:
    repo.write({ORDERS: orders(columns=LESS)})
    ran = hook(BUMP)
    assert (ran.code, "needs 2.0.0" in ran.out) == (1, True)
    assert (repo.path / ORDERS).read_text() == orders(columns=LESS)
    assert hook(BUMP, "--allow-major").code == 1
    assert (repo.path / ORDERS).read_text() == orders("2.0.0", columns=LESS)
    assert hook(BUMP).code == 0


def test_a_file_bound_to_its_major_is_left(repo: Clone, hook: Hook) -> None:
    bound = "contracts/sales.v1.yaml"
    repo.switch("main")
    repo.commit({bound: orders(key="sales", name="sales")})
    repo.write({bound: orders(key="sales", name="sales", columns=LESS)})
    ran = hook(BUMP, "--allow-major")
    assert (ran.code, "publish 2.0.0 as contracts/sales.v2.yaml" in ran.out) == (1, True)
    assert (repo.path / bound).read_text() == orders(key="sales", name="sales", columns=LESS)


def test_a_version_that_cannot_be_written_does_not_keep_the_others_back(repo: Clone, hook: Hook) -> None:
    texts = {
        "contracts/a.yaml": orders(key="a", name="a").replace("version: 1.0.0", "version: &v 1.0.0"),
        "contracts/b.yaml": orders(key="b", name="b"),
    }
    repo.switch("main")
    repo.commit(dict(texts))
    repo.write({path: f"{text}      note: {{type: string}}\n" for path, text in texts.items()})
    ran = hook(BUMP)
    assert ran.code == 2
    assert "contracts/a.yaml: version 1.0.0 → 1.1.0 is not written" in ran.out
    assert "contracts/b.yaml: version 1.0.0 → 1.1.0\n" in ran.out
    assert "version: 1.1.0" in (repo.path / "contracts/b.yaml").read_text()


def test_a_file_name_is_no_command_of_the_runner(repo: Clone, hook: Hook) -> None:
    path = "contracts/::set-output name=x::y ##[add-mask]z.yaml"
    repo.switch("main")
    repo.commit({path: orders(key="sales", name="sales")})
    repo.write({path: orders(key="sales", name="sales", columns=MORE)})
    ran = hook(BUMP)
    assert (ran.code, "1.1.0" in ran.out) == (1, True)
    assert "##[" not in ran.out
