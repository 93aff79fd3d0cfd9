"""What a contract says reaches no log as a command, in no other order than written, and with no login in it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from support.running import Floe

HOSTILE = [
    pytest.param("##[error]owned", id="a command of Azure's runner"),
    pytest.param("::set-output name=a::b", id="a command of GitHub's runner"),
    pytest.param("pay\u202etxt.exe\u2066x", id="letters that turn the text around"),
    pytest.param("a\x85::error::b", id="a line break of another kind"),
    pytest.param("\x1b[2J gone", id="an escape of the terminal"),
]
FIELDS = """\
schema: orders
version: "1.0.0"
owner: {text}
description: {text}
fields:
  - {{name: placed_at, type: TIMESTAMP, description: {text}}}
sla: {{element: placed_at, freshness_minutes: 30}}
"""
ON_A_SERVER = """\
apiVersion: v3.1.0
kind: DataContract
id: orders
name: orders
version: 1.0.0
status: active
servers:
- {server: prod, type: postgres, host: "u:SECRET@h", port: 5432, database: shop, schema: public}
schema:
- {name: orders, logicalType: object, properties: [{name: n, logicalType: number}]}
"""
NUMBERS = """\
schema: orders
version: "1.0.0"
owner: shop
fields:
  - {{name: n, type: DOUBLE, maximum: {number}}}
"""


def write(text: str, template: str = FIELDS) -> None:
    Path("contracts").mkdir(exist_ok=True)
    escaped = "".join(letter if " " <= letter <= "~" else f"\\u{ord(letter):04x}" for letter in text)
    Path("contracts/orders.yaml").write_text(template.format(text=f'"{escaped}"'))


def assert_harmless(out: str) -> None:
    assert not any(line.lstrip().startswith(("::", "##[")) for line in out.splitlines())
    assert not any("\u202a" <= letter <= "\u202e" or "\u2066" <= letter <= "\u2069" for letter in out)
    assert "\x1b" not in out


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("dialect", ["odcs", "floe", "fields"])
def test_what_is_converted_is_harmless_and_the_same(floe: Floe, text: str, dialect: str) -> None:
    write(text)
    ran = floe("contract", "convert", "contracts/orders.yaml", "--to", dialect)
    assert ran.code == 0
    assert_harmless(ran.out + ran.err)
    assert text in _texts(yaml.safe_load(ran.out))


@pytest.mark.parametrize("text", HOSTILE)
def test_alert_rules_are_harmless(floe: Floe, text: str) -> None:
    write(text)
    ran = floe("monitor", "alerts")
    assert ran.code == 0
    assert_harmless(ran.out + ran.err)
    assert yaml.safe_load(ran.out)["groups"]


def test_a_login_in_a_host_is_in_no_plan(floe: Floe) -> None:
    Path("contracts").mkdir()
    Path("contracts/orders.yaml").write_text(ON_A_SERVER)
    ran = floe("monitor", "plan", "contracts/orders.yaml")
    assert "orders" in ran.out
    assert "SECRET" not in ran.out + ran.err


@pytest.mark.parametrize("number", ["9" * 300, "-" + "9" * 299, "1e300", "1.5e+307"], ids=lambda text: text[:8])
@pytest.mark.parametrize("dialect", ["odcs", "floe", "fields"])
def test_a_large_number_can_be_read_again(floe: Floe, number: str, dialect: str) -> None:
    Path("orders.yaml").write_text(NUMBERS.format(number=number))
    assert floe("contract", "convert", "orders.yaml", "--to", dialect, "-o", "again.yaml").code == 0
    assert floe("lint", "again.yaml").code == 0


def test_a_number_with_more_digits_is_refused(floe: Floe) -> None:
    Path("orders.yaml").write_text(NUMBERS.format(number="9" * 301))
    ran = floe("contract", "convert", "orders.yaml", "-o", "again.yaml")
    assert ran.code == 1
    assert "FLOE-E509" in ran.err
    assert not Path("again.yaml").exists()


def _texts(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for item in value.values() for text in _texts(item)]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return [value] if isinstance(value, str) else []


PRODUCT = """\
apiVersion: floe.dev/v1
kind: DataProduct
metadata: {name: x, version: 1.0.0, owner: a@example.com, domain: sales}
platform: oci://user:SECRET@localhost:1/x:v1.0.0
"""


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("compile", id="a reference of a product"),
        pytest.param("platform show oci://user:SECRET@localhost:1/x:v1.0.0", id="a reference"),
        pytest.param("platform show oci://SECRET@localhost:1/x:v1.0.0", id="a token alone"),
        pytest.param("platform publish 1.0.0 --to oci://user:SECRET@localhost:1/x", id="where to publish"),
        pytest.param("gate --base https://user:SECRET@localhost:1/x", id="a base"),
        pytest.param("consumers discover --openlineage https://user:SECRET@localhost:1/x", id="events"),
        pytest.param("monitor status --store postgresql://user:SECRET@localhost:1/x", id="a store"),
    ],
)
def test_a_login_in_an_address_is_not_repeated(floe: Floe, words: str) -> None:
    Path("floe.yaml").write_text(PRODUCT)
    ran = floe(*words.split())
    assert ran.code
    assert ran.out + ran.err
    assert "SECRET" not in ran.out + ran.err
