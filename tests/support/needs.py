"""Programs that a test cannot do without: absent, the test is a listed skip, and a failure on CI."""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest


def needs(program: str) -> str:
    """The path of a program."""
    return shutil.which(program) or cannot_run(f"there is no {program} on this machine")


def cannot_run(why: str) -> NoReturn:
    """End the test as one that could not run; CI has what every test needs, so there it is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(why)
