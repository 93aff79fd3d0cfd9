"""A double of an Iceberg REST catalog, for what only Polaris and Unity do, and for what no server does on purpose.

Polaris and Unity cannot be had as programs: 404 without the parent, 409 on a concurrent update, 401 when a token has
expired, and OAuth's client credentials are played here. So are a server that hangs, drips, or answers 500 after the
work is done.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

SEPARATOR = "\x1f"
SECRET = "s3cr3t-Passw0rd"  # must never be printed


class RestDouble:
    """The state of the catalog, and what goes wrong next."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, ...], dict[str, str]] = {}
        self.needs_parents = False
        self.token = ""  # required as bearer when set
        self.tokens_given = 0
        self.expires_after = 0  # calls; a token is worth nothing afterwards
        self.requests: list[str] = []
        self.fault: Callable[[str, str], str] = lambda method, path: ""
        self.lock = threading.Lock()
        self.calls_with_token = 0
        self.released = threading.Event()


@contextmanager
def rest_double() -> Iterator[tuple[RestDouble, str]]:
    """The double and its address."""
    state = RestDouble()

    class Handler(_Handler):
        double = state

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield state, f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        state.released.set()
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    double: RestDouble
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body in one packet
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""

    def do_GET(self) -> None:
        self._serve("GET")

    def do_POST(self) -> None:
        self._serve("POST")

    def do_DELETE(self) -> None:
        self._serve("DELETE")

    def _serve(self, method: str) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = urlsplit(self.path).path
        self.double.requests.append(f"{method} {path}")
        fault = self.double.fault(method, path)
        if fault == "hang":
            self.double.released.wait(60)
            return
        if fault == "drip":
            self._drip()
            return
        if fault.isdecimal():
            self._answer(int(fault), _error(int(fault)))
            return
        status, value = self._act(method, path, body)
        self._answer(500, _error(500)) if fault == "500 after" else self._answer(status, value)

    def _drip(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "1000000")
        self.end_headers()
        try:
            while not self.double.released.is_set():
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.02)
        except OSError:
            return

    def _answer(self, status: int, value: object) -> None:
        data = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _act(self, method: str, path: str, body: bytes) -> tuple[int, object]:
        if path.endswith("/oauth/tokens"):
            return self._token(body)
        if not self._is_allowed():
            return 401, _error(401)
        if path.endswith("/v1/config"):
            return 200, {"defaults": {}, "overrides": {}}
        with self.double.lock:
            return self._namespaces(method, path, json.loads(body) if body else {})

    def _token(self, body: bytes) -> tuple[int, object]:
        if parse_qs(body.decode()).get("client_secret") != [SECRET]:
            return 401, {"error": "invalid_client"}
        self.double.tokens_given += 1
        self.double.calls_with_token = 0
        self.double.token = f"token-{self.double.tokens_given}"
        return 200, {"access_token": self.double.token, "token_type": "bearer", "expires_in": 3600}

    def _is_allowed(self) -> bool:
        double = self.double
        if not double.token:
            return True
        double.calls_with_token += 1
        expired = bool(double.expires_after) and double.calls_with_token > double.expires_after
        return not expired and self.headers.get("authorization") == f"Bearer {double.token}"

    def _namespaces(self, method: str, path: str, value: dict[str, object]) -> tuple[int, object]:
        held = self.double.held
        rest = path.partition("/namespaces")[2].strip("/")
        if method == "POST" and not rest:
            name = tuple(value["namespace"])  # type: ignore[arg-type, var-annotated]
            if name in held:
                return 409, _error(409)
            if self.double.needs_parents and len(name) > 1 and name[:-1] not in held:
                return 404, _error(404)
            held[name] = dict(value.get("properties") or {})  # type: ignore[call-overload]
            return 200, {"namespace": list(name), "properties": held[name]}
        name = tuple(unquote(rest.removesuffix("/properties")).split(SEPARATOR))
        if not rest:
            return 200, {"namespaces": [list(item) for item in held]}
        if name not in held:
            return 404, _error(404)
        if method == "POST":
            removals, updates = value.get("removals") or [], value.get("updates") or {}
            held[name] = {**{key: text for key, text in held[name].items() if key not in removals}, **updates}  # type: ignore[operator, dict-item]
            return 200, {"updated": list(updates), "removed": list(removals), "missing": []}  # type: ignore[call-overload]
        return 200, {"namespace": list(name), "properties": held[name]}


def _error(status: int) -> dict[str, object]:
    kinds = {404: "NoSuchNamespaceException", 409: "AlreadyExistsException", 401: "NotAuthorizedException"}
    return {"error": {"message": f"no {SECRET}", "type": kinds.get(status, "ServerException"), "code": status}}
