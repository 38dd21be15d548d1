"""``arena branch --scan``: the decisions that cost a seat most."""

from __future__ import annotations

import csv
import json
import shlex
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path
from shutil import copy
from typing import Any, NamedTuple

import msgspec
import pytest

from arena.commands.branch import alternatives
from arena.commands.branch.branches import BranchedMatch, open_match
from arena.commands.branch.decision import told_unasked
from arena.commands.branch.inference.candidates import CandidateReason
from arena.commands.branch.inference.dearest import CostVerdict
from arena.commands.branch.scan import (
    AnswerGain,
    ScanOptions,
    ScanPlan,
    ScanResult,
    plan_scan,
    play_scan,
    seconds_expected,
)
from arena.commands.branch.scan_command import answer_phrase
from arena.commands.branch.scan_words import dearest_of
from arena.commands.branch.words import decision_text
from arena.config.editions import load_edition
from arena.errors import UserError
from arena.executors.serial import Serial
from arena.finding.reference import find_file, refer_file
from arena.match.runner import play_here
from arena.match.work import WorkResult
from arena.recorded import feeding
from arena.runs.planning.isolation_level import TRUSTED_ISOLATION
from tests.conftest import HEAD, Arena, small, spec_of, write_player
from tests.runs.calling import Calling

pytestmark = pytest.mark.slow

BOARD = """
from arena.games.board import *

class Quiet(BoardBot):
    def turn(self, view): return Draw() if view.rolled else Roll()
    def when(self, view): return view.turn
"""
CARDS = """
from arena.games.cards import *

class Quiet(CardsBot):
    def when(self, view): return view.round
"""
REFUSES = """
    def __init__(self, never: int = 0) -> None:
        self.never = never
    def accept(self, view):
        return self.when(view) != self.never and self.refusal(view, Yes()) is None
"""
PIE = Path(__file__).parents[1] / "thirdgame"
SURE = (CostVerdict.CLEAR, CostVerdict.ALIKE)
FEW = ScanOptions(0, asks=3, few=2, repeat=3)


@pytest.fixture(autouse=True, scope="module")
def few_seeds() -> Iterator[None]:
    """Has a bot asked with four other seeds in place of sixteen, in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alternatives, "ASKED_SEEDS", 4)
        patch.setattr(feeding, "can_fork", lambda: False)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Matches of a bot that takes every gift but those of one turn, or round: $6M twice in the board game, $135 in the
    last round of the card game; one of a bot that draws lots, and one of a bot that could not be started."""
    folder = tmp_path_factory.mktemp("scan")
    for name, text, never, others, edition in (
        ("board", BOARD, 14, ("greedy", "fair"), small(turns=16)),
        ("cards", CARDS, 8, ("fair", "greedy"), load_edition("card-game")),
    ):
        path = folder / f"quiet_{name}.py"
        path.write_text(text.lstrip() + REFUSES)
        refs = (msgspec.structs.replace(refer_file(str(path), None), options={"never": never}), *map(find_file, others))
        (folder / f"{name}.jsonl").write_bytes(play_here(spec_of(refs, edition, seed="1"), refs).replay)
    for name, body in (("drawn", ""), ("absent", "def start(self, start): 1 / 0\n")):
        path = write_player(folder, f"{body}def turn(self, view): return self.play_on(view)", name, HEAD)
        refs = (refer_file(str(path), None), find_file("greedy"), find_file("fair"))
        (folder / f"{name}.jsonl").write_bytes(play_here(spec_of(refs, small(turns=8)), refs).replay)
    return folder


def flat(text: str) -> str:
    """The text in one line."""
    return " ".join(text.split())


def opened(folder: Path, name: str) -> BranchedMatch:
    return open_match(folder / f"{name}.jsonl", {}, TRUSTED_ISOLATION)


class Whole(NamedTuple):
    """A scan that was not stopped, what it was expected to take, and the outcomes it told of."""

    planned: ScanPlan
    seconds: float
    scanned: ScanResult
    heard: list[WorkResult]


@pytest.fixture(scope="module")
def scans(folder: Path) -> dict[str, Whole]:
    """A scan of the bot that refuses gifts, by game."""
    found = {}
    for game in ("board", "cards"):
        planned, heard = plan_scan(opened(folder, game), FEW), list[WorkResult]()
        with closing(Serial()) as executor:
            seconds = seconds_expected(planned, executor)
            found[game] = Whole(planned, seconds, play_scan(planned, executor, Calling(finished=heard.append)), heard)
    return found


@pytest.mark.parametrize(("game", "when", "gift"), [("board", 14, 6), ("cards", 8, 135)])
def test_a_planted_blunder_is_the_dearest_decision_and_costs_what_was_refused(
    game: str, when: int, gift: int, scans: dict[str, Whole]
) -> None:
    found = dearest_of(scans[game].planned, scans[game].scanned)
    for each in found[:2]:  # it was offered twice
        view: Any = each.decision.found.view
        assert (view.turn if game == "board" else view.round) == when
        assert (each.decision.hook, each.typed, each.cost_verdict in SURE) == ("accept", "yes", True)
        assert each.cost.mean is not None
        assert abs(each.cost.mean - gift) <= gift / 20
        assert each.worth.matchpoints.mean == 1
    assert not any(each.cost_verdict in SURE and (each.cost.mean or 0) >= gift / 2 for each in found[2:])


def test_no_more_is_played_than_was_said_before(scans: dict[str, Whole]) -> None:
    for planned, seconds, scanned, heard in scans.values():
        assert seconds > 0
        assert scanned.played == len(heard) <= planned.branches
        assert (scanned.stopped, scanned.lost, scanned.unrepeated) == (0, 0, {})
        assert all(len(gain.now) == len(gain.then) == FEW.repeat for gain in scanned.gains)


def stopped_after(planned: ScanPlan, outcomes: int) -> ScanResult:
    """The same scan, stopped when so many branches are played."""
    heard = list[WorkResult]()

    def tell(done: WorkResult) -> None:
        heard.append(done)
        if len(heard) == outcomes:
            raise KeyboardInterrupt

    with closing(Serial()) as executor:
        return play_scan(planned, executor, Calling(finished=tell))


def test_a_scan_that_is_stopped_tells_what_its_last_round_has_so_far(scans: dict[str, Whole]) -> None:
    planned, whole = scans["cards"].planned, scans["cards"].scanned
    early, late = stopped_after(planned, 3), stopped_after(planned, whole.played - 1)
    assert (early.stopped, early.gains) == (130, [])
    assert late.stopped == 130
    assert {gain.other for gain in late.gains} == {gain.other for gain in whole.gains}
    assert min(len(gain.now) for gain in late.gains) == FEW.repeat - 1


def test_a_bot_that_draws_lots_is_looked_at_where_it_is_unsure_with_what_it_might_have_done(folder: Path) -> None:
    planned = plan_scan(opened(folder, "drawn"), ScanOptions(0, asks=6, few=2))
    assert {each.candidate.first_reason for each in planned.chosen} == {CandidateReason.UNSURE}
    assert all(each.candidate.unsure > 0.5 for each in planned.chosen)
    many = [each for each in planned.chosen if len(each.decided.legal) > 2]
    assert many
    for each in many:
        legal = {msgspec.json.encode(move) for move in each.decided.legal}
        assert set(each.candidate.others) <= legal
        assert msgspec.json.encode(each.decided.played) not in each.candidate.others


def test_a_second_opinion_is_looked_at_where_it_differs(folder: Path) -> None:
    match = opened(folder, "board")
    without, asked = plan_scan(match, FEW), plan_scan(match, msgspec.structs.replace(FEW, opinion="hard"))
    assert all(each.candidate.first_reason is CandidateReason.FEW for each in without.chosen if each.candidate.all)
    differs = [each for each in asked.chosen if each.candidate.first_reason is CandidateReason.OPINION]
    assert differs
    assert asked.choice > without.choice  # it also differs where there are many answers


def test_a_game_outside_arena_is_scanned_like_any_other(tmp_path: Path) -> None:
    bots = [copy(PIE / "bots" / f"{name}.py", tmp_path) for name in ("anything", "even", "proud")]
    refs = tuple(refer_file(str(bot), None) for bot in bots)
    path = tmp_path / "pie.jsonl"
    path.write_bytes(play_here(spec_of(refs, load_edition(str(PIE / "pie.yaml")), seed="3"), refs).replay)
    planned = plan_scan(open_match(path, {}, TRUSTED_ISOLATION), ScanOptions(0, repeat=3))
    with closing(Serial()) as executor:
        (found,) = dearest_of(planned, play_scan(planned, executor))
    assert (found.decision.hook, found.cost.alike, found.cost_verdict) == ("divide", True, CostVerdict.ALIKE)
    assert (found.cost.mean or 0) > 0
    assert sum(json.loads(found.typed)["shares"]) == 12


def test_equal_commands_give_equal_bytes_with_any_number_of_processes(folder: Path, arena: Arena) -> None:
    words = ["branch", folder / "board.jsonl", "--scan", 0, "--asks", 1, "--few", 2, "--repeat", 3, "--trust", "--json"]
    one = arena(*words, "-j", 1)
    assert one.code == 0, one.err
    assert arena(*words, "-j", 2, "--oversubscribe").out == one.out
    data = json.loads(one.out)
    assert (data["seat"], data["looked_at"], data["complete"]) == (0, 1, True)
    assert data["dearest"][0]["move"] == "yes"
    assert 5 < data["dearest"][0]["cost"]["mean"] < 7


def test_the_commands_that_look_closer_work_as_they_are_printed(folder: Path, arena: Arena, tmp_path: Path) -> None:
    words = ("--scan", 0, "--repeat", 3, "--asks", 7, "--few", 2, "--trust", "--csv", "x.csv")
    refs = (msgspec.structs.replace(refer_file(str(folder / "quiet_board.py"), None), options={"never": 14}),)
    refs += (find_file("greedy"), find_file("fair"))
    (folder / "costs.jsonl").write_bytes(play_here(spec_of(refs, small(turns=16), seed="5"), refs).replay)
    ran = arena("branch", folder / "costs.jsonl", *words)
    assert ran.code == 0, ran.err
    assert "about" in ran.err
    assert "Looked at: 7 decisions (of 14; it was asked " in flat(ran.out)
    commands = [line.strip() for line in ran.out.splitlines() if line.startswith("  arena branch")]
    assert commands
    rows = list(csv.DictReader(StringIO((tmp_path / "x.csv").read_text())))
    assert [row["told"] for row in rows] == ["alike", "alike", "nothing"]
    assert len(commands) == 2, "what cost nothing need not be looked at"
    table, *others = ran.out.split("\n\n")[1:3]
    assert table.count(" =") == 2
    assert f"\n#{rows[-1]['line']} " not in table
    assert others[0].startswith(f"1 more decision was tried again and cost nothing: #{rows[-1]['line']} (0.0 ±")
    assert "=: the same in all repetitions; an outcome with a frequency of 63 % or less may not have come up." in flat(
        ran.out
    )
    for command, row in zip(commands[:2], rows, strict=False):
        program, *words = shlex.split(command)
        assert program == "arena"
        words[words.index("--repeat") + 1] = "3"
        closer = json.loads(arena(*words, "--json").out)
        assert (closer["ask"], closer["variants"][1]["move"] is not None) == (int(row["ask"]), True)
        assert closer["variants"][1]["name"] == row["better"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--scan", 7], "--scan 7: there is no such seat; seats are 0 to 2"),
        (
            ["--scan", 0, "--at", "ask4", "--move", "yes"],
            "--scan finds the decisions by itself; leave out --at and --move",
        ),
        (["--at", "ask4", "--few", 3], "--asks, --few and --opinion are options of --scan; add --scan SEAT"),
        (["--scan", 0, "--repeat", 2], "--repeat 2: with --scan expected 3 or more, otherwise no cost can be computed"),
        (["--scan", 0, "--opinion", "greedi"], "greedi"),
    ],
)
def test_mistakes_are_met_by_one_line(words: list[Any], told: str, folder: Path, arena: Arena) -> None:
    ran = arena("branch", folder / "board.jsonl", "--trust", *words)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert len(ran.err.splitlines()) == 1


def test_what_a_bot_was_never_asked_is_said_so(folder: Path) -> None:
    planned = plan_scan(opened(folder, "board"), ScanOptions(0, asks=100))
    unasked = {each.decided.ask.hook for each in planned.chosen} - planned.hooks
    assert planned.hooks == {"turn", "accept"}
    assert unasked
    asks = {each.decided.number for each in planned.chosen if each.decided.ask.hook in unasked}
    gain = AnswerGain(
        next(other for other in planned.compared_answers if other.ask in asks), ((9, 0, 0),) * 3, ((1, 0, 0),) * 3
    )
    (told,) = dearest_of(planned, ScanResult([gain]))
    assert told.unasked
    assert answer_phrase(told).startswith(f"is not asked, because it has no hook {told.decision.hook}; ")
    branched = told_unasked(told.decision)
    assert branched.unasked
    assert f"It was not asked, because it has no hook {branched.hook};" in " ".join(decision_text(branched).split())


def test_what_bots_print_when_they_are_asked_again_is_not_heard(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(feeding, "can_fork", lambda: True)
    body = "def turn(self, view): print('HEARD'); return self.play_on(view)\n"
    refs = (refer_file(str(write_player(tmp_path, body, "loud", HEAD)), None), find_file("fair"), find_file("greedy"))
    (tmp_path / "m.jsonl").write_bytes(play_here(spec_of(refs, small(turns=4), seed="1"), refs).replay)
    capfd.readouterr()
    plan_scan(opened(tmp_path, "m"), ScanOptions(0, asks=2))
    assert "HEARD" not in "".join(capfd.readouterr())


def test_a_seat_that_never_had_a_choice_is_refused(folder: Path) -> None:
    with pytest.raises(
        UserError,
        match=r"absent.jsonl: absent.py#0 \(seat 0\) never had another legal answer to "
        "compare",
    ):
        plan_scan(opened(folder, "absent"), FEW)
