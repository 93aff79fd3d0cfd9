"""The entry point: help without weight, global options, one error boundary, exit codes."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from support.contracts import ORDERS
from support.running import SOURCE, Floe, Terminal, fresh_floe

from floe_contracts import __version__
from floe_contracts.adapters.process.boundary import Alarm, guard
from floe_contracts.adapters.process.console import wants_colour
from floe_contracts.cli.main import COMMANDS, cli, main
from floe_contracts.errors import BaseNotFound, MissingExtra


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        pytest.param(("--help",), {"pydantic", "yaml", "git", "json", "jsonschema_rs"}, id="help"),
        pytest.param(("--version",), {"pydantic", "yaml", "git"}, id="version"),
        pytest.param(("lint", "--help"), {"pydantic", "yaml", "git", "jsonschema_rs"}, id="help of lint"),
        pytest.param(("contract", "--help"), {"pydantic", "yaml", "git", "datacontract"}, id="help of contract"),
        pytest.param(("explain", "E520"), {"pydantic", "yaml", "git"}, id="explain"),
        pytest.param(("lint", "orders.yaml"), {"pydantic", "git", "datacontract", "jsonschema", "asyncio"}, id="lint"),
        pytest.param(("contract", "hash", "orders.yaml"), {"pydantic", "git", "datacontract"}, id="hash"),
    ],
)
def test_a_command_imports_only_what_it_needs(tmp_path: Path, arguments: tuple[str, ...], unwanted: set[str]) -> None:
    (tmp_path / "orders.yaml").write_text(ORDERS)
    after = "print('', *{name.split('.')[0] for name in sys.modules})"
    ran = fresh_floe(*arguments, cwd=tmp_path, after=after)
    assert ran.code == 0, ran.err
    assert set(ran.out.splitlines()[-1].split()) & unwanted == set()


def test_table_of_commands_says_what_the_commands_say() -> None:
    context = click.Context(cli)
    for name, entry in COMMANDS.items():
        command = cli.get_command(context, name)
        assert command is not None
        assert (command.name, command.short_help, command.hidden) == (name, entry.help, entry.hidden)


def test_help_lists_every_command_that_is_not_hidden(floe: Floe) -> None:
    out = floe("--help").out
    assert [name for name, entry in COMMANDS.items() if (f"  {name} " in out) is entry.hidden] == []


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_version(floe: Floe, option: str) -> None:
    assert floe(option).out == f"floe {__version__}\n"


@pytest.mark.parametrize(
    "words", [(), ("lint",), ("monitor", "run")], ids=["floe", "a command", "a command of a group"]
)
def test_the_word_help_says_what_the_option_says(floe: Floe, words: tuple[str, ...]) -> None:
    assert floe("help", *words).out == floe(*words, "--help").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param(("lnt",), "There is no command 'lnt'. Did you mean 'lint'?", id="a typo"),
        pytest.param(("lint", "x"), "'floe lint' has no commands of its own.", id="a word too many"),
    ],
)
def test_help_for_what_is_not_there(floe: Floe, words: tuple[str, ...], message: str) -> None:
    ran = floe("help", *words)
    assert ran.code == 2
    assert message in ran.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param((), "Usage: floe", id="no command"),
        pytest.param(("lnt",), "There is no command 'lnt'. Did you mean 'lint'?", id="misspelt command"),
        pytest.param(("zzz",), "There is no command 'zzz'. `floe --help` lists them.", id="unknown command"),
        pytest.param(("lint", "--strickt"), "No such option", id="misspelt option"),
        pytest.param(("lint", "--format", "xml"), "'xml' is not one of 'terminal', 'json'", id="unknown format"),
        pytest.param(("completion", "tcsh"), "'tcsh' is not one of", id="unknown shell"),
    ],
)
def test_usage_errors_are_exit_2(floe: Floe, arguments: tuple[str, ...], words: str) -> None:
    ran = floe(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_usage_errors_are_json_lines_when_asked_for(floe: Floe) -> None:
    ran = floe("--log-format", "json", "lnt")
    assert ran.code == 2
    assert json.loads(ran.err)["message"] == "There is no command 'lnt'. Did you mean 'lint'?"


@pytest.mark.parametrize("arguments", [("--verbose", "lint"), ("lint", "--verbose"), ("lint", "-v")])
def test_global_options_stand_before_or_after_the_command(floe: Floe, arguments: tuple[str, ...]) -> None:
    Path("a.odcs.yaml").write_text(ORDERS)
    assert "passed" in floe(*arguments).out


def fails_with(error: BaseException) -> int:
    raise error


@pytest.mark.parametrize(
    ("error", "code", "err"),
    [
        pytest.param(
            MissingExtra("importing SQL", "datacontract"),
            2,
            "FLOE-E591 importing SQL needs packages that are not installed here\n"
            "  fix: pip install 'floe-contracts[datacontract]'\n",
            id="a missing extra",
        ),
        pytest.param(
            BaseNotFound("no base: ##[error]x\n::y"),
            2,
            "FLOE-E528 no base: # #[error]x\\n::y\n"
            "  fix: Fetch the base branch (in GitHub Actions: fetch-depth: 2) or name it with --base; "
            "fix what cannot be read.\n",
            id="a hostile message",
        ),
        pytest.param(KeyboardInterrupt(), 130, "", id="Ctrl-C"),
        pytest.param(BrokenPipeError(), 141, "", id="a closed pipe"),
        pytest.param(
            OSError(errno.ENOSPC, "No space left on device"),
            2,
            "FLOE-E592 the output cannot be written: No space left on device\n"
            "  fix: Make room for it, and run again.\n",
            id="a full disk",
        ),
        pytest.param(
            PermissionError(errno.EACCES, "Permission denied"),
            3,
            "FLOE-E599 internal error, PermissionError: [Errno 13] Permission denied\n"
            "  fix: Run again with --verbose for the trace, and report it.\n",
            id="another failure of the system",
        ),
        pytest.param(
            ValueError("odd"),
            3,
            "FLOE-E599 internal error, ValueError: odd\n"
            "  fix: Run again with --verbose for the trace, and report it.\n",
            id="a bug",
        ),
    ],
)
def test_every_exception_has_one_exit(
    capsys: pytest.CaptureFixture[str], error: BaseException, code: int, err: str
) -> None:
    assert guard(lambda: fails_with(error), Alarm()) == code
    assert capsys.readouterr().err == err


def test_a_bug_shows_its_trace_only_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert guard(lambda: fails_with(ValueError("odd")), Alarm(trace=True)) == 3
    err = capsys.readouterr().err
    assert err.startswith("Traceback (most recent call last):\n")
    assert "in fails_with" in err


def test_a_failure_is_one_json_line_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert guard(lambda: fails_with(MissingExtra("x", "spark")), Alarm(json_lines=True)) == 2
    assert json.loads(capsys.readouterr().err) == {
        "level": "error",
        "code": "FLOE-E591",
        "message": "x needs packages that are not installed here",
        "fix": "pip install 'floe-contracts[spark]'",
    }


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    script = "import sys; from floe_contracts.cli.main import main; sys.exit(main(['explain', '--format', 'json']))"
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_no_verdict(tmp_path: Path) -> None:
    script = "import sys; from floe_contracts.cli.main import main; sys.exit(main(['explain']))"
    with open("/dev/full", "w", encoding="utf-8") as full:
        ran = subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(SOURCE)},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (ran.returncode, ran.stderr.count(b"\n")) == (2, 2)


def test_closed_streams_leave_the_exit_code(tmp_path: Path) -> None:
    (tmp_path / "orders.yaml").write_text(ORDERS)
    ran = fresh_floe("lint", "orders.yaml", cwd=tmp_path, before="sys.stdout = sys.stderr = None")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_our_own_marks_are_spelled_out_where_only_ascii_is_known(tmp_path: Path) -> None:
    (tmp_path / "orders.yaml").write_text(ORDERS)
    ran = fresh_floe("lint", "orders.yaml", cwd=tmp_path, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert "1 contract checked (1 odcs) - 0 errors - 0 warnings" in ran.out


def test_a_terminal_that_knows_only_ascii_gets_escapes(tmp_path: Path) -> None:
    (tmp_path / "orders.yaml").write_bytes(ORDERS.replace("status", "größe").encode())
    ran = fresh_floe("lint", "orders.yaml", cwd=tmp_path, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (ran.code, ran.err) == (1, "")
    assert "gr\\xf6\\xdfe" in ran.out


@pytest.mark.parametrize(
    ("environment", "stream", "colour"),
    [
        pytest.param({}, Terminal(), True, id="a terminal"),
        pytest.param({}, io.StringIO(), False, id="a pipe"),
        pytest.param({"NO_COLOR": "1"}, Terminal(), False, id="NO_COLOR"),
        pytest.param({"NO_COLOR": ""}, Terminal(), True, id="an empty NO_COLOR says nothing"),
        pytest.param({"TERM": "dumb"}, Terminal(), False, id="a dumb terminal"),
        pytest.param({"FORCE_COLOR": "1"}, io.StringIO(), True, id="FORCE_COLOR"),
        pytest.param({"FORCE_COLOR": "0"}, io.StringIO(), False, id="FORCE_COLOR=0 forces nothing"),
        pytest.param({"CLICOLOR_FORCE": "1"}, io.StringIO(), True, id="CLICOLOR_FORCE"),
        pytest.param({"CLICOLOR": "0"}, Terminal(), False, id="CLICOLOR=0"),
        pytest.param({"NO_COLOR": "1", "FORCE_COLOR": "1"}, Terminal(), False, id="NO_COLOR wins"),
    ],
)
def test_colour(environment: dict[str, str], stream: io.StringIO, colour: bool) -> None:
    assert wants_colour(environment, stream) is colour


def test_no_color_beats_a_forced_colour(floe: Floe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in floe("explain", "E520").out
    assert "\x1b[" not in floe("--no-color", "explain", "E520").out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(floe: Floe, shell: str) -> None:
    ran = floe("completion", shell)
    assert ran.code == 0
    assert f"_FLOE_COMPLETE={shell}_complete" in ran.out


@pytest.mark.parametrize(
    ("words", "found"),
    [
        pytest.param("floe l", ["plain,lint"], id="a command"),
        pytest.param("floe lint --st", ["plain,--strict"], id="an option"),
        pytest.param("floe contract h", ["plain,hash"], id="a command of a group"),
    ],
)
def test_completion_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str, found: list[str]
) -> None:
    monkeypatch.setenv("_FLOE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    assert main([]) == 0
    assert capsys.readouterr().out.split() == found


def test_quiet_prints_nothing_of_what_passes_and_all_of_what_does_not(floe: Floe, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text('schema: orders\nversion: "1.0.0"\nowner: shop\nfields:\n  - {name: id, type: STRING}\n')
    bad.write_text("schema: orders\n")
    passed, blocked = floe("lint", "--quiet", str(good)), floe("lint", "-q", str(bad))
    assert (passed.code, passed.out, passed.err) == (0, "", "")
    assert blocked.code == 1
    assert "BLOCKED" in blocked.out
