"""The same checks by other engines: python -m benchmarks.quality_peers NAME TABLE ROUNDS, where that engine is.

Prints one JSON line for each round: seconds, and the faults by rule where the engine tells numbers.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from . import quality_table as t

Run = Callable[[], "dict[str, int]"]


def by_hand(frame: Any) -> Run:
    """One aggregation as a person would write it, without uniqueness."""
    text = {
        "order_id.not_null": "order_id IS NULL",
        "order_id.length": "length(order_id) != 12",
        "customer_id.not_null": "customer_id IS NULL",
        "email.pattern": f"NOT email RLIKE r'^{t.EMAIL}$'",
        "status.not_null": "status IS NULL",
        "status.values": f"status NOT IN {t.STATUSES}",
        "currency.values": f"currency NOT IN {t.CURRENCIES}",
        "currency.length": "length(currency) != 3",
        "channel.values": f"channel NOT IN {t.CHANNELS}",
        "amount.not_null": "amount IS NULL",
        "amount.range": "amount < 0 OR amount > 100000",
        "amount.multiple": "amount % 0.01 != 0",
        "discount.range": "discount < 0 OR discount > 1",
        "quantity.range": "quantity < 1 OR quantity > 100",
        "created_at.not_null": "created_at IS NULL",
        "updated_at.nulls": "updated_at IS NULL",
        "address.zip.not_null": "address IS NOT NULL AND address.zip IS NULL",
        "address.zip.length": "length(address.zip) != 5",
    }

    def run() -> dict[str, int]:
        columns = ["count(*) AS rows", *(f"count_if({test}) AS `{name}`" for name, test in text.items())]
        row = frame.selectExpr(*columns).collect()[0].asDict()
        row.pop("rows")
        return dict(row)

    return run


def datacontract_cli(frame: Any) -> Run:
    DataContract = import_module("datacontract.data_contract").DataContract  # noqa: N806  a class
    model = import_module("open_data_contract_standard.model")

    with tempfile.TemporaryDirectory() as place:
        file = Path(place, "orders.odcs.yaml")
        file.write_text(t.contract_text())
        contract = model.OpenDataContractStandard.from_file(str(file))
    contract.servers = [model.Server(server="spark", type="dataframe")]
    spark = frame.sparkSession.newSession()  # it changes the session's zone
    frame.createOrReplaceGlobalTempView("orders")
    spark.table("global_temp.orders").createOrReplaceTempView("orders")

    def run() -> dict[str, int]:
        checked = DataContract(data_contract=contract, server="spark", spark=spark).test()
        if checked.result in ("error", "unknown"):
            raise SystemExit(f"datacontract-cli says {checked.result}: {[one.reason for one in checked.checks]}")
        return {f"{one.field}.{one.type}": 0 for one in checked.checks if one.result == "passed"}

    return run


def cuallee(frame: Any) -> Run:
    package = import_module("cuallee")

    def run() -> dict[str, int]:
        check = package.Check(package.CheckLevel.WARNING, "orders")
        for name in ("order_id", "customer_id", "status", "amount", "created_at", "updated_at"):
            check.is_complete(name)
        for name, values in (("status", t.STATUSES), ("currency", t.CURRENCIES), ("channel", t.CHANNELS)):
            check.is_contained_in(name, values)
        check.has_pattern("email", f"^{t.EMAIL}$")
        check.is_between("amount", (0, 100_000)).is_between("discount", (0, 1)).is_between("quantity", (1, 100))
        for name, length in (("order_id", 12), ("currency", 3)):
            check.has_pattern(name, f"^.{{{length}}}$")
        check.satisfies("zip", "address.zip IS NULL OR length(address.zip) = 5").satisfies("cents", "amount % 0.01 = 0")
        check.is_unique("order_id").is_composite_key(("customer_id", "created_at"))
        rows = check.validate(frame).collect()
        return {f"{row['column']}.{row['rule']}": int(row["violations"]) for row in rows}

    return run


def great_expectations(frame: Any) -> Run:
    gx, gxe = import_module("great_expectations"), import_module("great_expectations.expectations")
    os.environ["GX_ANALYTICS_ENABLED"] = "false"
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False, "metric_calculations": False}
    asset = context.data_sources.add_spark("spark").add_dataframe_asset("orders")
    batch = asset.add_batch_definition_whole_dataframe("all").get_batch(batch_parameters={"dataframe": frame})
    suite = gx.ExpectationSuite(name="orders")
    for name in ("order_id", "customer_id", "status", "amount", "created_at", "updated_at"):
        suite.add_expectation(gxe.ExpectColumnValuesToNotBeNull(column=name))
    for name, values in (("status", t.STATUSES), ("currency", t.CURRENCIES), ("channel", t.CHANNELS)):
        suite.add_expectation(gxe.ExpectColumnValuesToBeInSet(column=name, value_set=list(values)))
    suite.add_expectation(gxe.ExpectColumnValuesToMatchRegex(column="email", regex=f"^{t.EMAIL}$"))
    for name, least, most in (("amount", 0, 100_000), ("discount", 0, 1), ("quantity", 1, 100)):
        suite.add_expectation(gxe.ExpectColumnValuesToBeBetween(column=name, min_value=least, max_value=most))
    for name, length in (("order_id", 12), ("currency", 3)):
        suite.add_expectation(gxe.ExpectColumnValueLengthsToEqual(column=name, value=length))
    suite.add_expectation(gxe.ExpectColumnValuesToBeUnique(column="order_id"))
    suite.add_expectation(gxe.ExpectCompoundColumnsToBeUnique(column_list=["customer_id", "created_at"]))

    def run() -> dict[str, int]:
        found = batch.validate(suite, result_format="BOOLEAN_ONLY")
        return {str(one.expectation_config.type): int(not one.success) for one in found.results}

    return run


ENGINES: dict[str, Callable[[Any], Run]] = {
    "by-hand": by_hand,
    "cuallee": cuallee,
    "datacontract-cli": datacontract_cli,
    "great-expectations": great_expectations,
}


def main(name: str, table: str, rounds: str) -> None:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    run = ENGINES[name](spark.read.parquet(table).drop("part"))
    for _ in range(int(rounds)):
        started = time.monotonic()
        found = run()
        print(json.dumps({"seconds": time.monotonic() - started, "faults": found}))


if __name__ == "__main__":
    main(*sys.argv[1:])
