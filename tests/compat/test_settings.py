"""The files of `.floe/`: what they may say, what is told about mistakes, and who may repair them."""

from __future__ import annotations

import json
from datetime import date

import pytest

from floe_contracts.compat.schemas import read_schema
from floe_contracts.compat.settings import Config, Settings, agree_on_settings, read_settings, require_usable
from floe_contracts.compat.settings_paths import is_settings_path
from floe_contracts.errors import SettingsError
from floe_contracts.results import Bump

TODAY = date(2026, 2, 1)
CONFIG = ".floe/config.yaml"


def config(text: str) -> Settings:
    return read_settings({CONFIG: text.encode()}, TODAY)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("contracts: [a/*.yaml]\n", Config(include=("a/*.yaml",)), id="globs"),
        pytest.param(
            "exclude: [contracts/old/**]\n", Config(exclude=("contracts/old/**",)), id="what is not a contract"
        ),
        pytest.param("profile: full\n", Config(profile="full"), id="a profile"),
        pytest.param("fail_on: breaking\n", Config(fail_on="breaking"), id="what blocks"),
        pytest.param("notice_days: 14\n", Config(notice_days=14), id="notice"),
        pytest.param(
            "rules: {docs-changed: {bump: minor}}\n", Config(raised={"docs-changed": Bump.MINOR}), id="a rule"
        ),
        pytest.param(
            "rules: {docs-changed: {bump: patch}}\n", Config(raised={"docs-changed": Bump.PATCH}), id="as it is"
        ),
        pytest.param("{}\n", Config(), id="nothing at all"),
        pytest.param("", Config(), id="an empty file"),
        pytest.param("# profile: full\n", Config(), id="only a comment"),
        pytest.param("exclude:\nrules:\n#  docs-changed: {bump: minor}\n", Config(), id="keys without entries"),
    ],
)
def test_config(text: str, expected: Config) -> None:
    found = config(text)
    assert found.findings == ()
    assert found.config == expected


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        pytest.param("contract: [a]\n", "1:1", "contract", id="a misspelled key"),
        pytest.param("profile: strict\n", "1:10", "strict", id="an unknown profile"),
        pytest.param("fail_on: all\n", "1:10", "all", id="an unknown word"),
        pytest.param("notice_days: 7\n", "1:14", "7", id="too few days of notice"),
        pytest.param("notice_days: soon\n", "1:14", "soon", id="no number"),
        pytest.param("contracts: []\n", "1:12", "", id="no globs at all"),
        pytest.param("contracts:\n", "1:11", "", id="globs that were commented out"),
        pytest.param("contracts:\n  - ok/*.yaml\n  - /etc/*.yaml\n", "3:5", "/etc", id="an absolute glob"),
        pytest.param("exclude: ['[z-a].yaml']\n", "1:11", "range", id="a glob that cannot be read"),
        pytest.param("rules:\n  docs-chnged: {bump: minor}\n", "2:3", "docs-chnged", id="an unknown rule"),
        pytest.param("rules:\n  property-removed: {bump: minor}\n", "2:3", "cannot be lowered", id="a rule lowered"),
        pytest.param(
            "profile: full\nrules:\n  unique-added: {bump: minor}\n",
            "3:3",
            "cannot be lowered",
            id="lowered in its profile",
        ),
        pytest.param("rules:\n  docs-changed: {bump: huge}\n", "2:24", "huge", id="an unknown bump"),
        pytest.param("- a\n", "1:1", "no keys", id="a list"),
        pytest.param("a: [\n", "2:1", "", id="no YAML"),
    ],
)
def test_mistakes_are_told_with_their_place(text: str, place: str, message: str) -> None:
    found = config(text)
    assert found.config == Config()
    assert [item.code.id for item in found.findings] == ["FLOE-E590"]
    (told,) = found.findings
    assert str(told.location) == f"{CONFIG}:{place}"
    assert message in told.message + told.actual
    assert told.suggestions or told.expected
    with pytest.raises(SettingsError, match=r"config\.yaml"):
        require_usable(found)


def test_a_misspelled_key_gets_a_suggestion() -> None:
    (told,) = config("contract: [a]\n").findings
    assert "contracts" in told.suggestions[0]


@pytest.mark.parametrize("text", ["", "# none yet\n", "{key}:\n", "{key}: []\n", "{{}}\n"])
@pytest.mark.parametrize("key", ["waivers", "acks"])
def test_a_list_without_entries_says_nothing(key: str, text: str) -> None:
    assert read_settings({f".floe/{key}.yaml": text.format(key=key).encode()}, TODAY) == Settings()


def test_a_link_is_no_settings_file() -> None:
    (told,) = read_settings({CONFIG: None}, TODAY).findings
    assert "link" in told.message


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        (".floe/config.yaml", True),
        (".floe/waivers.yaml", True),
        (".floe/acks.yaml", True),
        (".floe/consumers/bi.yaml", True),
        (".floe/consumers/bi.yml", True),
        (".floe/consumers/team/bi.yaml", False),
        (".floe/monitoring.yaml", False),
        (".floe/config.yml", False),
        ("sub/.floe/config.yaml", False),
        ("config.yaml", False),
    ],
)
def test_which_files_the_gate_reads(path: str, counts: bool) -> None:
    assert is_settings_path(path) is counts


def test_consumers_and_acknowledgements() -> None:
    found = read_settings(
        {
            ".floe/consumers/bi.yaml": b"consumer: bi\nconsumes: [{contract: orders, major: 2, columns: [id]}]\n",
            ".floe/consumers/ml.yml": b"consumer: ml\nconsumes: [{contract: orders}]\n",
            ".floe/acks.yaml": b'acks: [{contract: orders, major: 2, consumer: bi, by: dana, date: "2026-01-01"}]\n',
        },
        TODAY,
    )
    assert found.findings == ()
    assert [(one.consumer, one.contract, one.major, one.columns) for one in found.register.subscriptions] == [
        ("bi", "orders", 2, ("id",)),
        ("ml", "orders", None, ()),
    ]
    assert [one.consumer for one in found.register.acknowledgements] == ["bi"]


@pytest.mark.parametrize(
    ("name", "text", "message", "fix"),
    [
        ("consumers/bi", "", "the file holds no keys", "Write consumer: and consumes: into it, or remove it."),
        ("consumers/bi", "consumer: bi\n", "this file needs 'consumes'", "Add 'consumes'."),
        (
            "consumers/bi",
            "consumr: bi\nconsumer: bi\nconsumes: []\n",
            "this file has no key 'consumr'",
            "Did you mean 'consumer'?",
        ),
        (
            "consumers/bi",
            "consumer: bi\nconsumes: [{contract: orders, columns: id}]\n",
            "'columns' must be a list, not 'id'",
            "Write a list, one entry per line, each starting with a dash.",
        ),
        (
            "consumers/bi",
            "consumer: bi\nconsumes: [{contract: orders, mayor: 2}]\n",
            "'consumes' has no key 'mayor'",
            "Did you mean 'major'?",
        ),
        (
            "acks",
            "acks: [{contract: orders, major: 2, consumer: bi}]\n",
            "'acks' needs 'by', 'date'",
            "Add 'by', 'date'.",
        ),
        (
            "acks",
            "acks: [{contract: orders, major: 2, consumer: bi, by: d, date: soon}]\n",
            "'date' cannot be spelled 'soon'",
            "Use a date such as 2026-02-03.",
        ),
        (
            "waivers",
            "waivers: [{fingerprint: 35cd}]\n",
            "'fingerprint' cannot be spelled '35cd'",
            "Use the 16 digits and letters that the report prints.",
        ),
        (
            "waivers",
            "waivers: none\n",
            "'waivers' must be a list, not 'none'",
            "Write a list, one entry per line, each starting with a dash.",
        ),
    ],
)
def test_mistakes_in_the_other_files(name: str, text: str, message: str, fix: str) -> None:
    path = f".floe/{name}.yaml"
    (told,) = read_settings({path: text.encode()}, TODAY).findings
    assert (told.code.id, told.location and told.location.path) == ("FLOE-E590", path)
    assert (told.message, told.suggestions) == (message, (fix,))


def test_a_broken_base_is_refused_until_the_head_repairs_it() -> None:
    broken, whole = config("profile: strict\n"), config("profile: full\n")
    with pytest.raises(SettingsError):
        agree_on_settings(broken, broken)
    assert agree_on_settings(broken, whole).config == Config()  # counts as absent: the repair cannot excuse itself
    assert agree_on_settings(whole, broken) == whole  # the head's mistake is the report's business


@pytest.mark.parametrize("kind", ["config", "waivers", "consumers", "acks"])
def test_published_schemas_describe_every_key(kind: str) -> None:
    schema = read_schema(kind)
    assert str(schema["$id"]).endswith(f"/{kind}.schema.json")
    assert '"additionalProperties": true' not in json.dumps(schema)
    assert all(isinstance(value, dict) for value in dict(schema["properties"]).values())
