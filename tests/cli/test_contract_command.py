"""`floe contract`: convert, hash, import and export from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.contracts import COMPOSE, FIELDS, MISSPELT, ORDERS
from support.running import Floe, fresh_floe

DDL = "CREATE TABLE orders (id INTEGER PRIMARY KEY, total DECIMAL(12,2) NOT NULL);\n"


@pytest.mark.parametrize(
    ("dialect", "key"),
    [("odcs", "kind: DataContract"), ("floe", "models:"), ("fields", "fields:")],
    ids=["to odcs", "to floe", "to fields"],
)
def test_convert_writes_the_dialect_asked_for(floe: Floe, dialect: str, key: str) -> None:
    Path("customers.yaml").write_text(FIELDS)
    ran = floe("contract", "convert", "customers.yaml", "--to", dialect)
    assert ran.code == 0
    assert key in ran.out


def test_converted_contract_is_sound(floe: Floe) -> None:
    Path("customers.yaml").write_text(FIELDS)
    assert floe("contract", "convert", "customers.yaml", "-o", "customers.odcs.yaml").code == 0
    assert floe("lint", "customers.odcs.yaml", "--strict").code == 0


@pytest.mark.parametrize(
    ("text", "code"),
    [pytest.param(MISSPELT, 1, id="an invalid contract"), pytest.param(COMPOSE, 1, id="no contract")],
)
def test_a_contract_with_errors_is_not_converted(floe: Floe, text: str, code: int) -> None:
    Path("orders.yaml").write_text(text)
    ran = floe("contract", "convert", "orders.yaml", "--output", "new.yaml")
    assert (ran.code, ran.out) == (code, "")
    assert "FLOE-E501" in ran.err
    assert not Path("new.yaml").exists()


def test_convert_takes_one_file(floe: Floe) -> None:
    for name in ("a.odcs.yaml", "b.odcs.yaml"):
        Path(name).write_text(ORDERS)
    ran = floe("contract", "convert", "*.odcs.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert "FILE means 2 files here; name one." in ran.err


def test_hash_prints_both_hashes(floe: Floe) -> None:
    Path("orders.yaml").write_text(ORDERS)
    ran = floe("contract", "hash", "orders.yaml")
    lines = ran.out.splitlines()
    assert lines[0] == "orders.yaml  orders 1.2.0"
    assert [line.split()[0] for line in lines[1:]] == ["schema_hash", "content_hash"]
    assert all(len(line.split()[1]) == len("sha256:") + 64 for line in lines[1:])


def test_hash_does_not_depend_on_the_dialect(floe: Floe) -> None:
    Path("customers.yaml").write_text(FIELDS)
    floe("contract", "convert", "customers.yaml", "-o", "customers.odcs.yaml")
    rows = json.loads(floe("contract", "hash", "customers.yaml", "customers.odcs.yaml", "--format", "json").out)
    assert rows["schema"] == "floe/hashes/v1"
    one, other = ({key: row[key] for key in ("schema_hash", "content_hash")} for row in rows["contracts"])
    assert one == other


def test_a_contract_with_errors_has_no_hash(floe: Floe) -> None:
    Path("orders.yaml").write_text(ORDERS)
    Path("wrong.yaml").write_text(MISSPELT)
    ran = floe("contract", "hash", "orders.yaml", "wrong.yaml")
    assert (ran.code, ran.out) == (1, "")
    assert "wrong.yaml:13:9: FLOE-E501" in ran.err


def test_import_writes_odcs_and_lints_it(floe: Floe) -> None:
    Path("orders.sql").write_text(DDL)
    ran = floe("contract", "import", "orders.sql", "--from", "sql", "-O", "dialect=postgres", "-o", "orders.odcs.yaml")
    assert ran.code == 0, ran.err
    assert "PASS: 1 contract checked" in ran.err
    assert "kind: DataContract" in Path("orders.odcs.yaml").read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(("absent.sql", "--from", "sql"), "does not exist", id="a source that is not there"),
        pytest.param(("orders.sql", "--from", "sqll"), "Did you mean sql?", id="a misspelt format"),
        pytest.param(("orders.sql", "--from", "sql", "-O", "dialect"), "-O takes NAME=VALUE", id="a bare option"),
        pytest.param(
            ("orders.sql", "--from", "jsonschema"), "cannot import orders.sql as jsonschema", id="not that format"
        ),
    ],
)
def test_import_that_fails_is_exit_2(floe: Floe, arguments: tuple[str, ...], words: str) -> None:
    Path("orders.sql").write_text(DDL)
    ran = floe("contract", "import", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


@pytest.mark.parametrize("text", [ORDERS, FIELDS], ids=["from odcs", "from fields"])
def test_export_writes_the_format_asked_for(floe: Floe, text: str) -> None:
    Path("contract.yaml").write_text(text)
    ran = floe("contract", "export", "contract.yaml", "--to", "jsonschema")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["type"] == "object"


def test_a_missing_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "orders.sql").write_text(DDL)
    ran = fresh_floe(
        *("contract", "import", "orders.sql", "--from", "sql"),
        cwd=tmp_path,
        before="sys.modules['datacontract'] = None",
    )
    assert ran.code == 2
    assert "fix: pip install 'floe-contracts[datacontract]'" in ran.err
    assert "Traceback" not in ran.err
