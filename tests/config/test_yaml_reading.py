"""What a YAML file says comes back as plain data; what misleads people is refused with its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.config.documents.dialect import dump_yaml
from arena.config.documents.document import SourceLocation
from arena.config.documents.yamlfile import parse_yaml, read_yaml
from arena.errors import ConfigError

MISTAKES = {
    "a: 1\nb: 2\na: 3": "f.yaml:3:1: a: the key occurs twice, in lines 1 and 3",
    "deep:\n  a: {b: 1, b: 2}": "f.yaml:2:13: deep.a.b: the key occurs twice, in lines 2 and 2",
    'deals: {1: 2, "1": 3}': "f.yaml:1:15: deals.1: the key occurs twice, in lines 1 and 1",
    "a:\n\tb: 1": "f.yaml:2:1: a tab; indent with spaces",
    "close: no": 'f.yaml:1:8: close: no is ambiguous; write false, or quote it: "no"',
    "close: [1, On]": 'f.yaml:1:12: close[1]: On is ambiguous; write true, or quote it: "On"',
    "on: 1": 'f.yaml:1:1: on is ambiguous; write true, or quote it: "on"',
    "seed: 007": 'f.yaml:1:7: seed: a number with leading zeros is ambiguous; drop them, or quote it: "007"',
    "a: .nan": "f.yaml:1:4: a: expected a finite number, got .nan; put text in quotes",
    "a: -.inf": "f.yaml:1:4: a: expected a finite number, got -.inf; put text in quotes",
    "a: 1e999": "f.yaml:1:4: a: expected a finite number, got 1e999; put text in quotes",
    "": "f.yaml: the file is empty; expected 'key: value' lines",
    "# nothing yet\n": "f.yaml: the file is empty; expected 'key: value' lines",
    "---\na: 1\n---\nb: 2": "f.yaml:3:1: a second document begins ('---'); expected one in a file",
    "a: [1,\n2": "f.yaml:2:2: a list opened with '[' is not closed with ']', or lacks a comma (it begins in line 1)",
    "a: {b: 1]": "f.yaml:1:9: a mapping opened with '{' is not closed with '}', or lacks a comma",
    "a: 'x": "f.yaml:1:6: a text opened with a quote is not closed",
    "a: b: c": "f.yaml:1:5: one ':' too many; quote text that contains one, or check the indentation",
    "a: @x": "f.yaml:1:4: text cannot begin with this character; put it in quotes",
    "- a\nb: 1": "f.yaml:2:1: the indentation does not fit the lines above",
    "a: 1\nb\nc: 2": "f.yaml:3:1: expected 'key: value', found no ':' after the key",
    "a: *x": "f.yaml:1:4: an alias (*name) without an anchor (&name) before it; put text with '*' in quotes",
    "a: &x [*x]": "f.yaml:1:4: a[0]: an alias (*) stands inside its own anchor (&)",
    "a: &x {b: 1}\nc:\n  <<: *x": "f.yaml:3:3: c: merge keys (<<) are not understood; write the keys out",
    "a: !!python/name:os.system": "f.yaml:1:4: a: the tag !!python/name:os.system is not understood; write plain YAML",
    "1.5: 2": "f.yaml:1:1: expected a key of text or a whole number, got 1.5",
    "? [a]\n: 2": "f.yaml:1:3: expected a key of text or a whole number, got a list or mapping",
    "a: \x00": "f.yaml:1:4: the character U+0000 is not allowed",
    'a: "\\ud800"': "f.yaml:1:4: a: '\\ud800' has an incomplete character (a surrogate)",
    "a: " + "[" * 60 + "]" * 60: "f.yaml:1:54: nested more than 50 levels deep",
    "a: " + "[" * 2000: "f.yaml: nested too deeply",
}


@pytest.mark.parametrize("text", MISTAKES, ids=lambda text: repr(text[:20]))
def test_a_mistake_is_told_with_its_place(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_yaml(text, "f.yaml")
    assert str(caught.value) == MISTAKES[text]


def test_an_error_knows_its_place_also_in_parts() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_yaml("a: 1\nb: no", "f.yaml")
    error = caught.value
    assert (error.file, error.line, error.column, error.key) == ("f.yaml", 2, 4, "b")


def test_aliases_that_swell_the_file_are_refused_quickly() -> None:
    lines = ["a: &a [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"]
    lines += [
        f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]" for before, name in zip("abcdefg", "bcdefgh", strict=True)
    ]
    with pytest.raises(ConfigError, match="more than 100,000 values once aliases are written out"):
        parse_yaml("\n".join(lines), "f.yaml")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("12", 12), ("-3", -3), ("1_000", 1000), ("0x1F", 31), ("0", 0), ("1e3", 1000.0), ("-.5", -0.5), ("2.", 2.0),
        ("true", True), ("False", False), ("null", None), ("~", None), ("", None),
        ("2026-11-20", "2026-11-20"), ("12:30", "12:30"), ("no one", "no one"), ('"no"', "no"), ("'12'", "12"),
        ("=", "="), ("!!str 12", "12"), ("y", "y"), ("0.1.2", "0.1.2"), ("[a, {b: 1}]", ["a", {"b": 1}]),
    ],
)  # fmt: skip
def test_a_word_means_what_it_looks_like(written: str, value: Any) -> None:
    found = parse_yaml(f"key: {written}", "f.yaml").data["key"]
    assert found == value
    assert type(found) is type(value)


def test_keys_may_be_whole_numbers_and_aliases_repeat_values() -> None:
    assert parse_yaml("deals: &d {1: 2, 13: 5}\nagain: *d", "f.yaml").data == {
        "deals": {1: 2, 13: 5},
        "again": {1: 2, 13: 5},
    }


def test_a_document_knows_where_its_values_stand() -> None:
    document = parse_yaml("name: x\nentrants:\n  - bot: a\n    options:\n      greed: 1\n  - b\n", "f.yaml")
    assert document.locate("name") == SourceLocation("f.yaml", 1, 7)
    assert document.locate("entrants") == SourceLocation("f.yaml", 2, 1)
    assert document.locate("entrants[0].options.greed") == SourceLocation("f.yaml", 5, 14)
    assert document.locate("entrants[1]") == SourceLocation("f.yaml", 6, 5)


def test_what_is_not_written_is_looked_for_at_its_nearest_parent() -> None:
    document = parse_yaml("name: x\nentrants:\n  - b\n", "f.yaml")
    error = document.error("entrants[0].options.greed", "too greedy")
    assert str(error) == "f.yaml:3:5: entrants[0].options.greed: too greedy"


def test_a_missing_file_names_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "quick.yaml").write_text("a: 1")
    wanted = tmp_path / "quik.yaml"
    with pytest.raises(ConfigError) as caught:
        read_yaml(wanted)
    assert str(caught.value) == f"{wanted}: no such file (did you mean 'quick.yaml'?)"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        read_yaml(tmp_path)
    assert str(caught.value) == f"{tmp_path}: expected a YAML file, got a folder"


def test_text_that_is_not_utf8_is_refused_where_it_begins(tmp_path: Path) -> None:
    file = tmp_path / "latin.yaml"
    file.write_bytes(b"a: 1\nname: caf\xe9\n")
    with pytest.raises(ConfigError) as caught:
        read_yaml(file)
    assert str(caught.value) == f"{file}:2:10: expected UTF-8 text, got the byte 0xe9"


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "bom.yaml"
    file.write_bytes(b"\xef\xbb\xbfa: 1\n")
    assert read_yaml(file).data == {"a": 1}


@pytest.mark.parametrize(
    "text", ["no", "On", "1", "007", "1e3", "2026-11-20", "null", "", "~", "<<", "a: b", "- a", ".inf"]
)
def test_text_that_looks_like_something_else_is_written_in_quotes(text: str) -> None:
    assert parse_yaml(dump_yaml({"key": text, "list": [text]}), "f.yaml").data == {"key": text, "list": [text]}


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.dictionaries(st.text() | st.integers(), plain, min_size=1, max_size=3).filter(
        lambda data: len({*map(str, data)}) == len(data)
    )
)
@settings(max_examples=60, deadline=None)
def test_whatever_is_dumped_is_read_back(data: dict[str | int, Any]) -> None:
    assert parse_yaml(dump_yaml(data), "f.yaml").data == data


@given(st.text())
@settings(max_examples=60, deadline=None)
def test_no_text_makes_the_reader_fail_otherwise_than_by_its_own_error(text: str) -> None:
    try:
        parse_yaml(text, "f.yaml")
    except ConfigError as error:
        assert str(error).startswith("f.yaml")  # noqa: PT017 - both outcomes are fine


def test_dumped_data_keeps_its_order_and_shows_no_anchors() -> None:
    shared = ["x", "ü"]
    assert dump_yaml({"b": shared, "a": shared}) == "b:\n- x\n- ü\na:\n- x\n- ü\n"
