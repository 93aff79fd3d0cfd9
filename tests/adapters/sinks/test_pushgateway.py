"""The mirror of a gateway: what it sends, what it makes of answers, and how it is configured."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from support.answering import Receiver, black_hole, receiver

from floe_contracts.adapters.sinks.pushgateway import Pushgateway, from_environment
from floe_contracts.errors import SettingsError
from floe_contracts.monitor.run.delivery import Delivered, Delivery, MessageRefused, Retry
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.monitor.store.outbox import MetricsGroup
from floe_contracts.monitor.store.protocol import DURATION_BOUNDS, SeriesTotals
from floe_contracts.monitor.store.slots import Series

GROUP = MetricsGroup("shop", "freshness", 3)
ONE = {
    Series("shop", "orders", 1, "freshness"): SeriesTotals(
        "orders", "1.0.0", durations=(1, *(0,) * len(DURATION_BOUNDS)), duration_sum=Decimal(1)
    )
}


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def gateway() -> Iterator[Receiver]:
    with receiver() as running:
        yield running


def mirror(url: str, **said: str) -> Pushgateway:
    environment = {f"FLOE_PUSHGATEWAY_{name}": text for name, text in {"URL": url, **said}.items()}
    found = from_environment(MonitoringConfig(), environment)
    assert found is not None
    return found


def pushed(url: str, totals: Mapping[Series, SeriesTotals] = ONE, limit_s: float = 5.0) -> Delivery:
    return mirror(url).push(GROUP, totals, (), limit_s)


@pytest.mark.parametrize(
    ("path", "said", "wanted"),
    [
        pytest.param("", {}, "/metrics/job/floe_contracts/check_type/freshness/floe_namespace/shop", id="plain"),
        pytest.param(
            "/gw/", {}, "/gw/metrics/job/floe_contracts/check_type/freshness/floe_namespace/shop", id="behind a path"
        ),
        pytest.param(
            "",
            {"INSTANCE": "eu"},
            "/metrics/job/floe_contracts/check_type/freshness/floe_namespace/shop/instance/eu",
            id="instance",
        ),
    ],
)
def test_one_put_names_the_group(gateway: Receiver, path: str, said: dict[str, str], wanted: str) -> None:
    assert mirror(gateway.url + path, **said).push(GROUP, ONE, (), 5.0) == Delivered()
    (asked,) = gateway.asked
    assert (asked.method, asked.path) == ("PUT", wanted)
    assert asked.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert asked.body.endswith(b"\n")


@pytest.mark.parametrize(
    "namespace",
    ["..", ".", "a/b", "a b", "a+b", "a%2Fb", "größe", "shop@base64", "?q", "#f"],
)
def test_no_namespace_leaves_its_place_in_the_path(gateway: Receiver, namespace: str) -> None:
    group = MetricsGroup(namespace, "freshness", 3)
    assert mirror(gateway.url).push(group, ONE, (), 5.0) == Delivered()
    before, _, text = gateway.asked[0].path.partition("/floe_namespace@base64/")
    assert before == "/metrics/job/floe_contracts/check_type/freshness"
    assert base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode() == namespace


def test_an_empty_group_is_deleted(gateway: Receiver) -> None:
    gateway.will(202)
    assert pushed(gateway.url, {}) == Delivered()
    assert [(one.method, one.body) for one in gateway.asked] == [("DELETE", b"")]


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        pytest.param({}, None, id="nobody"),
        pytest.param({"TOKEN": "t0ken"}, "Bearer t0ken", id="token"),
        pytest.param(
            {"USER": "ann", "PASSWORD": "pä:ss"},
            f"Basic {base64.b64encode('ann:pä:ss'.encode()).decode()}",
            id="password",
        ),
    ],
)
def test_credentials_are_shown_to_the_gateway(gateway: Receiver, said: dict[str, str], wanted: str | None) -> None:
    mirror(gateway.url, **said).push(GROUP, ONE, (), 5.0)
    assert gateway.asked[0].headers.get("authorization") == wanted


def test_a_token_in_a_file_is_read_at_each_push(gateway: Receiver, tmp_path: Path) -> None:
    place = tmp_path / "token"
    one = mirror(gateway.url, TOKEN=f"file:{place}")
    for token in ("first", "second"):
        place.write_text(token)
        one.push(GROUP, ONE, (), 5.0)
    assert [asked.headers["authorization"] for asked in gateway.asked] == ["Bearer first", "Bearer second"]


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        pytest.param(200, Delivered(), id="taken"),
        pytest.param(400, MessageRefused("it answered 400"), id="wrong in itself"),
        pytest.param(413, MessageRefused("it answered 413; it is too large"), id="too large"),
        pytest.param(500, Retry("it answered 500"), id="broken"),
        pytest.param(301, Retry("it answered 301; it redirects elsewhere; write that address"), id="moved"),
        pytest.param(
            (429, {"Retry-After": "7"}), Retry("it answered 429; it was asked too often", 7.0), id="too often"
        ),
        pytest.param((503, {"Retry-After": "soon"}), Retry("it answered 503"), id="a moment that is none"),
        pytest.param((503, {"Retry-After": "99999999"}), Retry("it answered 503", 3600.0), id="a moment too far"),
    ],
)
def test_an_answer_says_what_to_do(gateway: Receiver, answer: Any, wanted: Delivery) -> None:
    gateway.will(answer)
    assert pushed(gateway.url) == wanted
    assert len(gateway.asked) == 1


@pytest.mark.parametrize("drips", [False, True], ids=["says nothing", "drips bytes"])
def test_who_does_not_answer_costs_the_limit_and_no_more(drips: bool) -> None:
    with black_hole(drips=drips) as url:
        before = time.monotonic()
        assert pushed(url, limit_s=0.5) == Retry("it did not answer in time")
        assert 0.4 < time.monotonic() - before < 15


def test_nobody_there_is_said() -> None:
    with receiver() as gone:
        url = gone.url
    assert pushed(url) == Retry("nothing listens at its address")


def test_a_proxy_is_asked_with_its_own_credentials(gateway: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://bob:pr0xy@127.0.0.1:{gateway.port}")
    assert pushed("http://gateway.example:9091") == Delivered()
    (asked,) = gateway.asked
    assert asked.path.startswith("http://gateway.example:9091/metrics/job/")
    assert asked.headers["proxy-authorization"] == f"Basic {base64.b64encode(b'bob:pr0xy').decode()}"


def test_who_is_named_in_no_proxy_is_asked_directly(gateway: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert pushed(gateway.url) == Delivered()


def test_what_runs_on_this_machine_is_asked_directly(gateway: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert pushed(gateway.url) == Delivered()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        pytest.param({}, {}, id="no address"),
        pytest.param({}, {"FLOE_PUSHGATEWAY_URL": "  "}, id="an empty one"),
        pytest.param(
            {"data_contracts": {"alerting": {"prometheus_metrics": False}}},
            {"FLOE_PUSHGATEWAY_URL": "http://x"},
            id="switched off as alerting",
        ),
        pytest.param({"observability": {"metrics": False}}, {"FLOE_PUSHGATEWAY_URL": "http://x"}, id="switched off"),
    ],
)
def test_nothing_is_pushed_when_nobody_asked(settings: dict[str, Any], said: dict[str, str]) -> None:
    assert from_environment(MonitoringConfig.model_validate(settings), said) is None


@pytest.mark.parametrize(
    "said",
    [
        pytest.param({"URL": "gateway:9091"}, id="no scheme"),
        pytest.param({"URL": "ftp://u:s3cret@x"}, id="another scheme"),
        pytest.param({"URL": "http://u:s3cret@x:port"}, id="a port that is none"),
        pytest.param({"URL": "https://x", "CA_FILE": "/nowhere/ca.pem"}, id="no file of an authority"),
        pytest.param({"URL": "http://x", "USER": "ann", "TOKEN": "s3cret"}, id="a user and a token"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused_by_name(said: dict[str, str]) -> None:
    with pytest.raises(SettingsError) as refused:
        mirror(**{"url": said.pop("URL"), **said})
    assert "FLOE_PUSHGATEWAY_" in refused.value.message
    assert "s3cret" not in f"{refused.value.message} {refused.value.fix}"


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        pytest.param("http://a:1@x:9091", "http://b:2@x:9091", True, id="other credentials"),
        pytest.param("http://x:9091", "http://y:9091", False, id="another host"),
        pytest.param("http://x:9091", "http://x:9091/gw", False, id="another path"),
    ],
)
def test_another_gateway_has_another_name(first: str, second: str, same: bool) -> None:
    assert (mirror(first).name == mirror(second).name) is same


def test_nothing_that_prints_the_mirror_prints_a_secret() -> None:
    one = mirror("http://ann:s3cret@x/t0ken-path", PASSWORD="s3cret", USER="ann")
    assert not any(secret in f"{one!r} {one.name}" for secret in ("s3cret", "t0ken-path"))
