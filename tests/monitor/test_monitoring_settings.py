"""`.floe/monitoring.yaml`: every key read, every mistake told with its line."""

from __future__ import annotations

import json

import jsonschema_rs
import pytest

from floe_contracts.checks.moments import DAY, HOUR, MINUTE
from floe_contracts.checks.verdict import Check
from floe_contracts.contract.source import read_document
from floe_contracts.errors import SettingsError
from floe_contracts.monitor.settings.model import CHECKS, MonitoringConfig
from floe_contracts.monitor.settings.reading import (
    FILE,
    generate_schema,
    published_schema,
    read_config,
    require_usable,
    schema_text,
)
from floe_contracts.product.data_contracts import Enforcement, Mode

EVERYTHING = """\
data_contracts:
  enforcement: warn
  standard: odcs_v3
  plugin:
    type: odcs
  auto_generation:
    enabled: true
    from_ports: true
    from_dbt_manifest: false
  monitoring:
    enabled: true
    mode: continuous
    freshness:
      check_interval: 10m
    schema_drift:
      check_interval: 1h
    quality:
      check_interval: PT12H
    availability:
      check_interval: 5m
    lifecycle:
      check_interval: 1d
  alerting:
    openlineage_events: true
    prometheus_metrics: false
observability:
  namespace: shop
  mode: mesh
  domain: sales
  product: {name: customer-360, version: 3.10}
  enterprise: acme
  tenant_id: 42
  project_slug: shop
  metrics: true
  lineage: false
  traces: false
store: postgresql://monitor@db/floe
calendars:
  office:
    weekdays: [mon, tue, wed, thu, fri]
    holidays: ["2026-12-25"]
    timezone: Europe/Berlin
connections:
  orders:
    type: postgres
    host: db
    port: 5432
    database: shop
    schema: public
    timestamp_column: placed_at
    filter: token = 'web'
    options: {user: env:PGUSER, password: file:/run/secrets/pg, fetchsize: 1000}
    tables:
      items: {table: order_items, timestamp_column: added_at}
contracts:
  orders:
    enforcement: block
    freshness: {check_interval: 5m}
    thresholds: {freshness: PT3H, availability: 99.95, min_rows_per_day: 20000}
"""


def read(text: str) -> MonitoringConfig:
    return require_usable(read_config(text.encode()))


def wrong(text: str) -> list[str]:
    config, found = read_config(text.encode())
    assert config is None
    return [f"{item.location}: {item.message}" for item in found]


def test_every_key_of_the_file_is_read() -> None:
    config = read(EVERYTHING)
    assert config.data_contracts.enforcement is Enforcement.WARN
    assert config.data_contracts.monitoring.mode is Mode.CONTINUOUS
    assert config.observability.product.version == "3.10"
    assert config.observability.tenant_id == "42"
    assert config.connections["orders"].coordinates()["schema"] == "public"
    assert config.connections["orders"].port == "5432"
    assert config.calendars_by_name()["office"].weekdays == frozenset(range(5))


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "{}\n"], ids=["empty", "only a comment", "an empty mapping"])
def test_a_file_that_says_nothing_means_the_defaults(text: str) -> None:
    assert read(text) == MonitoringConfig()


def test_defaults_alert_only_and_scheduled() -> None:
    config = MonitoringConfig()
    assert config.data_contracts.enforcement is Enforcement.ALERT_ONLY
    assert (config.data_contracts.monitoring.enabled, config.data_contracts.monitoring.mode) == (True, Mode.SCHEDULED)


@pytest.mark.parametrize(
    ("check", "interval"),
    [
        pytest.param("availability", 5 * MINUTE, id="availability every 5 minutes"),
        pytest.param("freshness", 15 * MINUTE, id="freshness every 15 minutes"),
        pytest.param("schema_drift", HOUR, id="schema drift every hour"),
        pytest.param("quality", 6 * HOUR, id="quality every 6 hours"),
        pytest.param("lifecycle", DAY, id="lifecycle every day"),
    ],
)
def test_default_intervals(check: Check, interval: int) -> None:
    assert MonitoringConfig().interval_us(check) == interval


def test_an_interval_of_the_contract_wins_over_that_of_the_file() -> None:
    config = read(EVERYTHING)
    assert [config.interval_us("freshness", key) for key in ("orders", "others")] == [5 * MINUTE, 10 * MINUTE]
    assert [config.enforcement_of(key) for key in ("orders", "others")] == [Enforcement.BLOCK, Enforcement.WARN]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(
            "data_contracts:\n  enforcment: block\n",
            ".floe/monitoring.yaml:2:3: data_contracts has no key 'enforcment'",
            id="an unknown key",
        ),
        pytest.param(
            "data_contracts:\n  enforcement: alert-only\n",
            ".floe/monitoring.yaml:2:16: data_contracts.enforcement must be one of off, warn, alert_only, block",
            id="an unknown word",
        ),
        pytest.param(
            "data_contracts:\n  monitoring:\n    enabled: yes\n",
            ".floe/monitoring.yaml:3:14: data_contracts.monitoring.enabled must be true or false",
            id="a word for a truth value",
        ),
        pytest.param(
            "data_contracts:\n  monitoring:\n    freshness:\n      check_interval: 15\n",
            ".floe/monitoring.yaml:4:23: data_contracts.monitoring.freshness.check_interval: "
            "it is not a length of time; write one such as 15m, 1h or PT6H",
            id="an interval without a unit",
        ),
        pytest.param(
            "data_contracts:\n  monitoring:\n    freshness:\n      check_interval: 1 month\n",
            ".floe/monitoring.yaml:4:23: data_contracts.monitoring.freshness.check_interval: "
            "a month has no fixed length; write days or hours",
            id="an interval of a month",
        ),
        pytest.param("connections:\n", ".floe/monitoring.yaml:1:13: connections is empty", id="an empty block"),
        pytest.param("- a\n", ".floe/monitoring.yaml:1:1: the file holds no keys", id="a list"),
        pytest.param(
            "observability: {mode: mesh, product: {name: shop}}\n",
            ".floe/monitoring.yaml:1:23: observability.mode: the mode mesh needs domain beside it",
            id="a mesh without a domain",
        ),
        pytest.param(
            "data_contracts: {enforcement: block}\ncontracts: {orders: {enforcement: warn}}\n",
            ".floe/monitoring.yaml:2:35: contracts.orders.enforcement: warn is weaker than block, "
            "which holds for all contracts",
            id="an override that is weaker",
        ),
        pytest.param(
            "contracts: {orders: {thresholds: {fresh: 1h}}}\n",
            ".floe/monitoring.yaml:1:42: contracts.orders.thresholds.fresh: no such service level is known",
            id="a threshold of no service level",
        ),
        pytest.param(
            "calendars: {office: {timezone: Mars}}\n",
            ".floe/monitoring.yaml:1:32: calendars.office.timezone: it is not a time zone such as Europe/Berlin",
            id="an unknown zone",
        ),
        pytest.param(
            "connections: {orders: {type: postgress}}\n",
            ".floe/monitoring.yaml:1:30: connections.orders.type: no way is known to read a source of type "
            "'postgress' through Spark; did you mean postgres",
            id="an unknown type of source",
        ),
    ],
)
def test_mistakes_are_told_with_their_place(text: str, told: str) -> None:
    assert told in wrong(text)


def test_a_misspelt_key_gets_the_right_one_suggested() -> None:
    _, found = read_config(b"data_contracts:\n  monitoring:\n    freshnes: {}\n")
    assert found[0].suggestions == ("Did you mean 'freshness'?",)


def test_all_mistakes_come_at_once_in_the_order_of_their_lines() -> None:
    told = wrong("store: 5\nnonsense: 1\ndata_contracts: {plugin: odcs}\n")
    assert [line.split(":")[1] for line in told] == ["1", "2", "3"]


def test_usable_raises_with_the_first_mistake_and_counts_the_rest() -> None:
    with pytest.raises(SettingsError, match=r"monitoring.yaml:1:1: the file has no key 'a' \(1 more\)"):
        require_usable(read_config(b"a: 1\nb: 2\n"))


def test_the_published_schema_is_the_models() -> None:
    assert published_schema() == generate_schema(), f"write settings_schema.as_text(generated()) to monitor/{FILE}"
    assert schema_text(published_schema()).endswith("}\n")


def test_the_published_schema_accepts_what_the_model_accepts() -> None:
    value = json.loads(json.dumps(read_document(EVERYTHING.encode()).plain()))
    assert jsonschema_rs.validator_for(published_schema()).is_valid(value)


@pytest.mark.parametrize("check", CHECKS)
def test_every_check_has_its_block(check: str) -> None:
    text = f"data_contracts: {{monitoring: {{{check}: {{check_interval: 2h}}}}}}\n"
    assert read(text).interval_us(check) == 2 * HOUR  # type: ignore[arg-type]  # CHECKS holds checks
