"""Formats of text: what passes and what does not, and IPv6 against Python's own reader."""

from __future__ import annotations

import ipaddress
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from floe_contracts.checks.rules.values import FORMATS, WIDTHS, known_format

CASES = {
    "email": ("a@b.co x.y+z@mail.example.org ü@ö.de", "a@b a@@b.co @b.co a@ a@b.c@d.e a@b..c"),
    "uuid": ("123e4567-e89b-12d3-a456-426614174000 123E4567-E89B-12D3-A456-426614174000", "123e4567 {123e4567}"),
    "uri": ("https://x.y/z?a=b mailto:a@b.c urn:isbn:1", "x.y/z ://x 1a:b"),
    "url": ("https://x.y ftp://h/p?q#f", "mailto:a@b.c https:// https:x"),
    "hostname": ("a example.com xn--p1ai a-b.c", "-a a- a..b a_b"),
    "ipv4": ("0.0.0.0 255.255.255.255 10.1.2.3", "256.1.1.1 1.2.3 1.2.3.4.5 01.2.3.4 1.2.3.4/8"),
    "ipv6": ("::1 :: 2001:db8::1 1:2:3:4:5:6:7:8 ::ffff:1.2.3.4 fe80::", "1:2:3 1::2::3 12345::1 :1 1: ::1.2.3"),
    "date": ("2026-01-03 2024-02-29", "2026-13-01 2026-1-3 2026-01-32 03.01.2026"),
    "time": ("10:00:00Z 10:00:00.5+02:00 23:59:60Z", "24:00:00Z 10:00Z 10:00:00"),
    "date-time": ("2026-01-03T10:00:00Z 2026-01-03T10:00:00.123456-08:00", "2026-01-03 2026-01-03T10:00Z"),
    "duration": ("PT6H P1D P1Y2M3W4DT5H6M7.5S", "P PT 6H P6H PT6"),
    "byte": ("YQ== YWI= YWJj", "YQ= Y YQ==x %%%%"),
}


@pytest.mark.parametrize("name", [pytest.param(name, id=name) for name in FORMATS])
def test_a_format_takes_and_refuses(name: str) -> None:
    good, bad = CASES[name]
    assert [word for word in good.split() if not re.fullmatch(FORMATS[name], word)] == []
    assert [word for word in bad.split() if re.fullmatch(FORMATS[name], word)] == []


@pytest.mark.parametrize("name", [pytest.param(name, id=name) for name in FORMATS if name != "byte"])
def test_nothing_at_all_has_no_format(name: str) -> None:
    assert not re.fullmatch(FORMATS[name], "")


@given(st.ip_addresses(v=6).map(str) | st.text("0123456789abf:.", max_size=20))
@example("1:2:3:4:5:6:1.2.3.4")
@example("1:2:3:4:5::1.2.3.4")
@example("1:2:3:4:5:6::1.2.3.4")
@example("::2:3:4:5:6:7:8")
@example("1:2:3:4:5:6:7::")
@example("1:2:3:4:5:6:7:8::")
def test_ipv6_is_read_as_python_reads_it(text: str) -> None:
    try:
        ipaddress.IPv6Address(text)
        valid = True
    except ValueError:
        valid = False
    assert bool(re.fullmatch(FORMATS["ipv6"], text)) is valid


@given(st.uuids().map(str) | st.ip_addresses(v=4).map(str))
def test_every_uuid_and_address_has_its_format(text: str) -> None:
    assert re.fullmatch(FORMATS["uuid" if "-" in text else "ipv4"], text)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        pytest.param("Email", "email", id="any case"),
        pytest.param("datetime", "date-time", id="another name"),
        pytest.param("iban", None, id="not known"),
    ],
)
def test_formats_have_more_than_one_spelling(word: str, name: str | None) -> None:
    assert known_format(word) == name


def test_widths_are_those_of_machines() -> None:
    assert WIDTHS["i8"] == (-128, 127)
    assert WIDTHS["u16"] == (0, 65535)
    assert len(WIDTHS) == 10
