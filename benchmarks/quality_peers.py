"""The same checks by other engines: python -m benchmarks.quality_peers NAME TABLE, where that engine is.

For each line on standard input it checks once, and prints the number of faults by rule as one line of JSON, where the
engine tells it. A check that an engine does not have is left out, which only makes it faster.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from . import quality_table as t

Run = Callable[[], "dict[str, int]"]
NOT_NULL = ("order_id", "customer_id", "status", "amount", "created_at", "updated_at")
LISTS = (("status", t.STATUSES), ("currency", t.CURRENCIES), ("channel", t.CHANNELS))
RANGES = (("amount", 0, 100_000), ("discount", 0, 1), ("quantity", 1, 100))
LENGTHS = (("order_id", 12), ("currency", 3))
WORDS = {"updated_at": "nulls"}  # the rule that is called otherwise than not_null


def by_hand(frame: Any) -> Run:
    """One aggregation as a person would write it, without keys."""
    tests = {f"{name}.{WORDS.get(name, 'not_null')}": f"{name} IS NULL" for name in NOT_NULL}
    tests |= {f"{name}.values": f"{name} NOT IN {values}" for name, values in LISTS}
    tests |= {f"{name}.range": f"{name} < {least} OR {name} > {most}" for name, least, most in RANGES}
    tests |= {f"{name}.length": f"length({name}) != {length}" for name, length in LENGTHS}
    tests |= {
        "email.pattern": f"NOT email RLIKE r'^{t.EMAIL}$'",
        "amount.multiple": "amount % 0.01 != 0",
        "address.zip.not_null": "address IS NOT NULL AND address.zip IS NULL",
        "address.zip.length": "length(address.zip) != 5",
    }

    def run() -> dict[str, int]:
        columns = ["count(*) AS rows", *(f"count_if({test}) AS `{name}`" for name, test in tests.items())]
        row = frame.selectExpr(*columns).collect()[0]
        return {name: row[name] for name in tests}

    return run


def datacontract_cli(frame: Any) -> Run:
    """Reads our contract; its checks carry their own names."""
    package, model = import_module("datacontract.data_contract"), import_module("open_data_contract_standard.model")
    with tempfile.TemporaryDirectory() as place:
        file = Path(place, "orders.odcs.yaml")
        file.write_text(t.contract_text())
        contract = model.OpenDataContractStandard.from_file(str(file))
    contract.servers = [model.Server(server="spark", type="dataframe")]
    frame.createOrReplaceGlobalTempView("orders")
    spark = frame.sparkSession.newSession()  # it changes the zone of the session it gets
    spark.table("global_temp.orders").createOrReplaceTempView("orders")
    names = {"field_required": "not_null", "field_unique": "primary_key", "field_regex": "pattern"}

    def run() -> dict[str, int]:
        checked = package.DataContract(data_contract=contract, server="spark", spark=spark).test()
        found = {}
        for one in checked.checks:
            value = (one.diagnostics or {}).get("value")
            if isinstance(value, (int, float)):
                found[f"{one.field}.{names.get(one.type, one.type)}"] = int(value)
        return found

    return run


def cuallee(frame: Any) -> Run:
    package = import_module("cuallee")

    def run() -> dict[str, int]:
        check = package.Check(package.CheckLevel.WARNING, "orders")
        names = [f"{name}.{WORDS.get(name, 'not_null')}" for name in NOT_NULL]
        for name in NOT_NULL:
            check.is_complete(name)
        for name, values in LISTS:
            check.is_contained_in(name, values)
        for name, least, most in RANGES:
            check.is_between(name, (least, most))
        for name, length in LENGTHS:
            check.has_pattern(name, f"^.{{{length}}}$")
        check.has_pattern("email", f"^{t.EMAIL}$").satisfies("amount", "amount IS NULL OR amount % 0.01 = 0")
        check.is_unique("order_id").is_composite_key(("customer_id", "created_at"))
        names += [f"{name}.values" for name, _ in LISTS] + [f"{name}.range" for name, _, _ in RANGES]
        names += [f"{name}.length" for name, _ in LENGTHS] + ["email.pattern", "amount.multiple"]
        names += ["order_id.primary_key", "customer_and_time"]
        rows = sorted(check.validate(frame).collect(), key=lambda row: int(row["id"]))
        return {name: int(row["violations"]) for name, row in zip(names, rows, strict=True)}

    return run


def great_expectations(frame: Any) -> Run:
    os.environ["GX_ANALYTICS_ENABLED"] = "false"
    gx, gxe = import_module("great_expectations"), import_module("great_expectations.expectations")
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False, "metric_calculations": False}
    asset = context.data_sources.add_spark("spark").add_dataframe_asset("orders")
    batch = asset.add_batch_definition_whole_dataframe("all").get_batch(batch_parameters={"dataframe": frame})
    checks: list[tuple[str, str, Any, dict[str, Any]]] = []
    checks += [(name, "not_null", gxe.ExpectColumnValuesToNotBeNull, {}) for name in NOT_NULL]
    checks += [(name, "values", gxe.ExpectColumnValuesToBeInSet, {"value_set": [*values]}) for name, values in LISTS]
    between = gxe.ExpectColumnValuesToBeBetween
    checks += [(name, "range", between, {"min_value": least, "max_value": most}) for name, least, most in RANGES]
    checks += [(name, "length", gxe.ExpectColumnValueLengthsToEqual, {"value": length}) for name, length in LENGTHS]
    checks.append(("email", "pattern", gxe.ExpectColumnValuesToMatchRegex, {"regex": f"^{t.EMAIL}$"}))
    checks.append(("order_id", "primary_key", gxe.ExpectColumnValuesToBeUnique, {}))
    suite = gx.ExpectationSuite(name="orders")
    for name, word, kind, more in checks:
        suite.add_expectation(kind(column=name, meta={"rule": f"{name}.{word}"}, **more))
    both = {"column_list": ["customer_id", "created_at"], "meta": {"rule": "customer_and_time"}}
    suite.add_expectation(gxe.ExpectCompoundColumnsToBeUnique(**both))

    def run() -> dict[str, int]:
        """Its fastest mode tells only whether a rule holds: 0 or 1."""
        found = batch.validate(suite, result_format="BOOLEAN_ONLY")
        return {one.expectation_config.meta["rule"]: int(not one.success) for one in found.results}

    return run


def soda(frame: Any) -> Run:
    package, contracts = import_module("soda_sparkdf"), import_module("soda_core.contracts")
    logging.disable(logging.CRITICAL)
    spark = frame.sparkSession
    spark.sql("CREATE DATABASE IF NOT EXISTS bench")
    (path,) = {str(Path(one).parent.parent) for one in frame.inputFiles()}
    spark.sql(f"CREATE OR REPLACE VIEW bench.orders AS SELECT * FROM parquet.`{path}`")  # noqa: S608  our own path
    columns: dict[str, list[Any]] = {name: [{"missing": None}] for name in NOT_NULL}
    tests: list[tuple[str, dict[str, Any]]] = []
    tests += [(name, {"name": "values", "valid_values": [*values]}) for name, values in LISTS]
    tests += [(name, {"name": "range", "valid_min": least, "valid_max": most}) for name, least, most in RANGES]
    tests += [(name, {"name": "length", "valid_length": length}) for name, length in LENGTHS]
    tests.append(("email", {"name": "pattern", "valid_format": {"name": "mail", "regex": f"^{t.EMAIL}$"}}))
    for name, test in tests:
        columns.setdefault(name, []).append({"invalid": {**test, "qualifier": test["name"]}})
    columns["order_id"].append({"duplicate": None})
    text = {
        "dataset": "spark/bench/orders",
        "columns": [{"name": name, "checks": checks} for name, checks in columns.items()],
        "checks": [{"row_count": None}, {"duplicate": {"columns": ["customer_id", "created_at"]}}],
    }
    source = package.SparkDataFrameDataSource.from_existing_session(session=spark, name="spark")

    def run() -> dict[str, int]:
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(json.dumps(text))
            file.flush()
            found = contracts.verify_contract_locally(data_sources=[source], contract_file_path=file.name)
        results = [one for contract in found.contract_verification_results for one in contract.check_results]
        if not results:
            raise SystemExit(f"soda checked nothing: {found.get_errors_str()}")
        return {
            f"{one.check.column_name or 'orders'}.{one.check.name}": int(one.threshold_value or 0) for one in results
        }

    return run


ENGINES: dict[str, Callable[[Any], Run]] = {
    "by-hand": by_hand,
    "cuallee": cuallee,
    "datacontract-cli": datacontract_cli,
    "great-expectations": great_expectations,
    "soda": soda,
}


def main(name: str, table: str) -> None:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    run = ENGINES[name](spark.read.parquet(table).drop("part"))
    for _ in sys.stdin:
        with contextlib.redirect_stdout(sys.stderr):
            found = run()
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
