"""Who may enter a ladder: authors, tokens, how often; and how versions stand in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.config.editions import load_edition
from arena.config.ladder_config import EntryRules, LadderConfig
from arena.errors import UserError
from arena.finding.files import BotFile, digest_of
from arena.finding.reference import BotRef
from arena.ladder.database.bot_versions.versions import Version, VersionState, entered_versions
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import OPERATOR, Ladder, begin_ladder, find_ladder
from arena.ladder.entry import entry_rules
from arena.ladder.entry.admission_rows import NewVersion, admit_version
from arena.ladder.entry.authors import find_author, make_author, who_submits
from arena.ladder.entry.entry_asks import same_files
from arena.ladder.entry.entry_rules import refuse_entry
from arena.ladder.entry.version_states import StateChange, disable_versions, enable_versions, retire_versions

ENTRY = EntryRules(versions_a_day=3, bots=2)


class House:
    """A ladder in a folder, into which bots come unchecked."""

    def __init__(self, folder: Path) -> None:
        self.place = LadderFolder(folder)
        edition = load_edition("eagle-gryphon")
        for name in ("one", "two"):
            begin_ladder(self.place, LadderConfig(name=name, rules="eagle-gryphon", entry=ENTRY), edition, 2)
        self.database = open_database(self.place.database, self.place.shown, write=True)

    def ladder(self, name: str = "one") -> Ladder:
        return find_ladder(self.database, name)

    def enter(self, bot: str, text: str, author: str = "ann", ladder: str = "one", anchor: int = 0) -> Version:
        files = (BotFile("bot.py", text.encode()),)
        ref = BotRef(name="bot.py", sha256=digest_of(files), file="bot.py", files=files)
        return admit_version(
            self.place, self.database, self.ladder(ladder), NewVersion(bot, author, ref, anchor=anchor)
        )

    def states(self, ladder: str = "one") -> dict[str, VersionState]:
        return {each.version.name: each.state for each in entered_versions(self.database, self.ladder(ladder).id)}

    def refused(self, author: str, bot: str) -> str:
        return refuse_entry(self.database, self.ladder(), author, bot)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "ladder")
    yield house
    house.database.close()


def test_an_author_enters_so_many_versions_a_day_and_the_day_is_utc(house: House, monkeypatch: Any) -> None:
    for number in range(3):
        assert house.refused("ann", "x") == ""
        house.enter("x", f"# {number}")
    (today,) = house.database.execute("SELECT substr(max(submitted), 1, 10) FROM versions").fetchone()
    assert house.refused("ann", "x") == (
        f"author ann has entered 3 versions on {today} (UTC), and 3 a day are allowed (entry.versions_a_day); "
        "try again tomorrow"
    )
    assert house.refused("ben", "y") == ""
    monkeypatch.setattr(entry_rules, "utc_now", lambda: "2999-01-01T00:00:00+00:00")
    assert house.refused("ann", "x") == ""


def test_versions_that_come_from_another_ladder_are_new_versions_of_the_day(house: House) -> None:
    for number in range(3):
        house.enter("x", f"# {number}", ladder="two")
    house.database.execute("UPDATE versions SET submitted = '2001-01-01T00:00:00+00:00'")
    for number in range(3):
        assert house.refused("ann", "x") == ""
        house.enter("x", f"# {number}")
    assert "3 a day are allowed" in house.refused("ann", "x")


def test_a_bot_with_the_content_of_another_is_told_whatever_its_file_is_called(house: House) -> None:
    house.enter("x", "# 1")
    files = (BotFile("other.py", b"# 1"),)
    ref = BotRef(name="other.py", sha256=digest_of(files), file="other.py", files=files)
    assert same_files(house.database, ref) == ["x:1 of author ann"]
    changed = (BotFile("bot.py", b"# 2"),)
    assert same_files(house.database, msgspec.structs.replace(ref, sha256=digest_of(changed), files=changed)) == []


def test_an_author_has_so_many_bots_and_makes_room_by_retiring_one(house: House) -> None:
    house.enter("x", "# 1")
    house.enter("y", "# 2")
    assert house.refused("ann", "X") == ""
    assert house.refused("ann", "z") == (
        "author ann has 2 bots in this ladder (x, y), and 2 are allowed (entry.bots); submit a version of one of them, "
        "or retire one"
    )
    retire_versions(house.place, "one", "y")
    assert house.refused("ann", "z") == ""


def test_the_operator_enters_as_often_as_he_likes(house: House) -> None:
    for number in range(5):
        house.enter(f"x{number}", f"# {number}", OPERATOR)
    assert house.refused(OPERATOR, "another") == ""


def test_a_name_belongs_to_its_author_whatever_its_capitals(house: House) -> None:
    house.enter("haggler", "# 1")
    assert house.refused("ben", "Haggler") == "the name 'haggler' belongs to author ann; choose another with --name"
    with pytest.raises(UserError, match="belongs to author ann"):
        house.enter("HAGGLER", "# 2", "ben")
    assert house.enter("HAGGLER", "# 2").name == "haggler:2"


def test_a_newer_version_replaces_the_older_one_but_never_an_anchor(house: House) -> None:
    house.enter("fair", "# 1", OPERATOR, anchor=1)
    house.enter("fair", "# 2", OPERATOR)
    house.enter("fair", "# 3", OPERATOR)
    assert house.states() == {
        "fair:1": VersionState.ACTIVE,
        "fair:2": VersionState.REPLACED,
        "fair:3": VersionState.ACTIVE,
    }
    why = house.database.execute("SELECT why FROM changes WHERE what = 'replaced'").fetchall()
    assert why == [("by fair:3",)]


def test_the_same_bytes_are_the_same_version_in_every_ladder_of_the_folder(house: House) -> None:
    one, two = house.enter("x", "# 1"), house.enter("x", "# 1", ladder="two")
    assert (one.id, one.name) == (two.id, two.name)
    with pytest.raises(UserError, match="this version of x was submitted to ladder one meanwhile"):
        house.enter("x", "# 1")


def test_an_author_withdraws_his_own_versions_alone(house: House) -> None:
    token = make_author(house.database, "ann")
    house.enter("x", "# 1")
    with pytest.raises(UserError, match="x:1 belongs to author ann, not to ben"):
        retire_versions(house.place, "one", "x", "ben")
    with pytest.raises(UserError, match="author ann has a token: give it with --token or in ARENA_LADDER_TOKEN"):
        retire_versions(house.place, "one", "x", "ann")
    with pytest.raises(UserError, match="this is not the token of author ann"):
        retire_versions(house.place, "one", "x", "ann", "wrong")
    changed = retire_versions(house.place, "one", "x", token=token)
    assert changed == [StateChange("x:1", VersionState.ACTIVE, VersionState.RETIRED, "by ann")]
    with pytest.raises(UserError, match="no version of x can become retired: x:1 is retired"):
        retire_versions(house.place, "one", "x", token=token)


def test_a_disabled_bot_comes_back_only_by_the_operator(house: House) -> None:
    house.enter("x", "# 1")
    with pytest.raises(UserError, match="give a reason"):
        disable_versions(house.place, "one", "x", " ")
    disable_versions(house.place, "one", "x:1", "cheats")
    problem = "x:1 is disabled by the operator; until it is enabled, no version of x is admitted"
    assert house.refused("ann", "x") == problem
    with pytest.raises(UserError, match="x:1 is disabled by the operator"):
        house.enter("x", "# 2")
    with pytest.raises(UserError, match="no version of x can become retired: x:1 is disabled"):
        retire_versions(house.place, "one", "x", "ann")
    assert enable_versions(house.place, "one", "x") == [StateChange("x:1", VersionState.DISABLED, VersionState.ACTIVE)]
    assert house.refused("ann", "x") == ""
    told = house.database.execute("SELECT what, why FROM changes ORDER BY id").fetchall()
    assert told == [("active", "submitted"), ("disabled", "cheats"), ("active", "enabled")]


def test_an_older_version_that_is_enabled_takes_the_place_of_the_newer_one(house: House) -> None:
    house.enter("x", "# 1")
    house.enter("x", "# 2")
    assert enable_versions(house.place, "one", "x:1", "2 was a mistake") == [
        StateChange("x:1", VersionState.REPLACED, VersionState.ACTIVE, "2 was a mistake"),
        StateChange("x:2", VersionState.ACTIVE, VersionState.REPLACED, "by x:1"),
    ]


def test_what_a_version_was_suspended_for_counts_no_more_once_it_is_enabled(house: House) -> None:
    version = house.enter("x", "# 1")
    season = house.ladder().season.id
    house.database.execute(
        "INSERT INTO rounds (season, number, state, first_block, first_match, matches, began) "
        "VALUES (?, 1, 'closed', 0, 1, 40, '')",
        (season,),
    )
    house.database.execute("UPDATE entries SET state = 'suspended'")
    enable_versions(house.place, "one", "x")
    (counted,) = house.database.execute("SELECT counted_from FROM entries WHERE version = ?", (version.id,)).fetchone()
    assert counted == 41


def test_a_token_is_kept_as_its_digest_alone_and_can_be_replaced(house: House) -> None:
    token = make_author(house.database, "ann")
    found = find_author(house.database, "ANN")
    assert found is not None
    assert token not in "".join(house.database.iterdump())
    assert who_submits(house.database, "", token, need_token=True) == found
    with pytest.raises(UserError, match="author ann exists already; --new-token replaces a lost token"):
        make_author(house.database, "ann")
    with pytest.raises(UserError, match=r"no author 'anna' \(did you mean 'ann'\?\); leave out --new-token"):
        make_author(house.database, "anna", new_token=True)
    newer = make_author(house.database, "ann", new_token=True)
    with pytest.raises(UserError, match="this token belongs to no author"):
        who_submits(house.database, "", token, need_token=False)
    assert who_submits(house.database, "ann", newer, need_token=False).name == "ann"
    with pytest.raises(UserError, match=r"no author 'an' \(did you mean 'ann'\?\); the token identifies its author"):
        who_submits(house.database, "an", newer, need_token=False)


def test_who_submits_without_a_token(house: House) -> None:
    house.enter("x", "# 1", "ben")
    for author, need, told in (
        ("", True, r"name the author \(entry.tokens\): with the author's token .*, or as the operator with --author"),
        ("new", True, r"no author 'new'.*; this ladder requires tokens \(entry.tokens\)"),
        ("ben", True, r"author ben has no token, and this ladder requires one \(entry.tokens\)"),
        ("a/b", False, "expected the author's name to be letters, digits"),
    ):
        with pytest.raises(UserError, match=told):
            who_submits(house.database, author, "", need)
    for author, need, told in (("", False, OPERATOR), ("Operator", True, OPERATOR), ("new", False, "new")):
        assert who_submits(house.database, author, "", need).name == told


def test_a_token_beside_the_name_of_an_author_without_one_is_refused(house: House) -> None:
    house.enter("x", "# 1", "ben")
    for token, author, need in product(
        (make_author(house.database, "bob"), "nobody's"), (OPERATOR, "Operator", "ben"), (False, True)
    ):
        with pytest.raises(
            UserError, match=rf"{author.lower()} has no token, so the given token .* or leave out the token"
        ):
            who_submits(house.database, author, token, need)


def test_nobody_becomes_the_operator_by_a_token(house: House) -> None:
    with pytest.raises(UserError, match="operator stands for anybody who may write to the folder, and needs no token"):
        make_author(house.database, "Operator")


def test_a_version_without_a_build_has_one_set_of_files(house: House) -> None:
    version = house.enter("x", "# 1")
    assert (version.source, version.build) == ("", "")
    assert isinstance(house.database, sqlite3.Connection)
    assert msgspec.json.decode(house.database.execute("SELECT report FROM versions").fetchone()[0]) == {}
