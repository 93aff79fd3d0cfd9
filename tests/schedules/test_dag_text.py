"""The file for Airflow, whatever the folder of the project is called."""

from __future__ import annotations

import ast

import pytest

from floe_contracts.monitor.settings.model import DEFAULT_INTERVALS_US
from floe_contracts.schedules.dag_text import dag_file


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("shop", "shop"),
        ("my shop's", "my_shop_s"),
        ('a "b" \\ c', "a_b_c"),
        ("Läden", "L_den"),
        ("v1.2-x_y", "v1.2-x_y"),
        ("", "floe"),
    ],
    ids=["plain", "a blank and an apostrophe", "quotes and a backslash", "an umlaut", "all that may be", "none"],
)
def test_the_name_is_one_that_airflow_takes(folder: str, name: str) -> None:
    text = dag_file(folder, ["contracts"], "floe", "/srv", DEFAULT_INTERVALS_US)
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    (made,) = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "contract_dags")
    assert ast.literal_eval(made.args[0]) == name
