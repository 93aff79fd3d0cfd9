"""Metrics at a real Pushgateway, as a real Prometheus sees them: whatever is repeated, late or lost."""

from __future__ import annotations

import time
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

import pytest
from support.monitored import FRESH, HOUR, NOW, Desk, orders, targets
from support.prometheus_servers import PASSWORD, USER, Gateway, Prometheus, both, guarded, pushgateway, wait_until

from floe_contracts.adapters.sinks.pushgateway import Pushgateway, from_environment
from floe_contracts.app.monitor.drain import Drained, GroupName, Sinks, drain
from floe_contracts.codes import Severity, ViolationType
from floe_contracts.monitor.run.run import Request, run_check
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.monitor.store.protocol import Claim, SlotOutcome, Violation
from floe_contracts.monitor.store.slots import SlotKey
from floe_contracts.product.data_contracts import Monitoring
from floe_contracts.results import CheckResult, Outcome

pytestmark = pytest.mark.service
COUNTER = 'floe_contract_violations_total{contract="orders",type="freshness_violation",severity="warning"}'
FRESH_GROUP: list[GroupName] = [("shop", "freshness")]


@dataclass
class Shop:
    """A desk whose results go to a gateway."""

    gateway: Gateway
    environment: Mapping[str, str] = field(default_factory=dict)
    desk: Desk = field(default_factory=Desk)

    def mirror(self) -> Pushgateway:
        said = {"FLOE_PUSHGATEWAY_URL": self.gateway.url, **self.environment}
        found = from_environment(MonitoringConfig(), said)
        assert found is not None
        return found

    def run(self, age_us: int) -> None:
        """One run of the check on a table of that age, and a push, as a job does it."""
        self.desk.put("orders", age_us)
        self.desk.run("freshness", targets(orders(FRESH)))
        assert self.push().reason == ""

    def late(self, start_us: int) -> None:
        """A slot that somebody was slow with comes in as violated, long after newer ones."""
        (series,) = self.desk.store.totals("shop")
        key = SlotKey("shop", series.contract, series.major, "freshness", HOUR, start_us)
        claim = self.desk.store.claim(key, now_us=NOW)
        assert isinstance(claim, Claim)
        found = Violation(ViolationType.FRESHNESS, Severity.WARNING, "x", start_us)
        result = CheckResult("freshness", "orders", Outcome.VIOLATED)
        gauges = (("freshness_seconds", Decimal(7 * 3600)),)
        outcome = SlotOutcome(claim, result, start_us, "orders", "1.0.0", violations=(found,), gauges=gauges)
        self.desk.store.commit(outcome, now_us=NOW)
        assert self.push().reason == ""

    def push(self) -> Drained:
        (found,) = drain(self.desk.store, Sinks(mirrors=(self.mirror(),)), FRESH_GROUP)
        return found


@pytest.fixture(autouse=True)
def near(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Gateway, Prometheus]]:
    with both(tmp_path_factory.mktemp("prometheus")) as running:
        yield running


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    with pushgateway(tmp_path) as running:
        yield running


def test_prometheus_sees_each_violation_once(servers: tuple[Gateway, Prometheus]) -> None:
    """Passed; violated and run three times; an older slot afterwards; a gateway that lost everything."""
    gateway, prometheus = servers
    shop = Shop(gateway)
    shop.run(HOUR)
    prometheus.wait_for(COUNTER, 0)

    shop.desk.later()
    for _ in range(3):
        shop.run(8 * HOUR)
    prometheus.wait_for(COUNTER, 1)
    _seen_for_a_while()
    assert prometheus.number(f"round(increase({COUNTER}[1m]))") == 1
    assert prometheus.number(f"resets({COUNTER}[1m])") == 0

    hours = gateway.value("floe_contract_freshness_hours")
    shop.late(NOW - 2 * HOUR)
    assert gateway.value("floe_contract_freshness_hours") == hours == 8
    prometheus.wait_for(COUNTER, 2)

    gateway.stop()
    gateway.start()
    assert gateway.value("floe_contract_info", contract="orders") is None
    assert shop.push().delivered == 1
    prometheus.wait_for(COUNTER, 2)
    assert prometheus.number(f"resets({COUNTER}[1m])") == 0


def _seen_for_a_while() -> None:
    time.sleep(2.5)  # increase() needs scrapes on both sides


def test_one_push_has_every_contract_of_its_group(gateway: Gateway) -> None:
    shop = Shop(gateway)
    names = ["orders", "returns", "stock"]
    for name in names:
        shop.desk.put(name, HOUR)
    shop.desk.run("freshness", targets(*(orders(FRESH, name=name) for name in names)))
    shop.desk.run("availability", targets(orders(FRESH)))
    (found,) = drain(shop.desk.store, Sinks(mirrors=(shop.mirror(),)))
    assert found.delivered == 2
    labels = {"job": "floe_contracts", "floe_namespace": "shop", "check_type": "freshness"}
    assert [gateway.value("floe_contract_check_status", contract=name, **labels) for name in names] == [1.0, 1.0, 1.0]
    assert gateway.value("floe_contract_availability_up", contract="orders", check_type="availability") == 1.0


def test_a_group_that_is_empty_is_removed(gateway: Gateway) -> None:
    shop = Shop(gateway)
    shop.run(HOUR)
    assert gateway.value("push_time_seconds", check_type="freshness") is not None
    shop.desk.store.prune(NOW + 100 * HOUR)
    assert shop.push().delivered == 1
    # A gateway answers a deletion before it has made it.
    wait_until(lambda: gateway.value("push_time_seconds", check_type="freshness") is None, "the group is still there")


def test_a_contract_that_was_forgotten_leaves_the_group(gateway: Gateway) -> None:
    shop = Shop(gateway)
    shop.run(HOUR)
    shop.desk.later(100 * HOUR)
    shop.desk.put("stock", HOUR)
    shop.desk.run("freshness", targets(orders(FRESH, name="stock")))
    shop.desk.store.prune(NOW + 50 * HOUR)
    shop.push()
    assert gateway.value("floe_contract_info", contract="orders") is None
    assert gateway.value("floe_contract_info", contract="stock") == 1


@pytest.mark.parametrize("namespace", ["sales/eu", "..", "a b", "größe", "100%", "?x=1#y"])
def test_a_namespace_is_what_people_wrote(gateway: Gateway, namespace: str) -> None:
    shop = Shop(gateway)
    shop.desk.put("orders", HOUR)
    run_check(Request("freshness", namespace), targets(orders(FRESH)), Monitoring(), shop.desk.tools())
    assert shop.push().reason == ""
    assert gateway.value("floe_contract_info", floe_namespace=namespace, contract="orders") == 1


def test_two_deployments_do_not_overwrite_each_other(gateway: Gateway) -> None:
    for place in ("eu", "us"):
        Shop(gateway, {"FLOE_PUSHGATEWAY_INSTANCE": place}).run(HOUR)
    assert [gateway.value("floe_contract_info", instance=place) for place in ("eu", "us")] == [1, 1]


def test_what_the_gateway_refuses_is_told_with_its_words(gateway: Gateway) -> None:
    """Somebody else pushed a metric of the same name as another kind."""
    odd = b"# TYPE floe_contract_info counter\nfloe_contract_info 1\n"
    request = urllib.request.Request(f"{gateway.url}/metrics/job/other", odd, method="PUT")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    opener.open(request, timeout=10).close()
    shop = Shop(gateway)
    shop.desk.put("orders", HOUR)
    shop.desk.run("freshness", targets(orders(FRESH)))
    found = shop.push()
    assert (found.delivered, found.refused) == (0, 1)
    assert found.reason.startswith("it answered 400: pushed metrics are invalid or inconsistent")


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Gateway, dict[str, str]]]:
    folder = tmp_path_factory.mktemp("guarded")
    option, authority = guarded(folder)
    with pushgateway(folder, option) as running:
        url = f"https://127.0.0.1:{running.port}"
        known = {"URL": url, "CA_FILE": str(authority), "USER": USER, "PASSWORD": PASSWORD}
        yield running, {f"FLOE_PUSHGATEWAY_{name}": text for name, text in known.items()}


class TestGuarded:
    """A gateway with a certificate of a private authority and a password."""

    def test_the_right_password_opens_it(self, closed: tuple[Gateway, dict[str, str]]) -> None:
        Shop(*closed).run(HOUR)

    def test_the_password_may_be_in_a_file(self, closed: tuple[Gateway, dict[str, str]], tmp_path: Path) -> None:
        (tmp_path / "password").write_text(f"{PASSWORD}\n")
        gateway, said = closed
        Shop(gateway, {**said, "FLOE_PUSHGATEWAY_PASSWORD": f"file:{tmp_path / 'password'}"}).run(HOUR)

    def test_the_address_may_hold_it(self, closed: tuple[Gateway, dict[str, str]]) -> None:
        gateway, said = closed
        address = {"FLOE_PUSHGATEWAY_URL": f"https://{USER}:{PASSWORD}@127.0.0.1:{gateway.port}"}
        Shop(gateway, {**address, "FLOE_PUSHGATEWAY_CA_FILE": said["FLOE_PUSHGATEWAY_CA_FILE"]}).run(HOUR)

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            pytest.param(
                {"PASSWORD": "wr0ng-pass"}, "it answered 401; the credentials are missing or wrong", id="password"
            ),
            pytest.param({"USER": "", "PASSWORD": ""}, "it answered 401; the credentials are missing", id="none"),
            pytest.param({"USER": "", "TOKEN": "t0ken-x"}, "it answered 401; the credentials are missing", id="token"),
            pytest.param({"CA_FILE": ""}, "its certificate is not trusted", id="authority"),
            pytest.param({"PASSWORD": "file:/nowhere/p"}, "the settings refer to file:/nowhere/p", id="file"),
        ],
    )
    def test_what_is_wrong_is_said_without_a_secret(
        self, closed: tuple[Gateway, dict[str, str]], change: dict[str, str], reason: str
    ) -> None:
        gateway, said = closed
        shop = Shop(gateway, {**said, **{f"FLOE_PUSHGATEWAY_{name}": text for name, text in change.items()}})
        shop.desk.put("orders", HOUR)
        shop.desk.run("freshness", targets(orders(FRESH)))
        found = shop.push()
        assert found.delivered == 0
        assert found.reason.startswith(reason)
        assert not any(secret in f"{found} {shop.mirror()}" for secret in (PASSWORD, "wr0ng-pass", "t0ken-x"))
