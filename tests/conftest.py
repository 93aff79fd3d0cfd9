"""Settings for every test."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("floe", deadline=None)  # timing belongs in benchmarks
settings.load_profile("floe")
