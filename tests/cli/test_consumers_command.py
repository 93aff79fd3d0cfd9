"""`floe consumers`: who reads what, and the record of their goodbye."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.git_sandbox import Clone
from support.orders import BROKEN, orders, read_by
from support.running import Floe

ORDERS = "contracts/orders.yaml"
ACKS = ".floe/acks.yaml"


@pytest.fixture
def readers(shop: Clone) -> Clone:
    """bi is in the contract's list, ml has a file of its own."""
    shop.write(
        {
            ORDERS: orders(more=read_by("bi")),
            ".floe/consumers/ml.yaml": "consumer: ml\nowner: ml@x\n"
            "consumes: [{contract: orders, columns: [total, order_id]}]\n",
        }
    )
    return shop


def test_list(readers: Clone, floe: Floe) -> None:
    ran = floe("consumers", "list")
    assert ran.out.splitlines() == [
        "CONTRACT     VERSION  READER  OWNER           COLUMNS          ACKNOWLEDGED",
        "shop-orders  1.0.0    bi      bi@example.com  all              no",
        "shop-orders  1.0.0    ml      ml@x            total, order_id  no",
    ]


def test_list_as_json(readers: Clone, floe: Floe) -> None:
    rows = json.loads(floe("consumers", "list", ORDERS, "--format", "json").out)
    assert [(row["consumer"], row["columns"], row["acknowledged"]) for row in rows] == [
        ("bi", [], False),
        ("ml", ["total", "order_id"], False),
    ]


def test_nobody_reads(shop: Clone, floe: Floe) -> None:
    ran = floe("consumers", "list")
    assert (ran.code, ran.out.startswith("No contract here names a reader.")) == (0, True)


@pytest.mark.parametrize("path", ["contracts/nope.yaml", "contracts/broken.yaml"])
def test_a_file_that_cannot_be_read(readers: Clone, floe: Floe, path: str) -> None:
    readers.write({"contracts/broken.yaml": BROKEN})
    ran = floe("consumers", "list", path)
    assert (ran.code, ran.out, path in ran.err) == (2, "", True)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        pytest.param("{contract: ordes}", "ml reads 'ordes', and no contract here has this name.", id="no contract"),
        pytest.param("{contract: orders, major: 7}", "ml reads orders v7, and it is here as v1 only.", id="no major"),
    ],
)
def test_a_reader_of_nothing_is_told(readers: Clone, floe: Floe, line: str, told: str) -> None:
    readers.write({".floe/consumers/ml.yaml": f"consumer: ml\nconsumes: [{line}]\n"})
    ran = floe("consumers", "list")
    assert (ran.code, ran.err) == (0, f".floe/consumers/ml.yaml: {told}\n")
    assert floe("consumers", "list", ORDERS).err == ""


def test_list_from_a_folder_below(readers: Clone, floe: Floe, monkeypatch: pytest.MonkeyPatch) -> None:
    everything = floe("consumers", "list").out
    monkeypatch.chdir(readers.path / "contracts")
    ran = floe("consumers", "list")
    assert (ran.code, ran.out, ran.err) == (0, everything, "")


def test_ack_is_recorded_and_listed(readers: Clone, floe: Floe) -> None:
    ran = floe("consumers", "ack", "orders", "1", "--consumer", "ml", "--by", "ana: yes # really")
    assert (ran.code, "counts after the merge" in ran.out) == (0, True)
    rows = json.loads(floe("consumers", "list", "--format", "json").out)
    assert [row["acknowledged"] for row in rows] == [False, True]
    again = floe("consumers", "ack", "orders", "1", "--consumer", "ml", "--by", "bob")
    assert (again.code, "already" in again.out) == (0, True)
    assert Path(ACKS).read_text().count("consumer:") == 1


def test_ack_from_a_folder_below(readers: Clone, floe: Floe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(readers.path / "contracts")
    assert floe("consumers", "ack", "shop-orders", "1", "--consumer", "bi", "--by", "ana").code == 0
    assert (readers.path / ACKS).is_file()
    assert not (readers.path / "contracts/.floe").exists()


ROW = '{contract: orders, major: 0, consumer: x, by: y, date: "2026-01-01"}'


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("acks: []\n", id="an empty list"),
        pytest.param("acks:   []", id="an empty list without an end of line"),
        pytest.param(f"# ours\nacks:\n  - {ROW}\n", id="indented rows"),
        pytest.param(f"acks:\n- {ROW}  # why\n", id="rows at the margin"),
        pytest.param(f"acks:\r\n    - {ROW}\r\n", id="CRLF"),
        pytest.param(f"acks:\n  - {ROW}\n\n# the end\n", id="a comment at the end"),
    ],
)
def test_ack_keeps_what_people_wrote(readers: Clone, floe: Floe, before: str) -> None:
    (readers.path / ACKS).write_bytes(before.encode())
    assert floe("consumers", "ack", "orders", "1", "--consumer", "bi", "--by", "ana").code == 0
    after = (readers.path / ACKS).read_bytes().decode()
    assert after.startswith(before.rstrip().removesuffix("[]").rstrip())
    assert after.count("\r\n") in (0, after.count("\n"))


def test_ack_refuses_a_file_it_cannot_add_to(readers: Clone, floe: Floe) -> None:
    before = f"acks: [{ROW}]\n"
    readers.write({ACKS: before})
    ran = floe("consumers", "ack", "orders", "1", "--consumer", "bi", "--by", "ana")
    assert (ran.code, (readers.path / ACKS).read_text()) == (2, before)
    assert "by hand" in ran.err


@pytest.mark.parametrize(
    ("contract", "major", "consumer", "hint"),
    [
        pytest.param("order", "1", "bi", "consumers list", id="no such contract"),
        pytest.param("orders", "1", "billing", "bi, ml", id="no such reader"),
        pytest.param("orders", "7", "bi", "It is here as v1.", id="no such major"),
    ],
)
def test_ack_of_nobody(readers: Clone, floe: Floe, contract: str, major: str, consumer: str, hint: str) -> None:
    ran = floe("consumers", "ack", contract, major, "--consumer", consumer, "--by", "ana")
    assert (ran.code, hint in ran.err) == (2, True)
    assert not (readers.path / ACKS).exists()
