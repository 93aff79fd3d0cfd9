"""Run ids of lineage: a UUIDv7 made from the slot and its attempt, so that a replay has the id of the first time."""

from __future__ import annotations

import hashlib
from uuid import UUID

from ..checks.moments import moment
from ..monitor.store.protocol import SlotOutcome

_VERSION, _VARIANT = 0x7000 << 64, 0x8000 << 48


def run_id(outcome: SlotOutcome) -> UUID:
    """One id per attempt; another attempt is another run, because a finished run must not get a second end."""
    return static_uuid(outcome.slot_us, f"{outcome.key}|{outcome.claim.attempt}".encode())


def static_uuid(moment_us: int, text: bytes) -> UUID:
    """The time in milliseconds, then a hash: bit by bit what openlineage's generate_static_uuid makes.

    Receivers refuse UUIDv5 and sort by the time in the id, so neither a plain hash nor chance would do.
    """
    when = moment(moment_us)
    # A checksum, not a secret; the client uses it, and other tools derive the ids of their runs the same way.
    digest = hashlib.sha1(when.isoformat().encode() + text, usedforsecurity=False).digest()
    number = (moment_us // 1000 & 0xFFFFFFFFFFFF) << 80 | int.from_bytes(digest, "big") >> 84
    number = number & ~(0xF000 << 64) | _VERSION
    return UUID(int=number & ~(0xC000 << 48) | _VARIANT)
