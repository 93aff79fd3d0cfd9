"""Files made to hurt: each ends in one clear problem, quickly and in little memory, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass

import pytest
from support.running import SOURCE

pytest.importorskip("resource", reason="limits on processes are Unix only")

MEBIBYTE = 1024 * 1024

# Reads a document under limits, then does what every caller does with it, and says what that cost.
READ_UNDER_LIMITS = """
import json, resource, sys, time
from floe_contracts.contract.source import plain, read_document

def peak():
    if sys.platform == "linux":  # getrusage remembers the process that started this one
        status = dict(line.split(":", 1) for line in open("/proc/self/status"))
        return int(status["VmHWM"].split()[0]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

data = sys.stdin.buffer.read()
resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
if sys.platform == "linux":
    resource.setrlimit(resource.RLIMIT_AS, (1024**3, 1024**3))
before, start = peak(), time.process_time()
document = read_document(data)
document.locate(("a", 0, "b"))
json.dumps(plain(document.value))
print(json.dumps({
    "problems": [[p.code.id, p.rule, p.message] for p in document.problems[:3]],
    "count": len(document.problems),
    "seconds": time.process_time() - start,
    "growth": peak() - before,
}))
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the process said about one file."""

    problems: tuple[tuple[str, str, str], ...]
    count: int
    seconds: float
    growth: int


def attack(data: bytes) -> Answer:
    ran = subprocess.run(
        [sys.executable, "-c", READ_UNDER_LIMITS],
        input=data,
        env=os.environ | {"PYTHONPATH": str(SOURCE)},
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    said = json.loads(ran.stdout)
    problems = tuple((code, rule, message) for code, rule, message in said["problems"])
    return Answer(problems, said["count"], said["seconds"], said["growth"])


def filled(piece: str, start: str = "", end: str = "") -> str:
    """As many pieces as fit into the largest file that is parsed at all."""
    room = MEBIBYTE - len((start + end).encode())
    return start + piece * (room // len(piece.encode())) + end


def alias_bomb(levels: int = 9) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join(lines)


def merge_bomb(levels: int = 9) -> str:
    lines = ["a0: &a0 {" + ", ".join(f"k{n}: {n}" for n in range(9)) + "}"]
    lines += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, levels)]
    return "\n".join(lines)


def alias_ladder() -> str:
    """Aliases that each add sixty levels, so that only the written-out depth gives them away."""
    lines = ["a0: &a0 x"]
    lines += [f"a{n}: &a{n} {'[' * 60}*a{n - 1}{']' * 60}" for n in range(1, 40)]
    return "\n".join(lines)


def growing_indentation(levels: int) -> str:
    return "".join(" " * n + "a:\n" for n in range(levels))


E509 = [
    pytest.param(alias_bomb(), "yaml-expansion", id="alias bomb"),
    pytest.param(merge_bomb(), "yaml-expansion", id="merge bomb"),
    pytest.param(alias_ladder(), "yaml-depth", id="aliases stacked deep"),
    pytest.param("a: &a {<<: *a}", "yaml-recursion", id="merge of itself"),
    pytest.param("a: &a [&b [*a]]", "yaml-recursion", id="circle of aliases"),
    pytest.param("a: &a [x]\nb: [" + "*a, " * 200_000 + "]", "yaml-expansion", id="200,000 aliases"),
    pytest.param("[" * 200_000, "yaml-depth", id="200,000 brackets"),
    pytest.param("{a: " * 200_000, "yaml-depth", id="200,000 mappings in braces"),
    pytest.param("a: " + "[{b: " * 100_000, "yaml-depth", id="brackets and braces in turn"),
    pytest.param("- " * 200_000, "yaml-depth", id="200,000 dashes"),
    pytest.param(growing_indentation(1400), "yaml-depth", id="growing indentation"),
    pytest.param("a: " + "9" * 5_000, "yaml-number", id="5,000 digits"),
    pytest.param("a: 0." + "9" * 1_000_000, "yaml-number", id="a million decimals"),
    pytest.param("a: 0x" + "f" * 1_000_000, "yaml-number", id="a million hexadecimal digits"),
    pytest.param("a: !!python/object/apply:os.system [id]", "yaml-tag", id="tag that runs a command"),
    pytest.param("!!python/name:os.system a: b", "yaml-tag", id="tag on a key"),
    pytest.param(filled("!", "a: "), "yaml-tag", id="many exclamation marks"),
    pytest.param("a: !!binary aGk=", "yaml-tag", id="binary tag"),
    pytest.param(filled("%TAG !a! b\n", end="---\na: 1"), "yaml-tag", id="many tag directives"),
    pytest.param(
        filled("%TAG !a! b\n", "a: 1\n...\n", "---\nb: 1"), "yaml-tag", id="many tag directives in the middle"
    ),
    pytest.param(filled("\u2028%TAG !a! b", "# x", "\n---\na"), "yaml-tag", id="tag directives after odd line breaks"),
    pytest.param(filled("- a\n"), "yaml-expansion", id="many items"),
    pytest.param(filled("- &a a\n"), "yaml-expansion", id="many anchors"),
    pytest.param(filled("a: &a\n"), "yaml-expansion", id="many empty anchors"),
    pytest.param(filled("[],", "["), "yaml-expansion", id="many empty lists"),
    pytest.param(filled("<<: {}\n"), "yaml-expansion", id="many merge keys"),
    pytest.param(filled("\x85- b"), "yaml-expansion", id="many odd line breaks"),
    pytest.param(filled("--- a\n"), "yaml-documents", id="many documents"),
]
E501 = [
    pytest.param("{" * 200_000, "complex-key", id="200,000 braces"),
    pytest.param("? " * 200_000, "complex-key", id="200,000 question marks"),
    pytest.param(filled("'", "a: "), "yaml-syntax", id="many quotes"),
    pytest.param(filled("[", "'"), "yaml-syntax", id="open quote before brackets"),
    pytest.param(filled("\\", 'a: "'), "yaml-syntax", id="many backslashes"),
    pytest.param(filled("&a ", "a: "), "yaml-syntax", id="many anchors on one value"),
    pytest.param(filled("a", end=": b"), "yaml-syntax", id="key of a mebibyte"),
    pytest.param(filled("a\n", "x: 1\n"), "yaml-syntax", id="many lines without a colon"),
    pytest.param("%YAML 1." + "9" * 100_000 + "\n---\na: 1", "yaml-syntax", id="endless version"),
    pytest.param(filled("# no\n"), "yaml-empty", id="comments only"),
    pytest.param(filled("\n"), "yaml-empty", id="blank lines only"),
]


@pytest.mark.parametrize(
    ("text", "code", "rule"),
    [
        *[pytest.param(case.values[0], "FLOE-E509", case.values[1], id=case.id) for case in E509],
        *[pytest.param(case.values[0], "FLOE-E501", case.values[1], id=case.id) for case in E501],
    ],
)
def test_text_that_hurts_ends_in_one_clear_problem(text: str, code: str, rule: str) -> None:
    answer = attack(text.encode())
    assert [found[:2] for found in answer.problems] == [(code, rule)]
    assert len(answer.problems[0][2]) < 200
    assert answer.seconds < 1
    assert answer.growth < 150 * MEBIBYTE


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        pytest.param(b"a: 1\n" * 4 * MEBIBYTE, "yaml-size", id="20 MiB"),
        pytest.param(b"a" * MEBIBYTE + b"\x00", "yaml-size", id="one byte too many"),
        pytest.param(b"a: " + b"\x00" * 100_000, "yaml-control", id="zero bytes"),
        pytest.param(b"a: 1\n" * 1_000 + b"\x00", "yaml-control", id="a zero byte at the end"),
        pytest.param(b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 100, "yaml-control", id="a program"),
        pytest.param(("a: b\n" * 50_000).encode("utf-16"), "yaml-encoding", id="UTF-16"),
        pytest.param(("a: b\n" * 50_000).encode("utf-32-be"), "yaml-encoding", id="UTF-32 without a mark"),
        pytest.param(b"a: \xed\xa0\xbd\xed\xb8\x80", "yaml-encoding", id="lone surrogates"),
        pytest.param(b"a: \xc0\xaf", "yaml-encoding", id="overlong encoding"),
        pytest.param(b"a: \xf4\x90\x80\x80", "yaml-encoding", id="beyond Unicode"),
    ],
)
def test_bytes_that_hurt_end_in_one_clear_problem(data: bytes, rule: str) -> None:
    answer = attack(data)
    assert [found[1] for found in answer.problems] == [rule]
    assert answer.seconds < 1
    assert answer.growth < 150 * MEBIBYTE


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a: 2024-99-99\nb: 2024-01-01T25:61:61Z\nc: 0000-00-00", id="dates that do not exist"),
        pytest.param(filled("x", "a: "), id="one very long line"),
        pytest.param(filled("x ", "a: "), id="a million short words"),
        pytest.param(filled(" x\n", "a:\n"), id="text over many lines"),
        pytest.param(filled("  \n", "a: |\n  b\n"), id="block text of blanks"),
        pytest.param(filled("''", "a: '", "'"), id="text of quotes"),
        pytest.param(filled("\\u0041", 'a: "', '"'), id="text of escapes"),
        pytest.param("x: &x {k: 1}\n" + "".join(f"a{n}: {{<<: *x}}\n" for n in range(10_000)), id="many small merges"),
        pytest.param("".join(f"a{n}: &a{n} {n}\nb{n}: *a{n}\n" for n in range(10_000)), id="many anchors, each used"),
        pytest.param("a: [" * 30 + "x" + "]" * 30, id="deep but allowed"),
    ],
)
def test_text_that_is_only_unusual_is_read_at_little_cost(text: str) -> None:
    answer = attack(text.encode())
    assert answer.problems == ()
    assert answer.seconds < 1
    assert answer.growth < 150 * MEBIBYTE


def test_many_duplicate_keys_are_all_reported_at_little_cost() -> None:
    answer = attack(b"a: 1\n" * 20_000)
    assert (answer.count, answer.problems[0][1]) == (19_999, "duplicate-key")
    assert answer.seconds < 1
    assert answer.growth < 150 * MEBIBYTE
