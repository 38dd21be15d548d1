"""A bot is found, built, checked under the conditions of its ladder, compared with older versions, and admitted or
refused."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.config.editions import load_edition
from arena.config.ladder_config import EntryRules, LadderConfig
from arena.errors import UserError
from arena.executors.serial import Serial
from arena.finding.reference import find_file, refer_file
from arena.ladder.database.bot_versions.versions import VersionState
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.entry.begin_ladder import begin_new_ladder, by_value
from arena.ladder.entry.build_bot import build_bot
from arena.ladder.entry.check_entry import EntryReport, check_submission
from arena.ladder.entry.submit import Submission, SubmitResult, submit_bot
from arena.ladder.play.play_ladder import Spending, hold_play_lock, play_ladder
from arena.ladder.play.play_listener import PlayListener
from arena.penalties import FaultPolicy
from arena.rerun.check_conditions import conditions_of
from arena.runs.planning.isolation_level import TRUSTED_ISOLATION, BotPermissions
from arena.tournament.standings.provenance import Label

LADDER = """
name: tiny
rules: eagle-gryphon
changes: {max_turns: 6}
seats: 2
anchors: [greedy, silent]
round_tables: 3
isolation: none
entry: {check_matches: 2}
"""
MODEST = """
from arena.games.board import BoardBot, Draw, Roll

class Modest(BoardBot):
    def turn(self, view):
        return Draw() if view.rolled else Roll()
"""
DRAWS_TWICE = MODEST.replace("Draw() if view.rolled else Roll()", "Draw()")
FROM_CLOCK = """
import time
from arena.games.board import BoardBot, Draw, Roll

class Moody(BoardBot):
    def turn(self, view):
        if view.rolled or time.perf_counter_ns() % 2:
            return Draw()
        return Roll()
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> LadderFolder:
    folder = tmp_path_factory.mktemp("submitting")
    (folder / "tiny.yaml").write_text(LADDER)
    place = LadderFolder(folder / "ladder", BotPermissions(trust=True))
    begin_new_ladder(place, folder / "tiny.yaml", None, [])
    return place


@pytest.fixture
def send(place: LadderFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., SubmitResult]:
    """Submits a bot to the ladder, from a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def send(bot: str, **more: Any) -> SubmitResult:
        with closing(Serial()) as executor:
            return submit_bot(place, "", Submission(bot=bot, **more), executor)

    return send


def rows(place: LadderFolder, query: str, *values: object) -> list[Any]:
    with closing(sqlite3.connect(place.database)) as database:
        return database.execute(query, values).fetchall()


@pytest.mark.slow
def test_a_bot_is_admitted_with_its_report_and_an_equal_one_is_told_so(
    send: Callable[..., SubmitResult], place: LadderFolder, tmp_path: Path
) -> None:
    (tmp_path / "modest.py").write_text(MODEST)
    found = send("./modest.py", author="ann")
    assert (found.admitted, found.version, found.state, found.refused) == (True, "modest:1", VersionState.ACTIVE, [])
    ((report, label),) = rows(
        place,
        "SELECT report, label FROM versions JOIN entries ON version = id WHERE id = (SELECT max(id) FROM versions)",
    )
    kept = msgspec.convert(msgspec.json.decode(report)["tiny"], EntryReport)
    assert kept.played is not None
    assert (kept.has_passed, kept.played.matches, kept.played.faults, kept.level) == (True, 4, [], "none")
    assert label == kept.label == Label.ITSELF

    again = send("./modest.py", author="ann")
    assert (again.known, again.admitted, again.version, again.report) == (True, False, "modest:1", None)

    with hold_play_lock(place), closing(Serial()) as executor:
        play_ladder(place, "", executor, Spending(rounds=1), PlayListener(), "")
    (tmp_path / "modest.py").write_text(MODEST + "# a remark\n")
    second = send("./modest.py", author="ann")
    assert (second.version, second.replaced) == ("modest:2", ["modest:1"])
    assert second.report is not None
    alike = {each.name: each for each in second.report.alike}
    assert alike["modest:1"].asks >= 20
    assert f"it answers as modest:1 does: all {alike['modest:1'].asks} asks" in " ".join(second.told)
    assert "greedy:1" not in alike
    assert rows(place, "SELECT count(*) FROM versions WHERE bot = (SELECT max(id) FROM bots)") == [(2,)]


def test_a_bot_that_would_be_put_out_is_refused_and_leaves_nothing_but_the_reason(
    send: Callable[..., SubmitResult], place: LadderFolder, tmp_path: Path
) -> None:
    (tmp_path / "bad.py").write_text(DRAWS_TWICE)
    before = [*place.folder.glob("versions/*")], rows(place, "SELECT * FROM bots"), rows(place, "SELECT * FROM authors")
    found = send("./bad.py", author="eve")
    assert not found.admitted
    (reason,) = found.refused
    assert reason.startswith("it was put out for its faults in 2 of 2 matches, first in check/1; 6 × illegal [B3.2]")
    assert found.report is not None
    assert found.report.seed
    after = [*place.folder.glob("versions/*")], rows(place, "SELECT * FROM bots"), rows(place, "SELECT * FROM authors")
    assert before == after
    (told,) = rows(place, "SELECT why FROM changes WHERE what = 'refused' AND why LIKE 'bad%'")
    assert told == (f"bad of eve (bad.py): {reason}",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import nothing_of_this_name", "bot bad.py cannot be loaded: ModuleNotFoundError"),
        (MODEST.replace("board", "cards").replace("BoardBot", "CardsBot"), "bad.py"),
        (
            "from arena.games.cards import CardsBot\nclass Other(CardsBot):\n    def offer(self, view): return ()\n",
            "it plays cards, and this ladder plays board",
        ),
    ],
    ids=["not loaded", "wrong names", "another game"],
)
def test_a_bot_that_cannot_play_here_is_refused_before_a_match(
    text: str, reason: str, send: Callable[..., SubmitResult], tmp_path: Path
) -> None:
    (tmp_path / "bad.py").write_text(text)
    found = send("./bad.py")
    assert reason in found.refused[0]
    assert found.report is not None
    assert found.report.played is None


@pytest.mark.parametrize(
    ("bot", "more", "told"),
    [
        ("arena.games.board:BoardBot", {}, "is an installed package and may change with it: copy its files to"),
        ("cmd:cat", {}, "bot cmd:cat has no file of its own: it runs an installed program, which may change"),
        ("greedy", {"name": "a:b"}, "expected the bot's name to be letters, digits"),
        ("cmd:./no", {"build": "make"}, "name the files it is built from, such as --file Makefile --file src"),
        ("cmd:../no", {"build": "make", "files": (".",)}, "../no lies outside of the current folder"),
    ],
)
def test_what_is_no_submission_is_told_in_a_line(
    bot: str, more: dict[str, Any], told: str, send: Callable[..., SubmitResult], place: LadderFolder
) -> None:
    before = rows(place, "SELECT count(*) FROM changes")
    with pytest.raises(UserError) as raised:
        send(bot, **more)
    assert told in str(raised.value)
    assert rows(place, "SELECT count(*) FROM changes") == before


def test_a_program_is_built_and_both_its_sources_and_what_plays_are_kept(
    send: Callable[..., SubmitResult], place: LadderFolder, tmp_path: Path
) -> None:
    (tmp_path / "source").write_text(MODEST)
    (tmp_path / "start.py").write_text("from made import Modest as Base\nclass Modest(Base): pass\n")
    words = "sh -c 'cp source made.py; echo x > $TMPDIR/scrap; echo x > .hidden; echo built'"
    found = send("./start.py", files=("source",), build=words, author="ann", name="built")
    assert found.refused == []
    assert found.report is not None
    assert found.report.build is not None
    assert (found.report.build.output, found.report.build.files) == ("built\n", 3)
    ((files, source, build),) = rows(place, "SELECT files, source, build FROM versions ORDER BY id DESC LIMIT 1")
    assert build == words
    assert {path.name for path in place.version(files).iterdir()} == {"start.py", "source", "made.py"}
    assert {path.name for path in place.version(source).iterdir()} == {"start.py", "source"}
    assert send("./start.py", files=("source",), build=words, author="ann", name="built").known


def test_a_build_that_fails_is_refused(send: Callable[..., SubmitResult], tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(MODEST)
    for build, reason in (
        ("sh -c 'echo broken; exit 3'", "the build ended with exit code 3"),
        ("rm bad.py", "after the build: there is no bad.py, which is loaded"),
        ("no-such-compiler -O2", "the build needs 'no-such-compiler', which is not installed here"),
        ("./configure", "the build runs ./configure, which is not among the submitted files"),
        ("ln -s /etc etc", "after the build: etc is a link that leads out of the bot's folder"),
    ):
        found = send("./bad.py", build=build)
        assert reason in found.refused[0], build
        assert str(tmp_path) not in found.refused[0], build
        assert found.report is not None, build
        assert found.report.build is not None, build
        assert "broken" not in build or found.report.build.output == "broken\n", build


def test_a_build_leaves_nothing_behind_and_what_its_links_lead_to_alone(tmp_path: Path) -> None:
    outside, scratch = tmp_path / "outside", tmp_path / "scratch"
    for folder in (outside, scratch):
        folder.mkdir(mode=0o755)
    (tmp_path / "bot.py").write_text(MODEST)
    ref = refer_file(str(tmp_path / "bot.py"), None)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tempfile, "tempdir", str(scratch))
        _, report = build_bot(
            ref, ("sh", "-c", f"ln -s {outside} .link; mkdir -p a/b; chmod 0 a"), TRUSTED_ISOLATION, EntryRules()
        )
    assert report.refused == ""
    assert outside.stat().st_mode & 0o777 == 0o755
    assert [*scratch.iterdir()] == []


@pytest.fixture(scope="module")
def moody(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("moody") / "moody.py"
    path.write_text(FROM_CLOCK)
    return path


@pytest.mark.parametrize("must", [False, True])
def test_a_bot_that_does_not_repeat_itself_is_labelled_or_refused_if_the_ladder_says_so(
    must: bool, moody: Path
) -> None:
    config = LadderConfig(
        name="tiny", rules="eagle-gryphon", strikes=1000, entry=EntryRules(check_matches=2, must_repeat=must)
    )
    edition = load_edition("eagle-gryphon", changes={"max_turns": 20})
    others = [by_value(find_file("silent"))]
    with closing(Serial()) as executor:
        report = check_submission(
            refer_file(str(moody), None),
            config,
            conditions_of(config, edition, 2, TRUSTED_ISOLATION),
            others,
            executor,
            TRUSTED_ISOLATION,
        )
    sentences = report.refused if must else report.told
    assert report.has_passed is not must
    assert any(each.startswith("it does not repeat itself: it answers differently when check/") for each in sentences)
    assert report.label in (Label.CLOCK, Label.NOT)


def test_single_faults_are_told_and_what_they_cost_is_the_ladders_own_policy(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(DRAWS_TWICE)
    edition = load_edition("eagle-gryphon", changes={"max_turns": 4})
    entry = EntryRules(check_matches=1)
    lenient = LadderConfig(name="tiny", rules="eagle-gryphon", strikes=1000, entry=entry)
    strict = msgspec.structs.replace(lenient, fault_policy=FaultPolicy.FORFEIT)
    found = []
    for config in (lenient, strict):
        with closing(Serial()) as executor:
            others = [by_value(find_file("silent"))]
            ref, conditions = (
                refer_file(str(tmp_path / "bad.py"), None),
                conditions_of(config, edition, 2, TRUSTED_ISOLATION),
            )
            found.append(check_submission(ref, config, conditions, others, executor, TRUSTED_ISOLATION, seed="1"))
    assert [report.has_passed for report in found] == [True, False]
    assert found[0].told[0].startswith("fault: 2 × illegal [B3.2] in turn: ")
    assert found[1].refused[0].startswith("it was put out for its faults in 1 of 1 matches, first in check/1; 1 ×")
