"""Data changes by differences from a parent (RFC 7396) and by ``--set key=value``."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.config.documents.patch import merge_patch, set_key
from arena.config.documents.yamlfile import parse_yaml
from arena.errors import ConfigError

TEXT = "name: x\nentrants: [{bot: a}, {bot: b}]\nlimits:\n  ask: 1\nseed: 3\n"


# RFC 7396, appendix A: original, patch, result.
APPENDIX_A: list[tuple[Any, Any, Any]] = [
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, None, None),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
]


@pytest.mark.parametrize(("parent", "difference", "result"), APPENDIX_A)
def test_differences_merge_as_rfc_7396_shows(parent: Any, difference: Any, result: Any) -> None:
    before = copy.deepcopy((parent, difference))
    assert merge_patch(parent, difference) == result
    assert (parent, difference) == before


data = st.recursive(
    st.integers(), lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3), max_leaves=8
)


@given(data, data)
@settings(max_examples=40)
def test_merging_the_same_differences_again_changes_nothing(parent: Any, difference: Any) -> None:
    once = merge_patch(parent, difference)
    assert merge_patch(once, difference) == once


def test_a_setting_replaces_one_value_and_leaves_the_document_as_it_was() -> None:
    document = parse_yaml(TEXT, "f.yaml")
    before = copy.deepcopy(document)
    changed = set_key(document, "limits.ask=0.5")
    assert changed.data == {**before.data, "limits": {"ask": 0.5}}
    assert document == before


@pytest.mark.parametrize(
    ("setting", "key", "value"),
    [
        ("entrants[1].options.greed=0.7", "entrants", [{"bot": "a"}, {"bot": "b", "options": {"greed": 0.7}}]),
        ("entrants[0]=c", "entrants", ["c", {"bot": "b"}]),
        ("entrants.0=c", "entrants", ["c", {"bot": "b"}]),
        ("entrants=[a, b]", "entrants", ["a", "b"]),
        ("limits={start: 3}", "limits", {"start": 3}),
        ("limits.deals.7=4", "limits", {"ask": 1, "deals": {7: 4}}),
        ('seed="3"', "seed", "3"),
        ("seed=null", "seed", None),
        ("name=a=b", "name", "a=b"),
        (" name = x y ", "name", "x y"),
    ],
)
def test_a_setting_is_yaml_at_a_key_path(setting: str, key: str, value: Any) -> None:
    assert set_key(parse_yaml(TEXT, "f.yaml"), setting).data[key] == value


MISTAKES = {
    "blocks": "--set blocks: expected key=value, such as limits.ask=0.5",
    "=3": "--set =3: expected key=value, such as limits.ask=0.5",
    "a..b=3": "--set a..b=3: expected key=value, such as limits.ask=0.5",
    "seed=": "--set seed: expected a value after '=', got nothing; write null to unset",
    "seed=#5": "--set seed: expected a value after '=', got nothing; write null to unset",
    "seed=no": '--set seed: no is ambiguous; write false, or quote it: "no"',
    "seed=[1": "--set seed: a list opened with '[' is not closed with ']', or lacks a comma",
    "name.first=x": "--set name.first: name is 'x'; it has no key first",
    "entrants[2].bot=x": "--set entrants[2].bot: entrants has items [0] to [1], got 2",
    "entrants.first=x": "--set entrants.first: entrants has items [0] to [1], got first",
}


@pytest.mark.parametrize("setting", MISTAKES)
def test_a_wrong_setting_is_told_by_its_key(setting: str) -> None:
    with pytest.raises(ConfigError) as caught:
        set_key(parse_yaml(TEXT, "f.yaml"), setting)
    assert str(caught.value) == MISTAKES[setting]


def test_later_errors_about_a_set_value_name_the_setting_and_others_the_file() -> None:
    document = set_key(parse_yaml(TEXT, "f.yaml"), "limits={ask: 2}")
    assert str(document.error("limits", "wrong")) == "--set limits: wrong"
    assert str(document.error("limits.ask", "wrong")) == "--set limits: limits.ask: wrong"
    assert str(document.error("seed", "wrong")) == "f.yaml:5:7: seed: wrong"
    assert document.error("limits", "wrong").key == "limits"
