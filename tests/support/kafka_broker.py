"""A real Kafka broker on loopback for tests: one node, its jars from Maven, stopped when the tests are done."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.maven import load_classes
from support.needs import needs
from support.ports import free_port

KAFKA = "3.9.1"
UP_S = 60.0
_PARTS = (f"org.apache.kafka:kafka_2.13:{KAFKA}", "org.slf4j:slf4j-simple:1.7.36")
_SETTINGS = """process.roles=broker,controller
node.id=1
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
controller.quorum.voters=1@127.0.0.1:{controller}
log.dirs={logs}
num.partitions=2
auto.create.topics.enable=true
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
"""


@pytest.fixture(scope="session")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a broker for the whole run; a test takes a topic of its own."""
    with kafka_broker(tmp_path_factory.mktemp("kafka")) as address:
        yield address


@contextmanager
def kafka_broker(place: Path) -> Iterator[str]:
    """The address of a broker, as `kafka.bootstrap.servers` wants it; a topic comes to be when it is first used."""
    java = needs("java")
    classes = load_classes(place / "maven", *_PARTS)
    port, controller = free_port(), free_port()
    settings = place / "server.properties"
    settings.write_text(_SETTINGS.format(port=port, controller=controller, logs=place / "logs"))
    command = [java, "-Xmx384m", "-XX:+UseSerialGC", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-cp", classes]
    cluster = ["format", "--cluster-id", "Zmxvd2VyLWZsb2UtdGVzdA", "--config", str(settings)]
    subprocess.run([*command, "kafka.tools.StorageTool", *cluster], check=True, capture_output=True, timeout=UP_S)
    with (place / "kafka.log").open("wb") as log:
        server = subprocess.Popen([*command, "kafka.Kafka", str(settings)], stdout=log, stderr=log)
    try:
        _wait(server, port, place / "kafka.log")
        yield f"127.0.0.1:{port}"
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + UP_S
    while time.monotonic() < until:
        if server.poll() is not None:
            raise RuntimeError(f"the Kafka broker ended at once: {log.read_text(errors='replace')[-2000:]}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise RuntimeError(f"the Kafka broker was not up within {UP_S} s: {log.read_text(errors='replace')[-2000:]}")
