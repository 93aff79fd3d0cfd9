"""Commands that a page names without running them: inline code, and blocks for the reader's own machine.

`floe …` is held against the tree of commands, and what follows a job of spark-submit against the options of that job.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache

import click

from floe_contracts.adapters.files.packaged import job_file
from floe_contracts.cli.main import cli
from support.builds import ROOT

_BLOCK = re.compile(r"^ *```(\w*)[^\n]*\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_FLOE = re.compile(r"(?:^|(?<=[\s({|;&\"]))floe (?=[a-z-])[^|;&)>`\n]*")
_SUBMIT = re.compile(r"(?:^|(?<=[\s({|;&]))spark-submit [^|;&>`\n]*")
_JOB = re.compile(r"\$\(floe job path (\w+)\)|(?:batch/|^)(\w+)\.py$")
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*$", re.MULTILINE)
_FILES = {"all": "all_checks"}
SHELL = ("sh", "bash")


def blocks(page: str, kinds: tuple[str, ...]) -> list[str]:
    """The text of every block in one of these languages."""
    return [body for kind, body in _BLOCK.findall(page) if kind in kinds]


def named(page: str) -> Iterator[str]:
    """Every command of floe and every submit that the page names."""
    prose = _BLOCK.sub("", page)
    texts = [*blocks(page, (*SHELL, "", "console")), *_INLINE.findall(prose)]
    for text in texts:
        joined = _COMMENT.sub("", text.replace("\\\n", " "))
        yield from (found.strip() for found in _FLOE.findall(joined))
        yield from (found.strip() for found in _SUBMIT.findall(joined))


def problem(command: str) -> str:
    """What is wrong with a command; empty when it exists with all its options."""
    words = _words(command)
    return _submit_problem(words) if words[0] == "spark-submit" else _floe_problem(words[1:])


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command.replace("…", ""), comments=True)
    except ValueError:  # an apostrophe of prose
        return command.split()


def _floe_problem(words: list[str]) -> str:
    at: click.Command = cli
    path = "floe"
    for word in list(words):
        if word.startswith("-") or not isinstance(at, click.Group):
            break
        if not word.islower():  # a placeholder such as COMMAND
            return ""
        child = at.get_command(click.Context(at), word)
        if child is None:
            return f"there is no `{path} {word}`"
        at, path, words = child, f"{path} {word}", words[1:]
    known = {"--help", *_options(at), *_options(cli)}
    return _unknown(path, words, known)


def _options(command: click.Command) -> set[str]:
    return {name for one in command.params for name in (*one.opts, *one.secondary_opts) if name.startswith("-")}


def _submit_problem(words: list[str]) -> str:
    for place, word in enumerate(words):
        if found := _JOB.search(word):
            name = found[1] or found[2]
            name = _FILES.get(name, name)
            if not (ROOT / f"batch/{name}.py").exists():
                return "" if not found[1] and "batch/" not in word else f"there is no job {name}"
            return _unknown(f"batch/{name}.py", words[place + 1 :], _job_options(name))
    return ""


def _unknown(path: str, words: list[str], known: set[str]) -> str:
    flags = [word.partition("=")[0] for word in words if re.match(r"--?[A-Za-z]", word)]
    wrong = [flag for flag in flags if flag not in known]
    return f"{path} has no {' or '.join(wrong)}" if wrong else ""


@cache
def _job_options(name: str) -> set[str]:
    ran = subprocess.run([sys.executable, job_file(name), "--help"], capture_output=True, text=True, check=True)
    return set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", ran.stdout))
