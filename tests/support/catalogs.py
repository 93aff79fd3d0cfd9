"""Catalogs for tests: real servers by their settings, each started once for a whole run."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.postgres_server import free_port, postgres_server

Settings = dict[str, Any]
UP_S = 90.0


@contextmanager
def sqlite_catalog(place: Path) -> Iterator[Settings]:
    yield {"type": "sql", "uri": f"sqlite:///{place / 'catalog.db'}"}


@contextmanager
def postgres_catalog(place: Path) -> Iterator[Settings]:
    with postgres_server() as server:
        yield {"type": "sql", "uri": server.new_database().replace("postgresql://", "postgresql+psycopg://")}


@contextmanager
def glue_catalog(place: Path) -> Iterator[Settings]:
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with serve(command, port, place / "moto.log"):
        yield {
            "type": "glue",
            "glue.endpoint": f"http://127.0.0.1:{port}",
            "glue.region": "eu-central-1",
            "glue.access-key-id": "test",
            "glue.secret-access-key": "test",
        }


BACKENDS = {
    "sqlite": sqlite_catalog,
    "postgres": postgres_catalog,
    "glue": glue_catalog,
}


@contextmanager
def serve(command: list[str], port: int, log: Path) -> Iterator[None]:
    """A server while the block runs."""
    with log.open("wb") as out:
        server = subprocess.Popen(command, stdout=out, stderr=out, cwd=log.parent)
    try:
        _wait(server, port, log)
        yield
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + UP_S
    while time.monotonic() < until:
        if server.poll() is not None:
            raise RuntimeError(f"the server ended at once: {log.read_text(errors='replace')[-2000:]}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise RuntimeError(f"the server was not up within {UP_S} s: {log.read_text(errors='replace')[-2000:]}")
