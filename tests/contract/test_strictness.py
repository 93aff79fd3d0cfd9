"""Which of two service levels, and which of two classifications, is stricter."""

from __future__ import annotations

import pytest

from floe_contracts.contract.meaning.sla import meaning
from floe_contracts.contract.meaning.strictness import compare_classifications, compare_slas
from floe_contracts.contract.model import Sla


@pytest.mark.parametrize(
    ("name", "value", "other", "order"),
    [
        pytest.param("freshness", "PT1H", "PT6H", 1, id="fresher data"),
        pytest.param("availability", "99%", "99.9%", -1, id="less often available"),
        pytest.param("freshness", "360 minutes", "PT6H", 0, id="another spelling"),
        pytest.param("retention", "unlimited", "P7Y", 1, id="kept without limit"),
        pytest.param("retention", "P7Y", "forever", -1, id="no longer kept without limit"),
        pytest.param("freshness", "soon", "PT6H", None, id="no quantity"),
        pytest.param("retention", "P1M", "P30D", None, id="a month has no fixed length"),
        pytest.param("colour", 1, 2, None, id="unknown kind"),
        pytest.param("colour", 1, 1, 0, id="unknown kind, the same"),
    ],
)
def test_service_levels(name: str, value: str | int, other: str | int, order: int | None) -> None:
    assert compare_slas(meaning(Sla(name, value)), meaning(Sla(name, other))) == order


@pytest.mark.parametrize(
    ("word", "other", "order"),
    [
        pytest.param("internal", "public", 1, id="next level"),
        pytest.param("Public", " RESTRICTED ", -1, id="case and spaces mean nothing"),
        pytest.param("pii", "restricted", 0, id="a category at its level"),
        pytest.param("identifier", "sensitive", -1, id="two categories"),
        pytest.param("secret", "public", None, id="a word without a rank"),
    ],
)
def test_classifications(word: str, other: str, order: int | None) -> None:
    assert compare_classifications(word, other) == order
