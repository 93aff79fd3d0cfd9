"""Options for the Java of a Spark that others start: a stack that patterns have room on when a text is long."""

from __future__ import annotations

from collections.abc import Mapping

STACK = "-Xss32m"  # of each thread; the room is only taken where it is used
EXECUTOR_OPTIONS = "spark.executor.extraJavaOptions"
DRIVER_OPTIONS = "spark.driver.extraJavaOptions"


def submit_settings(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings for spark-submit with the stack in front of the options that somebody has chosen, so that theirs win."""
    stacks = {name: f"{STACK} {settings.get(name, '')}".rstrip() for name in (DRIVER_OPTIONS, EXECUTOR_OPTIONS)}
    return {**settings, **stacks}
