"""The style sheet of pages that people search: calm, dense where numbers are, light and dark, wide and narrow."""

from __future__ import annotations

from .palette import PALETTE
from .sheet_board import BOARD
from .sheet_parts import PARTS

SHEET = PALETTE + PARTS + BOARD
