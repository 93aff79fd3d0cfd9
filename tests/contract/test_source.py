"""Bytes into values: what is accepted, what is refused and in which words, and where things are written."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from support.running import SOURCE

from floe_contracts.contract.model import Json, Pointer
from floe_contracts.contract.source import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_NODES,
    Document,
    DocumentProblem,
    read_document,
    text_of,
)


def read(text: str) -> Document:
    return read_document(text.encode())


def only_problem(document: Document) -> DocumentProblem:
    assert len(document.problems) == 1, document.problems
    return document.problems[0]


def test_a_contract_becomes_plain_values() -> None:
    document = read("version: 1.10\nschema:\n- name: orders\n  tags: [a, 'b', \"c\"]\n  required: yes\n  empty:\n")
    assert document.problems == ()
    assert document.value == {
        "version": 1.1,
        "schema": [{"name": "orders", "tags": ["a", "b", "c"], "required": "yes", "empty": None}],
    }
    assert isinstance(document.value, dict)
    assert text_of(document.value["version"]) == "1.10"


@pytest.mark.parametrize(
    ("text", "has_numerals"),
    [("a: 1.10", True), ("a: [+5]", True), ("a: !!float 5", True), ("a: 1.1", False), ("a: '1.10'", False)],
)
def test_a_document_knows_whether_it_has_numerals(text: str, has_numerals: bool) -> None:
    document = read(text)
    assert document.has_numerals is has_numerals
    assert (document.plain() is document.value) is not has_numerals
    assert document.plain() == document.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param(
            "1: a\n1.10: b\ntrue: c\n~: d\n2024-01-01: e\n?\n: f",
            ["1", "1.10", "true", "~", "2024-01-01", ""],
            id="scalars",
        ),
        pytest.param("on: a\noff: b", ["on", "off"], id="words that YAML 1.1 took for truth values"),
        pytest.param("&k True: a\nother:\n  *k : b", ["True", "other"], id="anchored key"),
        pytest.param("'<<': {a: 1}", ["<<"], id="quoted merge key"),
        pytest.param("? long\n: a", ["long"], id="explicit key"),
    ],
)
def test_keys_are_text_as_written(text: str, value: list[str]) -> None:
    document = read(text)
    assert isinstance(document.value, dict)
    assert list(document.value) == value


def test_an_alias_may_be_a_key() -> None:
    assert read("- &k True\n- {*k : b}").value == [True, {"True": "b"}]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("a: &x [1]\nb: *x", {"a": [1], "b": [1]}, id="alias"),
        pytest.param("a: &x 1\nb: &x 2\nc: *x", {"a": 1, "b": 2, "c": 2}, id="anchor given again"),
        pytest.param("&x {a: &x 1, b: *x}", {"a": 1, "b": 1}, id="anchor given again inside itself"),
        pytest.param("a: &x {k: 1}\nb: {<<: *x, l: 2}", {"a": {"k": 1}, "b": {"k": 1, "l": 2}}, id="merge"),
        pytest.param("a: &x {k: 1}\nb: {k: 2, <<: *x}", {"a": {"k": 1}, "b": {"k": 2}}, id="own keys win over a merge"),
        pytest.param("{<<: [{k: 1}, {k: 2, l: 3}]}", {"k": 1, "l": 3}, id="the first of several merged mappings wins"),
        pytest.param("a: &x [{k: 1}]\nb: {<<: *x}", {"a": [{"k": 1}], "b": {"k": 1}}, id="merge of an aliased list"),
        pytest.param("{<<: {}}", {}, id="merge of nothing"),
        pytest.param("!!map {a: !!seq [!!str 1, !!int 2, !!null '']}", {"a": ["1", 2, None]}, id="core tags"),
        pytest.param("%YAML 1.2\n---\na: 1\n...\n", {"a": 1}, id="directive and document marks"),
        pytest.param("\ufeffa: 1", {"a": 1}, id="byte order mark of UTF-8"),
        pytest.param("a: 1\r\nb: 2\r\n", {"a": 1, "b": 2}, id="Windows line ends"),
        pytest.param('{\n\t"a": 1\n}', {"a": 1}, id="JSON indented with tabs"),
        pytest.param('"\\0\\e"', "\0\x1b", id="escapes in double quotes"),
        pytest.param("just text", "just text", id="a scalar document"),
    ],
)
def test_yaml_that_is_read(text: str, value: Json) -> None:
    document = read(text)
    assert document.problems == ()
    assert document.value == value


def test_merged_keys_come_first() -> None:
    value = read("a: &x {k: 1, l: 1}\nb: {m: 2, l: 2, <<: *x}").value
    assert isinstance(value, dict)
    assert isinstance(value["b"], dict)
    assert list(value["b"].items()) == [("k", 1), ("l", 2), ("m", 2)]


@pytest.mark.parametrize(
    ("data", "rule", "place"),
    [
        pytest.param(b"a" * (MAX_BYTES + 1), "yaml-size", (None, None), id="too many bytes"),
        pytest.param("a: ä".encode("utf-16"), "yaml-encoding", (1, 1), id="UTF-16 with a mark"),
        pytest.param("a: b".encode("utf-16-be"), "yaml-encoding", (1, 1), id="UTF-16 without a mark"),
        pytest.param("a: b".encode("utf-32"), "yaml-encoding", (1, 1), id="UTF-32 with a mark"),
        pytest.param("a: b".encode("utf-32-le"), "yaml-encoding", (1, 1), id="UTF-32 without a mark"),
        pytest.param("größe: 1\n".encode("utf-16-le"), "yaml-encoding", (1, 1), id="UTF-16 beyond ASCII"),
        pytest.param("a: ä\nb: ü".encode("latin-1"), "yaml-encoding", (1, 4), id="Latin-1"),
        pytest.param(b"\xef\xbb\xbfa: 1\nb: \xff", "yaml-encoding", (2, 4), id="not UTF-8 after a mark"),
        pytest.param(b"a: \xed\xa0\x80", "yaml-encoding", (1, 4), id="a lone surrogate"),
        pytest.param(b"a: 1\nb: \x00", "yaml-control", (2, 4), id="zero byte"),
        pytest.param("é: \x1b[31m".encode(), "yaml-control", (1, 4), id="terminal escape"),
        pytest.param("a: 1\nb: é\x80".encode(), "yaml-control", (2, 5), id="control character beyond ASCII"),
        pytest.param(b"a: 1\n---\nb: 2\n", "yaml-documents", (2, 1), id="second document"),
        pytest.param(b"[" * (MAX_DEPTH + 1), "yaml-depth", (1, MAX_DEPTH + 1), id="nested too deeply"),
        pytest.param(b"a: &x [*x]", "yaml-recursion", (1, 8), id="alias inside its own value"),
        pytest.param(b"a: !Ref b", "yaml-tag", (1, 4), id="local tag"),
        pytest.param(b"a: !!timestamp 2024-01-01", "yaml-tag", (1, 4), id="tag outside the core"),
        pytest.param(b"a: !!map []", "yaml-tag", (1, 4), id="core tag on another kind"),
        pytest.param(b"!!set {a, b}", "yaml-tag", (1, 1), id="set"),
        pytest.param(b"a: ! b", "yaml-tag", (1, 4), id="empty tag"),
        pytest.param(b"!!int a: b", "yaml-tag-value", (1, 1), id="tagged key that does not fit"),
        pytest.param(b"# tags\n%TAG ! tag:a,2024:\n---\na: 1", "yaml-tag", (2, 1), id="tag directive"),
        pytest.param(b"a: !!int x", "yaml-tag-value", (1, 4), id="value that does not fit its tag"),
        pytest.param(b"a: " + b"7" * 301, "yaml-number", (1, 4), id="very long number"),
        pytest.param(b"- a\n" * (MAX_NODES + 1), "yaml-expansion", (MAX_NODES, 3), id="too many values"),
    ],
)
def test_what_cannot_be_read_as_one_document(data: bytes, rule: str, place: tuple[int | None, int | None]) -> None:
    document = read_document(data)
    problem = only_problem(document)
    assert (problem.code.id, problem.rule, problem.line, problem.column) == ("FLOE-E509", rule, *place)
    assert problem.suggestion
    assert document.value is None
    assert document.locate(()) is None


def test_a_bad_byte_is_named_with_its_offset() -> None:
    assert only_problem(read_document(b"a: 1\nb: \xe4")).message == "byte 8 (0xe4) is not UTF-8 text"


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        pytest.param("a:\n\tb: 1", (2, 1), "indented with a tab", id="tab as indentation"),
        pytest.param("a:b\nc: d", (1, 3), "no space after the colon", id="no space after the first colon"),
        pytest.param("a: b\nc:d\ne: f", (2, 3), "no space after the colon", id="no space after a colon"),
        pytest.param("a: b: c", (1, 5), "a colon stands where no key can be", id="unquoted text with a colon"),
        pytest.param("a: 1\nb: 'x\nc: 1", (2, 4), "starts here is never closed", id="open single quote"),
        pytest.param('a: "x', (1, 4), "starts here is never closed", id="open double quote"),
        pytest.param("a: [1, 2\nb: 3", (1, 4), "with [ is not closed", id="open bracket"),
        pytest.param("a: {x: 1\nb: 3", (1, 4), "with { is not closed", id="open brace"),
        pytest.param("a: 1\nword\nb: 2", (2, 1), "not `key: value`", id="line without a colon"),
        pytest.param("a: @x", (1, 4), "character that YAML reserves", id="reserved character"),
        pytest.param("a:\n  b: 1\n c: 2", (3, 2), "fits neither", id="indentation that fits nothing"),
        pytest.param("- a\nb: 1", (2, 1), "is not an item", id="key after a list"),
        pytest.param("a: - b", (1, 4), "on the line of its key", id="list on the line of its key"),
        pytest.param('a: "\\d"', (1, 5), "backslash that starts no known escape", id="unknown escape"),
        pytest.param('a: "\\ud83d\\ude00"', (1, 7), "names no character on its own", id="surrogate escapes"),
        pytest.param("a: *.csv", (1, 5), "not followed by a name", id="unquoted glob"),
        pytest.param("a: ]", (1, 4), "a value is missing here", id="stray bracket"),
        pytest.param("%FOO\n---\na", (1, 5), "not a directive", id="unknown directive"),
        pytest.param("{a: 1}\nb: 2", (2, 1), "follows the end", id="text after the document"),
        pytest.param("a: 1\n<<<<<<< HEAD\nb: 1\n=======\n", (2, 1), "a merge was left unresolved", id="merge conflict"),
        pytest.param("a: 'x\u2028y'\nb: ]", (2, 4), "a value is missing", id="lines are counted as editors count them"),
        pytest.param("a: !%ED%A0%80 x", (None, None), "escape that stands for no character", id="tag that is not text"),
    ],
)
def test_syntax_errors_say_what_to_do(text: str, place: tuple[int | None, int | None], says: str) -> None:
    problem = only_problem(read(text))
    assert (problem.code.id, problem.rule) == ("FLOE-E501", "yaml-syntax")
    assert (problem.line, problem.column) == place
    assert says in problem.message
    assert problem.suggestion


@pytest.mark.parametrize(
    ("text", "rule", "place"),
    [
        pytest.param("", "yaml-empty", (1, 1), id="no bytes"),
        pytest.param("# later\n\n", "yaml-empty", (1, 1), id="comments only"),
        pytest.param("---\n", "yaml-empty", (1, 1), id="a document without a value"),
        pytest.param("a: {{ name }}", "complex-key", (1, 5), id="unquoted template"),
        pytest.param("? [a]\n: b", "complex-key", (1, 3), id="list as a key"),
        pytest.param("- &x [a]\n- {*x : b}", "complex-key", (2, 4), id="alias of a list as a key"),
        pytest.param("a: *nobody", "yaml-alias", (1, 4), id="alias of nothing"),
        pytest.param("a: 1\n<<: text", "merge-key", (2, 1), id="merge of text"),
        pytest.param("<<: [{a: 1}, 2]", "merge-key", (1, 1), id="merge of a list with a number"),
    ],
)
def test_structure_that_no_contract_has(text: str, rule: str, place: tuple[int, int]) -> None:
    document = read(text)
    problem = only_problem(document)
    assert (problem.code.id, problem.rule, problem.line, problem.column) == ("FLOE-E501", rule, *place)
    assert document.value is None


def test_duplicate_keys_are_all_named_with_both_lines_and_the_first_value_stays() -> None:
    document = read("a: 1\nb:\n  c: 2\n  c: 3\na: 4\nd: {e: 5, e: 6}\n")
    assert document.value == {"a": 1, "b": {"c": 2}, "d": {"e": 5}}
    assert [(problem.rule, problem.line, problem.column) for problem in document.problems] == [
        ("duplicate-key", 4, 3),
        ("duplicate-key", 5, 1),
        ("duplicate-key", 6, 11),
    ]
    assert document.problems[1].message == "the key 'a' is written twice in one mapping, on line 1 and on line 5"
    assert {problem.code.id for problem in document.problems} == {"FLOE-E501"}


def test_a_key_twice_on_one_line_names_the_line_once() -> None:
    (problem,) = read_document(b"{a: 1, a: 2}").problems
    assert problem.message == "the key 'a' is written twice in one mapping, on line 1"


def test_a_second_merge_key_is_a_duplicate() -> None:
    document = read("a: &x {k: 1}\nb: &y {l: 2}\nc:\n  <<: *x\n  <<: *y\n")
    assert (only_problem(document).rule, only_problem(document).line) == ("duplicate-key", 5)
    assert isinstance(document.value, dict)
    assert document.value["c"] == {"k": 1, "l": 2}


@pytest.mark.parametrize(
    ("text", "shows"),
    [
        pytest.param(f"a: !{'x' * 500} b", "!" + "x" * 39 + "…", id="long names are cut"),
        pytest.param("a: !x%1b%5B31m b", "!x?[31m", id="control characters are not echoed"),
    ],
)
def test_names_in_messages_are_harmless(text: str, shows: str) -> None:
    assert only_problem(read(text)).message == f"the tag {shows} is not allowed here"


PLACED = """\
# a comment
base: &base
  owner: ada
  deep: {level: 1}
schema:
  - name: "orders"
    tags: [a, b]
    note: |
      several
      lines
    empty:
copy: *base
merged:
  <<: *base
  owner: bob
several:
  <<: [{first: 1}, *base]
? explicit
: value
"""


@pytest.mark.parametrize(
    ("pointer", "value_at", "key_at"),
    [
        pytest.param((), (2, 1), (2, 1), id="the document"),
        pytest.param(("base",), (2, 7), (2, 1), id="anchored value"),
        pytest.param(("base", "deep", "level"), (4, 17), (4, 10), id="inside braces"),
        pytest.param(("schema",), (6, 3), (5, 1), id="list below its key"),
        pytest.param(("schema", 0), (6, 5), (6, 5), id="item"),
        pytest.param(("schema", 0, "name"), (6, 11), (6, 5), id="quoted text"),
        pytest.param(("schema", 0, "tags", 1), (7, 15), (7, 15), id="item inside brackets"),
        pytest.param(("schema", 0, "note"), (8, 11), (8, 5), id="block text"),
        pytest.param(("schema", 0, "empty"), (11, 11), (11, 5), id="empty value"),
        pytest.param(("copy",), (12, 7), (12, 1), id="alias"),
        pytest.param(("copy", "deep"), (4, 9), (4, 3), id="below an alias"),
        pytest.param(("merged", "deep"), (4, 9), (4, 3), id="merged key"),
        pytest.param(("merged", "owner"), (15, 10), (15, 3), id="own key over a merged one"),
        pytest.param(("several", "first"), (17, 16), (17, 9), id="key merged from a list"),
        pytest.param(("several", "owner"), (3, 10), (3, 3), id="key merged from an alias in a list"),
        pytest.param(("explicit",), (19, 3), (18, 3), id="explicit key"),
        pytest.param(("schema", 0, "absent"), (6, 5), (6, 5), id="absent key: its mapping"),
        pytest.param(("schema", 7, "name"), (6, 3), (5, 1), id="absent item: its list"),
        pytest.param(("base", "owner", "x", 1), (3, 10), (3, 3), id="below a scalar: the scalar"),
        pytest.param(("nowhere",), (2, 1), (2, 1), id="nothing at all: the document"),
    ],
)
def test_places(pointer: Pointer, value_at: tuple[int, int], key_at: tuple[int, int]) -> None:
    document = read(PLACED)
    assert document.problems == ()
    assert document.locate(pointer) == value_at
    assert document.locate(pointer, key=True) == key_at


@pytest.mark.parametrize(
    ("data", "place"),
    [
        pytest.param(b"\xef\xbb\xbfb: 1", (1, 1), id="a byte order mark takes no column"),
        pytest.param("ä: {ö: 1, b: 2}".encode(), (1, 11), id="columns count characters"),
        pytest.param(b"a: 1\r\nb: 2", (2, 1), id="Windows line ends"),
        pytest.param("a: 'x\u2028y'\nb: 1".encode(), (2, 1), id="a line separator is not a line feed"),
        pytest.param("# \x85 \u2029\nb: 1".encode(), (2, 1), id="nor are the other two in a comment"),
    ],
)
def test_places_count_as_editors_do(data: bytes, place: tuple[int, int]) -> None:
    document = read_document(data)
    pointer: Pointer = ("ä", "b") if "ä".encode() in data else ("b",)
    assert document.locate(pointer, key=True) == place


WITHOUT_LIBYAML = """
import json, sys
sys.modules["yaml._yaml"] = None
from floe_contracts.contract.source import read_document
answers = []
for text in json.loads(sys.stdin.read()):
    document = read_document(text.encode())
    answers.append([document.value, [[p.rule, p.line] for p in document.problems], document.locate(("merged", "deep"))])
print(json.dumps(answers))
"""


def test_without_libyaml_the_answers_are_the_same() -> None:
    texts = [
        PLACED,
        "a: 1\na: 2",
        "a: &x [*x]",
        "a: !Ref b",
        "a: 1\n---\nb: 1",
        "a:\n\tb: 1",
        "a: [1, 2\nb: 3",
        "a: 'x",
        'a: "\\ud83d\\ude00"',
        "a: \x80",
        "[" * 200_000,
        "",
    ]
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_LIBYAML],
        input=json.dumps(texts),
        env={"PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=True,
    )
    for text, (value, problems, place) in zip(texts, json.loads(ran.stdout), strict=True):
        document = read(text)
        assert value == document.value
        assert problems == [[problem.rule, problem.line] for problem in document.problems]
        assert place == (list(document.locate(("merged", "deep")) or ()) or None)
