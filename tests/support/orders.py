"""One contract in as many versions as a test needs: say what matters, the rest is filled in."""

from __future__ import annotations

from collections.abc import Mapping

from floe_contracts.contract.load import Loaded, load

COLUMNS = ("order_id", "total")
BROKEN = "kind: DataContract\nschema: [\n"
UNFIT = "deprecation:\n  announced: soon\n  sunset_date: later\n"  # well-formed, but lint refuses the dates


def orders(
    version: str = "1.0.0",
    *,
    columns: tuple[str, ...] = COLUMNS,
    name: str = "orders",
    key: str | None = "shop-orders",
    status: str | None = "active",
    more: str = "",
) -> str:
    """A contract in the floe dialect; `key` is its id, `more` further YAML at the top level."""
    lines = [f"version: {version}", f"name: {name}"]
    lines += [f"id: {key}"] if key else []
    lines += [f"status: {status}"] if status else []
    lines += ["models:", "  orders:", "    elements:"]
    lines += [f"      {column}: {{type: string}}" for column in columns]
    return "\n".join(lines) + f"\n{more}"


def ending(announced: str, sunset: str, replacement: str = "orders-2") -> str:
    """A notice of deprecation, to be given as `more`."""
    return f'deprecation: {{announced: "{announced}", sunset_date: "{sunset}", replacement: {replacement}}}\n'


def read_by(*names: str) -> str:
    """Registered readers, to be given as `more`."""
    return "consumers:\n" + "".join(f"  - {{name: {name}, owner: {name}@example.com}}\n" for name in names)


def loaded(text: str, path: str = "contracts/orders.yaml") -> Loaded:
    """The text as the file that was read."""
    return load(text.encode(), path)


def side(files: Mapping[str, str]) -> tuple[Loaded, ...]:
    """One side of a comparison."""
    return tuple(loaded(text, path) for path, text in files.items())
