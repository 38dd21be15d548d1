"""Flat Monte Carlo: the better move is found, the bot's own answer is the default, and budgets are kept."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random
from typing import Any

from arena import bundled
from arena.bot import Bot, Reply
from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.chance import Chance
from arena.games.contract import NO, YES, Imagined, Move, No, State, Yes
from arena.games.playout import PlayedOut, SeatPolicy
from arena.match.refereeing.match_result import MatchResult
from arena.rollouts import FlatSearch, Line, LineSearch, money_ahead
from arena.runs.single_match import MatchSetup, play_match, set_up_match
from arena.testing import play
from tests.thirdgame import pie
from tests.thirdgame.pie import Propose
from tests.thirdgame.test_imagining_checks import RULES


class Refusing(SeatPolicy):
    """Everybody says no; splits are even."""

    def __init__(self) -> None:
        self.rollouts = 0

    def renew(self, log: Any) -> None:
        self.rollouts += 1

    def answer(self, state: State, index: int) -> Move:
        return state.default(index)


class Agreeing(Refusing):
    """Everybody says yes."""

    def answer(self, state: State, index: int) -> Move:
        return YES if state.asks[index].hook == "respond" else state.default(index)


def sitting(seat: int) -> Bot:
    bot = Bot()
    bot.seat, bot.players, bot.rules, bot.random, bot.seen_events = seat, 2, RULES, Random(7), []
    return bot


def begun() -> State:
    return pie.GAME.start(RULES, 2, Chance("searching"), None)


def money_of(seat: int) -> Any:
    return lambda ended: float(ended.money[seat])


def play_twice(*bots: str, rules: str, seed: str, cut: str) -> MatchResult:
    """A match in an edition that is ``cut`` short, played twice with the same bytes."""
    setup = MatchSetup(rules=rules, settings=[cut], seed=seed)
    first, again = (play_match(set_up_match(bots, setup, here=True)) for _ in "12")
    assert first.sha256 == again.sha256
    return first


SPLITS = [Propose((6, 6)), Propose((12, 0)), Propose((0, 12)), Propose((20, -8)), Propose((9, 3))]


def test_the_move_with_the_most_money_is_found_and_moves_against_the_rules_are_not_tried() -> None:
    """Where everybody agrees, the whole pie is best."""
    policy = Agreeing()
    search = FlatSearch(sitting(0), policy, money_of(0), 20)
    assert search.choose(begun().view(0), SPLITS[0], SPLITS, None) == SPLITS[1]
    assert policy.rollouts == 20 // 4 * 4


def test_the_bots_own_answer_stays_with_its_words_where_nothing_is_better() -> None:
    state = begun()
    own = Reply(SPLITS[1], say="all for me")
    assert FlatSearch(sitting(0), Agreeing(), money_of(0), 40).choose(state.view(0), own, SPLITS, None) is own
    state.apply(0, SPLITS[1])
    refusing = FlatSearch(sitting(1), Refusing(), lambda ended: 0.0, 40)
    answers: tuple[Yes | No, ...] = (YES, NO)
    for answer in (None, True, NO, Reply(say="no")):
        assert refusing.choose(state.view(0), answer, answers, None) is answer
    assert refusing.choose(state.view(0), "no answer at all", answers, None) == "no answer at all"


def test_a_bot_that_is_offered_nothing_says_no_and_takes_a_good_offer() -> None:
    for shares, expected in (((12, 0), NO), ((0, 12), YES)):
        state = begun()
        state.apply(0, Propose(shares))
        search = FlatSearch(sitting(1), Agreeing(), money_of(1), 40)
        answers: tuple[Yes | No, ...] = (YES, NO)
        assert search.choose(state.view(0), expected is NO, answers, None) == expected


def test_with_few_playouts_no_time_or_no_answers_left_the_bots_own_answer_is_given() -> None:
    view = begun().view(0)
    for more in ({"playouts": 7}, {"playouts": 40, "answers": 0}, {"playouts": 40, "seconds": 0.0}):
        policy = Agreeing()
        search = FlatSearch(sitting(0), policy, money_of(0), **more)  # type: ignore[arg-type]
        assert search.choose(view, SPLITS[0], SPLITS, None) == SPLITS[0], more
        assert policy.rollouts <= 4
    twice = FlatSearch(sitting(0), Agreeing(), money_of(0), 40, answers=1)
    assert [twice.choose(view, SPLITS[0], SPLITS, None) for _ in "12"] == [SPLITS[1], SPLITS[0]]


def test_doubt_keeps_a_move_that_only_may_be_better() -> None:
    def noisy(ended: PlayedOut) -> float:
        return ended.money[0] + luck.uniform(-9, 9)

    kept = []
    for doubt in (0.0, 9.0):
        luck = Random(3)
        search = FlatSearch(sitting(0), Agreeing(), noisy, 40, doubt)
        kept.append(search.choose(begun().view(0), SPLITS[0], [SPLITS[4]], None))
    assert kept == [SPLITS[4], SPLITS[0]]


def lines(policy: SeatPolicy | None = None) -> list[Line[Propose]]:
    return [Line(split, policy) for split in SPLITS]


def test_of_lines_the_best_is_found_and_the_own_answer_stays_where_none_is_better() -> None:
    view, own = begun().view(0), Reply(SPLITS[1], say="all for me")
    assert LineSearch(sitting(0), Agreeing(), money_of(0), 40).choose(view, SPLITS[0], lines(), None) == SPLITS[1]
    assert LineSearch(sitting(0), Agreeing(), money_of(0), 40).choose(view, own, lines(), None) is own
    assert LineSearch(sitting(0), Refusing(), money_of(0), 40).choose(view, SPLITS[0], lines(), None) == SPLITS[0]


def test_a_line_is_gone_on_with_by_its_own_policy_in_the_own_seat_alone() -> None:
    """The other refuses every split; who then says yes to the other's gets more than who refuses too."""
    asked: set[int] = set()

    class Yielding(Agreeing):
        def answer(self, state: State, index: int) -> Move:
            asked.add(state.asks[index].seat)
            return super().answer(state, index)

    for then, expected in ((None, SPLITS[0]), (Yielding(), SPLITS[1])):
        search = LineSearch(sitting(0), Refusing(), money_of(0), 40)
        assert search.choose(begun().view(0), SPLITS[0], [Line(SPLITS[1], then)], None) == expected
    assert asked == {0}


def test_more_playouts_try_more_lines_and_no_more_are_made_than_allowed() -> None:
    """The best of many lines stands last; where everything is clear at once, few playouts are made."""
    splits = [Propose((12 - share, share)) for share in range(12, 0, -1)]
    tried = [Line(split) for split in splits]
    found = []
    for playouts in (10, 40, 400):
        policy = Agreeing()
        search = LineSearch(sitting(0), policy, money_of(0), playouts)
        found.append(search.choose(begun().view(0), Propose((0, 12)), tried, None))
        assert 4 <= policy.rollouts <= playouts
    assert found == [splits[1], splits[5], splits[11]]


def test_a_gain_that_is_not_worth_its_trouble_is_left() -> None:
    search = LineSearch(sitting(0), Agreeing(), money_of(0), 40, least=3.5)
    assert search.choose(begun().view(0), SPLITS[0], [Line(SPLITS[4])], None) == SPLITS[0]


def test_without_playouts_time_or_answers_a_search_of_lines_gives_the_own_answer() -> None:
    for playouts, seconds, answers in ((3, None, 400), (40, 0.0, 400), (40, None, 0)):
        search = LineSearch(sitting(0), Agreeing(), money_of(0), playouts, seconds=seconds)
        search.answers = answers
        assert search.choose(begun().view(0), SPLITS[0], lines(), None) == SPLITS[0], (playouts, seconds, answers)


def test_money_ahead_is_of_the_mean_and_of_the_richest() -> None:
    assert money_ahead((10, 4, 8), 0) == 10 - (8 + 6) / 2
    assert money_ahead((1, 1), 1) == 0


def test_type_checkers_are_told_of_every_bundled_class_what_its_file_says() -> None:
    stub = ast.parse(Path(bundled.__file__).with_suffix(".pyi").read_text("utf-8"))
    told = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    assert list(told) == list(bundled.bundled_classes())
    for name, path in bundled.bundled_classes().items():
        (made,) = (node for node in ast.parse(path.read_text("utf-8")).body if getattr(node, "name", "") == name)
        assert isinstance(made, ast.ClassDef)
        bases = [ast.unparse(base).rpartition(".")[2] for base in made.bases]
        assert [ast.unparse(base) for base in told[name].bases] == bases, name
        arguments = [
            ast.unparse(node.args)
            for each in (made, told[name])
            for node in each.body
            if isinstance(node, ast.FunctionDef) and node.name == "__init__"
        ]
        assert len({*arguments}) <= 1, name
        assert len(arguments) in (0, 2), name


def test_the_planner_stops_at_its_time() -> None:
    """With so many playouts and no time to stop at it would be late at its first answer."""
    result = play("planner?playouts=1000000&seconds=0.002", "dealmaker", "greedy", rules="outline", seed="4")
    assert [seat.faults for seat in result.seats] == [{}, {}, {}]
    assert result.times[0].asks > 20


def test_the_strategist_beats_what_it_is_built_on_and_repeats_itself() -> None:
    """A smoke test on a fixed seed; the ladder of its budgets is measured by gauntlets."""
    bots = ("strategist?playouts=12", "magnate", "magnate")
    first = play(*bots, rules="outline", seed="4")
    assert [seat.faults for seat in first.seats] == [{}, {}, {}]
    assert play_twice(*bots, rules="outline", seed="4", cut="max_turns=8").asks > 20
    assert first.seats[0].rank == 1


def test_the_schemer_finds_other_moves_than_what_it_is_built_on_and_repeats_itself() -> None:
    bots = ("schemer?playouts=4&few=0", "usurper", "usurper")
    first = play(*bots, rules="card-game", seed="5")
    assert [seat.faults for seat in first.seats] == [{}, {}, {}]
    assert play_twice(*bots, rules="card-game", seed="5", cut="rounds.3=2").asks > 20
    plain = play("usurper", "usurper", "usurper", rules="card-game", seed="5")
    assert [seat.money for seat in first.seats] != [seat.money for seat in plain.seats]


def test_the_schemer_imagines_rivals_that_have_spent_their_value_cards() -> None:
    rules = load_edition("card-game").rules
    state: Any = load_game("cards").start(rules, 4, Chance("schemer"), None)
    state.apply(0, state.default(0))
    bot, view = bundled.Schemer(), state.view(0)
    bot.seat, bot.rules, bot.random, bot.seen_events = view.seat, rules, Random(1), []
    likely, any_hands = bot.imagine(view, 20), Bot.imagine(bot, view, 20)
    assert len(likely) == 20
    assert {weight for _, weight in likely} == {1 / 20}

    def held(states: list[Imagined]) -> int:
        hands = [hand for each in states for seat, hand in enumerate(each.state.hands) if seat != view.seat]
        return sum(sum(hand[13 * state.color :][:8]) for hand in hands)

    assert held(likely) < held(any_hands)
