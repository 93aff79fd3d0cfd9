"""The files a user keeps in `.floe/`: read strictly, against their published schemas, with line numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache

import jsonschema_rs

from .. import codes
from ..contract.discovery import DEFAULT_GLOBS, glob_problem
from ..contract.lifecycle import NOTICE_DAYS
from ..contract.model import Json, JsonMap, Pointer
from ..contract.source import Document, read_document
from ..contract.source.scalars import plain
from ..errors import SettingsError
from ..frozen import dataclass, field, replace
from ..results import Bump, FailOn, Finding, Location
from .consumers import Register, acknowledgements_from, subscriptions_from
from .profiles import DEFAULT_PROFILE
from .ruleset import make_ruleset
from .schemas import read_schema
from .settings_paths import ACKS, CONFIG, CONSUMERS, WAIVERS, is_settings_path
from .waivers import Waivers, waivers_from


@dataclass(frozen=True, slots=True)
class Config:
    """`.floe/config.yaml`; None where the file says nothing, so that flags may speak."""

    include: tuple[str, ...] = DEFAULT_GLOBS
    exclude: tuple[str, ...] = ()
    profile: str | None = None
    raised: Mapping[str, Bump] = field(default_factory=dict)
    fail_on: FailOn | None = None
    notice_days: int = NOTICE_DAYS


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of one revision, and what is wrong with them."""

    config: Config = field(default_factory=Config)
    waivers: Waivers = field(default_factory=Waivers)
    register: Register = field(default_factory=Register)
    findings: tuple[Finding, ...] = ()


def read_settings(files: Mapping[str, bytes | None], today: date) -> Settings:
    """Settings from the files of `.floe/`; a file with mistakes counts as absent and its mistakes are told.

    None in place of content means a symbolic link or something else that is no file.
    """
    findings: list[Finding] = []
    values: dict[str, tuple[JsonMap, Document]] = {}
    for path in sorted(path for path in files if is_settings_path(path)):
        content = files[path]
        document = read_document(content or b"")
        wrong = _mistakes(document, path) if content is not None else [_no_file(path)]
        findings += wrong
        if not wrong and isinstance(document.value, dict):
            values[path] = (document.value, document)
    config, more = _config(*values[CONFIG]) if CONFIG in values else (Config(), ())
    subscriptions = [
        line
        for path, (value, _) in values.items()
        if path.startswith(CONSUMERS)
        for line in subscriptions_from(value, path)
    ]
    return Settings(
        config=config,
        waivers=waivers_from(*values[WAIVERS], WAIVERS, today) if WAIVERS in values else Waivers(),
        register=Register(tuple(subscriptions), acknowledgements_from(values[ACKS][0]) if ACKS in values else ()),
        findings=(*findings, *more),
    )


def require_usable(settings: Settings) -> Settings:
    """The same settings, or a SettingsError: a gate whose own settings are broken must not guess."""
    if settings.findings:
        first = settings.findings[0]
        expected = f"Expected there: {first.expected}." if first.expected else "Correct the file, or remove it."
        fix = first.suggestions[0] if first.suggestions else expected
        raise SettingsError(f"{first.location}: {first.message}", fix=fix)
    return settings


def agree_on_settings(base: Settings, head: Settings) -> Settings:
    """The base's settings; files with mistakes that the head repairs count as absent, others are a SettingsError.

    Without this nobody could ever repair the settings of a base branch: the repair itself could not be checked.
    """
    still = {item.location.path for item in head.findings if item.location}
    return require_usable(
        replace(base, findings=tuple(item for item in base.findings if item.location and item.location.path in still))
    )


def _kind(path: str) -> str:
    return {CONFIG: "config", WAIVERS: "waivers", ACKS: "acks"}.get(path, "consumers")


def _mistakes(document: Document, path: str) -> list[Finding]:
    kind = _kind(path)
    if [problem.rule for problem in document.problems] == ["yaml-empty"]:
        return (
            [] if kind != "consumers" else [_empty_file(path, "Write consumer: and consumes: into it, or remove it.")]
        )
    wrong = [
        Finding.of(
            codes.E590,
            problem.rule,
            problem.message,
            location=Location(path, problem.line, problem.column),
            suggestions=(problem.suggestion,) if problem.suggestion else (),
        )
        for problem in document.problems
    ]
    if wrong:
        return wrong
    if not isinstance(document.value, dict):
        return [_empty_file(path, "Write the keys it needs, or remove the file.")]
    raw = list(_validator(kind).iter_errors(plain(document.value)))
    if not raw:
        return []
    from ..contract.structure.sift import mistakes
    from ..contract.structure.words import Subject

    errors = mistakes(Subject(document.value, read_schema(kind), "", whole="this file"), raw)
    return [
        Finding.of(
            codes.E590,
            error.rule,
            error.message,
            element=".".join(map(str, error.pointer)),
            location=Location(path, *(document.locate(error.pointer, key=error.at_key) or ())),
            expected=error.expected,
            actual=error.actual,
            suggestions=error.suggestions,
        )
        for error in errors
    ]


def _empty_file(path: str, fix: str) -> Finding:
    place = Location(path, 1, 1)
    return Finding.of(codes.E590, "settings-shape", "the file holds no keys", location=place, suggestions=(fix,))


@cache
def _validator(kind: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(read_schema(kind), offline=True)


def _no_file(path: str) -> Finding:
    fix = "Put the file itself there; settings are read from git, where a link has no content."
    return Finding.of(
        codes.E590, "settings-shape", "this is a link, not a file", location=Location(path), suggestions=(fix,)
    )


def _config(value: JsonMap, document: Document) -> tuple[Config, tuple[Finding, ...]]:
    include, exclude = _texts(value.get("contracts")), _texts(value.get("exclude"))
    rules = value.get("rules")
    raised = (
        {name: Bump(str(rule["bump"])) for name, rule in rules.items() if isinstance(rule, dict)}
        if isinstance(rules, dict)
        else {}
    )
    days, profile, fail_on = value.get("notice_days"), value.get("profile"), value.get("fail_on")
    config = Config(
        include=include or DEFAULT_GLOBS,
        exclude=exclude,
        profile=profile if isinstance(profile, str) else None,
        raised=raised,
        fail_on=fail_on,  # type: ignore[arg-type]  # the schema has checked the word
        notice_days=days if isinstance(days, int) else NOTICE_DAYS,
    )
    wrong = (*_check_globs(value, document), *_check_rules(config, document))
    return (Config(), wrong) if wrong else (config, ())


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _check_globs(value: JsonMap, document: Document) -> Iterator[Finding]:
    for key in ("contracts", "exclude"):
        for index, glob in enumerate(_texts(value.get(key))):
            reason = glob_problem(glob)
            if reason:
                fix = "Write a relative glob, for instance contracts/**/*.yaml."
                yield _at(document, (key, index), "glob", reason, fix)


def _check_rules(config: Config, document: Document) -> Iterator[Finding]:
    for name, bump in config.raised.items():
        reason = _rule_problem(config.profile or DEFAULT_PROFILE, name, bump)
        if reason:
            yield _at(document, ("rules", name), "rule", reason.message, reason.fix)


def _rule_problem(profile: str, rule: str, bump: Bump) -> SettingsError | None:
    try:
        make_ruleset(profile, {rule: bump})
    except SettingsError as reason:
        return reason
    return None


def _at(document: Document, pointer: Pointer, rule: str, message: str, fix: str) -> Finding:
    place = Location(CONFIG, *(document.locate(pointer, key=True) or ()))
    element = ".".join(map(str, pointer))
    return Finding.of(codes.E590, rule, message, element=element, location=place, suggestions=(fix,))
