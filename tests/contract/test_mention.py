"""A file that holds a name is never passed over, however its YAML writes the name."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from floe_contracts.contract.mention import look_for

STYLES = (None, '"', "'")
TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30)


@given(TEXTS, st.sampled_from(STYLES), st.integers(10, 40), st.booleans())
@example("shop orders of the north", None, 10, True)
@example("ann's", "'", 40, True)
@example("or\x00ders", '"', 10, False)
def test_what_is_written_is_found(name: str, style: str | None, width: int, plain: bool) -> None:
    written = yaml.safe_dump({"id": name}, default_style=style, width=width, allow_unicode=plain).encode()
    assert look_for((name,))(written)
    assert look_for(("other", f"shop/{name}"))(json.dumps({"id": name}, ensure_ascii=not plain).encode())


@pytest.mark.parametrize(
    "content", [rb'id: "\x6frders"', b'id: "or\\\n  ders"', b'{"id": "\\u006frders"}', b"id: orders"]
)
def test_letters_by_number_are_found(content: bytes) -> None:
    assert look_for(("orders",))(content)


@pytest.mark.parametrize("content", [b"id: users", rb"pattern: '\d+'", b'id: "users"'])
def test_what_is_about_something_else_is_passed_over(content: bytes) -> None:
    assert not look_for(("orders", "shop/orders"))(content)
