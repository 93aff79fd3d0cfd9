"""Settings for every test: `HYPOTHESIS_PROFILE=nightly` looks at many more random examples."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("floe", deadline=None, derandomize=True)  # same tree, same result; `nightly` looks elsewhere
settings.register_profile("quick", deadline=None, max_examples=10)  # for the runs on other Pythons
settings.register_profile("nightly", deadline=None, max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "floe"))
