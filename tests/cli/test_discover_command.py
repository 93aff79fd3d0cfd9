"""`floe consumers discover` and `unused`: readers in dbt, SQL files, notebooks and lineage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.running import Floe

CONTRACT = """schema: orders
version: 1.0.0
status: active
owner: team-orders
fields:
  - {name: id, type: STRING}
  - {name: coupon, type: STRING}
  - {name: total, type: INTEGER}
  - {name: note, type: STRING}
"""
MODEL = """with o as (
  select * from {{ ref('orders') }}
)
select
  id,
  sum(total) as revenue
from o
where coupon is not null
group by 1
"""
FILE = Path(".floe/consumers/gold_revenue.yaml")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A dbt project with one contract and one reader."""
    monkeypatch.chdir(tmp_path)
    put("contracts/orders.yaml", CONTRACT)
    put("dbt_project.yml", "name: shop\nprofile: shop\n")
    put("profiles.yml", "shop: {target: dev, outputs: {dev: {type: duckdb}}}\n")
    put("models/gold_revenue.sql", MODEL)
    return tmp_path


def put(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, "utf-8")


def test_a_line_for_every_read(floe: Floe, shop: Path) -> None:
    ran = floe("consumers", "discover")
    assert (ran.code, ran.out.splitlines()) == (
        0,
        [
            "gold_revenue reads orders.id at models/gold_revenue.sql:5",
            "gold_revenue reads orders.total at models/gold_revenue.sql:6",
            "gold_revenue reads orders.coupon at models/gold_revenue.sql:8",
        ],
    )


NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "source": ["select id from orders"]},
            {"cell_type": "code", "source": ["%%sql\n", "select total\n", "from orders"]},
            {"cell_type": "code", "source": ["!pip list\n", "df = spark.sql('select note from shop.orders')"]},
        ]
    },
    indent=1,
)
EVENT = {
    "job": {"namespace": "x", "name": "billing"},
    "inputs": [{"namespace": "db", "name": "shop.orders"}],
    "outputs": [
        {
            "name": "bills",
            "facets": {
                "columnLineage": {
                    "fields": {
                        "amount": {"inputFields": [{"namespace": "db", "name": "shop.orders", "field": "total"}]}
                    },
                    "dataset": [{"namespace": "db", "name": "shop.orders", "field": "coupon"}],
                }
            },
        }
    ],
}


@pytest.mark.parametrize(
    ("path", "text", "option", "lines"),
    [
        pytest.param(
            "models/odd.sql",
            "{% if var('x') %}select id from {{ ref('orders') }}{% endif %}",
            (),
            ["odd reads orders.* at models/odd.sql:1"],
            id="SQL that only dbt can render reads everything",
        ),
        pytest.param(
            "models/schema.yml",
            "exposures:\n  - name: board\n    owner: {email: a@x.io}\n    depends_on: [ref('orders')]\n",
            (),
            ["board reads orders.* at models/schema.yml:2"],
            id="an exposure",
        ),
        pytest.param(
            "models/py.py",
            "def model(dbt, session):\n    return dbt.ref('orders')\n",
            (),
            ["py reads orders.* at models/py.py:2"],
            id="a Python model",
        ),
        pytest.param(
            "reports/daily.sql",
            "create table y as select o.id from shop.orders o;\ninsert into z\nselect note from orders;\n",
            ("--sql", "reports/**/*.sql"),
            ["daily reads orders.id at reports/daily.sql:1", "daily reads orders.note at reports/daily.sql:3"],
            id="statements of a file",
        ),
        pytest.param(
            "books/a.ipynb",
            NOTEBOOK,
            ("--sql", "books/*"),
            ["a reads orders.total at books/a.ipynb:13", "a reads orders.note at books/a.ipynb:21"],
            id="cells of a notebook",
        ),
        pytest.param(
            "events.jsonl",
            f"{json.dumps(EVENT)}\n{json.dumps({**EVENT, 'outputs': [], 'job': {'name': 'copy'}})}\n",
            ("--openlineage", "events.jsonl"),
            [
                "billing reads orders.coupon at events.jsonl:1",
                "billing reads orders.total at events.jsonl:1",
                "copy reads orders.* at events.jsonl:2",
            ],
            id="lineage events, with and without columns",
        ),
    ],
)
def test_readers_of_every_kind(
    floe: Floe, shop: Path, path: str, text: str, option: tuple[str, ...], lines: list[str]
) -> None:
    put(path, text)
    ran = floe("consumers", "discover", *option)
    assert ran.code == 0, ran.err
    assert [line for line in ran.out.splitlines() if not line.startswith("gold_revenue")] == lines


@pytest.mark.parametrize(
    ("path", "text", "option"),
    [
        pytest.param("a.ipynb", "{", ("--sql", "*.ipynb"), id="a notebook that is none"),
        pytest.param("e.jsonl", "{}\n{", ("--openlineage", "e.jsonl"), id="events that are none"),
        pytest.param("e.jsonl", "{}", ("--openlineage", "missing.jsonl"), id="a file that is not there"),
        pytest.param("e.jsonl", "{}", ("--sql", "nothing/*.sql"), id="a glob that matches nothing"),
        pytest.param("e.jsonl", "{}", ("--sql", "/abs/*.sql"), id="a glob that is none"),
        pytest.param("e.jsonl", "{}", ("--prune",), id="prune without write"),
        pytest.param("e.jsonl", "{}", ("--strict",), id="strict without check"),
    ],
)
def test_what_cannot_be_read_is_exit_2(floe: Floe, shop: Path, path: str, text: str, option: tuple[str, ...]) -> None:
    put(path, text)
    ran = floe("consumers", "discover", *option)
    assert ran.code == 2
    assert "Traceback" not in ran.err


def test_write_then_check_is_silent(floe: Floe, shop: Path) -> None:
    assert floe("consumers", "discover", "--check", "--strict").code == 1
    assert floe("consumers", "discover", "--check").code == 0
    assert floe("consumers", "discover", "--write").code == 0
    checked = floe("consumers", "discover", "--check", "--strict")
    assert (checked.code, checked.err) == (0, "")
    before = FILE.read_text()
    floe("consumers", "discover", "--write", "--prune")
    assert FILE.read_text() == before


def test_owner_and_comments_stay_and_only_prune_removes(floe: Floe, shop: Path) -> None:
    floe("consumers", "discover", "--write")
    mine = FILE.read_text().replace('owner: ""', "owner: me@x.io  # ask me").replace("total]", "total] # mine")
    FILE.write_text(mine)
    put("models/gold_revenue.sql", "select id, note from {{ ref('orders') }}")
    floe("consumers", "discover", "--write")
    assert FILE.read_text() == mine.replace("[coupon, id, total]", "[coupon, id, note, total]")
    floe("consumers", "discover", "--write", "--prune")
    assert FILE.read_text() == mine.replace("[coupon, id, total]", "[id, note]")


def test_files_of_people_are_never_touched(floe: Floe, shop: Path) -> None:
    text = "consumer: gold_revenue\nconsumes: [{contract: orders, columns: [id]}]\n"
    put(str(FILE), text)
    floe("consumers", "discover", "--write", "--prune")
    assert FILE.read_text() == text
    assert FILE.with_name("gold_revenue-2.yaml").is_file()


def test_unused_columns(floe: Floe, shop: Path) -> None:
    assert floe("consumers", "unused").out == "orders: note\n"
    put("models/all.sql", "select * from {{ ref('orders') }}")
    assert "has a reader" in floe("consumers", "unused").out


def test_json(floe: Floe, shop: Path) -> None:
    (first, *_) = json.loads(floe("consumers", "discover", "--format", "json").out)
    assert first == {
        "reader": "gold_revenue",
        "contract": "orders",
        "column": "id",
        "path": "models/gold_revenue.sql",
        "line": 5,
        "owner": "",
        "major": 1,
    }
