"""``arena ladder hand-over``: a bot gets another author, by the operator or with the tokens of both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import UserError
from arena.ladder.entry.authors import make_author
from arena.ladder.entry.hand_over import HandOver, hand_over_bot
from arena.ladder.entry.version_states import disable_versions, retire_versions
from arena.ladder.integrity.check_promotions import hand_over_problems
from tests.conftest import Arena
from tests.ladder.test_entry import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Two ladders; ann and ben, who have tokens (``ann`` and ``ben`` in ``tokens``); ann's bot x in ladder one."""
    house = House(tmp_path / "ladder")
    house.enter("x", "# 1")
    yield house
    house.database.close()


def owner(house: House, bot: str = "x") -> str:
    (name,) = house.database.execute("SELECT DISTINCT author FROM version_list WHERE bot = ?", (bot,)).fetchone()
    return str(name)


def test_the_operator_hands_a_bot_over_with_all_its_versions_and_it_is_recorded(house: House) -> None:
    make_author(house.database, "ben")
    house.enter("x", "# 2")
    assert hand_over_bot(house.place, "X", "Ben") == HandOver("x", "ann", "ben")
    assert owner(house) == "ben"
    noted = house.database.execute("SELECT version, what, why FROM changes ORDER BY id DESC LIMIT 1").fetchone()
    assert noted == (2, "handed over", "by author ann to ben")
    assert house.refused("ann", "x") == "the name 'x' belongs to author ben; choose another with --name"
    assert list(hand_over_problems(house.database)) == []


def test_an_author_needs_the_tokens_of_both(house: House) -> None:
    ann, ben = make_author(house.database, "ann"), make_author(house.database, "ben")
    with pytest.raises(UserError, match="author ben has a token: give it with --to-token"):
        hand_over_bot(house.place, "x", "ben", ("", ann))
    with pytest.raises(UserError, match="this is not the token of author ben"):
        hand_over_bot(house.place, "x", "ben", ("", ann), ann)
    with pytest.raises(UserError, match="x belongs to author ann, not to ben"):
        hand_over_bot(house.place, "x", "ben", ("", ben), ben)
    with pytest.raises(UserError, match="author ann has a token"):
        hand_over_bot(house.place, "x", "ben", ("ann", ""), ben)
    assert owner(house) == "ann"
    hand_over_bot(house.place, "x", "ben", ("", ann), ben)
    assert owner(house) == "ben"


def test_what_cannot_be_handed_over_is_refused(house: House) -> None:
    make_author(house.database, "ben")
    for bot, receiver, problem in (
        ("x:1", "ben", "a bot is handed over with all its versions: expected x, got x:1"),
        ("y", "ben", "no bot 'y' was submitted"),
        ("x", "bin", "no author 'bin' (did you mean 'ben'?)"),
        ("x", "ann", "x belongs to author ann already"),
    ):
        with pytest.raises(UserError) as refused:
            hand_over_bot(house.place, bot, receiver)
        assert str(refused.value).startswith(problem), bot


def test_the_limits_of_the_new_author_hold(house: House) -> None:
    house.enter("y", "# y", author="ben")
    house.enter("z", "# z", author="ben")
    with pytest.raises(
        UserError, match=r"ladder one: author ben has 2 bots in this ladder \(y, z\), and 2 are allowed"
    ):
        hand_over_bot(house.place, "x", "ben")
    retire_versions(house.place, "one", "z")
    house.enter("x", "# 2")
    with pytest.raises(UserError, match="ladder one: author ben has entered 2 versions on"):
        hand_over_bot(house.place, "x", "ben")
    assert owner(house) == "ann"
    house.database.execute("UPDATE changes SET at = '2020-01-01T00:00:00+00:00'")
    hand_over_bot(house.place, "x", "ben")
    assert owner(house) == "ben"


def test_a_disabled_bot_is_handed_over_by_the_operator_alone(house: House) -> None:
    ann, ben = make_author(house.database, "ann"), make_author(house.database, "ben")
    disable_versions(house.place, "one", "x", "test")
    with pytest.raises(UserError, match="x:1 is disabled by the operator in ladder one: only the operator"):
        hand_over_bot(house.place, "x", "ben", ("", ann), ben)
    hand_over_bot(house.place, "x", "ben")
    assert owner(house) == "ben"


def test_an_author_who_does_not_follow_from_the_hand_overs_is_found(house: House) -> None:
    make_author(house.database, "ben")
    hand_over_bot(house.place, "x", "ben")
    house.database.execute("UPDATE bots SET author = (SELECT id FROM authors WHERE name = 'ann')")
    told = "bot x was handed over by ann to ben, but belongs to author ann; restore a backup"
    assert list(hand_over_problems(house.database)) == [told]


def test_the_command_says_to_whom_the_bot_belongs_now(arena: Arena, league: Path) -> None:
    assert arena("ladder", "author", "league", "ben").code == 0
    refused = arena("ladder", "hand-over", "league", "first", "--to", "bin")
    assert (refused.code, len(refused.err.splitlines())) == (2, 1)
    ran = arena("ladder", "hand-over", "league", "first", "--to", "ben")
    assert (ran.code, ran.out) == (0, "first belongs to author ben now; it was mira's\n")
    assert arena("ladder", "check", "league").code == 0
    assert arena("ladder", "export", "league", "--out", "public").code == 0
    assert "first:1,handed over,by author mira to ben" in Path("public/changes.csv").read_text()
    assert "first:1,first,1,ben," in Path("public/versions.csv").read_text()
