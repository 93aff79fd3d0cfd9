"""Writes the shop's tables with Spark, with every fault that the demo is about; run by spark-submit.

spark-submit shop_data.py FOLDER MOMENT
"""

from __future__ import annotations

import sys

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf

HOUR_S = 3_600
ORDERS, CUSTOMERS, PAYMENTS, COUPONS = 2_400, 600, 1_800, 40
NO_CUSTOMER, BAD_STATUS, TWICE = 7, 3, 2  # the faults of orders, in rows
PAID_HOURS_AGO = 9


def main(folder: str, moment: str) -> None:
    """All tables but the one whose source is dead."""
    spark = SparkSession.builder.config("spark.ui.enabled", "false").config("spark.log.level", "ERROR").getOrCreate()
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    now = sf.timestamp_seconds(sf.lit(int(moment)))
    tables = {
        "orders": _orders(spark, now),
        "customers": _customers(spark, now),
        "payments": _payments(spark, now),
        "coupons": _coupons(spark),
    }
    for name, frame in tables.items():
        frame.coalesce(2).write.mode("overwrite").parquet(f"{folder}/{name}")
    spark.stop()


def _before(now: Column, seconds: Column) -> Column:
    return sf.timestamp_micros(sf.unix_micros(now) - (seconds * 1_000_000).cast("bigint"))


def _orders(spark: SparkSession, now: Column) -> DataFrame:
    """Two days of orders; some without a customer, some with a status that nobody promised, some twice."""
    number = sf.col("id")
    promised = sf.element_at(sf.array(*map(sf.lit, ("paid", "shipped", "pending"))), (number % 3 + 1).cast("int"))
    rows = spark.range(ORDERS).select(
        number,
        sf.format_string("o-%05d", number).alias("order_id"),
        sf.when(number >= NO_CUSTOMER, sf.format_string("c-%04d", number % CUSTOMERS)).alias("customer_id"),
        sf.when(number.between(50, 49 + BAD_STATUS), sf.lit("lost")).otherwise(promised).alias("status"),
        (number % 900 / 10 + 5).cast("decimal(12,2)").alias("total"),
        _before(now, number * 72).alias("placed_at"),
        sf.when(number % 5 == 0, sf.lit("WELCOME")).alias("coupon"),
    )
    return rows.unionByName(rows.where(number.between(100, 99 + TWICE))).drop("id")


def _customers(spark: SparkSession, now: Column) -> DataFrame:
    """A column that was promised is gone, and one that nobody promised is there."""
    number = sf.col("id")
    return spark.range(CUSTOMERS).select(
        sf.format_string("c-%04d", number).alias("customer_id"),
        sf.format_string("c%d@shop.example", number).alias("email"),
        sf.lit("gold").alias("loyalty_tier"),
        _before(now, number * 30).alias("updated_at"),
    )


def _payments(spark: SparkSession, now: Column) -> DataFrame:
    """Nothing has arrived for hours."""
    number = sf.col("id")
    return spark.range(PAYMENTS).select(
        sf.format_string("p-%05d", number).alias("payment_id"),
        sf.format_string("o-%05d", number).alias("order_id"),
        (number % 900 / 10 + 5).cast("decimal(12,2)").alias("amount"),
        _before(now, number * 60 + PAID_HOURS_AGO * HOUR_S).alias("paid_at"),
    )


def _coupons(spark: SparkSession) -> DataFrame:
    number = sf.col("id")
    columns = (sf.format_string("k-%02d", number).alias("coupon_id"), (number % 30 + 5).cast("int").alias("percent"))
    return spark.range(COUPONS).select(*columns)


if __name__ == "__main__":
    main(*sys.argv[1:3])
