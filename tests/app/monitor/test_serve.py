"""`floe monitor serve`: slots as the jobs claim them, pages, outages, and an end within the limit."""

from __future__ import annotations

import http.client
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.answering import receiver
from support.job_desk import ORDERS, Project
from support.monitored import HOUR, MINUTE
from support.serving import Served, serving

from floe_contracts.adapters.http.server import ListenAddress, read_listen
from floe_contracts.adapters.store.address import open_store
from floe_contracts.app.monitor.judge import refuse
from floe_contracts.app.monitor.serve_request import ServeLimits
from floe_contracts.errors import FloeError, UsageError
from floe_contracts.monitor.store.protocol import Store


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Orders that are eight hours old, where six are promised."""
    monkeypatch.chdir(tmp_path)
    project = Project(tmp_path)
    project.contract()
    project.table("orders", 8 * HOUR)
    project.settings("store: sqlite:///.floe/monitoring.db\n")
    return project


def kept(project: Project) -> Store:
    return open_store(f"sqlite:///{project.folder}/.floe/monitoring.db")


def slots(project: Project) -> int:
    return sum(filled.slots for filled in kept(project).filled("floe", 0).values())


def test_every_check_fills_its_slot_and_the_jobs_find_it_done(shop: Project) -> None:
    with serving(Served(shop)) as served:
        served.until_checked()
    assert (served.code, served.error, slots(shop)) == (0, None, 5)
    asked = len(shop.engine.asked)
    again = shop.run("freshness", "quality", scheduled=True, contracts=("contracts",))
    assert (again.code, len(shop.engine.asked)) == (0, asked), "a job in the same slot measures nothing"


def test_a_restart_repeats_nothing_and_the_next_slot_is_filled(shop: Project) -> None:
    for _ in range(2):
        with serving(Served(shop)) as served:
            served.until_checked()
    assert slots(shop) == 5
    assert shop.engine.asked.count("clock orders") == 1
    with serving(Served(shop)) as served:
        served.until_checked()
        shop.now_us += 15 * MINUTE
        served.until(lambda: slots(shop) == 7)
    assert shop.engine.asked.count("clock orders") == 2


def test_metrics_are_those_of_the_store(shop: Project) -> None:
    shop.run("freshness", contracts=("contracts",))
    shop.now_us += HOUR
    with serving(Served(shop)) as served:
        served.until_checked()
        status, text = served.get("/metrics")
    assert status == 200
    assert 'floe_contract_freshness_hours{contract="orders"} 9.0' in text
    late = 'floe_contract_violations_total{contract="orders",severity="warning",type="freshness_violation"} 2.0'
    assert late in text, "that of the job and that of the service"


def test_metrics_that_are_switched_off_are_not_shown(shop: Project) -> None:
    shop.settings("store: sqlite:///.floe/monitoring.db\nobservability: {metrics: false}\n")
    with serving(Served(shop)) as served:
        served.until_checked()
        assert "floe_contract" not in served.get("/metrics")[1]


def test_health_says_what_was_checked(shop: Project) -> None:
    with serving(Served(shop)) as served:
        served.until_checked()
        status, _ = served.get("/healthz")
        health = served.health()
    assert (status, health["status"], health["contracts"], health["streams"]) == (200, "ok", 1, 0)
    assert set(health["last_checked"]) == {"availability", "freshness", "schema_drift", "quality", "lifecycle"}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        pytest.param("GET", "/", 404, id="another path"),
        pytest.param("HEAD", "/metrics", 200, id="only the head"),
        pytest.param("GET", "/metrics?name[]=up", 200, id="a query is left alone"),
        pytest.param("POST", "/metrics", 501, id="another method"),
    ],
)
def test_pages(shop: Project, method: str, path: str, status: int) -> None:
    with serving(Served(shop)) as served:
        assert served.get(path, method)[0] == status


def test_callers_who_send_nothing_keep_nobody_out_for_long(shop: Project) -> None:
    with serving(Served(shop)) as served:
        host = served.url.removeprefix("http://")
        idle = [http.client.HTTPConnection(host) for _ in range(20)]
        for connection in idle:
            connection.connect()
        served.until(lambda: _answers(served))
        for connection in idle:
            connection.close()


def _answers(served: Served) -> bool:
    try:
        return served.get("/healthz")[0] == 200
    except OSError:
        return False


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        pytest.param("data_contracts: {monitoring: {enabled: false}}\n", "switched off", id="switched off"),
        pytest.param("data_contracts: {monitoring: {mode: on_demand}}\n", "on demand", id="on demand"),
    ],
)
def test_nothing_is_checked_and_it_is_said(shop: Project, settings: str, reason: str) -> None:
    shop.settings(settings)
    served = Served(shop)
    served.serve()
    assert (served.code, shop.engine.asked) == (0, [])
    assert reason in served.messages[0]


def test_a_store_that_was_away_loses_no_slot(shop: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    from floe_contracts.adapters.store.sql_store import SqlStore

    claim, away = SqlStore.claim, [True]

    def sometimes(store: Any, *words: Any, **more: Any) -> Any:
        if away:
            raise ConnectionError("postgresql://me:hunter2@db is down")
        return claim(store, *words, **more)

    monkeypatch.setattr(SqlStore, "claim", sometimes)
    with serving(Served(shop)) as served:
        served.until_checked()
        away.clear()
        served.until(lambda: slots(shop) == 5)
    assert "hunter2" not in repr(served.logged)


def test_what_waited_is_delivered_when_the_receiver_is_back(shop: Project) -> None:
    with receiver() as lineage:
        lineage.will(503)
        shop.environ["OPENLINEAGE_URL"] = lineage.url
        with serving(Served(shop)) as served:
            served.until_checked()
            served.until(lambda: any("wait" in message for message in served.messages))
            assert kept(shop).outbox.backlog()
            lineage.will(200)
            served.until(lambda: not kept(shop).outbox.backlog())
        assert served.code == 0


def test_an_engine_that_has_ended_ends_the_service_with_2(shop: Project) -> None:
    from contextlib import contextmanager

    from floe_contracts.app.monitor.judge import RunJudge

    @contextmanager
    def gone(*_: Any) -> Any:
        yield RunJudge(refuse)

    shop.judging = gone
    served = Served(shop)
    with serving(served):
        served.until(lambda: served.code is not None)
    assert served.code == 2
    assert slots(shop) == 0, "the slots are free again"


def test_a_check_that_takes_too_long_gives_its_slot_back(shop: Project) -> None:
    hold, began = threading.Event(), threading.Event()

    def wait() -> None:
        began.set()
        hold.wait(20)

    shop.engine.meanwhile = wait
    served = Served(shop, ServeLimits(checks_s=0.3, drain_s=0.5))
    end = time.monotonic()
    with serving(served):
        served.until(began.is_set)
        end = time.monotonic()
        served.stopping.set()
        served.until(lambda: "Stopped" in served.messages)
        assert time.monotonic() - end < 5
        served.until(lambda: served.left == [0])
        hold.set()
    assert any("given back" in message for message in served.messages)
    assert slots(shop) <= 1, "only the lifecycle needs no engine"


def test_it_is_told_to_stop_while_spark_starts(shop: Project) -> None:
    served = Served(shop)
    served.stopping.set()
    served.serve()
    assert (served.code, shop.engine.asked, served.left) == (0, [], [])


@pytest.mark.parametrize("place", ["no-such-folder", "empty", "broken.yaml"])
def test_what_holds_no_contract_that_can_be_read_is_refused(shop: Project, place: str) -> None:
    Path(shop.folder, "empty").mkdir()
    Path(shop.folder, "broken.yaml").write_text("kind: DataContract\nversion: [\n")
    served = Served(shop)
    request = served.request()
    paths = (str(Path(shop.folder, place)),)
    served.request = lambda **_: replace(request, contracts=paths)  # type: ignore[method-assign]
    served.serve()
    assert isinstance(served.error, FloeError)
    assert "no contract can be watched: " in served.error.message
    assert place in served.error.message


def test_a_busy_address_is_an_error_that_says_so(shop: Project) -> None:
    with serving(Served(shop)) as first:
        port = int(first.url.rpartition(":")[2])
        second = Served(shop)
        second.request = lambda **_: _at(first, port)  # type: ignore[method-assign]
        second.serve()
    assert isinstance(second.error, FloeError)
    assert "cannot be listened at" in second.error.message


def _at(served: Served, port: int) -> Any:
    return replace(served.request(), listen=ListenAddress("127.0.0.1", port))


@pytest.mark.parametrize(
    ("text", "address"),
    [
        pytest.param("127.0.0.1:9464", ListenAddress("127.0.0.1", 9464), id="IPv4"),
        pytest.param("[::1]:9464", ListenAddress("::1", 9464), id="IPv6"),
        pytest.param("localhost:0", ListenAddress("localhost", 0), id="a name"),
        *(
            pytest.param(text, None, id=text or "nothing")
            for text in ("", ":9464", "9464", "127.0.0.1:99999", "::1:9464", "http://127.0.0.1:9464")
        ),
    ],
)
def test_addresses(text: str, address: ListenAddress | None) -> None:
    if address is not None:
        assert read_listen(text) == address
        return
    with pytest.raises(UsageError):
        read_listen(text)


def test_contracts_that_are_off_are_left_alone(shop: Project) -> None:
    shop.contract("other", ORDERS)
    shop.settings(
        "store: sqlite:///.floe/monitoring.db\n"
        "data_contracts: {enforcement: 'off'}\n"
        "contracts: {orders: {enforcement: alert_only}}\n"
    )
    with serving(Served(shop)) as served:
        served.until_checked()
    assert slots(shop) == 5
    assert not [question for question in shop.engine.asked if question.endswith("other")]
