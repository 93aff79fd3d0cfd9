"""The settings of lineage, found as OpenLineage's own client finds them; it would read this process's world itself.

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

JsonObject = dict[str, Any]
_PREFIX = "OPENLINEAGE__"


@dataclass(frozen=True, slots=True)
class LineageConfig:
    """The settings of each receiver's transport, and the jobs whose events are hidden."""

    transports: tuple[JsonObject, ...] = ()
    hidden: tuple[re.Pattern[str], ...] = ()


def lineage_config(environ: Mapping[str, str], folder: Path) -> LineageConfig:
    """What is configured; nothing where it is switched off or nothing is said."""
    if environ.get("OPENLINEAGE_DISABLED", "").strip().lower() == "true":
        return LineageConfig()
    settings = _merge(_variables(environ), _file(environ, folder))
    transport = settings.get("transport")
    by_url = _by_url(environ)
    if not isinstance(transport, dict) or not transport.get("type"):
        transport = by_url
    elif by_url:
        transport = _complete(transport, by_url)
    return LineageConfig(tuple(_split(transport)) if transport else (), _hidden(settings.get("filters")))


def _by_url(environ: Mapping[str, str]) -> JsonObject:
    url = environ.get("OPENLINEAGE_URL", "").strip()
    if not url:
        return {}
    key = environ.get("OPENLINEAGE_API_KEY", "").strip()
    endpoint = environ.get("OPENLINEAGE_ENDPOINT", "").strip()
    auth: JsonObject = {"auth": {"type": "api_key", "apiKey": key}} if key else {}
    return {"type": "http", "url": url, **({"endpoint": endpoint} if endpoint else {}), **auth}


def _complete(transport: JsonObject, by_url: JsonObject) -> JsonObject:
    """As the client does: the address of OPENLINEAGE_URL joins a composite, and is that of async_http."""
    children = transport.get("transports")
    if transport["type"] == "composite" and isinstance(children, dict):
        return {**transport, "transports": {"default_http": by_url, **children}}
    return {**by_url, **transport} if transport["type"] == "async_http" else transport


def _split(transport: JsonObject) -> list[JsonObject]:
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
    listed = [{"name": name, **child} for name, child in children.items()] if isinstance(children, dict) else children
    if not all(isinstance(child, dict) and child.get("type") for child in listed):
        raise SettingsError("a transport of OpenLineage has no type", fix="Write type: http, or another, in each.")
    return [leaf for child in listed for leaf in _split(child)]


def _hidden(filters: Any) -> tuple[re.Pattern[str], ...]:
    """Names of jobs, exactly or from their beginning on."""
    patterns = []
    for entry in filters if isinstance(filters, list) else ():
        if isinstance(entry, dict) and entry.get("type") == "exact" and entry.get("match"):
            patterns.append(re.compile(re.escape(str(entry["match"])) + r"\Z"))
        elif isinstance(entry, dict) and entry.get("type") == "regex" and entry.get("regex"):
            patterns.append(_pattern(str(entry["regex"])))
    return tuple(patterns)


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error:
        raise SettingsError("a filter of OpenLineage is not a regular expression", fix="Look at filters:.") from None


def _file(environ: Mapping[str, str], folder: Path) -> JsonObject:
    named = environ.get("OPENLINEAGE_CONFIG", "").strip()
    home = environ.get("HOME", "")
    usual = [folder / "openlineage.yml", *([Path(home, ".openlineage/openlineage.yml")] if home else [])]
    for path in [folder / named] if named else usual:
        if named or path.is_file():
            return _read(path)
    return {}


def _read(path: Path) -> JsonObject:
    import yaml

    try:
        settings = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not YAML"
        raise SettingsError(
            f"OpenLineage's configuration {path.name} cannot be read: {reason}",
            fix="Correct the file, or OPENLINEAGE_CONFIG, which names it.",
        ) from None
    return settings if isinstance(settings, dict) else {}


def _variables(environ: Mapping[str, str]) -> JsonObject:
    """OPENLINEAGE__TRANSPORT__TYPE as transport: {type: …}; values may be JSON, and a shorter name wins."""
    settings: JsonObject = {}
    for name, text in sorted(environ.items(), reverse=True):
        if name.startswith(_PREFIX):
            *above, last = name[len(_PREFIX) :].lower().split("__")
            here = settings
            for step in above:  # longer names come first, so nothing but a mapping can stand here yet
                here = here.setdefault(step, {})
            here[last] = _value(text)
    return settings


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _merge(below: JsonObject, above: JsonObject) -> JsonObject:
    """Both, the second one's word where they differ."""
    merged = dict(below)
    for key, value in above.items():
        known = merged.get(key)
        merged[key] = _merge(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return merged
