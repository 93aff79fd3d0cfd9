"""A server that takes connections and never says a word."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def hanging_server() -> Iterator[int]:
    """Its port on the loopback."""
    taken: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def take() -> None:
            with suppress(OSError):  # closed, the test is over
                while True:
                    taken.append(listening.accept()[0])

        threading.Thread(target=take, daemon=True).start()
        try:
            yield int(listening.getsockname()[1])
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            for one in taken:
                one.close()
