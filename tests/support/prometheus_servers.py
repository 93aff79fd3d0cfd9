"""A real Pushgateway and a real Prometheus that scrapes it every second, on free ports of the loopback."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, build_opener

from support.needs import needs
from support.ports import free_port

USER, PASSWORD = "floe", "s3cret-push"
_HASHED = "$2b$04$8wR6gIIm.xUp.QEdbGdHiOur12AUS6CradZkz7.ntnunNYcFJnDyK"  # PASSWORD, by bcrypt
_DIRECT = build_opener(ProxyHandler({}))  # an environment with a proxy must not reach for loopback through it


@dataclass(frozen=True, slots=True)
class Gateway:
    """A Pushgateway that can lose everything."""

    port: int
    folder: Path
    options: tuple[str, ...] = ()
    _running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        program = needs("prometheus-pushgateway")
        command = [program, f"--web.listen-address=127.0.0.1:{self.port}", "--persistence.file=", *self.options]
        self._running.append(started(command, self.folder / "gateway.log"))
        wait_until(lambda: listens(self.port), "the gateway does not listen")

    def stop(self) -> None:
        while self._running:
            stopped(self._running.pop())

    def text(self) -> str:
        """What Prometheus would scrape."""
        with _DIRECT.open(f"{self.url}/metrics", timeout=10) as answer:
            return str(answer.read().decode())

    def value(self, name: str, **labels: str) -> float | None:
        """The one sample of a metric with these labels among others."""
        wanted = [f'{label}="{text}"' for label, text in labels.items()]
        lines = [line for line in self.text().splitlines() if line.startswith((f"{name}{{", f"{name} "))]
        found = [line for line in lines if all(part in line for part in wanted)]
        assert len(found) < 2, found
        return float(found[0].rsplit(" ", 1)[1]) if found else None


@dataclass(frozen=True, slots=True)
class Prometheus:
    """A server to be asked in PromQL."""

    port: int

    def ask(self, query: str) -> list[tuple[Mapping[str, str], float]]:
        """Labels and value of every series of the answer; an expression that does not parse fails the test."""
        address = f"http://127.0.0.1:{self.port}/api/v1/query?{urlencode({'query': query})}"
        with _DIRECT.open(address, timeout=10) as answer:
            said: dict[str, Any] = json.load(answer)
        assert said["status"] == "success", said
        return [(one["metric"], float(one["value"][1])) for one in said["data"]["result"]]

    def number(self, query: str) -> float | None:
        found = self.ask(query)
        assert len(found) < 2, found
        return found[0][1] if found else None

    def wait_for(self, query: str, value: float) -> None:
        """Until it has scraped what stands at the gateway."""
        wait_until(lambda: self.number(query) == value, f"{query} is {self.number(query)} and not {value}")


@contextmanager
def pushgateway(folder: Path, *options: str) -> Iterator[Gateway]:
    gateway = Gateway(free_port(), folder, options)
    gateway.start()
    try:
        yield gateway
    finally:
        gateway.stop()


@contextmanager
def prometheus(folder: Path, gateway: Gateway) -> Iterator[Prometheus]:
    program, port = needs("prometheus"), free_port()
    target = {"targets": [f"127.0.0.1:{gateway.port}"]}
    job = {"job_name": "gateway", "honor_labels": True, "static_configs": [target]}
    settings = {"global": {"scrape_interval": "1s"}, "scrape_configs": [job]}
    (folder / "prometheus.yml").write_text(json.dumps(settings))  # YAML, too
    options = (f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'data'}")
    running = started([program, *options, f"--web.listen-address=127.0.0.1:{port}"], folder / "prometheus.log")
    try:
        wait_until(lambda: _ready(port), "Prometheus is not ready")
        yield Prometheus(port)
    finally:
        stopped(running)


@contextmanager
def both(folder: Path) -> Iterator[tuple[Gateway, Prometheus]]:
    with ExitStack() as stack:
        gateway = stack.enter_context(pushgateway(folder))
        yield gateway, stack.enter_context(prometheus(folder, gateway))


def guarded(folder: Path) -> tuple[str, Path]:
    """The option for a gateway with TLS of a private authority and a password, and the authority's file."""
    openssl = needs("openssl")
    named = ("-subj", "/CN=floe test", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost")
    pair = ("-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem"))
    options = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    subprocess.run([openssl, *options, *named, *pair], check=True, capture_output=True, timeout=60)
    settings = {
        "tls_server_config": {"cert_file": str(folder / "cert.pem"), "key_file": str(folder / "key.pem")},
        "basic_auth_users": {USER: _HASHED},
    }
    (folder / "web.yml").write_text(json.dumps(settings))
    return f"--web.config.file={folder / 'web.yml'}", folder / "cert.pem"


def promtool(*arguments: str, given: bytes = b"") -> tuple[int, str]:
    """The exit code of promtool and what it says."""
    done = subprocess.run([needs("promtool"), *arguments], input=given, capture_output=True, timeout=120, check=False)
    return done.returncode, (done.stdout + done.stderr).decode()


def wait_until(done: Any, why: str, seconds: float = 30.0) -> None:
    until = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < until, why
        time.sleep(0.1)


def started(command: list[str], log: Path) -> subprocess.Popen[bytes]:
    with log.open("ab") as out:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)


def stopped(running: subprocess.Popen[bytes]) -> None:
    running.send_signal(signal.SIGTERM)
    try:
        running.wait(20)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait(20)


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _ready(port: int) -> bool:
    try:
        _DIRECT.open(f"http://127.0.0.1:{port}/-/ready", timeout=1).close()
    except (URLError, OSError):
        return False
    return True
