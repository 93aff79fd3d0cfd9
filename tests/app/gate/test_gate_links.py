"""A contract behind a symbolic link is compared by its target inside the repository, or nothing passes."""

from __future__ import annotations

import pytest
from support.gating import CONFIG, ORDERS, gate, rules, verdict
from support.git_sandbox import Clone, Sandbox
from support.orders import orders

from floe_contracts.results import Report

LESS = orders(columns=("order_id",))
REAL = "docs/orders.yaml"
BLOCKED = ["1", f"E520 property-removed {REAL}"]
Links = dict[str, "str | None"]
Files = dict[str, "str | None"]


def put(repo: Clone, files: Files, links: Links) -> None:
    """Commit files and links; None removes."""
    for path, target in links.items():
        place = repo.path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_symlink() or place.exists():
            place.unlink()
        if target is not None:
            place.symlink_to(target)
    repo.commit(files)


def compare(sandbox: Sandbox, base: tuple[Files, Links], head: tuple[Files, Links], at: str = "HEAD") -> Report:
    """The report on a change between two states of files and links."""
    repo = sandbox.init()
    put(repo, *base)
    repo.switch("change", "main")
    put(repo, *head)
    return gate(repo, head=at)


@pytest.mark.parametrize("at", ["HEAD", "index", "worktree"])
@pytest.mark.parametrize(
    ("links", "real"),
    [
        pytest.param({ORDERS: "../docs/orders.yaml"}, REAL, id="a link to a file"),
        pytest.param(
            {ORDERS: "other.yaml", "contracts/other.yaml": "../docs/orders.yaml"}, REAL, id="a link to a link"
        ),
        pytest.param({"contracts": "docs"}, REAL, id="a linked folder"),
        pytest.param({"contracts/shop": "../docs"}, REAL, id="a linked folder below"),
        pytest.param({"contracts/shop": "../more", "more": "docs"}, REAL, id="a linked folder behind another"),
        pytest.param({ORDERS: "../docs/text"}, "docs/text", id="a target without an ending"),
        pytest.param({"contracts/a": "../deep", "deep/b": "../docs"}, REAL, id="a link in a linked folder"),
    ],
)
def test_a_break_behind_a_link_is_seen(sandbox: Sandbox, links: Links, real: str, at: str) -> None:
    report = compare(sandbox, ({real: orders()}, links), ({real: LESS}, {}), at)
    assert verdict(report) == ["1", f"E520 property-removed {real}"]
    assert any(real in note and "symbolic link" in note for note in report.notes)


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        pytest.param(
            ({ORDERS: orders()}, {}),
            ({REAL: LESS}, {ORDERS: "../docs/orders.yaml"}),
            BLOCKED,
            id="a file becomes a link to less",
        ),
        pytest.param(
            ({ORDERS: orders()}, {}),
            ({REAL: orders()}, {ORDERS: "../docs/orders.yaml"}),
            ["0"],
            id="a file becomes a link to the same",
        ),
        pytest.param(
            ({REAL: orders(), "docs/less.yaml": LESS}, {ORDERS: "../docs/orders.yaml"}),
            ({}, {ORDERS: "../docs/less.yaml"}),
            ["1", "E520 property-removed docs/less.yaml"],
            id="a link points to less",
        ),
        pytest.param(
            ({REAL: orders()}, {ORDERS: "../docs/orders.yaml"}),
            ({}, {ORDERS: None}),
            ["1", f"E525 contract-deleted {REAL}"],
            id="a link is removed",
        ),
        pytest.param(
            ({REAL: orders()}, {ORDERS: "../docs/orders.yaml"}),
            ({REAL: None}, {}),
            ["2", f"E509 link-not-followed {ORDERS}", f"E525 contract-deleted {REAL}"],
            id="what a link leads to is deleted",
        ),
        pytest.param(
            ({ORDERS: orders()}, {"contracts/latest.yaml": "orders.yaml"}),
            ({ORDERS: orders("1.1.0", columns=("order_id", "total", "note"))}, {}),
            ["0"],
            id="a link to a contract of the globs is not a second file",
        ),
        pytest.param(
            ({ORDERS: orders(), "README.md": "x\n"}, {"contracts/up": "..", "loop": "loop"}),
            ({"README.md": "y\n"}, {}),
            ["0"],
            id="a link to the folder it lies in shows nothing new",
        ),
    ],
)
def test_links_that_change(
    sandbox: Sandbox, base: tuple[Files, Links], head: tuple[Files, Links], expected: list[str]
) -> None:
    assert verdict(compare(sandbox, base, head)) == expected


@pytest.mark.parametrize("at", ["HEAD", "index", "worktree"])
@pytest.mark.parametrize(
    "links",
    [
        pytest.param({"contracts/x.yaml": "/etc/hostname"}, id="an absolute path"),
        pytest.param({"contracts/x.yaml": "../../outside.yaml"}, id="out of the repository"),
        pytest.param({"contracts/x.yaml": "nowhere.yaml"}, id="nowhere"),
        pytest.param({"contracts/x.yaml": "y.yaml", "contracts/y.yaml": "x.yaml"}, id="in a circle"),
        pytest.param({"contracts/shop": "/etc"}, id="a folder outside"),
        pytest.param({"contracts/x.yaml": "../.git/config"}, id="into the repository's own files"),
    ],
)
@pytest.mark.parametrize("since", ["the base", "the change"])
def test_a_link_that_leads_nowhere_is_refused(sandbox: Sandbox, links: Links, at: str, since: str) -> None:
    old = since == "the base"
    (sandbox.root / "outside.yaml").write_text(orders())
    report = compare(
        sandbox,
        ({ORDERS: orders()}, links if old else {}),
        ({"README.md": "x\n"}, {} if old else links),
        at,
    )
    assert (verdict(report)[0], rules(report)) == ("2", {"link-not-followed"})


def test_a_dead_link_can_be_left_out_or_removed(sandbox: Sandbox) -> None:
    dead: Links = {"contracts/x.yaml": "/etc/hostname"}
    repo = sandbox.init()
    put(repo, {ORDERS: orders()}, dead)
    repo.switch("exclude", "main")
    repo.commit({CONFIG: "exclude: [contracts/x.yaml]\n"})
    assert verdict(gate(repo)) == ["0"]


def test_what_lies_behind_links_is_counted_once(sandbox: Sandbox) -> None:
    links: Links = {ORDERS: "../docs/orders.yaml", "contracts/again.yaml": "../docs/orders.yaml"}
    report = compare(sandbox, ({REAL: orders()}, links), ({"README.md": "x\n"}, {}))
    assert (verdict(report), dict(report.context)["unchanged"]) == (["0"], "1")


def test_folders_of_links_to_folders_end(sandbox: Sandbox) -> None:
    links: Links = {f"contracts/{a}/{b}": f"../{(a + 1) % 6}" for a in range(6) for b in "xyz"}
    report = compare(sandbox, ({ORDERS: orders()}, links), ({ORDERS: LESS}, {}))
    assert verdict(report)[0] in ("1", "2")
