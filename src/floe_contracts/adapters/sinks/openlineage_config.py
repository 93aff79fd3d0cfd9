"""Where lineage goes, found as OpenLineage's own client finds it; the client itself would read this process's world.

A file beats variables: OPENLINEAGE_CONFIG, else openlineage.yml in the folder of the job or in ~/.openlineage; then
OPENLINEAGE__A__B; then OPENLINEAGE_URL, _ENDPOINT and _API_KEY. The client prints events to a console where nothing is
said at all; that would be called delivered and be seen by nobody, so then there is no receiver here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import SettingsError

Said = dict[str, Any]
_PREFIX = "OPENLINEAGE__"


@dataclass(frozen=True, slots=True)
class LineageConfig:
    """One entry for each receiver, and the jobs that are not told of."""

    transports: tuple[Said, ...] = ()
    hidden: tuple[re.Pattern[str], ...] = ()


def lineage_config(environ: Mapping[str, str], folder: Path) -> LineageConfig:
    """What is configured; nothing where it is switched off or nothing is said."""
    if environ.get("OPENLINEAGE_DISABLED", "").strip().lower() == "true":
        return LineageConfig()
    said = _merged(_variables(environ), _file(environ, folder))
    transport = said.get("transport")
    by_url = _by_url(environ)
    if not isinstance(transport, dict) or not transport.get("type"):
        transport = by_url
    elif by_url:
        transport = _completed(transport, by_url)
    return LineageConfig(tuple(_each(transport)) if transport else (), _hidden(said.get("filters")))


def _by_url(environ: Mapping[str, str]) -> Said:
    url = environ.get("OPENLINEAGE_URL", "").strip()
    if not url:
        return {}
    key = environ.get("OPENLINEAGE_API_KEY", "").strip()
    endpoint = environ.get("OPENLINEAGE_ENDPOINT", "").strip()
    auth: Said = {"auth": {"type": "api_key", "apiKey": key}} if key else {}
    return {"type": "http", "url": url, **({"endpoint": endpoint} if endpoint else {}), **auth}


def _completed(transport: Said, by_url: Said) -> Said:
    """As the client does: the address of OPENLINEAGE_URL joins a composite, and is that of async_http."""
    children = transport.get("transports")
    if transport["type"] == "composite" and isinstance(children, dict):
        return {**transport, "transports": {"default_http": by_url, **children}}
    return {**by_url, **transport} if transport["type"] == "async_http" else transport


def _each(transport: Said) -> list[Said]:
    """The children of a composite one by one: told together, nobody would know which of them has an event.

    Only one that stops at its first success stays whole, for it has one receiver at a time.
    """
    if transport["type"] == "noop":
        return []
    if transport["type"] == "async_http":  # it keeps events in memory; the outbox keeps them on disk
        return [{**transport, "type": "http"}]
    if transport["type"] != "composite" or transport.get("continue_on_success", True) is False:
        return [transport]
    children = transport.get("transports") or {}
    listed = [{"name": name, **one} for name, one in children.items()] if isinstance(children, dict) else children
    if not all(isinstance(one, dict) and one.get("type") for one in listed):
        raise SettingsError("a transport of OpenLineage has no type", fix="Write type: http, or another, in each.")
    return [each for one in listed for each in _each(one)]


def _hidden(filters: Any) -> tuple[re.Pattern[str], ...]:
    """Names of jobs, exactly or from their beginning on."""
    found = []
    for one in filters if isinstance(filters, list) else ():
        if isinstance(one, dict) and one.get("type") == "exact" and one.get("match"):
            found.append(re.compile(re.escape(str(one["match"])) + r"\Z"))
        elif isinstance(one, dict) and one.get("type") == "regex" and one.get("regex"):
            found.append(_pattern(str(one["regex"])))
    return tuple(found)


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error:
        raise SettingsError("a filter of OpenLineage is no regular expression", fix="Look at filters:.") from None


def _file(environ: Mapping[str, str], folder: Path) -> Said:
    named = environ.get("OPENLINEAGE_CONFIG", "").strip()
    home = environ.get("HOME", "")
    usual = [folder / "openlineage.yml", *([Path(home, ".openlineage/openlineage.yml")] if home else [])]
    for path in [folder / named] if named else usual:
        if named or path.is_file():
            return _read(path)
    return {}


def _read(path: Path) -> Said:
    import yaml

    try:
        said = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no YAML"
        raise SettingsError(
            f"OpenLineage's configuration {path.name} cannot be read: {reason}",
            fix="Mend the file, or OPENLINEAGE_CONFIG, which names it.",
        ) from None
    return said if isinstance(said, dict) else {}


def _variables(environ: Mapping[str, str]) -> Said:
    """OPENLINEAGE__TRANSPORT__TYPE as transport: {type: …}; values may be JSON, and a shorter name wins."""
    found: Said = {}
    for name, text in sorted(environ.items(), reverse=True):
        if name.startswith(_PREFIX):
            *above, last = name[len(_PREFIX) :].lower().split("__")
            here = found
            for step in above:  # longer names come first, so nothing but a mapping can stand here yet
                here = here.setdefault(step, {})
            here[last] = _value(text)
    return found


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _merged(below: Said, above: Said) -> Said:
    """Both, the second one's word where they differ."""
    found = dict(below)
    for key, value in above.items():
        known = found.get(key)
        found[key] = _merged(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return found
