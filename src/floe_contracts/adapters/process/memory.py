"""How this process keeps memory."""

from __future__ import annotations

import ctypes

_M_ARENA_MAX = -8  # malloc.h of glibc


def share_one_arena() -> None:
    """Let all threads take memory from one place: a service of many short threads keeps less, and stays as it is.

    By default glibc gives threads up to eight arenas per core, and what is free in one is no use to the others: an hour
    of checks cost a tenth more each time. Another C library has no such call, and needs none.
    """
    try:
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)
    except (AttributeError, OSError):
        return
