"""The guide to `floe run` against what it does: its product is listed as written, and its options are all there are."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from floe_contracts.cli.run import run_command

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/guides/run-a-product.md").read_text("utf-8")
STEPS = """\
compile
shop (ingestion)
bronze_payments (dbt)
gold_revenue (dbt)
silver_payments (dbt)
gold_report (pyspark)
checks
"""


def test_the_product_of_the_guide_is_listed_step_by_step(tmp_path: Path) -> None:
    product = tmp_path / "product"
    shutil.copytree(ROOT / "tests/fixtures/pipeline", product)
    (transforms,) = re.findall(r"```yaml\n(transforms:\n.*?)```", GUIDE, re.DOTALL)
    page = (product / "floe.yaml").read_text("utf-8")
    before, after = page.partition("transforms:")[0], page.partition("output_ports:")[2]
    (product / "floe.yaml").write_text(f"{before}{transforms}output_ports:{after}", "utf-8")
    done = CliRunner().invoke(run_command, [str(product), "--dry-run"], standalone_mode=False)
    assert (done.exception, done.stdout) == (None, STEPS)


@pytest.mark.parametrize("option", ["--run-id", "--from", "--select", "--dry-run"])
def test_options_of_the_guide_exist(option: str) -> None:
    assert f"`{option}" in GUIDE
    assert option in {name for parameter in run_command.params for name in parameter.opts}


def test_every_exit_code_is_told() -> None:
    (told,) = re.findall(r"Exit codes: (.*)", GUIDE, re.DOTALL)
    assert re.findall(r"(?:^|; )(\d+) ", " ".join(told.split())) == ["0", "1", "2", "143"]
