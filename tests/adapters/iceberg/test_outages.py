"""A catalog that refuses, hangs, drips, forgets its answer or its tokens: the right error, in time, nothing lost."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from support.hanging import hanging_server
from support.ports import free_port
from support.rest_double import SECRET, RestDouble, rest_double

from floe_contracts.adapters.iceberg.catalog import CatalogOptions, load_catalog
from floe_contracts.adapters.iceberg.deadline import TimeLimits
from floe_contracts.errors import FloeError, SettingsError
from floe_contracts.identity.names import claim_marker
from floe_contracts.identity.protocol import CatalogRefused, CatalogUnreachable, ContractMetadata
from floe_contracts.identity.registry import NamespaceRegistry, ProductDetails
from floe_contracts.identity.retry import RetryPolicy

OURS, THEIRS = "github.com/acme/sales", "github.com/acme/other"
PRODUCT = "sales.customer_360"


class Waits(list[float]):
    """Sleeps that were asked for and not made."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def double() -> Iterator[tuple[RestDouble, str]]:
    with rest_double() as both:
        yield both


def open_at(
    url: str, waits: Waits | None = None, policy: RetryPolicy | None = None, idle_s: float = 10.0, **more: str
) -> NamespaceRegistry:
    options = CatalogOptions(
        policy or RetryPolicy(),
        TimeLimits(idle_s, 60),
        sleep=waits if waits is not None else Waits(),
        chance=lambda: 0.5,
    )
    return load_catalog({"type": "rest", "uri": url, **more}, options)


def register(registry: NamespaceRegistry, repository: str = OURS) -> str:
    return registry.register_product_identity(PRODUCT, repository, "team@acme.com").status


@pytest.mark.parametrize("fault", ["hang", "drip"])
def test_a_silent_catalog_is_left_behind(double: tuple[RestDouble, str], fault: str) -> None:
    state, url = double
    with closing(open_at(url, idle_s=1.0)) as registry:
        register(registry)
        state.fault = lambda method, path: fault
        began = time.monotonic()
        with pytest.raises(CatalogUnreachable, match="did not answer in time") as caught:
            register(registry)
        assert time.monotonic() - began < 5
        assert caught.value.code.id == "FLOE-E540"
        assert registry.validate_product_identity(PRODUCT, OURS).status == "unknown"


@pytest.mark.parametrize(("idle_s", "calls"), [(0.6, 1), (3.0, 1)])
def test_the_time_without_an_answer_counts_over_tries(
    double: tuple[RestDouble, str], idle_s: float, calls: int
) -> None:
    state, url = double
    state.fault = lambda method, path: "hang"
    with closing(open_at(url, idle_s=idle_s)) as registry:
        began = time.monotonic()
        for _ in range(3):
            with pytest.raises(CatalogUnreachable):
                register(registry)
        assert time.monotonic() - began < idle_s + 2
    assert len(state.requests) == calls


def test_a_500_after_the_work_was_done_loses_nothing(double: tuple[RestDouble, str]) -> None:
    state, url = double
    state.fault = lambda method, path: "500 after" if (method, path) == ("POST", "/v1/namespaces") else ""
    with closing(open_at(url)) as registry:
        assert register(registry) in ("SUCCESS", "ALREADY_OWNED")
        assert register(registry, THEIRS) == "CONFLICT"
    assert state.held[claim_marker(PRODUCT)]["floe.claim.repo"] == OURS
    assert state.held["sales", "customer_360"]["floe.product.repo"] == OURS


def test_a_500_after_every_write_loses_nothing_either(double: tuple[RestDouble, str]) -> None:
    state, url = double
    state.held["sales", "customer_360"] = {"made_by": "terraform", "floe.access.gone": "[]"}
    state.fault = lambda method, path: "500 after" if method == "POST" else ""
    waits = Waits()
    details = ProductDetails("sales.customer-360", "1.0.0")
    with closing(open_at(url, waits)) as registry:
        registry.register_product_identity(PRODUCT, OURS, "team@acme.com", details=details)
        registry.register_contract(PRODUCT, "customers", "1.0.0", "sha256:a", ContractMetadata(repository=OURS))
        state.fault = lambda method, path: ""
        assert registry.list_versions(PRODUCT) == {"customers": ["1.0.0"]}
    assert waits == []
    shown = state.held["sales", "customer_360"]
    assert (shown["made_by"], shown["floe.product.repo"]) == ("terraform", OURS)
    assert "floe.access.gone" not in shown


def test_an_update_that_was_not_made_is_tried_again(double: tuple[RestDouble, str]) -> None:
    state, url = double
    state.held["sales", "customer_360"] = {"made_by": "terraform"}
    state.fault = lambda method, path: "500" if path.endswith("/properties") else ""
    waits = Waits()
    with closing(open_at(url, waits)) as registry, pytest.raises(CatalogUnreachable):
        register(registry)
    assert waits == [1.0, 2.0]
    assert state.held["sales", "customer_360"] == {"made_by": "terraform"}


def test_a_port_that_nobody_listens_on_is_tried_again(double: tuple[RestDouble, str]) -> None:
    waits = Waits()
    with closing(open_at(f"http://127.0.0.1:{free_port()}", waits)) as registry:
        assert registry.validate_product_identity(PRODUCT, OURS).status == "unknown"
        assert waits == [1.0, 2.0]
        with pytest.raises(CatalogUnreachable, match="cannot be reached"):
            register(registry)


@pytest.mark.parametrize(
    ("policy", "chance", "expected"),
    [
        pytest.param(RetryPolicy(), 0.5, [1.0, 2.0], id="as usual"),
        pytest.param(RetryPolicy(max_attempts=1), 0.5, [], id="one attempt"),
        pytest.param(RetryPolicy(max_attempts=5), 0.5, [1.0, 2.0, 4.0, 8.0], id="five attempts"),
        pytest.param(
            RetryPolicy(max_attempts=4, initial_backoff_s=3.0), 0.5, [3.0, 6.0, 10.0], id="a longer first wait"
        ),
        pytest.param(RetryPolicy(max_attempts=4, max_backoff_s=1.5), 0.5, [1.0, 1.5, 1.5], id="a shorter longest wait"),
        pytest.param(RetryPolicy(), 1.0, [1.2, 2.4], id="the most jitter"),
        pytest.param(RetryPolicy(), 0.0, [0.8, 1.6], id="the least jitter"),
        pytest.param(RetryPolicy(jitter=0.5), 1.0, [1.5, 3.0], id="more jitter"),
    ],
)
def test_every_setting_of_the_retries_counts(
    double: tuple[RestDouble, str], policy: RetryPolicy, chance: float, expected: list[float]
) -> None:
    state, url = double
    state.fault = lambda method, path: "503" if "namespaces" in path else ""
    waits = Waits()
    options = CatalogOptions(policy, sleep=waits, chance=lambda: chance)
    with closing(load_catalog({"type": "rest", "uri": url}, options)) as registry, pytest.raises(CatalogUnreachable):
        registry.namespaces.read(("sales",))
    assert waits == pytest.approx(expected)
    assert len([item for item in state.requests if "namespaces" in item]) == policy.max_attempts


def test_a_conflict_is_one_attempt(double: tuple[RestDouble, str]) -> None:
    state, url = double
    waits = Waits()
    with closing(open_at(url, waits)) as registry:
        register(registry)
        state.requests.clear()
        assert register(registry, THEIRS) == "CONFLICT"
    assert waits == []
    assert len(state.requests) == len(set(state.requests))  # nothing was asked twice
    assert not any(item.startswith("POST") for item in state.requests)


def test_a_catalog_that_wants_parents_first_gets_them(double: tuple[RestDouble, str]) -> None:
    state, url = double
    state.needs_parents = True
    with closing(open_at(url)) as registry:
        assert register(registry) == "SUCCESS"
        assert register(registry, THEIRS) == "CONFLICT"
    assert {("floe_claims",), ("sales",)} <= set(state.held)


def test_a_409_on_a_concurrent_update_is_tried_again(double: tuple[RestDouble, str]) -> None:
    state, url = double
    state.held["sales", "customer_360"] = {"made_by": "terraform"}
    left = [2]

    def fault(method: str, path: str) -> str:
        if method == "POST" and path.endswith("/properties") and left[0]:
            left[0] -= 1
            return "409"
        return ""

    state.fault = fault
    waits = Waits()
    with closing(open_at(url, waits)) as registry:
        assert register(registry) == "SUCCESS"
    assert len(waits) == 2
    assert state.held["sales", "customer_360"]["floe.product.repo"] == OURS


def test_an_expired_token_is_renewed_once(double: tuple[RestDouble, str], monkeypatch: pytest.MonkeyPatch) -> None:
    state, url = double
    monkeypatch.setenv("CATALOG_CREDENTIAL", f"floe:{SECRET}")
    state.expires_after = 3
    credential: Any = {"credential": "env:CATALOG_CREDENTIAL", "oauth2-server-uri": f"{url}/v1/oauth/tokens"}
    with closing(open_at(url, **credential)) as registry:
        assert register(registry) == "SUCCESS"
        assert register(registry) == "ALREADY_OWNED"
    assert state.tokens_given > 1


def test_refused_credentials_are_no_outage(double: tuple[RestDouble, str], monkeypatch: pytest.MonkeyPatch) -> None:
    state, url = double
    state.token = "another"
    waits = Waits()
    for name in ("wrong", SECRET):
        monkeypatch.setenv("CATALOG_TOKEN", name)
        with closing(open_at(url, waits, token="env:CATALOG_TOKEN")) as registry:
            with pytest.raises(CatalogRefused, match="refuses the credentials") as caught:
                registry.validate_product_identity(PRODUCT, OURS)
            assert SECRET not in str(caught.value) + caught.value.fix
            assert caught.value.code.id == "FLOE-E542"
    assert waits == []


def test_a_bearer_token_opens_the_catalog(double: tuple[RestDouble, str]) -> None:
    state, url = double
    state.token = SECRET
    with closing(open_at(url, token=SECRET)) as registry:
        assert register(registry) == "SUCCESS"


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"type": "sql", "uri": f"postgresql+psycopg://floe:{SECRET}@db/x"}, id="before the host"),
        pytest.param({"type": "sql", "uri": f"postgresql://db/x?password={SECRET}"}, id="in the query"),
        pytest.param({"type": "sql", "uri": f"postgresql://db/x?sslpassword={SECRET}"}, id="of the client's key"),
        pytest.param({"type": "sql", "uri": f"mysql://db/{SECRET}"}, id="an unknown database"),
        pytest.param({"type": "sql", "uri": "sqlite:////proc/floe/x.db"}, id="a folder that cannot be made"),
        pytest.param({"type": SECRET[:3], "uri": "http://x"}, id="an unknown type"),
        pytest.param({"type": "sql", "uri": "env:NOT_SET_ANYWHERE"}, id="a variable that is not set"),
    ],
)
def test_settings_that_cannot_be_meant(settings: dict[str, str]) -> None:
    with pytest.raises(SettingsError) as caught:
        load_catalog(settings).validate_product_identity(PRODUCT, OURS)
    assert SECRET not in caught.value.message + caught.value.fix


@pytest.mark.service
def test_postgres_says_no_password_aloud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CATALOG_URI", f"postgresql+psycopg://floe:{SECRET}@127.0.0.1:{free_port()}/x")
    options = CatalogOptions(RetryPolicy(max_attempts=1))
    with closing(load_catalog({"type": "sql", "uri": "env:CATALOG_URI"}, options)) as registry:
        with pytest.raises(FloeError) as caught:
            register(registry)
        assert caught.value.code.id == "FLOE-E540"
        assert SECRET not in f"{caught.value!r} {caught.value.fix} {caught.value.__cause__!r}"


def test_a_database_that_hangs_has_its_time_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyIceberg opens a catalog that may only be looked at though its database is silent; that is no answer."""
    with hanging_server() as port:
        monkeypatch.setenv("CATALOG_URI", f"postgresql+psycopg://floe@127.0.0.1:{port}/x?connect_timeout=2")
        options = CatalogOptions(limits=TimeLimits(3.0, 60.0), look_only=True, sleep=Waits())
        began = time.monotonic()
        with closing(load_catalog({"type": "sql", "uri": "env:CATALOG_URI"}, options)) as registry:
            assert registry.validate_product_identity(PRODUCT, OURS).status == "unknown"
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("kind", ["hive", "glue"])
def test_other_catalogs_that_are_not_there(kind: str) -> None:
    port = free_port()
    settings = {
        "hive": {"uri": f"thrift://127.0.0.1:{port}"},
        "glue": {
            "glue.endpoint": f"http://127.0.0.1:{port}",
            "glue.region": "eu-central-1",
            "glue.access-key-id": "test",
            "glue.secret-access-key": SECRET,
        },
    }
    options = CatalogOptions(RetryPolicy(max_attempts=1), TimeLimits(5.0, 20.0))
    with closing(load_catalog({"type": kind, **settings[kind]}, options)) as registry:
        with pytest.raises(CatalogUnreachable) as caught:
            register(registry)
        assert SECRET not in str(caught.value)
