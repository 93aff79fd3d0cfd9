"""What unquoted words mean, and that numbers keep their spelling."""

from __future__ import annotations

import copy
import json
import pickle

import jsonschema_rs
import pytest

from floe_contracts.contract.model import Json
from floe_contracts.contract.source.scalars import (
    Numeral,
    TooManyDigits,
    WholeNumeral,
    WrongKind,
    plain,
    resolve,
    resolve_as,
    text_of,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[pytest.param(text, None, id=f"null as {text!r}") for text in ("", "~", "null", "Null", "NULL")],
        *[pytest.param(text, True, id=f"true as {text}") for text in ("true", "True", "TRUE")],
        *[pytest.param(text, False, id=f"false as {text}") for text in ("false", "False", "FALSE")],
        pytest.param("0", 0, id="zero"),
        pytest.param("-19", -19, id="negative whole number"),
        pytest.param("99.5", 99.5, id="real number"),
        pytest.param("-0.5", -0.5, id="negative real number"),
        pytest.param("9" * 300, int("9" * 300), id="as many digits as allowed"),
    ],
)
def test_words_with_a_meaning(text: str, value: Json) -> None:
    found = resolve(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        *["yes", "no", "on", "off", "y", "n", "nUll", "tRUE", "nothing", "false positive"],
        *["2024-01-01", "2024-99-99", "2024-01-01T25:00:00Z", "12:30", "1:30:00", "08:00"],
        *["017", "-017", "00", "00.5", "01e5", "1_000", "1,000", "0b11", "-0x1F", "0o8", "0xG", "0x", "12e"],
        *[".inf", "-.inf", ".nan", ".NaN", "1e400", "-1e999", ".", "-", "+", "1.4.0", "1.2.3-rc.1", "v1", "٣", "1 "],
    ],
)
def test_words_that_stay_text(text: str) -> None:
    assert resolve(text) == text
    assert type(resolve(text)) is str


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("1.10", 1.1, id="trailing zero"),
        pytest.param("1e3", 1000.0, id="exponent"),
        pytest.param(".5", 0.5, id="no leading digit"),
        pytest.param("1.", 1.0, id="no digit after the point"),
        pytest.param("1e-400", 0.0, id="too small for a float"),
        pytest.param("0.1000000000000000055", 0.1, id="more digits than a float holds"),
        pytest.param("+5", 5, id="plus sign"),
        pytest.param("-0", 0, id="negative zero"),
        pytest.param("0x1F", 31, id="hexadecimal"),
        pytest.param("0o17", 15, id="octal"),
    ],
)
def test_numbers_keep_a_spelling_that_would_be_lost(text: str, value: float) -> None:
    found = resolve(text)
    assert isinstance(found, (Numeral, WholeNumeral))
    assert (found, text_of(found)) == (value, text)
    assert isinstance(found, type(value))


@pytest.mark.parametrize("text", ["1" * 301, "-" + "9" * 5000, "1." + "0" * 300, "1e" + "9" * 300, "0x" + "F" * 260])
def test_numbers_with_too_many_digits_are_refused(text: str) -> None:
    with pytest.raises(TooManyDigits):
        resolve(text)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("str", "1.10", "1.10"),
        ("str", "null", "null"),
        ("int", "12", 12),
        ("float", "5", 5.0),
        ("float", "1e3", 1000.0),
        ("bool", "true", True),
        ("null", "", None),
    ],
)
def test_tags_decide(kind: str, text: str, value: Json) -> None:
    assert resolve_as(kind, text) == value
    assert text_of(resolve_as(kind, text)) == ("null" if value is None else text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("int", "abc"),
        ("int", "1.5"),
        ("int", "true"),
        ("float", "0x1F"),
        ("float", ".inf"),
        ("bool", "yes"),
        ("null", "x"),
    ],
)
def test_tags_that_do_not_fit(kind: str, text: str) -> None:
    with pytest.raises(WrongKind):
        resolve_as(kind, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [("as is", "as is"), (True, "true"), (False, "false"), (None, "null"), (7, "7"), (0.5, "0.5"), (1e-07, "1e-07")],
)
def test_text_of_values_without_a_spelling_of_their_own(value: Json, text: str) -> None:
    assert text_of(value) == text


@pytest.mark.parametrize("numeral", [Numeral("1.10"), WholeNumeral("0x1F")], ids=["real", "whole"])
def test_numerals_survive_copying(numeral: Numeral | WholeNumeral) -> None:
    for twin in (copy.copy(numeral), copy.deepcopy(numeral), pickle.loads(pickle.dumps(numeral))):
        assert (twin, twin.text, type(twin)) == (numeral, numeral.text, type(numeral))


def test_numerals_are_written_to_json_as_numbers() -> None:
    assert json.dumps([Numeral("1.10"), WholeNumeral("+5")]) == "[1.1, 5]"


def test_validators_accept_the_plain_value_only() -> None:
    validator = jsonschema_rs.validator_for({"items": {"type": "number"}})
    value: Json = [Numeral("1.10"), WholeNumeral("+5"), 3]
    assert list(validator.iter_errors(plain(value))) == []
    with pytest.raises(ValueError, match="Unsupported type"):
        list(validator.iter_errors(value))  # the day this passes, `plain` can go


def test_plain_reaches_every_depth() -> None:
    found = plain({"a": [{"b": Numeral("1.10")}, WholeNumeral("+5"), "x", None, True]})
    assert found == {"a": [{"b": 1.1}, 5, "x", None, True]}
    assert isinstance(found, dict)
    assert isinstance(found["a"], list)
    assert type(found["a"][1]) is int
