"""Which signatures references need: as floe.lock says, in a pull request as the one of its base says."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from ..adapters.oci.cache import cache_here
from ..adapters.oci.credentials import find_credentials
from ..adapters.oci.source import ArtifactSource
from ..adapters.oci.transport import RegistryAccess
from ..adapters.process.environment import ci_event
from ..product.lock import FILE, LockFile, Verification
from ..product.reading import read_lock
from .repository import find_repository

_PLAIN = "FLOE_ALLOW_HTTP"


def artifacts_here(
    allow_http: Sequence[str] = (),
    *,
    offline: bool = False,
    verification: Callable[[], Verification] = Verification,
) -> ArtifactSource:
    """The cache, docker's credentials and the hosts of this machine."""
    named = [host.strip() for host in os.environ.get(_PLAIN, "").split(",")]
    hosts = tuple(host for host in (*allow_http, *named) if host)
    access = RegistryAccess(hosts, lambda host: find_credentials(host, os.environ))
    return ArtifactSource(cache_here(os.environ), access, offline, verification)


def choose_verification(path: str, lock: LockFile | None) -> Verification:
    """`verify:` beside a file; a pull request cannot lift what its base requires, nor bring a key of its own."""
    own = lock.verify if lock else Verification()
    event = ci_event(os.environ)
    if event is None or not event.base_ref:
        return own
    before = _lock_of_base(path)
    return before.verify if before and "verify" in before.model_fields_set else own


def _lock_of_base(path: str) -> LockFile | None:
    from .gate.request import GateRequest, find_revisions

    folder = os.path.dirname(path) or "."
    top = find_repository(folder)
    if top is None:
        return None
    revisions = find_revisions(GateRequest(folder=folder))
    place = os.path.relpath(os.path.realpath(os.path.join(folder, FILE)), top).replace(os.sep, "/")
    for commit in revisions.base.commits:
        entry = revisions.repo.files(commit, lambda name: name == place).get(place)
        data = revisions.repo.read([entry]).get(place) if entry else None
        lock = read_lock(data, place).lock if data is not None else None
        if lock is not None:
            return lock
    return None
