"""Ports for servers of tests."""

from __future__ import annotations

import random
import socket

_OWN = range(20_000, 32_000)  # below those that systems give to connections, which come and go while a server starts
_CHANCE = random.SystemRandom()  # what tests seed would choose the same ports in every process


def free_port() -> int:
    """A port of the loopback that nobody listens on now."""
    for port in _CHANCE.sample(_OWN, 200):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("no port is free")
