"""Secrets stand in settings as references only, and no message repeats one."""

from __future__ import annotations

import pytest

from floe_contracts.monitor.settings.reading import read_config
from floe_contracts.product.secret import SecretRef, names_secret, problem_of, reveal_options, value_of

PLANTED = "hunter2-do-not-tell"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("env:PGPASSWORD", SecretRef("env", "PGPASSWORD"), id="an environment variable"),
        pytest.param("file:/run/secrets/pg", SecretRef("file", "/run/secrets/pg"), id="a file"),
        pytest.param("file: ./secret.txt", SecretRef("file", "./secret.txt"), id="a relative file"),
        pytest.param("file:///run/secrets/pg", SecretRef("file", "/run/secrets/pg"), id="a file as a URL"),
        pytest.param("environment:x", "environment:x", id="another word with a colon"),
        pytest.param("1000", "1000", id="a plain value"),
    ],
)
def test_references_are_recognised(text: str, value: object) -> None:
    assert value_of(text) == value


@pytest.mark.parametrize("text", ["env:", "env:two words", "env:1A", "file:"])
def test_a_reference_that_leads_nowhere_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="needs"):
        value_of(text)


@pytest.mark.parametrize(
    "name",
    [
        "password", "sslPassword", "sfPassword", "aws_secret_access_key", "fs.s3a.secret.key", "fs.s3a.access.key",
        "token", "oauth.accessToken", "account-key", "kafka.sasl.jaas.config", "privateKey", "pwd", "apiKey",
        "connectionString",
    ],
)  # fmt: skip
def test_names_of_secrets(name: str) -> None:
    assert names_secret(name)


@pytest.mark.parametrize("name", ["user", "fetchsize", "header", "sep", "partitionColumn", "subscribe", "keyspace"])
def test_names_of_other_options(name: str) -> None:
    assert not names_secret(name)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"store: postgresql://me:{PLANTED}@db/floe\n", id="in the address of the store"),
        pytest.param(f"connections: {{o: {{options: {{password: {PLANTED}}}}}}}\n", id="under its own name"),
        pytest.param(f"connections: {{o: {{options: {{x: 'a=1;password={PLANTED}'}}}}}}\n", id="inside an option"),
        pytest.param(
            f"connections: {{o: {{url: 'jdbc:mysql://h/d?user=a&password={PLANTED}'}}}}\n", id="in a JDBC URL"
        ),
        pytest.param(
            f"connections: {{o: {{url: 'jdbc:oracle:thin:scott/{PLANTED}@//db:1521/x'}}}}\n", id="in a URL of Oracle"
        ),
        pytest.param(
            f"connections: {{o: {{url: 'jdbc:oracle:oci:app[scott]/\"{PLANTED}@1\"@orcl'}}}}\n",
            id="in a URL of Oracle, quoted, behind a proxy user",
        ),
        pytest.param(f"connections: {{o: {{location: 's3://key:{PLANTED}@bucket/x'}}}}\n", id="in a location"),
        pytest.param(
            f"connections: {{o: {{tables: {{t: {{options: {{token: {PLANTED}}}}}}}}}}}\n", id="in a table's options"
        ),
        pytest.param(f"connections: {{o: {{location: 'wasbs://c@a/x?sig={PLANTED}'}}}}\n", id="in a signed URL"),
    ],
)
def test_a_secret_in_the_file_is_refused_and_not_repeated(text: str) -> None:
    config, found = read_config(text.encode())
    assert config is None
    assert PLANTED not in repr(found)
    assert "env:NAME" in found[0].message


def test_a_mistake_beside_a_secret_does_not_repeat_it() -> None:
    _, found = read_config(f"connections: {{o: {{options: {{password: [{PLANTED}]}}}}}}\n".encode())
    assert PLANTED not in repr(found)


def test_user_names_and_references_may_stand_in_the_file() -> None:
    text = b"store: env:FLOE_STORE\nconnections: {o: {options: {user: me, password: env:PW}}}\n"
    config, found = read_config(text)
    assert (config is not None, found) == (True, ())


def test_options_are_revealed_only_by_the_one_who_looks_up() -> None:
    options = (("user", "me"), ("password", SecretRef("env", "PW")))
    assert reveal_options(options, {SecretRef("env", "PW"): PLANTED}.__getitem__) == {"user": "me", "password": PLANTED}
    assert PLANTED not in repr(options)


def test_an_empty_secret_is_no_secret() -> None:
    assert problem_of("password", "") == ""


@pytest.mark.parametrize(
    "url",
    [
        "jdbc:oracle:thin:@//db:1521/x",
        "jdbc:oracle:thin:/@orcl",
        "jdbc:oracle:thin:scott@//db:1521/x",
        "jdbc:oracle:thin:@tcps://db:1521/x?wallet_location=/opt/wallet",
    ],
)
def test_a_url_of_oracle_without_a_password_may_stand_in_the_file(url: str) -> None:
    assert problem_of("url", url) == ""
