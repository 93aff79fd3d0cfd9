"""Formats of text that can be tested, each as a pattern that the whole value must match.

The patterns are written in the syntax that Java and Python share. They are stricter than a glance and laxer than the
RFCs: an address that a mail server would take passes.
"""

from __future__ import annotations

_DATE = r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?"
_OFFSET = r"(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = rf"{_OCTET}(?:\.{_OCTET}){{3}}"
_HEX = r"[0-9A-Fa-f]{1,4}"
_LABEL = r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)"
_AMOUNT = r"[0-9]+(?:\.[0-9]+)?"


def _ipv6() -> str:
    """Eight groups, or fewer around one `::`; the last two may be an IPv4 address."""
    tail = rf"(?:{_HEX}:{_HEX}|{_IPV4})"
    forms = [rf"(?:{_HEX}:){{6}}{tail}", rf"::(?:{_HEX}:){{5}}{tail}"]
    for before in range(6):
        head = rf"(?:(?:{_HEX}:){{0,{before}}}{_HEX})?"
        after = 4 - before
        if after > 0:
            forms.append(rf"{head}::(?:{_HEX}:){{0,{after}}}{tail}")
        elif after == 0:
            forms.append(rf"{head}::{tail}")
    forms += [rf"(?:(?:{_HEX}:){{0,5}}{_HEX})?::{_HEX}", rf"(?:(?:{_HEX}:){{0,6}}{_HEX})?::"]
    return "|".join(forms)


FORMATS: dict[str, str] = {
    "email": r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+",
    "uuid": r"[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}",
    "uri": r"[A-Za-z][A-Za-z0-9+.-]*:[^\s]+",
    "url": r"[A-Za-z][A-Za-z0-9+.-]*://[^\s/?#]+[^\s]*",
    "hostname": rf"(?=.{{1,253}}$){_LABEL}(?:\.{_LABEL})*",
    "ipv4": _IPV4,
    "ipv6": _ipv6(),
    "date": _DATE,
    "time": rf"{_TIME}{_OFFSET}",
    "date-time": rf"{_DATE}[Tt ]{_TIME}{_OFFSET}",
    "duration": rf"P(?=[0-9T])(?:{_AMOUNT}Y)?(?:{_AMOUNT}M)?(?:{_AMOUNT}W)?(?:{_AMOUNT}D)?"
    rf"(?:T(?=[0-9])(?:{_AMOUNT}H)?(?:{_AMOUNT}M)?(?:{_AMOUNT}S)?)?",
    "byte": r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?",
}
UNTESTED = frozenset({"password", "binary"})  # hints for programs that show or store the value

# Whole numbers by their width, as Rust writes it: name -> least and greatest value.
WIDTHS: dict[str, tuple[int, int]] = {
    f"{sign}{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if sign == "i" else (0, 2**bits - 1)
    for sign in "iu"
    for bits in (8, 16, 32, 64, 128)
}


def known_format(word: str) -> str | None:
    """The name under which a format is listed, whatever its case; `datetime` and `guid` are known too."""
    name = word.strip().casefold()
    name = {"datetime": "date-time", "guid": "uuid", "mail": "email", "e-mail": "email"}.get(name, name)
    return name if name in FORMATS else None
