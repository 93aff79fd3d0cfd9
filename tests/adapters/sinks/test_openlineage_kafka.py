"""Lineage over a real Kafka broker: the stored bytes, confirmed, each job's events in one partition and in order."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from support.kafka_broker import kafka_broker
from support.lineage_spec import conforms
from support.lineage_told import HOUR, told_customers
from support.needs import cannot_run

from floe_contracts.adapters.sinks.openlineage import LineageSink, from_environment
from floe_contracts.errors import SettingsError
from floe_contracts.monitor.run.delivery import Delivered, Retry
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.monitor.store.outbox import Pending

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """confluent-kafka from a folder of its own; floe itself never needs it unless somebody says transport kafka."""
    folder = tmp_path_factory.mktemp("confluent")
    uv = [str(Path(sys.executable).with_name("uv")), "--system-certs", "--no-config"]
    command = [*uv, "pip", "install", "-q", "--python", sys.executable, "--target", str(folder), "confluent-kafka"]
    if subprocess.run(command, capture_output=True, timeout=300, check=False).returncode:
        cannot_run("confluent-kafka cannot be installed from here")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield import_module("confluent_kafka")


def sink(servers: str, topic: str, **more: Any) -> LineageSink:
    said = {"type": "kafka", "topic": topic, "config": {"bootstrap.servers": servers, **more}}
    found = from_environment(MonitoringConfig(), {"OPENLINEAGE__TRANSPORT": json.dumps(said)})
    assert found is not None
    return found[0]


def test_events_arrive_unchanged_in_one_partition(client: Any, tmp_path: Path) -> None:
    with kafka_broker(tmp_path) as address:
        one = sink(address, "lineage")
        assert one.name == f"openlineage kafka {address}/lineage"
        told = list(one.messages(told_customers("quality", HOUR, HOUR)))
        for number, message in enumerate(told):
            assert one.deliver(Pending(number, message, "s", "slot", 1, number), 30.0) == Delivered()
        heard = consumed(client, address, "lineage", 2)
    assert [body for body, _, _ in heard] == [message.body for message in told]
    assert {key for _, key, _ in heard} == {b"run:sales.customer-360/contract_check.sales-customers"}
    assert len({partition for _, _, partition in heard}) == 1
    for body, _, _ in heard:
        conforms(body)


def consumed(client: Any, address: str, topic: str, number: int) -> list[tuple[bytes, bytes, int]]:
    consumer = client.Consumer({"bootstrap.servers": address, "group.id": "test", "auto.offset.reset": "earliest"})
    consumer.subscribe([topic])
    found: list[tuple[bytes, bytes, int]] = []
    until = time.monotonic() + 60
    while len(found) < number and time.monotonic() < until:
        message = consumer.poll(1.0)
        if message is not None and message.error() is None:
            found.append((message.value(), message.key(), message.partition()))
    consumer.close()
    return found


def test_no_broker_costs_the_limit_and_no_more(client: Any) -> None:
    one = sink("127.0.0.1:9", "lineage", log_level=0)
    (start, _) = one.messages(told_customers("quality", HOUR))
    since = time.monotonic()
    assert one.deliver(Pending(1, start, "s", "slot", 1, 1), 1.0) == Retry("it did not answer in time")
    assert time.monotonic() - since < 20


def test_settings_that_no_broker_takes_are_said_without_their_values(client: Any) -> None:
    with pytest.raises(SettingsError, match="kafka of OpenLineage cannot be made") as caught:
        sink("127.0.0.1:9", "lineage", **{"sasl.password": "hunter2", "no.such.setting": "x"})
    assert "hunter2" not in caught.value.message
