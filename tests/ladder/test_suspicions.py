"""Who answers alike and who gives whom is looked at after rounds and told to the operator; a version is taken out with
its proof, and comes back."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.collusion.gift_sums import GiftTable
from arena.collusion.pair_search import PairFinding, PairVerdict
from arena.errors import UserError
from arena.executors.serial import Serial
from arena.finding.reference import refer_file
from arena.ladder.database.bot_versions.versions import VersionState, entered_versions
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import find_ladder
from arena.ladder.database.rounds import last_round
from arena.ladder.entry.admission_rows import NewVersion, admit_version
from arena.ladder.entry.quarantine import quarantine_proof
from arena.ladder.entry.version_states import enable_versions, quarantine_versions
from arena.ladder.integrity.check_quarantines import quarantine_problems
from arena.ladder.play.play_ladder import Spending, hold_play_lock, play_ladder
from arena.ladder.play.play_listener import PlayListener
from arena.ladder.play.results import PlayResult
from arena.ladder.suspicions import suspicion_watch
from arena.ladder.suspicions.suspicion_rows import SuspicionKind, standing_suspicions
from arena.ladder.suspicions.suspicion_watch import SuspicionWatch
from arena.runs.planning.isolation_level import TRUSTED_ISOLATION, BotPermissions
from arena.tournament.inference.intervals import Estimate
from tests.conftest import HEAD, Arena
from tests.ladder.conftest import BOTS
from tests.ladder.test_served_ladder import client_of, opened


@pytest.fixture
def place(league: Path) -> LadderFolder:
    return LadderFolder(league, BotPermissions(trust=True))


@pytest.fixture
def database(place: LadderFolder) -> Iterator[sqlite3.Connection]:
    with closing(open_database(place.database, place.shown, write=True)) as found:
        yield found


def enter_copy(place: LadderFolder, database: sqlite3.Connection) -> None:
    """A bot of another author with another text that answers as ``first`` does."""
    path = place.folder.parent / "other.py"
    path.write_text(f"{HEAD}{BOTS['first']}# mine\n")
    admit_version(place, database, find_ladder(database), NewVersion("other", "carl", refer_file(str(path), None)))


class Listening(PlayListener):
    """Remembers which suspicions it heard of."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def suspicions_found(self, suspicions: list[str]) -> None:
        self.heard += suspicions


def play_round(place: LadderFolder, listener: PlayListener, look: float | None) -> PlayResult:
    with hold_play_lock(place), closing(Serial()) as executor:
        return play_ladder(place, "", executor, Spending(rounds=1, look=look), listener, "")


def test_a_copy_is_told_once_in_the_summary_and_stands_in_show_and_on_the_operator_s_page(
    place: LadderFolder, database: sqlite3.Connection, arena: Arena, tmp_path: Path
) -> None:
    enter_copy(place, database)
    listener = Listening()
    played = play_round(place, listener, 60.0)
    (told,) = played.suspicions
    assert told.startswith("other:1 answers as first:1 does: all ")
    assert listener.heard == [told]
    assert play_round(place, listener, 60.0).suspicions == []
    assert told in " ".join(arena("ladder", "show", "league").out.split())
    shown = json.loads(arena("ladder", "show", "league", "first:1", "--json").out)
    (each,) = shown[0]["suspicions"] if isinstance(shown, list) else shown["suspicions"]
    assert (each["kind"], each["proof"]["type"]) == ("alike", "alike")
    assert each["proof"]["asks"] >= 20
    for operator in (True, False):
        site = opened(place.folder, tmp_path, operator)
        with site.indexing:
            client = client_of(site)
            texts = [client.get("/ladder/league/tiny").text, client.get("/ladder/league/tiny/version/first:1").text]
        assert ["other:1 answers as first:1" in text for text in texts] == [operator, operator]
    assert {each.state for each in entered_versions(database, 1)} == {VersionState.ACTIVE}
    quarantine_versions(place, "", "other:1", "a copy of first")
    assert standing_suspicions(database, find_ladder(database)) == []


def test_without_time_nothing_is_looked_at_and_what_is_left_over_is_saved_up(
    place: LadderFolder, database: sqlite3.Connection
) -> None:
    enter_copy(place, database)
    assert play_round(place, PlayListener(), 0.0).suspicions == []
    ladder = find_ladder(database)
    round = last_round(database, ladder.season.id)
    assert round is not None
    watch = SuspicionWatch(place, database, ladder, None)
    assert watch.look(round, TRUSTED_ISOLATION, 1.0) == []
    assert database.execute("SELECT count(*) FROM suspicions").fetchone() == (0,)
    assert len(watch.look(round, TRUSTED_ISOLATION, 600.0)) == 1


def test_gifts_that_stand_out_are_told_with_what_shows_them_until_they_do_no_more(
    place: LadderFolder, database: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[GiftTable] = []
    gift = Estimate(4.25, 3.0, 5.5, 12)
    stands = PairFinding("chance:1", "first:1", False, 12, gift, {}, None, 0.001, 0.002, PairVerdict.STANDS_OUT)
    luck = PairFinding("first:1", "chance:1", False, 12, gift, {}, None, 0.5, 0.5, PairVerdict.NOTHING)
    found = [stands, luck]

    def judge(table: GiftTable, seed: str, level: float) -> list[PairFinding]:
        seen.append(table)
        return found

    monkeypatch.setattr(suspicion_watch, "judge_pairs", judge)
    monkeypatch.setattr(suspicion_watch, "LEAST_ENTRANTS", 2)
    ladder = find_ladder(database)
    round = last_round(database, ladder.season.id)
    assert round is not None
    (told,) = SuspicionWatch(place, database, ladder, 60.0).look(round, TRUSTED_ISOLATION, 0.0)
    assert told.in_words().startswith(
        "chance:1 gives first:1 4.2 $M a match more than is usual (3.0 to 5.5, 12 matches; p by chance 0.001, among "
        "honest pairs 0.002), after round"
    )
    (count,) = database.execute(
        "SELECT count(*) FROM matches m JOIN rounds r ON r.id = m.round WHERE r.state = 'closed' AND NOT m.void"
    ).fetchone()
    assert seen[0].matches == count
    found.clear()
    watch = SuspicionWatch(place, database, ladder, 60.0)
    watch._judged = 10 * count  # with less than it was found in, it stands
    watch.look(round, TRUSTED_ISOLATION, 0.0)
    assert [each.kind for each in standing_suspicions(database, ladder)] == [SuspicionKind.GIFT]
    SuspicionWatch(place, database, ladder, 60.0).look(round, TRUSTED_ISOLATION, 0.0)
    assert standing_suspicions(database, ladder) == []


def test_the_proof_counts_failures_with_and_without_a_version_in_the_rounds_in_which_it_played(
    place: LadderFolder, database: sqlite3.Connection
) -> None:
    ladder = find_ladder(database)
    rows = {each.version.name: each.version.id for each in entered_versions(database, ladder.id)}
    own = "SELECT DISTINCT match FROM seats WHERE version = ?"
    first = [number for (number,) in database.execute(own, (rows["first:1"],))]
    assert quarantine_proof(database, ladder, rows["first:1"]).failed_with == []
    marks = ", ".join("?" * len(first))
    database.execute(f"UPDATE matches SET void = 1 WHERE id IN ({marks})", first)
    proof = quarantine_proof(database, ladder, rows["first:1"])
    (every,) = database.execute("SELECT count(*) FROM matches").fetchone()
    assert (proof.failed_with, proof.matches_with) == (sorted(first), len(first))
    assert (proof.failed_without, proof.matches_without) == ([], every - len(first))
    (number,) = database.execute("SELECT max(first_match + matches) - 1 FROM rounds").fetchone()
    (round,) = database.execute("SELECT max(id) FROM rounds").fetchone()
    database.execute(
        "INSERT INTO left_out (match, round, name, tries, final, why) VALUES (?, ?, 'x', 1, 0, 'lost')", (number, round)
    )
    (table,) = database.execute("SELECT versions FROM tables ORDER BY block DESC LIMIT 1").fetchone()
    proof = quarantine_proof(database, ladder, rows["first:1"])
    sat = rows["first:1"] in json.loads(table)
    assert number in (proof.failed_with if sat else proof.failed_without)


def test_a_version_in_quarantine_is_out_with_its_proof_everywhere_and_comes_back(
    place: LadderFolder, database: sqlite3.Connection, arena: Arena, tmp_path: Path
) -> None:
    matches = "SELECT match FROM seats s JOIN version_list l ON l.id = s.version WHERE l.version = 'chance:1'"
    database.execute(f"UPDATE matches SET void = 1 WHERE id IN ({matches})")
    (count,) = database.execute("SELECT count(*) FROM matches WHERE void").fetchone()
    (others,) = database.execute("SELECT count(*) FROM matches WHERE NOT void").fetchone()
    ran = arena("ladder", "quarantine", "league", "chance:1", "--because", "it breaks <b>others</b>")
    assert ran.code == 0
    told = f"{count} of {count} matches failed with it"
    assert told in ran.out
    assert f"0 of {others} without it" in ran.out
    ladder = find_ladder(database)
    assert list(quarantine_problems(database, ladder)) == []
    assert "chance:1 since" in arena("ladder", "show", "league").out
    assert told in " ".join(arena("ladder", "show", "league", "chance:1").out.split())
    assert "chance:1 disabled: quarantined: it breaks" in arena("ladder", "history", "league").out
    site = opened(place.folder, tmp_path)
    with site.indexing:
        client = client_of(site)
        for page in ("", "/version/chance:1", "/versions"):
            text = client.get(f"/ladder/league/tiny{page}").text
            assert told in text
            assert "it breaks &lt;b&gt;others&lt;/b&gt;" in text
    assert arena("ladder", "export", "league", "--out", "site").code == 0
    (row,) = csv.DictReader((tmp_path / "site" / "quarantines.csv").read_text().splitlines())
    assert (row["version"], row["failed_with"], row["matches_without"]) == ("chance:1", str(count), str(others))
    assert row["released"] == ""
    database.execute("UPDATE matches SET void = 0")
    play_round(place, PlayListener(), 0.0)
    after = "SELECT count(*) FROM tables t, json_each(t.versions) j JOIN version_list l ON l.id = j.value WHERE "
    (later,) = database.execute(f"{after} l.version = 'chance:1' AND t.round > 3").fetchone()
    assert later == 0
    database.execute("UPDATE entries SET state = 'active' WHERE version IN (SELECT version FROM quarantines)")
    assert "is in quarantine in tiny since" in next(quarantine_problems(database, ladder))
    database.execute("UPDATE entries SET state = 'disabled' WHERE version IN (SELECT version FROM quarantines)")
    assert "as failed, which it is not" in next(quarantine_problems(database, ladder))
    enable_versions(place, "", "chance:1", "it was ours")
    assert database.execute("SELECT released IS NOT NULL FROM quarantines").fetchall() == [(1,)]
    with pytest.raises(UserError, match="give a reason"):
        quarantine_versions(place, "", "chance:1", "  ")
