"""A receiver on loopback that answers as it is told and remembers what it was asked; and ones that never answer."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass(frozen=True, slots=True)
class Asked:
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(slots=True)
class Receiver:
    """`answers` are given one after the other, the last for ever: status and headers."""

    port: int = 0
    answers: list[tuple[int, Mapping[str, str]]] = field(default_factory=lambda: [(200, {})])
    asked: list[Asked] = field(default_factory=list)
    mute: bool = False  # a black hole for as long as this is so

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def will(self, *answers: int | tuple[int, Mapping[str, str]]) -> None:
        self.answers = [one if isinstance(one, tuple) else (one, {}) for one in answers]


@contextmanager
def receiver() -> Iterator[Receiver]:
    found = Receiver()

    class Answering(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): text for name, text in self.headers.items()}
            if found.mute:
                self.close_connection = True
                _hold(found)
                return
            found.asked.append(Asked(self.command, self.path, headers, body))
            status, more = found.answers.pop(0) if len(found.answers) > 1 else found.answers[0]
            self.send_response(status)
            for name, text in {**more, "Content-Length": "0"}.items():
                self.send_header(name, text)
            self.end_headers()

        do_PUT = do_POST = do_DELETE = do_GET = _answer  # noqa: N815 - the library's names

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as above
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    found.port = server.server_address[1]
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def _hold(found: Receiver) -> None:
    while found.mute:
        time.sleep(0.05)


@contextmanager
def black_hole(*, drips: bool = False) -> Iterator[str]:
    """The address of somebody who accepts and never answers, or answers with a byte of a header now and then."""
    open_ones: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        swallowing = Thread(target=_swallow, args=(listening, open_ones, drips), daemon=True)
        swallowing.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            listening.shutdown(socket.SHUT_RDWR)  # closing alone would leave the thread accepting
            swallowing.join(5)
            for one in open_ones:
                one.close()


def _swallow(listening: socket.socket, open_ones: list[socket.socket], drips: bool) -> None:
    with suppress(OSError):
        while True:
            one, _ = listening.accept()
            open_ones.append(one)
            if drips:
                Thread(target=_drip, args=(one,), daemon=True).start()


def _drip(one: socket.socket) -> None:
    with suppress(OSError):
        one.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while True:
            time.sleep(0.1)
            one.sendall(b"x")
