"""What `floe init` says about sources that cannot be read, soon and with the true cause."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from floe_contracts.adapters.parquet.profile import cause, separator_of
from floe_contracts.app.init.source import Source, propose_contract, with_team
from floe_contracts.contract.convert import convert
from floe_contracts.contract.load import load
from floe_contracts.contract.model import Contract, Dialect, Json
from floe_contracts.errors import FloeError, UsageError

NO_DATASET = "Error creating dataset. Could not read schema from 'a'. Is this a 'parquet' file?"
NO_FOOTER = "Parquet magic bytes not found in footer. Either the file is corrupted or this is not a parquet file"


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (f"{NO_DATASET}: Could not open Parquet input source 'a': {NO_FOOTER}.", NO_FOOTER),
        (f"Could not open Parquet input source 'a/2.parquet': {NO_FOOTER}.", f"a/2.parquet: {NO_FOOTER}"),
        (
            "Failed to parse string: 'Ada's' as a scalar of type int64",
            "Failed to parse string: … as a scalar of type int64",
        ),
        ("Failed to parse string: 'Ada\nB' as a scalar", "Failed to parse string: …"),
        (
            "Couldn't deserialize thrift: Invalid data\nDeserializing failed.\n",
            "Couldn't deserialize thrift: Invalid data",
        ),
    ],
    ids=["a file", "one file of a folder", "a value is not told", "nor half of one", "the first line"],
)
def test_the_cause_is_what_arrow_says_last(message: str, said: str) -> None:
    assert cause(message, "a") == said


@pytest.mark.parametrize("text", ["nope.parquet", "data/nope.csv", "nope/*.json", "/nope/a.avro"])
def test_a_local_file_that_is_missing_is_said_without_spark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="there is no file"):
        propose_contract(Source(text), "nope", "", ".")


@pytest.mark.parametrize(
    "text",
    ["here.csv", "*.csv", "s3://lake/nope.parquet", "lake.shop.orders"],
    ids=["a file", "files", "remote", "table"],
)
def test_what_may_be_there_is_not_called_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here.csv").touch()
    assert not Source(text).is_missing


def test_options_that_init_does_not_have_are_not_advised(tmp_path: Path) -> None:
    with pytest.raises(FloeError, match="does not exist") as raised:
        propose_contract(Source(str(tmp_path / "nope.sql"), "sql"), "nope", "", ".")
    assert raised.value.fix.startswith("Check the source; where it needs options, `floe contract import`")


@pytest.mark.parametrize(
    ("project", "name", "called"),
    [("shop", "", "shop"), ("shop", "orders", "orders"), ("../Big shop", "", "Big-shop")],
    ids=["its own name", "the name that is wished", "a name that no file can have"],
)
def test_an_import_has_its_own_name_unless_another_is_wished(
    tmp_path: Path, project: str, name: str, called: str
) -> None:
    metadata = {"dbt_version": "1.8.0", "adapter_type": "postgres", "project_name": project}
    (tmp_path / "manifest.json").write_text(json.dumps({"metadata": metadata, "nodes": {}, "child_map": {}}))
    found = propose_contract(Source(str(tmp_path / "manifest.json"), "dbt"), name, "", ".").contract
    assert (found.name, found.id) == (called, called)


def test_an_import_without_a_name_has_that_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "orders.sql").write_text("CREATE TABLE sales (id INT);")
    assert propose_contract(Source(str(tmp_path / "orders.sql"), "sql"), "", "", ".").contract.name == "orders"


@pytest.mark.parametrize(
    ("text", "connection", "table", "name"),
    [
        ("Aufträge 2024.parquet", {}, "Aufträge 2024", "Aufträge-2024"),
        ("data/orders*.csv", {}, "orders", "orders"),
        ("lake.shop.orders", {}, "lake.shop.orders", "orders"),
        ("", {"table": "shop.Aufträge 2024"}, "shop.Aufträge 2024", "Aufträge-2024"),
        ("s3://lake/Größen/", {}, "Größen", "Größen"),
    ],
    ids=["a file", "a glob", "a table", "a table of a database", "a remote folder"],
)
def test_a_table_keeps_its_real_name(text: str, connection: dict[str, Json], table: str, name: str) -> None:
    source = Source(text, connection=connection)
    assert (source.table, source.name) == (table, name)


@pytest.mark.parametrize(
    ("line", "mark"),
    [("a,b", ","), ("a;b;c", ";"), ("a\tb", "\t"), ('"a,b,c";d', ";"), ("a", ",")],
    ids=["commas", "semicolons", "tabs", "commas in quotes", "a single column"],
)
def test_the_mark_between_columns_is_seen(tmp_path: Path, line: str, mark: str) -> None:
    (tmp_path / "a.csv").write_text(f"{line}\n1\n", encoding="utf-8")
    assert separator_of(str(tmp_path / "a.csv")) == mark


def test_the_owner_stands_where_odcs_has_a_place_for_one() -> None:
    contract = with_team(Contract("orders", "1.0.0", owner="checkout"))
    again = load(convert(contract, Dialect.ODCS).text.encode(), "orders.odcs.yaml").contract
    assert again is not None
    assert (again.owner, again.team) == ("checkout", contract.team)
