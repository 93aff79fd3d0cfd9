"""Where the settings of a repository lie; apart from their reader, so that finding none costs nothing."""

from __future__ import annotations

FOLDER = ".floe/"
CONFIG, WAIVERS, ACKS, CONSUMERS = (
    f"{FOLDER}{name}" for name in ("config.yaml", "waivers.yaml", "acks.yaml", "consumers/")
)


def is_settings_path(path: str) -> bool:
    """Whether a path is one of the files that the gate reads."""
    in_folder = path.startswith(CONSUMERS) and path.endswith((".yaml", ".yml")) and "/" not in path[len(CONSUMERS) :]
    return path in (CONFIG, WAIVERS, ACKS) or in_folder
