"""Builds the history of orders without those refunded: the Spark script of the demo's product."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as sf


def main() -> None:
    """Orders of the shop, each once, with the address of who placed it."""
    spark = SparkSession.builder.config("spark.ui.enabled", "false").config("spark.log.level", "ERROR").getOrCreate()
    refunded = Path("data/refunds.csv").read_text("utf-8").split()[1:]
    orders = spark.read.parquet("../../data/orders").where(~sf.col("order_id").isin(refunded))
    email = sf.concat(sf.coalesce("customer_id", sf.lit("guest")), sf.lit("@shop.example"))
    history = orders.dropDuplicates(["order_id"]).select("order_id", email.alias("email"), "placed_at")
    history.coalesce(1).write.mode("overwrite").parquet("data/history")
    spark.stop()


if __name__ == "__main__":
    main()
