"""English that floe needs in many places: a number of things, and the name that was most likely meant."""

from __future__ import annotations

from collections.abc import Iterable


def plural(number: int, noun: str, nouns: str = "", *, digits: str = "") -> str:
    """A number of things: `1 contract`, `2 contracts`; `digits` is a format for the number."""
    return f"{number:{digits}} {noun if number == 1 else nouns or f'{noun}s'}"


def close_names(word: str, known: Iterable[str], most: int = 1, *, cutoff: float = 0.6) -> list[str]:
    """The known names that look most like a word, the likeliest first."""
    from difflib import get_close_matches  # a slow import that only mistakes need

    return get_close_matches(word, list(known), most, cutoff)


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was most likely meant, whatever its case, or None."""
    by_folded = {name.casefold(): name for name in known}
    names = close_names(word.casefold(), by_folded, cutoff=0.75)
    return by_folded[names[0]] if names else None


def did_you_mean(*names: str, otherwise: str = "") -> str:
    """The question whether one of these names was meant; something else to say when there is none."""
    return f"Did you mean {' or '.join(names)}?" if names else otherwise
