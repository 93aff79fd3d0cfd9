"""A value from the data and credentials are planted, and then everything that was produced is searched for them."""

from __future__ import annotations

import base64
import gzip
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.answering import Receiver, black_hole, receiver
from support.job_desk import Project
from support.monitored import HOUR
from support.otlp_receivers import unpacked

from floe_contracts.monitor.settings.model import CHECKS

VALUE = "gold-digger-4711"
SECRET = "hunter2-of-floe"
CONTRACT = """\
schema: {name}
version: "1.0.0"
owner: checkout
servers:
  - server: here
    type: custom
fields:
  - name: order_id
    type: STRING
    nullable: false
    primary_key: true
    pattern: "o[0-9]+"
  - name: placed_at
    type: TIMESTAMP
  - name: missing_column
    type: STRING
sla:
  element: placed_at
  freshness_minutes: 30
"""


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "grpc_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Orders that break nearly every promise, two of them with the planted value as their key."""
    monkeypatch.chdir(tmp_path)
    project = Project(tmp_path)
    project.contract(text=CONTRACT)
    project.contract("nowhere")
    table = project.table("orders", HOUR, HOUR, 9 * HOUR)
    table.rows = [{**row, "order_id": VALUE} for row in table.rows]
    project.settings("data_contracts: {enforcement: alert_only}\n")
    return project


def everywhere(url: str) -> dict[str, str]:
    """Every kind of receiver at one address, each with the planted secret."""
    with_secret = url.replace("://", f"://me:{SECRET}@")
    return {
        "OPENLINEAGE_URL": with_secret,
        "OPENLINEAGE_API_KEY": SECRET,
        "OTEL_EXPORTER_OTLP_ENDPOINT": with_secret,
        "OTEL_EXPORTER_OTLP_HEADERS": f"api-key={SECRET}",
        "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
        "FLOE_PUSHGATEWAY_URL": with_secret,
        "FLOE_WEBHOOK_URL": f"{with_secret}/services/{SECRET}",
    }


@pytest.fixture
def listening() -> Iterator[Receiver]:
    with receiver() as running:
        yield running


def leaks(*texts: bytes) -> list[str]:
    """Which of the planted texts, as they are or in base64, stand in what was produced."""
    planted = {"value": VALUE, "secret": SECRET}
    found = []
    for text in texts:
        for name, word in planted.items():
            packed = base64.b64encode(f"me:{word}".encode())
            if word.encode() in text or packed in text:
                found.append(f"{name} in {text[:80]!r}")
    return found


def files_of(folder: Path) -> Iterator[bytes]:
    """The store and whatever else a run left behind, but for what the test itself wrote."""
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix not in (".yaml", ".yml"):
            yield path.read_bytes()


@pytest.mark.parametrize("log_format", ["text", "json"])
@pytest.mark.parametrize("status", [200, 400, 401, 500])
def test_no_value_and_no_credential_leaves(shop: Project, listening: Receiver, status: int, log_format: str) -> None:
    listening.will(status)
    shop.environ.update(everywhere(listening.url))
    shop.log_format = log_format
    first = shop.run(*CHECKS)
    shop.now_us += 24 * HOUR
    second = shop.run(*CHECKS, form="json")
    said = [one.encode() for ran in (first, second) for one in (ran.out, ran.err)]
    bodies = [unpacked(one) for one in listening.asked]
    assert {one.path.split("/")[1] for one in listening.asked} >= {"api", "v1", "metrics", "services"}
    stored = list(files_of(shop.folder))
    assert any(b"break it" in one for one in (*bodies, *stored))  # the broken key was really told of
    assert leaks(*said, *bodies, *stored) == []


def test_nobody_there_says_no_address_with_credentials(shop: Project) -> None:
    with ExitStack() as stack:
        for url in ("http://127.0.0.1:9", stack.enter_context(black_hole())):
            shop.environ.update(everywhere(url))
            shop.now_us += HOUR
            since = time.monotonic()
            ran = shop.run("freshness", "quality")
            assert time.monotonic() - since < 20  # 10 s for all receivers together, and the checks
            assert ran.code == 0, ran.out + ran.err
            assert leaks(ran.out.encode(), ran.err.encode(), *files_of(shop.folder)) == []


def test_the_search_finds_what_is_planted() -> None:
    assert leaks(f"x {VALUE} y".encode(), SECRET.encode()) != []
    assert leaks(base64.b64encode(f"me:{SECRET}".encode())) != []
    assert leaks(gzip.decompress(gzip.compress(SECRET.encode()))) != []
