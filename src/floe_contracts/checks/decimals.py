"""Exact shares printed as decimals, always rounded down, so that nothing less than all reads as 100."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction


def places(number: Fraction, digits: int) -> str:
    """So many places after the point, no more: 99.999 with two is `99.99`."""
    whole = math.floor(number * 10**digits)
    return str(Decimal(whole).scaleb(-digits)) if digits else str(whole)
