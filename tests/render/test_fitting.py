"""Whole sections are dropped, tables are cut after their first rows, and both are said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floe_contracts.render.markdown.fitting import Section, fit, size

TABLE = ("table", "tables")


def test_everything_that_fits_is_kept_in_order() -> None:
    sections = [Section(TABLE, "one"), Section(TABLE, "two", ("a", "b"), "\nend")]
    assert fit("top", sections, "bottom", limit=2_000, rest="") == "top\n\none\n\ntwo\na\nb\nend\n\nbottom\n"


@pytest.mark.parametrize(
    ("limit", "page"),
    [
        pytest.param(5_000, f"top\n\nhead\n{'x' * 999}\n{'x' * 999}\n{'x' * 999}\n{'x' * 999}\nend", id="whole"),
        pytest.param(
            3_500, f"top\n\nhead\n{'x' * 999}\n{'x' * 999}\n{'x' * 999}\n\nand 1 finding more\nend", id="three rows"
        ),
        pytest.param(
            2_500, "top\n\nLeft out to keep this page short: 1 table. Look there.", id="two rows are not worth it"
        ),
    ],
)
def test_rows_are_cut(limit: int, page: str) -> None:
    section = Section(TABLE, "head", ("x" * 999,) * 4, "\nend")
    assert fit("top", [section], "", limit=limit, rest="Look there.") == f"{page}\n"


def test_a_later_section_may_still_fit() -> None:
    sections = [Section(TABLE, "x" * 900), Section(("note", "notes"), "y" * 900), Section(TABLE, "z")]
    page = fit("top", sections, "", limit=1_400, rest="")
    assert "x" * 900 in page
    assert "Left out to keep this page short: 1 note. " in page
    assert "\nz\n" in page


@given(
    st.lists(st.builds(Section, st.just(TABLE), st.text(max_size=500), st.lists(st.text(max_size=300)).map(tuple))),
    st.integers(1_000, 5_000),
)
def test_any_page_stays_below_its_limit(sections: list[Section], limit: int) -> None:
    assert size(fit("top", sections, "bottom", limit=limit, rest="The rest is elsewhere.")) < limit
