"""Four jobs at once push what one store holds, and the gateway never sees a counter fall."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from support.answering import Receiver, receiver
from support.builds import ROOT
from support.postgres_server import PostgresServer, postgres_server
from support.prometheus_servers import pushgateway
from support.pushing import fill

from floe_contracts.adapters.sinks.pushgateway import from_environment
from floe_contracts.adapters.store.address import open_store
from floe_contracts.adapters.store.sql_store import SqlStore
from floe_contracts.app.monitor.drain import DrainLimits, Sinks, drain
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.monitor.store.protocol import Store

JOBS = ("orders", "returns", "stock", "prices")
SLOTS = 8
_COUNTER = re.compile(
    rb'^floe_contract_violations_total\{contract="(\w+)",severity="warning",type="freshness_violation"\} (\d+)\.0$',
    re.MULTILINE,
)


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as running:
        yield running


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.service)])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.db'}"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database()


@contextmanager
def opened(url: str) -> Iterator[Store]:
    store = open_store(url)
    assert isinstance(store, SqlStore)
    try:
        yield store
    finally:
        store.close()


def run_together(url: str, gateway: str) -> None:
    """All jobs at once, each with slots of its own contract."""
    with opened(url):
        pass  # the schema is there before anybody races for it
    paths = os.pathsep.join((str(ROOT / "src"), str(ROOT / "tests")))
    environment = {**os.environ, "PYTHONPATH": paths, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
    started = [
        subprocess.Popen(
            [sys.executable, str(ROOT / "tests/support/pushing.py"), url, gateway, contract, str(SLOTS)],
            env=environment,
            stderr=subprocess.PIPE,
        )
        for contract in JOBS
    ]
    ended = [(job.wait(240), job.stderr.read().decode() if job.stderr else "") for job in started]
    for job in started:
        if job.stderr:
            job.stderr.close()
    assert [code for code, _ in ended] == [0] * len(JOBS), ended


def numbers(gateway: Receiver) -> list[dict[str, int]]:
    """What each push said of each contract, in the order of the pushes."""
    return [{name.decode(): int(count) for name, count in _COUNTER.findall(asked.body)} for asked in gateway.asked]


def test_no_push_says_less_than_the_one_before(store_url: str) -> None:
    with receiver() as gateway:
        run_together(store_url, gateway.url)
        pushes = numbers(gateway)
    assert len(pushes) == len(JOBS) * SLOTS
    fallen = [
        (before, after)
        for before, after in pairwise(pushes)
        if any(after.get(name, 0) < was for name, was in before.items())
    ]
    assert fallen == []
    assert pushes[-1] == dict.fromkeys(JOBS, SLOTS)


@pytest.mark.service
def test_a_real_gateway_ends_with_every_slot_counted_once(tmp_path: Path) -> None:
    with pushgateway(tmp_path) as gateway:
        run_together(f"sqlite:///{tmp_path / 'store.db'}", gateway.url)
        labels = {"severity": "warning", "type": "freshness_violation"}
        found = [gateway.value("floe_contract_violations_total", contract=name, **labels) for name in JOBS]
    assert found == [SLOTS] * len(JOBS)


def test_what_is_pushed_is_read_under_the_lock(tmp_path: Path) -> None:
    """Were it read before, somebody could push newer totals in between, and this push would take them back."""
    with receiver() as gateway, opened(f"sqlite:///{tmp_path / 'store.db'}") as store:
        fill(store, "orders", 0)
        mirror = from_environment(MonitoringConfig(), {"FLOE_PUSHGATEWAY_URL": gateway.url})
        assert mirror is not None
        with store.lock(f"mirror {mirror.name} shop freshness", 1.0) as held:
            assert held
            (done,) = drain(store, Sinks(mirrors=(mirror,)), (), DrainLimits(limit_s=0.5))
        assert done.reason == "another process pushes to it"
        assert gateway.asked == []
