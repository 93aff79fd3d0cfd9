"""Runs a server that listens on every interface where nobody else can reach it: a network of its own.

`python enclosed.py PORT INNER COMMAND…`: connections to PORT on loopback go to INNER in that network. Where making one
is not allowed, the command runs as it is, and listens on INNER of this machine.
"""

from __future__ import annotations

import ctypes
import fcntl
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

_NEW_NETWORK, _NEW_USER = 0x40000000, 0x10000000
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1


def main(port: int, inner: int, command: list[str]) -> None:
    outside = socket.socket()
    outside.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    outside.bind(("127.0.0.1", port))  # a socket stays in the network that it was made in
    _enter_network()
    server = subprocess.Popen(command)
    signal.signal(signal.SIGTERM, lambda *_: server.terminate())
    threading.Thread(target=_forward_all, args=(outside, inner), daemon=True).start()
    sys.exit(server.wait())


def _enter_network() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_NEW_NETWORK) and libc.unshare(_NEW_NETWORK | _NEW_USER):
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        (flags,) = struct.unpack("16xh14x", fcntl.ioctl(any_socket, _GET_FLAGS, request))
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14x", b"lo", flags | _UP))


def _forward_all(outside: socket.socket, inner: int) -> None:
    while not _is_up(inner):
        time.sleep(0.1)
    outside.listen(128)
    while True:
        caller, _ = outside.accept()
        try:
            server = socket.create_connection(("127.0.0.1", inner), timeout=5)
        except OSError:
            caller.close()
            continue
        server.settimeout(None)
        for source, target in ((caller, server), (server, caller)):
            threading.Thread(target=_forward, args=(source, target), daemon=True).start()


def _is_up(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _forward(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        for end in (source, target):
            end.close()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
