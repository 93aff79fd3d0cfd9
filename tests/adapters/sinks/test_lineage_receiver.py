"""An independent receiver takes our events: Data.Rentgen on PostgreSQL, in an environment of its own.

It parses them by its own model, keeps them in its own tables, and knows a run by its id: a replay must add nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from support.answering import receiver
from support.lineage_spec import conforms
from support.lineage_told import HOUR, MESH, PARENT, PEOPLE, Desk, people
from support.monitored import orders, targets
from support.needs import cannot_run
from support.postgres_server import PostgresServer, postgres_server

from floe_contracts.adapters.sinks.openlineage import LineageSink, from_environment
from floe_contracts.app.monitor.drain import Sinks, drain
from floe_contracts.checks.verdict import Check
from floe_contracts.monitor.run.delivery import messages_for
from floe_contracts.monitor.run.run import Request, run_check
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.product.data_contracts import Monitoring

pytestmark = pytest.mark.slow

PACKAGES = ("data-rentgen[server,consumer,postgres]==0.3.1", "sqlalchemy<2.1")  # a newer one breaks it on import
FEED = """
import asyncio, logging, sys
from pydantic import TypeAdapter
from data_rentgen.consumer.extractors import BatchExtractor
from data_rentgen.consumer.openlineage.run_event import OpenLineageRunEvent
from data_rentgen.consumer.subscribers import save_to_db
from data_rentgen.db.factory import create_session_factory
from data_rentgen.db.settings import DatabaseSettings

async def main():
    extractor, adapter = BatchExtractor(), TypeAdapter(OpenLineageRunEvent)
    extractor.add_events([adapter.validate_json(line) for line in sys.stdin.buffer])
    sessions = create_session_factory(DatabaseSettings(url=sys.argv[1]))
    async with sessions() as session:
        await save_to_db(extractor.result, session, logging.getLogger())

asyncio.run(main())
"""


@dataclass(frozen=True)
class Rentgen:
    """The receiver: its Python, and its database as it and as psql call it."""

    python: Path
    url: str

    def run(self, *arguments: str, given: bytes = b"") -> None:
        named = {"DATA_RENTGEN__DATABASE__URL": self.url, "PATH": os.environ["PATH"]}
        done = subprocess.run(
            [str(self.python), *arguments], input=given, capture_output=True, timeout=300, check=False, env=named
        )
        assert done.returncode == 0, done.stderr.decode()[-3000:]

    def take(self, bodies: list[bytes]) -> None:
        self.run("-c", FEED, self.url, given=b"\n".join(bodies))


@pytest.fixture(scope="module")
def rentgen_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the receiver; without a package registry the test is a listed skip."""
    place = tmp_path_factory.mktemp("rentgen")
    uv = [str(Path(sys.executable).with_name("uv")), "--system-certs", "--no-config", "--no-python-downloads"]
    python = place / "env/bin/python"
    subprocess.run([*uv, "venv", "-q", "--python", sys.executable, str(place / "env")], check=True, timeout=60)
    command = [*uv, "pip", "install", "-q", "--python", str(python), *PACKAGES]
    done = subprocess.run(command, capture_output=True, timeout=600, check=False)
    return python if done.returncode == 0 else cannot_run("Data.Rentgen cannot be installed from here")


@pytest.fixture
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


COUNTED = ("run", "input", "output", "job", "dataset", "schema", "operation")
STATUSES = {-1: "only named as a parent", 1: "COMPLETE", 2: "FAIL", 3: "ABORT"}  # by the receiver's own numbers


def counts(server: PostgresServer, url: str) -> dict[str, int]:
    """Rows of its tables, and its runs by how they ended."""
    found = {table: int(server.run_sql(f'SELECT count(*) FROM "{table}"', url)) for table in COUNTED}
    rows = server.run_sql("SELECT status, count(*) FROM run GROUP BY status", url).splitlines()
    ends = (row.split("|") for row in rows)
    return {**found, **{STATUSES[int(status)]: int(number) for status, number in ends}}


def every_kind_of_event() -> list[bytes]:
    """What two slots of several checks tell a real receiver, through store, outbox and HTTP."""
    with receiver() as marquez:
        found = from_environment(MonitoringConfig(observability=MESH), environment(marquez.url))
        assert found is not None
        desk = Desk()
        desk.engine.tables["customers"] = people(HOUR, HOUR)
        desk.put("orders", 8 * HOUR)
        for _ in range(2):
            for check in ("availability", "freshness", "quality", "lifecycle"):
                told(desk, check, found)
            desk.later(6 * HOUR)
        drain(desk.store, Sinks(found))
        assert desk.store.outbox.backlog() == ()
        return [one.body for one in marquez.asked]


def environment(url: str) -> dict[str, str]:
    run = PARENT.run
    return {"OPENLINEAGE_URL": url, "OPENLINEAGE_PARENT_ID": f"{run.namespace}/{run.job}/{run.run_id}"}


def told(desk: Desk, check: Check, sinks: tuple[LineageSink, ...]) -> None:
    tools = replace(desk.tools(), messages=lambda result: messages_for(result, sinks))
    contracts = targets(PEOPLE, orders(PEOPLE.slas[0]), orders(PEOPLE.slas[0], name="nowhere"))
    run_check(Request(check, "sales.customer-360"), contracts, Monitoring(), tools)
    assert not desk.crashes


def test_it_takes_every_event_and_a_replay_adds_nothing(rentgen_python: Path, postgres: PostgresServer) -> None:
    url = postgres.new_database()
    rentgen = Rentgen(rentgen_python, url.replace("postgresql://", "postgresql+asyncpg://"))
    rentgen.run("-m", "data_rentgen.db.migrations", "upgrade", "head")
    partitions = ("--start", "2025-07-01", "--end", "2026-02-28", "--granularity", "month")
    rentgen.run("-m", "data_rentgen.db.scripts.create_partitions", *partitions)

    bodies = every_kind_of_event()
    events = [conforms(body) for body in bodies]
    rentgen.take(bodies)
    first = counts(postgres, url)
    runs = {event["run"]["runId"] for event in events}
    assert first["run"] == len(runs) + 1  # and the parent's
    assert first["output"] == 0
    ends = Counter(event["eventType"] for event in events)
    for end in ("COMPLETE", "FAIL", "ABORT"):
        assert first[end] == ends[end] > 0
    assert first["job"] == len({event["job"]["name"] for event in events}) + 1
    named = {(one["namespace"], one["name"]) for event in events for one in event["inputs"]}
    assert first["dataset"] == len(named)

    rentgen.take(bodies)
    rentgen.take(bodies[::2])
    assert counts(postgres, url) == first
