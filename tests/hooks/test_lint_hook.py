"""floe-contract-lint on its own: which of the files it gets are contracts, and what it says about them."""

from __future__ import annotations

import pytest
from support.contracts import COMPOSE, DANGLING, MISSPELT
from support.contracts import ORDERS as GOOD
from support.git_sandbox import Clone
from support.running import Floe as Hook

LINT = "floe-contract-lint"


@pytest.mark.parametrize(
    ("path", "text", "code", "said"),
    [
        pytest.param("contracts/a.yaml", GOOD, 0, "PASS", id="a good contract"),
        pytest.param("contracts/a.yaml", MISSPELT, 1, "unknown-key", id="a mistake"),
        pytest.param("contracts/a.yaml", DANGLING, 0, "sla-element-unknown", id="a warning"),
        pytest.param("contracts/a.yaml", COMPOSE, 1, "not-a-contract", id="no contract where one must be"),
        pytest.param("compose.yaml", COMPOSE, 0, "", id="other YAML"),
        pytest.param("elsewhere/a.yaml", GOOD, 0, "not-gated", id="a contract where the gate does not look"),
        pytest.param("elsewhere/a.yaml", MISSPELT, 1, "unknown-key", id="a mistake where the gate does not look"),
        pytest.param("contracts/.hidden.yaml", COMPOSE, 0, "", id="a hidden file"),
    ],
)
def test_files(repo: Clone, hook: Hook, path: str, text: str, code: int, said: str) -> None:
    repo.write({path: text})
    ran = hook(LINT, path)
    assert (ran.code, ran.err) == (code, "")
    assert said in ran.out
    assert bool(said) or ran.out == ""


def test_strict(repo: Clone, hook: Hook) -> None:
    repo.write({"contracts/a.yaml": DANGLING})
    assert hook(LINT, "--strict", "contracts/a.yaml").code == 1


def test_no_files(hook: Hook) -> None:
    assert hook(LINT).code == 0
    assert hook(LINT, "--strict").code == 0


@pytest.mark.parametrize("how", ["settings", "argument"])
def test_globs_of_the_repository(repo: Clone, hook: Hook, how: str) -> None:
    repo.write({"tables/a.yaml": COMPOSE})
    assert hook(LINT, "tables/a.yaml").code == 0
    if how == "settings":
        repo.write({".floe/config.yaml": "contracts: [tables/*.yaml]\n"})
    more = [] if how == "settings" else ["--contracts=tables/*.yaml"]
    assert hook(LINT, *more, "tables/a.yaml").code == 1


def test_settings_that_cannot_be_read(repo: Clone, hook: Hook) -> None:
    repo.write({".floe/config.yaml": "profle: x\n", "contracts/a.yaml": GOOD})
    ran = hook(LINT, "contracts/a.yaml")
    assert (ran.code, ran.err.startswith("FLOE-E590 .floe/config.yaml:1:1")) == (2, True)


def test_several_files_make_one_report(repo: Clone, hook: Hook) -> None:
    repo.write({"contracts/a.yaml": GOOD, "contracts/b.yaml": MISSPELT, "compose.yaml": COMPOSE})
    ran = hook(LINT, "contracts/a.yaml", "contracts/b.yaml", "compose.yaml")
    assert (ran.code, ran.out.count("BLOCKED"), "2 contracts checked" in ran.out) == (1, 1, True)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("--strict.yaml", id="a flag with an ending"),
        pytest.param("-h.yaml", id="help with an ending"),
        pytest.param("--contracts=a.yaml", id="a flag with a value"),
        pytest.param("--contracts", id="a flag to the letter"),
        pytest.param("--help", id="help to the letter"),
        pytest.param("--", id="the end of options"),
        pytest.param("-.yaml", id="a dash"),
        pytest.param("@args.yaml", id="a file of arguments"),
        pytest.param("@", id="nothing but the mark"),
    ],
)
@pytest.mark.parametrize(
    "more", [(), ("--strict",), ("--contracts", "tables/*.yaml")], ids=["plain", "strict", "globs"]
)
def test_a_file_of_the_index_is_no_option(repo: Clone, hook: Hook, name: str, more: tuple[str, ...]) -> None:
    """The name of a file hides neither the file nor the one after it."""
    repo.write({name: MISSPELT, "contracts/b.yaml": MISSPELT})
    ran = hook(LINT, *more, name, "contracts/b.yaml")
    assert (ran.code, ran.err) == (1, "")
    assert f"{name}:" in ran.out
    assert "contracts/b.yaml:" in ran.out


def test_a_file_called_as_a_flag_does_not_switch_it_off(repo: Clone, hook: Hook) -> None:
    repo.write({"contracts/a.yaml": DANGLING, "--strict": "x\n"})
    assert hook(LINT, "--strict", "contracts/a.yaml").code == 1


def test_what_is_neither_file_nor_option_is_refused(repo: Clone, hook: Hook) -> None:
    ran = hook(LINT, "--stric", "contracts/orders.yaml")
    assert (ran.code, "unrecognized arguments: --stric" in ran.err) == (2, True)
