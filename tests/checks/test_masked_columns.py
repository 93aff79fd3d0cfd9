"""Which columns a quarantine masks, and which names in settings open none."""

from __future__ import annotations

import pytest
from support.builders import column, contract

from floe_contracts.checks.disclosure import masked_columns, refused_columns
from floe_contracts.contract.meaning.privacy import PrivacyRules

INSIDE = column("buyer", "object", properties=(column("name"), column("phone", classification="confidential")))
ORDERS = contract(
    column("id"),
    column("email", classification="confidential"),
    column("tier", classification="public"),
    column("card", pii_type="pan"),
    column("plain", "object", properties=(column("a"),)),
    INSIDE,
)
THERE = ("id", "EMAIL", "tier", "card", "plain", "buyer", "extra")
CLOSED = {"EMAIL", "card", "buyer", "extra"}


@pytest.mark.parametrize(
    ("unmasked", "masked"),
    [
        pytest.param((), CLOSED, id="classified, personal, with something classified inside, or not listed"),
        pytest.param(("email",), CLOSED - {"EMAIL"}, id="shown in any case of letters"),
        pytest.param(("buyer",), CLOSED - {"buyer"}, id="a struct as a whole"),
        pytest.param(("buyer.name",), CLOSED, id="a part opens nothing"),
        pytest.param(("extra",), CLOSED, id="what is not listed stays masked"),
    ],
)
def test_a_column_is_masked_unless_settings_name_it(unmasked: tuple[str, ...], masked: set[str]) -> None:
    assert masked_columns(ORDERS.objects[0], THERE, PrivacyRules(), unmasked) == masked


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        pytest.param("emial", "the contract has no such column", id="a slip"),
        pytest.param("extra", "the contract has no such column", id="not listed"),
        pytest.param("buyer.phone", "a column is masked or shown as a whole: name buyer", id="a part of a struct"),
        pytest.param("buyer", "", id="a struct"),
    ],
)
def test_a_name_that_opens_nothing_is_told(name: str, reason: str) -> None:
    assert refused_columns(ORDERS, (name,), None) == ({name: reason} if reason else {})
