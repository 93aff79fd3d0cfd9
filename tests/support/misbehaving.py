"""Registries that do not behave: each answer is written by the test, byte for byte."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

Behaviour = Callable[[socket.socket, bytes], None]


@contextmanager
def misbehaving(behave: Behaviour) -> Iterator[tuple[str, list[bytes]]]:
    """The host of a server that reads a request and then does what it is told; and the requests that it got."""
    requests: list[bytes] = []
    ended = threading.Event()

    def answer(client: socket.socket) -> None:
        with suppress(OSError), client:
            asked = _read_request(client)
            requests.append(asked)
            behave(client, asked)
            client.shutdown(socket.SHUT_WR)

    def take() -> None:
        with suppress(OSError):
            while not ended.is_set():
                client = listening.accept()[0]
                threading.Thread(target=answer, args=(client,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        try:
            yield f"127.0.0.1:{listening.getsockname()[1]}", requests
        finally:
            ended.set()
            with suppress(OSError):
                listening.shutdown(socket.SHUT_RDWR)
            thread.join(5)


def _read_request(client: socket.socket) -> bytes:
    asked = client.recv(65_536)
    head, _, body = asked.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
    while len(body) < length and (more := client.recv(65_536)):
        asked, body = asked + more, body + more
    return asked


def reply(status: str, body: bytes = b"", **headers: str) -> bytes:
    lines = {"Content-Length": str(len(body)), **{name.replace("_", "-"): text for name, text in headers.items()}}
    head = "".join(f"{name}: {text}\r\n" for name, text in lines.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


def hang(client: socket.socket, _: bytes) -> None:
    with suppress(OSError):
        client.recv(1)  # until the other side gives up


def drip(client: socket.socket, _: bytes) -> None:
    with suppress(OSError):
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while True:
            time.sleep(0.02)
            client.sendall(b"{")
