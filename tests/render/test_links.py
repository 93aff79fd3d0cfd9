"""Addresses are made of what was meant, or not at all."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.samples import LINKS

from floe_contracts.render.links import Links, encode_path, person_url
from floe_contracts.results import Location

SHA = "4f1c2aa0b9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4"


def test_a_line_has_an_address() -> None:
    assert LINKS.line(Location("a/b.yaml", 7, 2)) == f"https://github.example.com/shop/data/blob/{SHA}/a/b.yaml#L7"


@pytest.mark.parametrize(
    ("links", "place"),
    [
        pytest.param(LINKS, None, id="no place"),
        pytest.param(LINKS, Location("a.yaml"), id="no line: the file may be gone"),
        pytest.param(Links("", "", ""), Location("a.yaml", 1), id="not on GitHub"),
        pytest.param(Links("javascript:alert(1)", "o/r", SHA), Location("a.yaml", 1), id="another scheme"),
        pytest.param(Links("https://x.io", "o/r)", SHA), Location("a.yaml", 1), id="a repository that ends the link"),
        pytest.param(Links("https://x.io", "o/r", "main"), Location("a.yaml", 1), id="a branch is not a commit"),
        pytest.param(Links("https://x.io\n", "o/r", SHA), Location("a.yaml", 1), id="a line end"),
    ],
)
def test_no_address(links: Links, place: Location | None) -> None:
    assert links.line(place) == ""


@pytest.mark.parametrize(
    ("links", "address"),
    [
        pytest.param(Links("https://x.io/", "o/r", "", "7"), "https://x.io/o/r/actions/runs/7", id="a run"),
        pytest.param(LINKS, "", id="no run"),
        pytest.param(Links("https://x.io", "o/r", SHA, "7)[x](y"), "", id="a run that ends the link"),
        pytest.param(Links("javascript:x", "o/r", SHA, "7"), "", id="another scheme"),
    ],
)
def test_the_page_of_a_run(links: Links, address: str) -> None:
    assert links.run() == address


@given(st.text(st.characters(codec="utf-8"), min_size=1))
def test_any_path_comes_back_and_ends_nothing(path: str) -> None:
    address = LINKS.line(Location(path, 1))
    assert not set(address) & set(" ()<>[]\"'`|\\\n@!*")
    assert unquote(urlsplit(address).path).endswith(path)


@pytest.mark.parametrize(
    ("path", "address"),
    [("a\udcff.yaml", "a%FF.yaml"), ("a\ud800.yaml", "a%ED%A0%80.yaml"), ("a/..//b", "a/..//b"), ("?#", "%3F%23")],
)
def test_encoded(path: str, address: str) -> None:
    assert encode_path(path) == address


SUPPORT = [{"channel": "slack", "url": "https://chat.example/orders"}]


@pytest.mark.parametrize(
    ("name", "support", "address"),
    [
        ("ada@shop.example", SUPPORT, "mailto:ada@shop.example"),
        ("@shop/orders", [], "https://github.com/orgs/shop/teams/orders"),
        ("team-orders", SUPPORT, "https://chat.example/orders"),
        ("team-orders", None, ""),
        ("team-orders", [{"url": "javascript:alert(1)"}], ""),
        ("ada@shop.example?cc=all", None, ""),
    ],
    ids=["mail", "team", "channel of support", "nowhere", "no page", "no plain address"],
)
def test_an_owner_is_linked_where_people_are_reached(name: str, support: object, address: str) -> None:
    assert person_url(name, support, Links("https://github.com", "shop/orders", "")) == address
