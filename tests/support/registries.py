"""A real OCI registry (Debian's docker-registry) on a free port of the loopback, open or behind an issuer of tokens."""

from __future__ import annotations

import base64
import json
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from support.needs import needs
from support.ports import free_port
from support.prometheus_servers import listens, started, stopped, wait_until

USERS = {"publisher": "s3cret-publish", "reader": "s3cret-read"}


@dataclass(frozen=True, slots=True)
class RegistryServer:
    """A registry, and the folder in which it keeps everything, for those who would change it behind its back."""

    port: int
    folder: Path
    settings: Mapping[str, Any] = field(default_factory=dict)
    _running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        storage = {"filesystem": {"rootdirectory": str(self.folder / "storage")}}
        config = {
            "version": 0.1,
            "log": {"level": "error"},
            "storage": storage,
            "http": {"addr": self.host},
            **self.settings,
        }
        path = self.folder / "registry.yml"
        path.write_text(json.dumps(config))  # YAML, too
        self._running.append(started([needs("docker-registry"), "serve", str(path)], self.folder / "registry.log"))
        wait_until(lambda: listens(self.port), "the registry does not listen")

    def stop(self) -> None:
        while self._running:
            stopped(self._running.pop())

    def blob(self, digest: str) -> Path:
        """The file that holds a blob, or a manifest."""
        shown = digest.removeprefix("sha256:")
        return self.folder / "storage/docker/registry/v2/blobs/sha256" / shown[:2] / shown / "data"


@contextmanager
def registry_server(folder: Path, settings: Mapping[str, Any] | None = None) -> Iterator[RegistryServer]:
    folder.mkdir(parents=True, exist_ok=True)
    server = RegistryServer(free_port(), folder, settings or {})
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def guarded_registry(folder: Path) -> Iterator[RegistryServer]:
    """A registry that believes an issuer of tokens: `publisher` may push, `reader` may pull, nobody else anything."""
    folder.mkdir(parents=True, exist_ok=True)
    openssl, certificate, key = needs("openssl"), folder / "issuer.crt", folder / "issuer.key"
    subject = ("-subj", "/CN=floe test issuer", "-days", "2", "-nodes")
    pair = ("-keyout", str(key), "-out", str(certificate))
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", *subject, *pair], check=True, capture_output=True, timeout=60
    )
    with _issuer(key, certificate) as realm:
        token = {"realm": realm, "service": "floe", "issuer": "floe-test", "rootcertbundle": str(certificate)}
        with registry_server(folder, {"auth": {"token": token}}) as server:
            yield server


@contextmanager
def _issuer(key: Path, certificate: Path) -> Iterator[str]:
    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = parse_qs(urlsplit(self.path).query)
            user = _user_of(self.headers.get("Authorization", ""))
            if user is None:
                self.send_response(401)
                self.end_headers()
                return
            body = json.dumps({"token": _token(user, asked.get("scope", [""])[0], key, certificate)}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/token"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def _user_of(header: str) -> str | None:
    try:
        user, _, password = base64.b64decode(header.removeprefix("Basic ")).decode().partition(":")
    except ValueError:
        return None
    return user if USERS.get(user) == password else None


def _token(user: str, scope: str, key: Path, certificate: Path) -> str:
    """A token as the registry's documentation describes it, signed by openssl."""
    kind, _, rest = scope.partition(":")
    name, _, actions = rest.rpartition(":")
    granted = [action for action in actions.split(",") if action == "pull" or user == "publisher"]
    chain = "".join(certificate.read_text().split("-----")[2].split())
    now = int(time.time())
    claims = {
        "iss": "floe-test",
        "sub": user,
        "aud": "floe",
        "exp": now + 300,
        "nbf": now - 60,
        "iat": now,
        "jti": "1",
        "access": [{"type": kind, "name": name, "actions": granted}],
    }
    signed = f"{_encode({'typ': 'JWT', 'alg': 'RS256', 'x5c': [chain]})}.{_encode(claims)}"
    made = subprocess.run(
        [needs("openssl"), "dgst", "-sha256", "-sign", str(key)],
        input=signed.encode(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    return f"{signed}.{base64.urlsafe_b64encode(made.stdout).decode().rstrip('=')}"


def _encode(value: Mapping[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def log_in(folder: Path, host: str, user: str) -> Path:
    """A folder for DOCKER_CONFIG, as `docker login` leaves it."""
    folder.mkdir(parents=True, exist_ok=True)
    auth = base64.b64encode(f"{user}:{USERS[user]}".encode()).decode()
    (folder / "config.json").write_text(json.dumps({"auths": {host: {"auth": auth}}}))
    return folder
