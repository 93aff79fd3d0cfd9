"""A real Pushgateway for the time of the demo, where one is installed."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

PROGRAMS = ("prometheus-pushgateway", "pushgateway")
_START_S = 10.0


@contextmanager
def pushgateway() -> Iterator[str]:
    """Its address on loopback; empty where there is none or it does not start."""
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    if program is None:
        yield ""
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [program, f"--web.listen-address=127.0.0.1:{port}"]
    none = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=none, stdout=none, stderr=none) as running:
        try:
            url = f"http://127.0.0.1:{port}"
            yield url if _answers(url) else ""
        finally:
            running.terminate()


def metrics_of(url: str) -> str:
    """What a Prometheus would scrape."""
    with urllib.request.urlopen(f"{url}/metrics", timeout=5) as answer:  # noqa: S310 - loopback, from above
        return str(answer.read().decode())


def _answers(url: str) -> bool:
    until = time.monotonic() + _START_S
    while not _ready(url):
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
    return True


def _ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/-/ready", timeout=1):  # noqa: S310 - as above
            return True
    except OSError:
        return False
