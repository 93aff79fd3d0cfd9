"""The same job from a wheel and on a cluster finds the same."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.builds import build_all
from support.spark_jobs import FOUND, Submit, bare_python, clean, cluster, found_in, report_of, shop, wheel_job

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.slow
ASKED = ("--contracts", "contracts", "--format", "json", "--log-format", "json")


@pytest.fixture(scope="module")
def place(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("elsewhere")
    shop(folder / "shop", spark)
    return folder


@pytest.fixture
def checkout(place: Path) -> Submit:
    clean(place / "shop")
    return Submit(place / "shop", bare_python(place))


def test_a_wheel_finds_the_same(checkout: Submit, place: Path) -> None:
    wheel = build_all(place / "build").wheel
    job = wheel_job(wheel, place / "alone", "all_checks.py")
    ran = Submit(checkout.cwd, checkout.python, job=job, files=wheel)(*ASKED)
    assert found_in(report_of(ran)) == FOUND
    assert ran.code == 0


def test_a_cluster_finds_the_same(checkout: Submit, place: Path) -> None:
    with cluster(place / "cluster") as master:
        ran = Submit(checkout.cwd, checkout.python, master=master)(*ASKED)
    assert found_in(report_of(ran)) == FOUND
    assert ran.code == 0
    used = [one.name for one in place.glob("cluster/*/app-*")]
    assert len(used) == 2, "both workers had an executor of the job"
