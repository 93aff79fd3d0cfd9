"""Catalogs for tests: real servers by their settings, each started once for a whole run."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.needs import cannot_run, needs
from support.postgres_server import free_port, postgres_server

Settings = dict[str, Any]
UP_S = 90.0
_ICEBERG = "1.11.0"
_REST_JARS = (
    f"org.apache.iceberg:iceberg-open-api:{_ICEBERG}:jar:test-fixtures",
    f"org.apache.iceberg:iceberg-core:{_ICEBERG}",
    f"org.apache.iceberg:iceberg-core:{_ICEBERG}:jar:tests",
    "org.apache.hadoop:hadoop-client-api:3.4.3",
    "org.apache.hadoop:hadoop-client-runtime:3.4.3",
    "org.xerial:sqlite-jdbc:3.50.3.0",
    "org.eclipse.jetty.ee10:jetty-ee10-servlet:12.1.5",
    "org.eclipse.jetty.compression:jetty-compression-server:12.1.5",
    "org.eclipse.jetty.compression:jetty-compression-gzip:12.1.5",
    "org.slf4j:slf4j-simple:2.0.17",
)
_HIVE_SITE = """<configuration>
  <property><name>hive.async.log.enabled</name><value>false</value></property>
  <property><name>datanucleus.schema.autoCreateAll</name><value>true</value></property>
  <property><name>hive.metastore.schema.verification</name><value>false</value></property>
  <property><name>hive.metastore.warehouse.dir</name><value>{place}/warehouse</value></property>
  <property><name>javax.jdo.option.ConnectionURL</name><value>jdbc:derby:;databaseName={place}/metastore;create=true</value></property>
</configuration>
"""
_OPENED = [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in ("java.lang", "java.net", "java.util")]
# Java has no switch for the address that a server binds: a socket factory of ours would be code to maintain, so the
# servers that listen everywhere run in a network of their own, and the tests that need them run inside it too.


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
def rest_catalog(place: Path) -> Iterator[Settings]:
    """Iceberg's own REST server, with its catalog in SQLite."""
    java, port = needs("java"), free_port()
    classes = java_classes(place, _REST_JARS)
    environment = {
        **os.environ,
        "CATALOG_URI": f"jdbc:sqlite:{place / 'rest.db'}",
        "CATALOG_WAREHOUSE": str(place / "warehouse"),
        "CATALOG_REST_PORT": str(port),
        "REST_PORT": str(port),
    }
    options = ["-Xmx384m", "-XX:+UseSerialGC", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error", "-cp", classes]
    command = [java, *options, "org.apache.iceberg.rest.RESTCatalogServer"]
    with serve(command, port, place / "rest.log", environment):
        yield {"type": "rest", "uri": f"http://127.0.0.1:{port}"}


@contextmanager
def hive_catalog(place: Path) -> Iterator[Settings]:
    """Hive's metastore from pyspark's jars, with its tables in Derby."""
    java, port = needs("java"), free_port()
    jars = next(iter(Path(".venv-spark/lib").absolute().glob("python*/site-packages/pyspark/jars")), None)
    if jars is None:
        cannot_run("there is no pyspark in .venv-spark; make .venv-spark/.ready")
    (place / "hive-site.xml").write_text(_HIVE_SITE.format(place=place))
    options = ["-Xmx384m", "-XX:+UseSerialGC", *_OPENED, f"-Dderby.system.home={place}", "-cp", f"{place}:{jars}/*"]
    command = [java, *options, "org.apache.hadoop.hive.metastore.HiveMetaStore", "-p", str(port)]
    with serve(command, port, place / "hive.log"):
        yield {"type": "hive", "uri": f"thrift://127.0.0.1:{port}"}


BACKENDS = {
    "sqlite": sqlite_catalog,
    "postgres": postgres_catalog,
    "glue": glue_catalog,
    "rest": rest_catalog,
    "hive": hive_catalog,
}


def java_classes(place: Path, jars: tuple[str, ...]) -> str:
    """The class path of some artifacts by their coordinates; Maven keeps the jars, so that only the first run loads."""
    pom, found = place / "pom.xml", place / "classes.txt"
    pom.write_text(_pom(jars))
    goal = ["dependency:build-classpath", f"-Dmdep.outputFile={found}"]
    command = [needs("mvn"), "-q", "-B", "-f", str(pom), *goal]
    done = subprocess.run(command, check=False, capture_output=True, timeout=600)
    if done.returncode:
        cannot_run("Maven could not load a catalog: " + done.stdout.decode(errors="replace").strip()[:300])
    return found.read_text()


def _pom(jars: tuple[str, ...]) -> str:
    entries = "".join(_dependency(*jar.split(":")) for jar in jars)
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>floe.tests</groupId><artifactId>catalog</artifactId><version>1</version>"
        f"<dependencies>{entries}</dependencies></project>"
    )


def _dependency(group: str, name: str, version: str, kind: str = "", classifier: str = "") -> str:
    more = f"<type>{kind}</type><classifier>{classifier}</classifier>" if classifier else ""
    return (
        f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version>"
        f"{more}</dependency>"
    )


@contextmanager
def serve(command: list[str], port: int, log: Path, environment: dict[str, str] | None = None) -> Iterator[None]:
    """A server while the block runs."""
    with log.open("wb") as out:
        server = subprocess.Popen(command, stdout=out, stderr=out, env=environment, cwd=log.parent)
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
