"""Whatever other programs write as YAML or JSON is read back as the same value and found at its place."""

from __future__ import annotations

import json
from collections.abc import Iterator

import yaml
from hypothesis import given
from hypothesis import strategies as st

from floe_contracts.contract.model import Json, Pointer
from floe_contracts.contract.source import read_document, text_of

NUMBERS = st.integers(-(10**290), 10**290) | st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | NUMBERS


def documents(text: st.SearchStrategy[str]) -> st.SearchStrategy[Json]:
    inner = st.recursive(
        SCALARS | text,
        lambda children: st.lists(children, max_size=5) | st.dictionaries(text, children, max_size=5),
        max_leaves=25,
    )
    return st.dictionaries(text, inner, min_size=1, max_size=6)


def same(found: Json, written: Json) -> bool:
    """PyYAML leaves words such as 0o17 and 1e3 unquoted, which YAML 1.2 takes for numbers: their text is the same."""
    if isinstance(written, dict) and isinstance(found, dict):
        return list(found) == list(written) and all(same(found[key], written[key]) for key in written)
    if isinstance(written, list) and isinstance(found, list):
        return len(found) == len(written) and all(map(same, found, written))
    if isinstance(written, str):
        return not isinstance(found, (dict, list)) and text_of(found) == written
    return found == written and isinstance(found, bool) == isinstance(written, bool)


WRITABLE = st.text(st.characters(codec="utf-8", exclude_characters="\x85"), max_size=40)  # PyYAML folds it


@given(documents(WRITABLE), st.booleans(), st.booleans())
def test_what_pyyaml_writes_is_read_back(value: Json, flow: bool, beyond_ascii: bool) -> None:
    text = yaml.safe_dump(value, sort_keys=False, default_flow_style=flow, allow_unicode=beyond_ascii)
    document = read_document(text.encode())
    assert document.problems == ()
    assert same(document.value, value)


# JSON may hold these unescaped; YAML breaks lines at the separators and refuses the control characters.
JSON_TEXT = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"), exclude_characters="\ufeff\ufffe\uffff"), max_size=40
)


@given(documents(JSON_TEXT), st.sampled_from([None, 2]))
def test_what_json_writes_is_read_back(value: Json, indent: int | None) -> None:
    document = read_document(json.dumps(value, indent=indent, ensure_ascii=False).encode())
    assert document.problems == ()
    assert document.value == value


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_give_a_value_or_a_problem(data: bytes) -> None:
    document = read_document(data)
    assert document.problems or document.value is not None


MARKS = ("[", "]", "{", "}", "- ", "? ", ": ", ", ", "|\n", "#", "'", '"', "\\", "---\n", "...\n", "%TAG ! x\n")
NAMES = ("&a ", "*a", "!!str ", "!!int ", "!x%1b ", "<<: ", "a", "1", "1.10", "é")
SPACE = ("\n", "\n  ", "\t", "\r", "\x85", "\u2028")
YAMLISH = st.lists(st.sampled_from(MARKS + NAMES + SPACE), max_size=30).map("".join)


@given(YAMLISH)
def test_any_yaml_like_text_gives_printable_messages_and_places_for_all_values(text: str) -> None:
    document = read_document(text.encode())
    assert all(problem.message.isprintable() for problem in document.problems)
    lines = text.count("\n") + 2  # the value that `? ` lacks at the end of the text is on the line after it
    assert all(problem.line is None or 1 <= problem.line <= lines for problem in document.problems)
    for pointer, _ in pointers(document.value):
        place = document.locate(pointer)
        assert place is None if document.value is None else place is not None and 1 <= place[0] <= lines


def pointers(value: Json, at: Pointer = ()) -> Iterator[tuple[Pointer, Json]]:
    yield at, value
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, child in inside:
        yield from pointers(child, (*at, step))


@given(documents(st.text("abcxyz_ö", min_size=1, max_size=20)), st.booleans())
def test_every_scalar_and_key_is_where_it_is_said_to_be(value: Json, flow: bool) -> None:
    text = yaml.safe_dump(value, default_flow_style=flow, allow_unicode=True, width=10**6)
    document = read_document(text.encode())
    lines = text.split("\n")
    for pointer, scalar in pointers(document.value):
        if pointer and isinstance(pointer[-1], str):
            line, column = document.locate(pointer, key=True) or (0, 0)
            assert lines[line - 1][column - 1 :].lstrip("'\"").startswith(pointer[-1])
        if not isinstance(scalar, (dict, list)):
            line, column = document.locate(pointer) or (0, 0)
            assert lines[line - 1][column - 1 :].lstrip("'\"").startswith(text_of(scalar))
