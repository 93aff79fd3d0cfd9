"""A few pages over HTTP for those who scrape and probe: GET and HEAD, a limit of time and of callers at once."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import BoundedSemaphore, Thread
from typing import Any

from ...errors import FloeError, UsageError

TEXT = "text/plain; charset=utf-8"
_CALL_S = 5.0  # whoever sends or takes more slowly is cut off
_MOST_CALLS = 16
_ADDRESS = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<host>[A-Za-z0-9._-]+)):(?P<port>\d{1,5})")


@dataclass(frozen=True, slots=True)
class HttpPage:
    """What a path answers."""

    text: str
    status: int = 200
    type: str = TEXT


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """Where to listen; port 0 takes any that is free."""

    host: str
    port: int


def read_listen(text: str) -> ListenAddress:
    """HOST:PORT, with IPv6 in brackets."""
    address = _ADDRESS.fullmatch(text.strip())
    if address is None or int(address["port"]) > 65_535:
        raise UsageError(f"--listen {text[:80]!r} is not an address", fix="Write HOST:PORT, such as 127.0.0.1:9464.")
    return ListenAddress(address["six"] or address["host"], int(address["port"]))


@contextmanager
def serve_pages(listen: ListenAddress, pages: Mapping[str, Callable[[], HttpPage]]) -> Iterator[str]:
    """Answer until the end of the block; the address that others may call."""
    server = _open(listen, pages)
    thread = Thread(target=server.serve_forever, args=(0.1,), name="floe pages", daemon=True)
    thread.start()
    try:
        host = f"[{listen.host}]" if ":" in listen.host else listen.host
        yield f"http://{host}:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def _open(listen: ListenAddress, pages: Mapping[str, Callable[[], HttpPage]]) -> _Server:
    try:
        family = socket.getaddrinfo(listen.host, listen.port, type=socket.SOCK_STREAM)[0][0]
        return _Server(family, listen, pages)
    except OSError as error:
        raise FloeError(
            f"{listen.host}:{listen.port} cannot be listened at: {error.strerror}",
            fix="Name another address with --listen, or stop the program that listens there.",
        ) from None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a caller who takes his time must not hold up the end

    def __init__(
        self, family: socket.AddressFamily, listen: ListenAddress, pages: Mapping[str, Callable[[], HttpPage]]
    ) -> None:
        self.address_family, self.pages = family, pages
        self._free = BoundedSemaphore(_MOST_CALLS)
        super().__init__((listen.host, listen.port), _Caller)

    def server_bind(self) -> None:
        """Without asking a name server what this machine is called."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller who hangs up is no news."""


class _Caller(BaseHTTPRequestHandler):
    server: _Server
    timeout = _CALL_S
    server_version, sys_version = "floe", ""
    error_message_format, error_content_type = "%(code)d %(message)s\n", TEXT

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        make = self.server.pages.get(self.path.partition("?")[0])
        page = _guard(make) if make else HttpPage(f"There are {', '.join(self.server.pages)}.\n", 404)
        data = page.text.encode("utf-8", "replace")
        self.send_response(page.status)
        self.send_header("Content-Type", page.type)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if body:
            self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Probes come every few seconds."""


def _guard(make: Callable[[], HttpPage]) -> HttpPage:
    try:
        return make()
    except Exception as error:  # only the type: the words of an error may hold addresses with credentials
        return HttpPage(f"Not known at the moment ({type(error).__name__}).\n", 503)
