"""Which paths count as contracts."""

from __future__ import annotations

import pytest

from floe_contracts.contract.discovery import expand_braces, glob_to_regex, line_major, selection


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("contracts/orders.yaml", id="directly in contracts"),
        pytest.param("contracts/sales/eu/orders.v2.yml", id="deep in contracts"),
        pytest.param("datacontract.yaml", id="datacontract at the root"),
        pytest.param("products/shop/datacontract.yml", id="datacontract below a product"),
        pytest.param("a/b/orders.odcs.yaml", id="odcs suffix anywhere"),
        pytest.param("orders.datacontract.yml", id="datacontract suffix"),
        pytest.param("contracts/straße/größe.yaml", id="letters beyond ASCII"),
    ],
)
def test_default_globs_match(path: str) -> None:
    assert path in selection()


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("docs/contracts/orders.yaml", id="a contracts folder elsewhere"),
        pytest.param("contracts/README.md", id="no YAML"),
        pytest.param("contracts/.hidden/orders.yaml", id="hidden folder"),
        pytest.param("contracts/.orders.yaml", id="hidden file"),
        pytest.param(".git/contracts/datacontract.yaml", id="inside .git"),
        pytest.param("mydatacontract.yaml", id="only the ending is alike"),
        pytest.param("contracts/orders.yaml.bak", id="backup"),
    ],
)
def test_default_globs_leave_alone(path: str) -> None:
    assert path not in selection()


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        pytest.param("*.yaml", "a.yaml", True, id="star"),
        pytest.param("*.yaml", "a/b.yaml", False, id="star stays in its folder"),
        pytest.param("**/*.yaml", "b.yaml", True, id="double star matches nothing too"),
        pytest.param("a/**", "a/b/c.yaml", True, id="trailing double star"),
        pytest.param("a?c.yaml", "abc.yaml", True, id="question mark"),
        pytest.param("[ab].yaml", "b.yaml", True, id="set"),
        pytest.param("[!ab].yaml", "b.yaml", False, id="negated set"),
        pytest.param("{a,b/{c,d}}.yaml", "b/d.yaml", True, id="nested braces"),
        pytest.param("a+b(c).yaml", "a+b(c).yaml", True, id="regex characters are plain"),
        pytest.param("./x.yaml", "x.yaml", True, id="leading dot slash"),
    ],
)
def test_globs(glob: str, path: str, matches: bool) -> None:
    assert (path in selection((glob,))) is matches


def test_exclude_wins() -> None:
    chosen = selection(("**/*.yaml",), ("old/**",))
    assert "new/a.yaml" in chosen
    assert "old/a.yaml" not in chosen


@pytest.mark.parametrize("glob", ["/etc/*.yaml", "", "a\\b.yaml", "{a,b}" * 9])
def test_unreadable_globs_are_refused(glob: str) -> None:
    with pytest.raises(ValueError, match="glob"):
        glob_to_regex(glob)


def test_braces_expand_in_order() -> None:
    assert expand_braces("a.{x,y}") == ("a.x", "a.y")


@pytest.mark.parametrize(
    ("path", "major"),
    [
        ("contracts/orders.v2.yaml", 2),
        ("orders.V12.yml", 12),
        ("orders.v3.odcs.yaml", 3),
        ("orders.yaml", None),
        ("orders.v2/a.yaml", None),
        ("ordersv2.yaml", None),
    ],
)
def test_line_from_file_name(path: str, major: int | None) -> None:
    assert line_major(path) == major
