"""The demo's Pushgateway keeps nothing: a second one starts empty, and no file is left outside the demo's folder."""

from __future__ import annotations

import urllib.request
from pathlib import Path

import pytest
from support.needs import cannot_run

from floe_contracts.app.demo.counts import metrics_of, pushgateway

DEBIAN = Path("/var/lib/prometheus/pushgateway.data")  # where Debian's package keeps metrics unless it is told not to


def test_two_gateways_in_a_row_start_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = DEBIAN.stat().st_mtime_ns if DEBIAN.exists() else None
    with pushgateway() as first:
        if not first:
            cannot_run("no Pushgateway is installed: make services")
        push = urllib.request.Request(f"{first}/metrics/job/demo", b"floe_demo_left 1\n", method="PUT")
        urllib.request.urlopen(push).close()
        assert "floe_demo_left" in metrics_of(first)
    with pushgateway() as second:
        assert "floe_demo_left" not in metrics_of(second)
    assert list(tmp_path.iterdir()) == []
    assert (DEBIAN.stat().st_mtime_ns if DEBIAN.exists() else None) == before
