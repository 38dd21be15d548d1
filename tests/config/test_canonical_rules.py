"""A key of the rules that came later is left out of what digests are made of, where it has its default."""

from __future__ import annotations

from typing import Annotated

import msgspec
import pytest

from arena.config.editions import bundled_rules, load_edition, load_source
from arena.games.canonical_rules import LATER, canonical_rules, rules_digest


class Space(msgspec.Struct, frozen=True):
    pays: int
    toll: Annotated[int, msgspec.Meta(ge=0), LATER] = 0


class Own(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    old: int = 3
    spaces: tuple[Space, ...] = ()
    by_players: dict[int, Space] = {}
    extras: Annotated[tuple[str, ...], LATER] = ()
    list_: Annotated[list[int], LATER] = []


def test_it_stands_there_only_where_it_says_something() -> None:
    plain = canonical_rules(Own(name="a", spaces=(Space(1), Space(2, 5)), by_players={4: Space(1), 2: Space(3, 1)}))
    assert msgspec.json.decode(msgspec.json.encode(plain)) == {
        "name": "a",
        "old": 3,
        "spaces": [{"pays": 1}, {"pays": 2, "toll": 5}],
        "by_players": {"2": {"pays": 3, "toll": 1}, "4": {"pays": 1}},
    }
    assert canonical_rules(Own(name="a", extras=("x",), list_=[1]))["extras"] == ("x",)
    assert canonical_rules(Own(name="a", list_=[1]))["list_"] == [1]


def test_a_key_that_was_there_from_the_start_stays_also_with_its_default() -> None:
    assert canonical_rules(Own(name="a")) == {"name": "a", "old": 3, "spaces": (), "by_players": {}}
    assert rules_digest(canonical_rules(Own(name="a"))) != rules_digest(canonical_rules(Own(name="a", old=4)))


def test_a_later_key_without_a_default_is_refused() -> None:
    class Bad(msgspec.Struct):
        toll: Annotated[int, LATER]

    Bad.__annotations__ = {"toll": Annotated[int, LATER]}  # as in a module, where names are found
    with pytest.raises(TypeError, match=r"Bad\.toll: a key that was added later needs a default"):
        canonical_rules(Bad(1))


def test_every_edition_has_all_its_keys_until_one_comes_later() -> None:
    for name in bundled_rules():
        if not load_source(name).abstract:
            edition = load_edition(name)
            assert edition.data == edition.every_key
            assert edition.digest == rules_digest(edition.data)
