"""Versions that enter another ladder of the folder, by hand or as the best of a season; and a qualifier before that."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.config.editions import load_edition
from arena.config.ladder_config import EntryRules, LadderConfig, Qualifier
from arena.executors.serial import Serial
from arena.finding.reference import find_file
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.entry import promotion
from arena.ladder.entry.begin_ladder import by_value
from arena.ladder.entry.check_entry import check_submission
from arena.ladder.seasons import season_end
from arena.rerun.check_conditions import conditions_of
from arena.runs.planning.isolation_level import TRUSTED_ISOLATION
from tests.conftest import HEAD, Arena, run_arena
from tests.ladder.test_seasons import finish

FINAL = """
name: final
rules: eagle-gryphon
changes: {max_turns: 3}
seats: 2
anchors: [silent]
isolation: none
promotion: {from: tiny, best: 1}
"""
Query = Callable[..., list[tuple[object, ...]]]
PROMOTED = (
    "SELECT v.version, p.place, p.outcome, p.why FROM promotions p JOIN version_list v ON v.id = p.version "
    "ORDER BY p.season, p.place"
)
STATES = (
    "SELECT v.version, e.state FROM entries e JOIN version_list v ON v.id = e.version WHERE e.ladder = 2 ORDER BY v.id"
)


@pytest.fixture(scope="module")
def finished(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ladder ``final`` beside ``tiny``, whose rounds are closed; nobody changes it."""
    folder = tmp_path_factory.mktemp("finished")
    shutil.copytree(played, folder / "league")
    (folder / "final.yaml").write_text(FINAL)
    for words in ("play league --trust --rounds 1 -q --executor serial", "init league --config final.yaml"):
        ran = run_arena(folder, "ladder", *words.split())
        assert ran.code == 0, ran.err
    return folder / "league"


@pytest.fixture
def final(finished: Path, tmp_path: Path) -> Iterator[Query]:
    """A copy of them in the folder ``league``, which is the test's own; queries of their database."""
    shutil.copytree(finished, tmp_path / "league")
    with closing(sqlite3.connect(tmp_path / "league" / "ladder.sqlite", isolation_level=None)) as database:
        yield lambda text, *values: database.execute(text, values).fetchall()


def best_two(final: Query) -> list[tuple[str, int]]:
    """The two submitted versions with their places, the better one first."""
    found = final(
        "SELECT v.version, t.place FROM ratings t JOIN version_list v ON v.id = t.version "
        "WHERE t.round = (SELECT max(id) FROM rounds) AND v.author = 'mira' ORDER BY t.place"
    )
    return [(str(name), int(str(place))) for name, place in found]


def close(arena: Arena) -> None:
    closed = arena("ladder", "season", "league", "close", "--ladder", "tiny")
    assert closed.code == 0, closed.err


def test_the_best_of_a_closed_season_enter_with_the_reason_on_record(arena: Arena, final: Query) -> None:
    (best, place), _ = best_two(final)
    assert final(PROMOTED) == []
    close(arena)
    assert final(PROMOTED) == [(best, place, "entered", "")]
    assert (best, "active") in final(STATES)
    why = f"promoted: place {place} of season 1 of tiny"
    assert final("SELECT what, why FROM changes WHERE ladder = 2 ORDER BY id DESC LIMIT 1") == [("active", why)]
    assert arena("ladder", "check", "league").code == 0
    played = arena("ladder", "play", "league", "--ladder", "final", "--trust", "--matches", 4, "-q", "-j", 1)
    assert played.code == 0, played.err
    public = arena("ladder", "export", "league", "--ladder", "final", "--out", "public")
    assert public.code == 0
    assert f"{best},active,{why}" in Path("public/changes.csv").read_text()


def test_who_is_withdrawn_is_passed_over_and_who_is_there_stays(arena: Arena, final: Query) -> None:
    (best, place), (second, its_place) = best_two(final)
    assert arena("ladder", "retire", "league", best, "--ladder", "tiny").code == 0
    assert arena("ladder", "enter", "league", second, "--ladder", "final").code == 0
    close(arena)
    assert final(PROMOTED) == [
        (best, place, "passed over", "retired in tiny"),
        (second, its_place, "stayed", ""),
    ]
    assert arena("ladder", "check", "league").code == 0


def test_a_final_that_begins_later_takes_the_best_of_the_last_closed_season(arena: Arena, league: Path) -> None:
    finish(arena)
    close(arena)
    Path("final.yaml").write_text(FINAL.replace("best: 1", "best: 5"))
    assert arena("ladder", "init", "league", "--config", "final.yaml").code == 0
    shown = json.loads(arena("ladder", "show", "league", "--ladder", "final", "--json").out)
    assert shown["versions"]["active"] == ["first:1", "chance:1", "silent:1"]
    assert arena("ladder", "check", "league").code == 0


def close_and_be_killed(where: str) -> None:
    """Close the season, and be killed before that is complete."""

    def dies(*given: object, **more: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    module, name = {"in the middle": (promotion, "replace_older"), "after it": (season_end, "begin_season")}[where]
    setattr(module, name, dies)
    season_end.close_season(LadderFolder(Path("league")), "tiny")


@pytest.mark.parametrize("where", ["in the middle", "after it"])
def test_a_promotion_that_is_killed_has_not_happened_and_happens_whole_later(
    where: str, arena: Arena, final: Query
) -> None:
    before = final("SELECT * FROM entries"), final("SELECT * FROM changes"), final("SELECT ended FROM seasons")
    process = multiprocessing.get_context("fork").Process(target=close_and_be_killed, args=(where,))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    assert (
        final("SELECT * FROM entries"),
        final("SELECT * FROM changes"),
        final("SELECT ended FROM seasons"),
    ) == before
    assert arena("ladder", "check", "league").code == 0
    (best, place), _ = best_two(final)
    close(arena)
    assert final(PROMOTED) == [(best, place, "entered", "")]
    assert arena("ladder", "check", "league").code == 0


@pytest.mark.parametrize(
    "changes",
    [
        {
            "UPDATE promotions SET place = place + 7": "is noted with place",
            "UPDATE changes SET why = 'submitted' WHERE why LIKE 'promoted%'": "that change is not recorded",
            "INSERT INTO promotions SELECT 2, 1, id, 4, 'entered', '' FROM version_list WHERE version = 'greedy:1'": (
                "greedy:1 was not among the 1 best"
            ),
        },
        {"DELETE FROM promotions": "is noted nowhere"},
    ],
)
def test_a_promotion_that_does_not_follow_from_the_ratings_is_found(
    changes: dict[str, str], arena: Arena, final: Query
) -> None:
    final("UPDATE ladders SET began = '2020-01-01T00:00:00+00:00'")
    close(arena)
    for change in changes:
        final(change)
    ran = arena("ladder", "check", "league")
    assert ran.code == 3
    assert all(problem in ran.out for problem in changes.values()), ran.out
    assert "promotion from season 1 of tiny to final" in ran.out


def test_a_ladder_whose_qualifier_is_gone_is_found(arena: Arena, final: Query) -> None:
    final("UPDATE ladders SET name = 'other' WHERE name = 'tiny'")
    ran = arena("ladder", "check", "league")
    assert ran.code == 3
    assert "ladder final takes versions from a ladder that cannot be read: no ladder 'tiny'" in ran.out


def test_a_version_enters_by_hand_with_its_bytes_author_and_label(arena: Arena, final: Query) -> None:
    final("UPDATE entries SET label = 'repeats itself', evidence = 'seen' WHERE version = 3")
    ran = arena("ladder", "enter", "league", "first", "--ladder", "final")
    assert (ran.code, ran.out) == (0, "first:1 plays in final, from the next round on (entered from tiny)\n")
    assert final(STATES)[0] == ("first:1", "active")
    assert final("SELECT label, evidence FROM entries WHERE version = 3 AND ladder = 2") == [("repeats itself", "seen")]
    again = arena("ladder", "enter", "league", "first:1", "--ladder", "final")
    assert (again.code, again.err) == (2, "arena: first:1 is in ladder final already, and active\n")
    assert arena("ladder", "check", "league").code == 0


def test_a_ladder_of_a_game_that_is_not_installed_does_not_disturb_the_others(arena: Arena, final: Query) -> None:
    final(
        "INSERT INTO ladders SELECT 9, 'pies', 'nowhere:Pie', edition, edition_sha256, edition_rules, seats, "
        "json_remove(keys, '$.promotion'), began FROM ladders WHERE id = 2"
    )
    (best, place), (second, _) = best_two(final)
    assert arena("ladder", "enter", "league", second, "--ladder", "final").code == 0
    assert arena("ladder", "author", "league", "ben").code == 0
    assert arena("ladder", "hand-over", "league", "first", "--to", "ben").code == 0
    close(arena)
    assert final(PROMOTED) == [(best, place, "entered", "")]


def test_what_cannot_enter_is_refused_in_one_line(arena: Arena, final: Query) -> None:
    assert arena("ladder", "disable", "league", "silent", "--why", "test", "--ladder", "final").code == 0
    assert arena("ladder", "retire", "league", "chance", "--ladder", "tiny").code == 0
    for version, ladder, problem in (
        ("fist", "final", "no bot 'fist' was submitted (did you mean 'first'?)"),
        ("first:2", "final", "bot first has no version 2; it has 1"),
        ("first", "finale", "no ladder 'finale' (did you mean 'final'?)"),
        ("silent", "tiny", "silent:1 is disabled in final"),
        ("chance", "final", "chance:1 is retired in tiny"),
    ):
        ran = arena("ladder", "enter", "league", version, "--ladder", ladder)
        assert (ran.code, ran.out) == (2, ""), version
        assert problem in ran.err, version
        assert len(ran.err.splitlines()) == 1, version


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{from: tinny, best: 1}", "promotion.from: no ladder 'tinny' (did you mean 'tiny'?)"),
        ("{from: tiny, best: 0}", "promotion.best"),
        ("{best: 1}", "from"),
    ],
)
def test_a_promotion_that_cannot_be_is_refused_before_the_ladder_begins(
    text: str, problem: str, arena: Arena, league: Path
) -> None:
    Path("final.yaml").write_text(FINAL.replace("{from: tiny, best: 1}", text))
    ran = arena("ladder", "init", "league", "--config", "final.yaml")
    assert ran.code == 2
    assert problem in ran.err
    other = arena("ladder", "init", "elsewhere", "--config", "final.yaml")
    assert other.code == 2
    assert not Path("elsewhere").exists()


def test_a_newcomer_that_finishes_ahead_of_enough_has_passed() -> None:
    edition = load_edition("eagle-gryphon", changes={"max_turns": 4})
    entry = EntryRules(check_matches=1, qualifier=Qualifier(matches=6, ahead=0.01))
    config = LadderConfig(name="tiny", rules="eagle-gryphon", isolation="none", entry=entry)
    conditions = conditions_of(config, edition, 2, TRUSTED_ISOLATION)
    others = [by_value(find_file("greedy"))]
    with closing(Serial()) as executor:
        report = check_submission(
            by_value(find_file("fair")), config, conditions, others, executor, TRUSTED_ISOLATION, seed="5" * 32
        )
    assert report.qualifier is not None
    assert report.qualifier.matches == 6
    assert report.has_passed


def test_a_newcomer_that_finishes_ahead_of_too_few_is_refused_before_a_match_counts(
    arena: Arena, tmp_path: Path
) -> None:
    Path("bot.py").write_text(HEAD + "    def turn(self, view):\n        return self.legal_moves(view)[0]\n")
    qualifier = "entry={check_matches: 1, qualifier: {matches: 4, ahead: 0.999}}"
    sets = ["--set", "changes={max_turns: 3}", "--set", "seats=2", "--set", "isolation=none", "--set", qualifier]
    begun = arena("ladder", "init", "league", "--rules", "eagle-gryphon", *sets)
    assert begun.code == 0, begun.err
    ran = arena("ladder", "submit", "league", "./bot.py", "--trust", "-j", 1)
    assert ran.code == 1
    told = " ".join(ran.out.split())
    assert "opponents in 4 matches of the qualifier; expected at least 99.9% (entry.qualifier)" in told
