"""A break names the readers in the head's own code, with file and line, and whoever reads what they make."""

from __future__ import annotations

import pytest
from support.gating import ORDERS, gate
from support.git_sandbox import Sandbox
from support.orders import orders

from floe_contracts.results import Reader

PROJECT = {
    "dbt_project.yml": "name: shop\n",
    "models/revenue.sql": "select\n  order_id,\n  total\nfrom {{ ref('orders') }}\n",
    "models/weekly.sql": "select order_id from {{ ref('revenue') }}\n",
    "models/names.sql": "select order_id from {{ ref('orders') }}\n",
    "models/schema.yml": "exposures:\n  - name: board\n    owner: {email: a@x.io}\n    depends_on: [ref('weekly')]\n",
}
DROPPED = orders(columns=("order_id",))
REGISTERED = "consumer: revenue\nowner: bi@x.io\nconsumes: [{contract: orders, columns: [total]}]\n"


def readers(sandbox: Sandbox, files: dict[str, str], head: str = "HEAD") -> tuple[Reader, ...]:
    """The readers that the gate names when `total` is dropped."""
    repo = sandbox.init()
    repo.commit({ORDERS: orders(columns=("order_id", "total")), **files})
    repo.switch("change", "main")
    repo.commit({ORDERS: DROPPED})
    (result,) = gate(repo, head=head).results
    return result.readers


@pytest.mark.parametrize("head", ["HEAD", "index", "worktree"])
def test_readers_and_their_readers(sandbox: Sandbox, head: str) -> None:
    assert readers(sandbox, PROJECT, head) == (
        Reader("revenue", "", ("total",), places=("models/revenue.sql:3",)),
        Reader("weekly", places=("models/weekly.sql:1",), through="revenue"),
        Reader("board", "a@x.io", places=("models/schema.yml:2",), through="weekly"),
    )


def test_a_reader_behind_a_macro_is_named(sandbox: Sandbox) -> None:
    hidden = {
        "dbt_project.yml": "name: shop\n",
        "macros/shop.sql": "{% macro sold() %}{{ ref('orders') }}{% endmacro %}",
        "macros/more.sql": "{% macro all_sold() %}{{ sold() }}{% endmacro %}",
        "models/sums.sql": "select total\nfrom {{ all_sold() }}\n",
    }
    assert [reader.name for reader in readers(sandbox, hidden)] == ["sums"]


def test_a_registered_reader_keeps_its_owner_and_gains_the_place(sandbox: Sandbox) -> None:
    named = readers(sandbox, {**PROJECT, ".floe/consumers/revenue.yaml": REGISTERED})
    assert named[0] == Reader("revenue", "bi@x.io", ("total",), places=("models/revenue.sql:3",))


def test_no_project_no_readers(sandbox: Sandbox) -> None:
    assert readers(sandbox, {key: value for key, value in PROJECT.items() if key != "dbt_project.yml"}) == ()


def test_steps_end_after_three(sandbox: Sandbox) -> None:
    chain = {f"models/m{number}.sql": f"select * from {{{{ ref('m{number - 1}') }}}}" for number in range(1, 6)}
    first = {"models/m0.sql": "select total from {{ ref('orders') }}", "dbt_project.yml": "name: shop\n"}
    assert [reader.name for reader in readers(sandbox, {**chain, **first})] == ["m0", "m1", "m2"]


MODEL = "select\n  order_id,\n  total\nfrom raw_orders\n"
BESIDE = "consumer: names\nowner: crm@x.io\nconsumes: [{contract: orders, columns: [order_id]}]\n"
LOST = [
    pytest.param(MODEL.replace("total", "total as amount"), ["revenue"], ["names"], id="a renamed column"),
    pytest.param(MODEL.replace(",\n  total", ""), ["revenue"], ["names"], id="a dropped column"),
    pytest.param(None, ["names", "revenue"], [], id="a deleted model"),
]


@pytest.mark.parametrize(("model", "reached", "spared"), LOST)
def test_a_definition_that_lets_its_contract_down_names_them_too(
    model: str | None, reached: list[str], spared: list[str], sandbox: Sandbox
) -> None:
    repo = sandbox.init()
    consumers = {".floe/consumers/revenue.yaml": REGISTERED, ".floe/consumers/names.yaml": BESIDE}
    repo.commit({ORDERS: orders(columns=("order_id", "total")), "models/orders.sql": MODEL, **PROJECT, **consumers})
    repo.switch("change", "main")
    repo.commit({"models/orders.sql": model})
    (result,) = gate(repo).results
    direct = [reader for reader in result.readers if not reader.through]
    assert [reader.name for reader in direct if reader.affected] == reached
    assert [reader.name for reader in direct if not reader.affected] == spared
    (revenue,) = [reader for reader in direct if reader.name == "revenue"]
    assert (revenue.owner, revenue.places[-1]) == ("bi@x.io", "models/revenue.sql:3")
    assert [reader.name for reader in result.readers if reader.through] == ["weekly", "board"]
