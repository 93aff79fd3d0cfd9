"""Secrets at the moment they are needed: what `env:NAME` and `file:PATH` stand for, never kept and never printed."""

from __future__ import annotations

import os
from pathlib import Path

from ...errors import SettingsError
from ...product.secret import SecretRef, value_of

_MOST_BYTES = 64_000


def look_up(ref: SecretRef) -> str:
    """The secret; a SettingsError names the place that does not hold one."""
    return _from_environment(ref) if ref.place == "env" else _from_file(ref)


def read_setting(text: str) -> str:
    """A setting that is written out, or held by the place that it names."""
    try:
        value = value_of(text)
    except ValueError as error:
        raise SettingsError(str(error)) from None
    return look_up(value) if isinstance(value, SecretRef) else value


def _from_environment(ref: SecretRef) -> str:
    secret = os.environ.get(ref.name, "").strip()
    if not secret:
        raise SettingsError(
            f"the settings refer to {ref}, and this environment variable is not set",
            fix=f"Set {ref.name} where the job runs, or name another variable.",
        )
    return secret


def _from_file(ref: SecretRef) -> str:
    try:
        with Path(ref.name).expanduser().open("rb") as file:
            secret = file.read(_MOST_BYTES).decode().strip()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise SettingsError(
            f"the settings refer to {ref}, which cannot be read: {reason}",
            fix="Mount the secret where the job runs, and let its user read the file.",
        ) from None
    if not secret:
        raise SettingsError(f"the settings refer to {ref}, which is empty", fix="Write the secret into the file.")
    return secret
