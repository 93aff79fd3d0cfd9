"""The steps of a data product: dbt projects, Spark scripts and ingestions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from ..contract.meaning.cron import parse_cron
from .block import Name, Names, WrittenBlock
from .governance import Zone


class DbtTransform(WrittenBlock):
    """A dbt project: the folder with dbt_project.yml, or one below it."""

    type: Literal["dbt"]
    path: Name = "."


class PysparkTransform(WrittenBlock):
    """A script for spark-submit; the model has the name of the script."""

    type: Literal["pyspark"]
    path: Name
    master: str = ""
    options: tuple[str, ...] = Field(default=(), strict=False)
    reads: Names = ()
    writes: Names = ()


class IngestionTransform(WrittenBlock):
    """A load from a source outside, by a plugin such as dlt."""

    type: Literal["ingestion"]
    source: Name
    plugin: Name = "dlt"
    destination: str = ""
    write_disposition: Literal["append", "replace", "merge"] = "append"
    command: tuple[str, ...] = Field(default=(), strict=False)


Transform = Annotated[DbtTransform | PysparkTransform | IngestionTransform, Field(discriminator="type")]


def _check_cron(text: str) -> str:
    schedule, problem = parse_cron(text)
    if schedule is None:
        raise ValueError(f"{problem}; write five fields such as 0 6 * * *")
    return text


class ProductSchedule(WrittenBlock):
    """When the product runs."""

    cron: Annotated[str, AfterValidator(_check_cron)]
    timezone: Zone = "UTC"
