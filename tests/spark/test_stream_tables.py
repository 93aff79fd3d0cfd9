"""Tables with a log followed as streams; nobody knows when their rows arrived, so the watermark tells late ones."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.streamed import Desk, orders

from floe_contracts.contract.model import Contract, Sla

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

AGE = Sla("freshness", "PT1H", element="placed_at")
ROWS = "SELECT 'o{0}' AS order_id, {1}L AS amount, current_timestamp() - make_dt_interval(0, 0, {2}) AS placed_at"
_numbers = count(1)


@pytest.fixture
def desk(lakehouse: SparkSession, tmp_path: Path) -> Desk:
    from floe_contracts.adapters.spark.session.start import own_session

    return Desk(own_session(lakehouse), tmp_path / "checkpoint")


@pytest.fixture(params=["delta by path", "iceberg by name"])
def kept_in(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Contract]:
    """What SQL calls the table, and the contract on it."""
    if request.param == "delta by path":
        path = tmp_path / "orders"
        return f"delta.`{path}`", orders(AGE, kind="delta", location=str(path), format="delta")
    name = f"shop.orders_{next(_numbers)}"
    return f"ice.{name}", orders(AGE, kind="iceberg", catalog="ice", topic=f"ice.{name}")


def test_what_was_added_is_judged_once(desk: Desk, kept_in: tuple[str, Contract]) -> None:
    name, promised = kept_in
    using = "USING delta " if name.startswith("delta") else ""
    desk.spark.sql(f"CREATE TABLE {name} {using}AS {ROWS.format(1, 5, 10)}")
    desk.run(promised)
    desk.spark.sql(f"INSERT INTO {name} {ROWS.format(2, -1, 5)} UNION ALL {ROWS.format(3, 1, 180)}")
    desk.run(promised)
    desk.run(promised)
    assert [one.result.outcome.value for one in desk.history()] == ["passed", "violated"]
    assert [one["rows"] for one in desk.gauges()] == [1, 2]
    assert [one.result.outcome.value for one in desk.history("freshness")] == ["passed", "passed"]
    assert [one.get("late_rows") for one in desk.gauges("freshness")] == [None, 1]
