"""Moved to adapters.options, which jobs share; this name stays until the commands that are being written have moved."""

from __future__ import annotations

from ..adapters.options import format_option, global_options, output_option, report_options

__all__ = ["format_option", "global_options", "output_option", "report_options"]
