"""Bots as policies: what they answer in a rollout is what they would answer in a match; importing bundled bots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena import bundled
from arena.bot import Bot, Limits
from arena.config.editions import load_edition
from arena.errors import BotError, IllegalMove
from arena.finding.loading import make_bot
from arena.finding.reference import CONSULTING_BOTS, BotRef, bundled_bots, find_file, refer_file
from arena.games import load_game
from arena.games.board import BoardBot, Draw, OfferView, Open, Roll
from arena.games.chance import Chance
from arena.games.contract import Move, State
from arena.games.playout import SeatPolicy, money_by_seat, play_out
from arena.match.refereeing.match_result import MatchResult
from arena.rollouts import Policy
from arena.runs.bundled_bots import bundled_for
from arena.sandbox.policy import SandboxPolicy
from arena.sandbox.probe import policy_here
from tests.conftest import play, spec_of

LONG = Limits(30, 30, 300, None)
EDITIONS = {"board": "eagle-gryphon", "cards": "card-game"}
HEARING = """
from arena.bot import Bot, Reply
from arena.games import load_game


class Hearing(Bot):
    '''Its moves depend on its news, on what it remembers, and on how often it was asked.'''

    games = ("board", "cards")
    asked = 0

    def choose(self, view):
        self.asked += 1
        legal = self.legal_moves(view)
        if self.asked == 1:  # in a rollout nobody is told of the set-up
            del self.seen_events[:]
            return legal[0]
        words = "".join(type(event).__name__ for event in (*view.news, *self.seen_events[-3:]))
        return Reply(legal[(len(words) + self.asked) % len(legal)], say="hear, hear" if self.asked % 7 == 0 else "")


for game in Hearing.games:
    for hook in load_game(game).hooks:
        setattr(Hearing, hook, Hearing.choose)
"""
NAUGHTY = """
from arena.bot import Bot, Reply
from arena.games import load_game
from arena.games.contract import NO, YES

REPLIES = [None, True, False, YES, NO, "yes", 7, Reply(), Reply(True), Reply(7), Reply(say=3), Reply(say="x" * 999)]


class Naughty(Bot):
    '''Says all kinds of things, some of them moves.'''

    games = ("board", "cards")
    asked = 0

    def choose(self, view):
        self.asked += 1
        legal = self.legal_moves(view)
        replies = [*REPLIES, legal[-1], legal[0], Reply(legal[-1])]
        return replies[self.asked % len(replies)]


for game in Naughty.games:
    for hook in load_game(game).hooks:
        setattr(Naughty, hook, Naughty.choose)
"""

HASTY = """
from arena.games.board import BoardBot, Draw


class Hasty(BoardBot):
    def turn(self, view):
        return Draw()  # before it has rolled
"""


def refereed(game: str, refs: list[BotRef], seed: str) -> MatchResult:
    """A match by the referee, in which a bot is never put out."""
    return play(spec_of(refs, load_edition(EDITIONS[game]), seed=seed, limits=LONG, strikes=1_000_000), refs)


def begun(game: str, players: int, seed: str) -> tuple[Any, State]:
    rules = load_edition(EDITIONS[game]).rules
    return rules, load_game(game).start(rules, players, Chance(seed), None)


def same_as_refereed(game: str, refs: list[BotRef], seed: str) -> MatchResult:
    """Plays the match of the referee with policies too, and compares."""
    result = refereed(game, refs, seed)
    rules, state = begun(game, len(refs), seed)
    classes = [type(make_bot(ref, game)) for ref in refs]
    if refs[0].bundled:
        classes = [getattr(bundled, cls.__name__) for cls in classes]
    policies = [Policy(cls, rules, len(refs)) for cls in classes]
    played = play_out(state, policies)
    assert played.money == tuple(seat.money for seat in result.seats)
    assert played.asks == result.asks
    assert played.state.outcome is not None
    assert played.state.outcome.termination == result.termination
    return result


@pytest.mark.parametrize("game", EDITIONS)
def test_a_policy_of_bundled_bots_plays_the_match_that_the_referee_plays(game: str) -> None:
    names = [name for name in bundled_for(game) if name != "random-legal"]
    for shift in range(0, len(names), 4):
        same_as_refereed(game, [find_file(names[(shift + seat) % len(names)]) for seat in range(4)], f"same {shift}")


@pytest.mark.parametrize("game", EDITIONS)
def test_a_policy_hears_what_a_bot_hears_and_its_words_are_no_move(game: str, tmp_path: Path) -> None:
    """All seats listen, so no word is heard in the match that is not said in the rollout but those of the bots."""
    path = tmp_path / "hearing.py"
    path.write_text(HEARING.replace('"hear, hear"', '""'))
    first = same_as_refereed(game, [refer_file(str(path), None)] * 3, "hearing")
    assert all(seat.faults == {} for seat in first.seats)
    deaf = HEARING.replace('"hear, hear"', '""').replace("*view.news, *self.seen_events[-3:]", "")
    path.write_text(deaf)
    assert refereed(game, [refer_file(str(path), None)] * 3, "hearing").sha256 != first.sha256


@pytest.mark.parametrize("game", EDITIONS)
def test_replies_mean_in_a_rollout_what_they_mean_in_a_match(game: str, tmp_path: Path) -> None:
    path = tmp_path / "naughty.py"
    path.write_text(NAUGHTY)
    result = same_as_refereed(game, [refer_file(str(path), None)] * 3, "naughty")
    assert all("garbled" in seat.faults for seat in result.seats)
    rules, state = begun(game, 3, "naughty")
    policy = Policy(type(make_bot(refer_file(str(path), None))), rules, 3)
    for _ in range(150):
        if state.asks:
            index = state.pending[0]
            move = policy.answer(state, index)
            assert state.refusal(index, move) is None
            state.apply(index, move)


def test_the_default_is_played_for_a_move_that_the_rules_refuse(tmp_path: Path) -> None:
    path = tmp_path / "hasty.py"
    path.write_text(HASTY)
    result = same_as_refereed("board", [refer_file(str(path), None)] * 3, "hasty")
    assert all(seat.faults["illegal"] > 5 for seat in result.seats)


def test_each_rollout_has_new_bots_and_goes_on_with_the_random_numbers() -> None:
    class Counting(BoardBot):
        asked = 0

        def turn(self, view: Any) -> Any:
            self.asked += 1
            assert self.asked <= 2
            return Draw() if view.rolled else Roll()

    rules, state = begun("board", 3, "new")
    counting = Policy(Counting, rules, 3)
    for _ in range(3):
        assert play_out(state, counting, 6).asks == 6
    random = Policy(bundled.RandomLegal, rules, 3)
    once, twice = play_out(state, random, 60), play_out(state, random, 60)
    assert once.state.look() != twice.state.look()
    again = Policy(bundled.RandomLegal, rules, 3)
    assert play_out(state, again, 60).state.look() == once.state.look()
    assert play_out(state, Policy(bundled.RandomLegal, rules, 3, seed="other"), 60).state.look() != once.state.look()


def test_a_bot_of_another_game_is_no_policy_and_an_exception_is_the_authors() -> None:
    class Broken(BoardBot):
        def turn(self, view: Any) -> Any:
            raise ZeroDivisionError("mine")

    rules, state = begun("board", 3, "broken")
    with pytest.raises(BotError, match="Tycoon does not play board"):
        Policy(bundled.Tycoon, rules, 3)
    with pytest.raises(ZeroDivisionError, match="mine"):
        play_out(state, Policy(Broken, rules, 3))


def test_options_of_the_bot_are_those_of_the_policy() -> None:
    rules, state = begun("board", 3, "options")
    eager = Policy(bundled.Dealmaker, rules, 3, options={"bar": -9.0, "ripe": 0})
    lazy = Policy(bundled.Dealmaker, rules, 3, options={"bar": 99.0, "ripe": 99})
    opening, waiting = play_out(state, eager, 200).state, play_out(state, lazy, 200).state
    assert opening.look().ledger != waiting.look().ledger


def test_a_rollout_begins_with_chosen_moves_ends_where_it_shall_and_leaves_the_state_alone() -> None:
    rules, state = begun("board", 3, "until")
    policy = Policy(bundled.Silent, rules, 3)
    while state.asks[0].hook != "turn":
        state.apply(state.pending[0], state.default(state.pending[0]))
    before, seat = state.look(), state.asks[0].seat
    opened = play_out(state, policy, 1, first={0: Open()})
    assert opened.asks == 1
    assert opened.state.look().boss == seat
    assert state.look() == before
    failed = play_out(state, policy, lambda each: each.look().boss is None, first={0: Open()})
    assert failed.state.look().boss is None
    assert failed.state.look().turn == before.turn + 1 or failed.state.look().failed_here
    with pytest.raises(IllegalMove):
        play_out(state, policy, first={0: Draw()})
    whole = play_out(state, policy)
    assert whole.state.outcome is not None
    assert whole.money == whole.state.outcome.money == money_by_seat(whole.state)


def test_a_policy_is_told_of_a_chosen_move_that_ends_its_phase() -> None:
    told: list[list[str]] = []

    class Listening(BoardBot):
        def offer(self, view: OfferView) -> None:
            told.append([type(event).__name__ for event in view.news])

    rules, state = begun("board", 3, "until")
    while state.asks[0].hook != "turn":
        state.apply(state.pending[0], state.default(state.pending[0]))
    play_out(state, Policy(Listening, rules, 3), 2, first={0: Open()})
    assert len(told) == 3
    assert all("Opened" in news for news in told)


def test_a_phase_that_has_begun_is_finished_and_each_seat_may_have_a_policy_of_its_own() -> None:
    class Named(SeatPolicy):
        def __init__(self, seat: int) -> None:
            self.seat = seat

        def answer(self, state: State, index: int) -> Move:
            assert state.asks[index].seat == self.seat
            return state.default(index)

    _, state = begun("board", 4, "phases")
    while len(state.asks) < 4:
        index = state.pending[0]
        state.apply(index, Open() if state.refusal(index, Open()) is None else state.default(index))
    state.apply(2, state.default(2))
    played = play_out(state, [Named(seat) for seat in range(4)], 0)
    assert played.asks == 3
    assert state.pending == (0, 1, 3)
    first = play_out(state, [Named(seat) for seat in range(4)], 0, first={1: state.default(1)})
    assert first.state.look() == played.state.look()


# Importing ------------------------------------------------------------------------------------------


def test_every_bundled_bot_can_be_imported_by_its_class() -> None:
    for name in bundled_bots():
        loaded = type(make_bot(find_file(name)))
        cls = getattr(bundled, loaded.__name__)
        assert issubclass(cls, Bot)
        assert cls.__name__ == loaded.__name__
        assert bundled.is_bundled(cls)
        assert getattr(bundled, cls.__name__) is cls
        assert cls.__name__ in dir(bundled)
    assert len(bundled.bundled_classes()) == len(bundled_bots())
    with pytest.raises(AttributeError, match=r"no bundled bot has the class 'Dealmakr'.*'Dealmaker'"):
        bundled.Dealmakr  # noqa: B018


def test_bundled_bots_read_no_news() -> None:
    """So rollouts need not collect any for them. In a rollout there are no models, who alone would be told any."""
    for path in (path for name, path in bundled_bots().items() if name not in CONSULTING_BOTS):
        text = path.read_text("utf-8")
        assert {word for word in ("news", "seen_events") if word in text} == set(), path.name


BUILDING = """
from arena.bundled import Dealmaker
from arena.rollouts import Policy


class Building(Dealmaker):
    '''Plays as its parent, once a rollout has shown that it can be had.'''

    def turn(self, view):
        policy = Policy(Dealmaker, self.rules, self.players)
        weighed = self.imagine(view, 3)
        assert abs(sum(each.weight for each in weighed) - 1) < 1e-9
        ended = self.play_out(weighed[0].state, policy, 30)
        assert len(ended.money) == self.players
        return super().turn(view)
"""


def test_a_bot_builds_on_bundled_bots_in_a_process_of_its_own_as_in_this_one(tmp_path: Path) -> None:
    path = tmp_path / "building.py"
    path.write_text(BUILDING)
    refs = [refer_file(str(path), None), find_file("greedy"), find_file("fair")]
    spec = spec_of(refs, load_edition("outline"), limits=LONG)
    here, apart = play(spec, refs), play(spec, refs, policy_here(SandboxPolicy()))
    assert [seat.faults for seat in here.seats] == [{}, {}, {}]
    assert apart.sha256 == here.sha256
