"""Every single weakening of the three-tier example fails at its line, with its code and advice."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.platform_example import DOMAIN, PRODUCT, TARGET, edit, run_compile
from support.snapshots import assert_matches

# A single weakening each: file, old text, new text, code, place, a piece of the advice.
WEAKENINGS = [
    (DOMAIN, "threshold: 90", "threshold: 70", "E513", f"{DOMAIN}:29:16", "at least 80"),
    (DOMAIN, "minimum_test_coverage: 80", "minimum_test_coverage: 60", "E513", f"{DOMAIN}:30:28", "at least 70"),
    (DOMAIN, "[not_null_pk, unique_pk, documentation]", "[documentation]", "E513", f"{DOMAIN}:32:13", "not_null_pk"),
    (DOMAIN, "[not_null_pk, unique_pk, documentation]", "[]", "E513", f"{DOMAIN}:32:13", "not_null_pk"),
    (DOMAIN, "sql_linting: ERROR", "sql_linting: DISABLED", "E513", f"{DOMAIN}:33:16", "at least WARN"),
    (DOMAIN, "allowed_hours: 04:00-22:00", "minimum_interval: 5m", "E513", f"{DOMAIN}:35:23", "at least PT1H"),
    (DOMAIN, "freshness: 12h", "freshness: 2d", "E513", f"{DOMAIN}:38:14", "at least the strictness of 24h"),
    (DOMAIN, "freshness: 12h", "freshness: P1W", "E513", f"{DOMAIN}:38:14", "24h"),
    (DOMAIN, "freshness: 12h", "freshness: {value: 2, unit: d}", "E513", f"{DOMAIN}:38:14", "24h"),
    (DOMAIN, "availability: 99.5%", "availability: 98%", "E513", f"{DOMAIN}:39:17", "99%"),
    (DOMAIN, "enforcement: alert_only", "enforcement: off", "E513", f"{DOMAIN}:42:16", "warn"),
    (DOMAIN, "check_interval: 15m", "check_interval: 2h", "E513", f"{DOMAIN}:47:23", "at most PT1H"),
    (DOMAIN, "  monitoring:\n", "  monitoring:\n    enabled: false\n", "E513", f"{DOMAIN}:46:14", "true"),
    (DOMAIN, "required_fields: [updated_at]", "owner: false", "E513", f"{DOMAIN}:44:12", "true"),
    (DOMAIN, "required_fields: [updated_at]", "pii_classified: false", "E513", f"{DOMAIN}:44:21", "true"),
    (DOMAIN, "enforcement: strict", "enforcement: off", "E513", f"{DOMAIN}:19:18", "warn"),
    (DOMAIN, "pii: RESTRICTED", "pii: PUBLIC", "E513", f"{DOMAIN}:24:8", "CONFIDENTIAL"),
    (DOMAIN, "pii: RESTRICTED", "pii: UNHEARD", "E513", f"{DOMAIN}:24:8", "classification_categories.pii"),
    (DOMAIN, "compute: [duckdb, snowflake]", "compute: [duckdb, redshift]", "E513", f"{DOMAIN}:14:12", "duckdb"),
    (DOMAIN, "compute: [duckdb, snowflake]", "compute: [snowflake]", "E519", f"{DOMAIN}:14:12", "snowflake"),
    (DOMAIN, "compute: [duckdb, snowflake]", "compute: []", "E513", f"{DOMAIN}:14:12", "duckdb"),
    (
        DOMAIN,
        "approved_sources: [stripe, shop]",
        "approved_sources: [stripe, ebay]",
        "E513",
        f"{DOMAIN}:15:19",
        "stripe",
    ),
    (DOMAIN, "secrets_backend: infisical", "secrets_backend: plain", "E519", f"{DOMAIN}:11:18", "infisical"),
    (DOMAIN, "threshold: 90", "block_on_failure: false", "E513", f"{DOMAIN}:29:23", "true"),
    (
        PRODUCT,
        "freshness:\n        value: PT6H",
        "freshness:\n        value: PT13H",
        "E510",
        f"{PRODUCT}:39:16",
        "PT12H",
    ),
    (PRODUCT, "availability: 99.9%", "availability: 99%", "E510", f"{PRODUCT}:41:21", "99.5%"),
    (PRODUCT, "quality: 95%", "quality: 85%", "E510", f"{PRODUCT}:42:16", "90%"),
    (PRODUCT, "classification: pii\n", "unique: true\n", "E514", f"{PRODUCT}:28:9", "classification: pii"),
    (
        PRODUCT,
        "classification: pii\n",
        "classification: restrcted\n",
        "E514",
        f"{PRODUCT}:31:25",
        "Did you mean 'RESTRICTED'?",
    ),
    (PRODUCT, "  owner: sales-analytics@acme.com\n", "", "E514", f"{PRODUCT}:17:5", "owner"),
    (DOMAIN, "check_interval: 15m", "check_interval: 1h1s", "E513", f"{DOMAIN}:47:23", "at most PT1H"),
    (PRODUCT, "plugin: dlt", "plugin: airbyte", "E517", f"{PRODUCT}:46:13", "write dlt"),
    (PRODUCT, "source: stripe", "source: crm", "E519", f"{PRODUCT}:47:13", "Approved are stripe, shop"),
    (PRODUCT, "access: [analyst, marketing]", "access: [analyst, boss]", "E519", f"{PRODUCT}:21:23", "analyst"),
    (PRODUCT, "cron: 0 6 * * *", "cron: '*/10 6 * * *'", "E518", f"{PRODUCT}:53:9", "PT1H"),
    (PRODUCT, "cron: 0 6 * * *", "cron: 0 1 * * *", "E518", f"{PRODUCT}:53:9", "04:00-22:00"),
    (PRODUCT, "schedule:", "compute: spark\nschedule:", "E517", f"{PRODUCT}:52:1", "Remove compute"),
    (PRODUCT, "  domain: sales\n", "  domain: finance\n", "E501", f"{PRODUCT}:8:11", "Write sales"),
]


@pytest.mark.parametrize(("file", "old", "new", "code", "place", "advice"), WEAKENINGS)
def test_a_single_weakening_fails_at_its_line(
    file: str,
    old: str,
    new: str,
    code: str,
    place: str,
    advice: str,
    platform: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    edit(platform / file, old, new)
    exit_code, text = run_compile(capsys)
    assert exit_code == 1, text
    assert "[5/6] Compilation FAILED" in text
    errors = [line for line in text.splitlines() if "✗" in line]
    assert [line.split()[1] for line in errors] == [f"FLOE-{code}:"], text
    assert f"at {place}" in text
    assert advice in text
    assert not TARGET.exists()


def test_a_required_field_that_is_gone(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(platform / PRODUCT, "      - name: updated_at", "      - name: changed_at")
    edit(platform / PRODUCT, "        element: updated_at\n", "")
    code, text = run_compile(capsys)
    assert code == 1
    assert "✗ FLOE-E514: table 'customers' has no field 'updated_at', which the platform requires" in text
    assert "Add the column updated_at" in text


def test_every_error_is_listed_at_once(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(platform / DOMAIN, "threshold: 90", "threshold: 70")
    edit(platform / PRODUCT, "availability: 99.9%", "availability: 99%")
    edit(platform / PRODUCT, "schedule:", "compute: spark\nschedule:")
    code, text = run_compile(capsys)
    assert code == 1
    assert_matches("compile-three-errors.txt", text)
