"""The files a user keeps in `.floe/`: read strictly, against their published schemas, with line numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from ..contract.discovery import DEFAULT_GLOBS, glob_problem
from ..contract.lifecycle import NOTICE_DAYS
from ..contract.model import Json
from ..contract.settings_file import SettingsFile, check_schema, read_settings_file, settings_finding
from ..errors import SettingsError
from ..frozen import dataclass, field, replace
from ..results import Bump, FailOn, Finding
from .consumers import Register, acknowledgements_from, subscriptions_from
from .profiles import DEFAULT_PROFILE
from .ruleset import make_ruleset
from .schemas import read_schema
from .settings_paths import ACKS, CONFIG, CONSUMERS, WAIVERS, is_settings_path
from .waivers import Waivers, waivers_from

_DEFINITION_KINDS = ("dbt", "ddl", "avro", "json_schema", "spark")


@dataclass(frozen=True, slots=True)
class DefinitionEntry:
    """Where a table of a contract is defined: a dbt model, migrations, or a schema file."""

    contract: str
    kind: str  # dbt, ddl, avro, json_schema or spark
    target: str  # model, glob or path
    table: str = ""
    dialect: str = ""
    manifest: str = ""


@dataclass(frozen=True, slots=True)
class Config:
    """`.floe/config.yaml`; None where the file says nothing, so that flags may speak."""

    include: tuple[str, ...] = DEFAULT_GLOBS
    exclude: tuple[str, ...] = ()
    profile: str | None = None
    raised: Mapping[str, Bump] = field(default_factory=dict)
    fail_on: FailOn | None = None
    notice_days: int = NOTICE_DAYS
    definitions: tuple[DefinitionEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of one revision, and what is wrong with them."""

    config: Config = field(default_factory=Config)
    waivers: Waivers = field(default_factory=Waivers)
    register: Register = field(default_factory=Register)
    findings: tuple[Finding, ...] = ()


def read_settings(files: Mapping[str, bytes | None], today: date) -> Settings:
    """Settings from the files of `.floe/`; a file with mistakes counts as absent and its mistakes are told.

    None in place of content means a symbolic link or something else that is not a file.
    """
    read = [_read_file(path, files[path]) for path in sorted(filter(is_settings_path, files))]
    usable = {file.path: file for file in read if file.value and not file.findings}
    config, more = _config(usable[CONFIG]) if CONFIG in usable else (Config(), ())
    subscriptions = [
        line
        for path, file in usable.items()
        if path.startswith(CONSUMERS)
        for line in subscriptions_from(file.value, path)
    ]
    waivers = usable.get(WAIVERS)
    return Settings(
        config=config,
        waivers=waivers_from(waivers.value, waivers.document, WAIVERS, today) if waivers else Waivers(),
        register=Register(tuple(subscriptions), acknowledgements_from(usable[ACKS].value) if ACKS in usable else ()),
        findings=(*(finding for file in read for finding in file.findings), *more),
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


def _read_file(path: str, content: bytes | None) -> SettingsFile:
    if content is None:
        fix = "Put the file itself there; settings are read from git, where a link has no content."
        return SettingsFile(
            path, findings=(settings_finding(path, "settings-shape", "this is a link, not a file", fix),)
        )
    kind = {CONFIG: "config", WAIVERS: "waivers", ACKS: "acks"}.get(path, "consumers")
    empty_fix = "Write consumer: and consumes: into it, or remove it." if kind == "consumers" else ""
    file = read_settings_file(content, path, "Write the keys it needs, or remove the file.", empty_fix)
    return check_schema(file, read_schema, kind)


def _config(file: SettingsFile) -> tuple[Config, tuple[Finding, ...]]:
    value = file.value
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
        definitions=tuple(_definitions(value.get("definitions"))),
    )
    wrong = (*_check_globs(file), *_check_rules(config, file))
    return (Config(), wrong) if wrong else (config, ())


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _definitions(value: Json) -> Iterator[DefinitionEntry]:
    for entry in value if isinstance(value, list) else []:
        words = {key: str(text) for key, text in entry.items()} if isinstance(entry, dict) else {}
        for kind in _DEFINITION_KINDS:
            if kind in words:
                more = (words.get(key, "") for key in ("table", "dialect", "manifest"))
                yield DefinitionEntry(words.get("contract", ""), kind, words[kind], *more)


def _check_globs(file: SettingsFile) -> Iterator[Finding]:
    for key in ("contracts", "exclude"):
        for index, glob in enumerate(_texts(file.value.get(key))):
            reason = glob_problem(glob)
            if reason:
                fix = "Write a relative glob, for instance contracts/**/*.yaml."
                yield file.finding((key, index), "glob", reason, fix, key=True)


def _check_rules(config: Config, file: SettingsFile) -> Iterator[Finding]:
    for name, bump in config.raised.items():
        reason = _rule_problem(config.profile or DEFAULT_PROFILE, name, bump)
        if reason:
            yield file.finding(("rules", name), "rule", reason.message, reason.fix, key=True)


def _rule_problem(profile: str, rule: str, bump: Bump) -> SettingsError | None:
    try:
        make_ruleset(profile, {rule: bump})
    except SettingsError as reason:
        return reason
    return None
