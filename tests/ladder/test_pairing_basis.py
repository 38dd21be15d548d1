"""Tables are chosen from what closing a round has stored just as they are where everything is computed anew."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import pytest

from arena.config.ladder_config import EntryRules, RatedBy
from arena.ladder.database.bot_versions.versions import VersionState, set_state
from arena.ladder.database.connection import open_database, write_transaction
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder, find_ladder
from arena.ladder.database.rounds import last_round
from arena.ladder.play import choose_tables, pairing_basis
from arena.ladder.play.choose_tables import choose_next
from arena.ladder.play.close_round import close_round
from arena.ladder.rating.pairing import ChosenTable
from tests.ladder.invented import invent, play_round, submit


class League(NamedTuple):
    """A ladder with its database open."""

    place: LadderFolder
    database: sqlite3.Connection

    @property
    def ladder(self) -> Ladder:
        return find_ladder(self.database)

    @property
    def stored(self) -> Path:
        return self.place.pairing(self.ladder.name, self.ladder.season.number)

    def close(self) -> list[str]:
        last = last_round(self.database, self.ladder.season.id)
        assert last is not None
        return close_round(self.place, self.database, self.ladder, last)

    def chosen(self) -> list[ChosenTable]:
        return choose_next(self.place, self.database, self.ladder)

    def anew(self) -> list[ChosenTable]:
        self.stored.unlink()
        return self.chosen()


def closed_league(folder: Path, **keys: Any) -> LadderFolder:
    """A ladder of three rounds, the last of which was closed as a play does; of greedy the second version plays."""
    place = invent(folder, rounds=2, tables=12, entry=EntryRules(one_team=False), **keys)
    with closing(open_database(place.database, place.shown, write=True)) as database:
        submit(database, "greedy", 2, day=3)
        play_round(place, database, 3, 12, close=False)
        League(place, database).close()
    return place


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Such a ladder, which nobody changes."""
    return closed_league(tmp_path_factory.mktemp("ladder") / "league").folder


@pytest.fixture
def league(played: Path, tmp_path: Path) -> Iterator[League]:
    """A copy of it."""
    place = LadderFolder(Path(shutil.copytree(played, tmp_path / "league")))
    with closing(open_database(place.database, place.shown, write=True)) as database:
        yield League(place, database)


@pytest.fixture
def rated(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seasons of which choosing tables has read all matches."""
    read, seasons = choose_tables.read_season_columns, []

    def noted(database: sqlite3.Connection, season: int) -> Any:
        seasons.append(season)
        return read(database, season)

    monkeypatch.setattr(choose_tables, "read_season_columns", noted)
    return seasons


def put(league: League, name: str, state: VersionState) -> None:
    bot, number = name.split(":")
    query = "SELECT v.id FROM versions v JOIN bots b ON b.id = v.bot WHERE b.name = ? AND v.number = ?"
    with write_transaction(league.database):
        set_state(league.database, league.ladder.id, league.database.execute(query, (bot, number)).fetchone()[0], state)


def test_no_match_is_read_and_the_tables_are_the_same(league: League, rated: list[int]) -> None:
    chosen = league.chosen()
    assert rated == []
    assert len(chosen) == 24
    assert chosen == league.anew()
    assert rated == [1]


def test_they_are_the_same_where_versions_came_and_went_since(league: League, rated: list[int]) -> None:
    submit(league.database, "late", 1, day=4)
    put(league, "twin:1", VersionState.DISABLED)
    chosen = league.chosen()
    assert rated == []
    assert any("late:1" in table.names for table in chosen)
    assert not any("twin:1" in table.names for table in chosen)
    assert chosen == league.anew()


def test_where_a_version_plays_again_that_was_not_stored_everything_is_computed(
    league: League, rated: list[int]
) -> None:
    put(league, "greedy:1", VersionState.ACTIVE)
    chosen = league.chosen()
    assert rated == [1]
    assert any("greedy:1" in table.names for table in chosen)
    assert chosen == league.anew()


def test_what_was_stored_after_another_round_does_not_serve(league: League, rated: list[int]) -> None:
    before = league.stored.read_bytes()
    play_round(league.place, league.database, 4, 12, close=False)
    league.close()
    league.stored.write_bytes(before)
    assert league.chosen() == league.anew()
    assert rated == [1, 1]


def test_what_other_code_has_stored_does_not_serve(
    league: League, rated: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing_basis, "_computed_by", lambda: ("9.9.9",))
    assert league.chosen() == league.anew()
    assert rated == [1, 1]


@pytest.mark.parametrize("content", [b"", b"\xc1", None])
def test_a_damaged_file_is_as_good_as_none(league: League, rated: list[int], content: bytes | None) -> None:
    whole = league.stored.read_bytes()
    league.stored.write_bytes(whole[: len(whole) // 2] if content is None else content)
    assert league.chosen() == league.anew()
    assert rated == [1, 1]


def test_a_full_disk_does_not_keep_a_round_from_being_closed(
    league: League, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(pairing_basis, "write_whole", full)
    play_round(league.place, league.database, 4, 12, close=False)
    league.close()
    last = last_round(league.database, league.ladder.season.id)
    assert last is not None
    assert last.closed
    assert "No space left on device" in caplog.text


def test_a_ladder_rated_by_money_stores_log_worths_too(tmp_path: Path, rated: list[int]) -> None:
    place = closed_league(tmp_path / "league", rated_by=RatedBy.MONEY)
    with closing(open_database(place.database, place.shown, write=True)) as database:
        league = League(place, database)
        chosen = league.chosen()
        assert rated == []
        assert chosen == league.anew()


def test_a_policy_from_outside_is_given_all_versions(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[str, ...]] = []

    def policy(*arguments: Any) -> list[ChosenTable]:
        players, _, scales, seats, *_ = arguments
        given.extend(scale.names for scale in scales)
        return [ChosenTable(tuple(player.name for player in players[:seats]), "mine")]

    monkeypatch.setattr(choose_tables, "is_plugin", lambda name: True)
    monkeypatch.setattr(choose_tables, "find_policy", lambda name: policy)
    league.chosen()
    assert "greedy:1" in given[0]


def test_values_are_stored_to_the_last_bit(league: League) -> None:
    matches = choose_tables.read_season_columns(league.database, 1)
    (scale,) = pairing_basis.compute_basis(matches).scales
    stored = pairing_basis._read_scale(pairing_basis._store_scale(scale, scale.names))
    assert stored.names == scale.names
    for one, two in zip(
        (scale.values, scale.covariance, scale.blocks, scale.equal),
        (stored.values, stored.covariance, stored.blocks, stored.equal),
        strict=True,
    ):
        assert one.dtype == two.dtype
        assert numpy.array_equal(one, two)
