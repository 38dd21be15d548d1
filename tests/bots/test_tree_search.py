"""Information-set tree search: rivals choose for themselves, by what they see; budgets are kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from arena.bot import Bot, Reply, View
from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.board import Draw, Open, Roll
from arena.games.board.strategy import sensible_moves as sensible_board_moves
from arena.games.cards.strategy import sensible_moves as sensible_card_moves
from arena.games.chance import Chance
from arena.games.contract import NO, YES, Move, State
from arena.games.playout import PlayedOut
from arena.rollouts import FlatSearch, TreeSearch, all_money_ahead
from arena.rollouts.tree_search import _Tree
from arena.testing import play
from tests.bots.test_searching import SPLITS, Agreeing, Refusing, begun, money_of, play_twice, sitting
from tests.thirdgame import pie
from tests.thirdgame.pie import Propose
from tests.thirdgame.test_imagining_checks import RULES

EVERYTHING, HALF, MOST = SPLITS[1], SPLITS[0], SPLITS[4]


def moves(view: View, rules: Any) -> Iterator[Move]:
    """Some splits, and both answers."""
    yield from SPLITS if isinstance(view, pie.PieView) and not isinstance(view, pie.RespondView) else (NO, YES)


def money(ended: PlayedOut) -> Sequence[float]:
    return ended.money


def search(
    playouts: int = 200,
    seat: int = 0,
    policy: Agreeing | Refusing | None = None,
    *,
    single: bool = False,
    seconds: float | None = None,
    **attributes: float,
) -> TreeSearch:
    made = TreeSearch(sitting(seat), policy or Agreeing(), money, moves, playouts, single=single, seconds=seconds)
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


@pytest.mark.parametrize("single", [False, True])
def test_a_rival_that_agrees_to_everything_in_rollouts_chooses_for_itself_in_the_tree(single: bool) -> None:
    view = begun().view(0)
    assert FlatSearch(sitting(0), Agreeing(), money_of(0), 200).choose(view, HALF, SPLITS, None) == EVERYTHING
    assert search(single=single).choose(view, EVERYTHING, None) in (HALF, MOST)


def test_rivals_that_are_asked_at_once_choose_independently_of_each_other() -> None:
    """Of two rivals one is offered nothing and the other all: each finds out for itself what it gets by its answer."""
    bot, state = sitting(0), pie.GAME.start(RULES, 3, Chance("three"), None)
    bot.players = 3
    offers = Propose((0, 12, 0)), Propose((0, 0, 12))

    def listed(view: View, rules: Any) -> Sequence[Move]:
        return (NO, YES) if isinstance(view, pie.RespondView) else offers

    tree = _Tree(TreeSearch(bot, Agreeing(), money, listed, 400), state.view(0), offers, None)
    tree.grow()
    most = {
        (ask.seat, ask.topic): max(node.moves, key=lambda move: node.moves[move].visits)
        for (ask, _), node in tree.nodes.items()
        if ask.topic in ((0, 12, 0), (0, 0, 12))
    }
    assert most == {(1, (0, 12, 0)): YES, (2, (0, 12, 0)): NO, (1, (0, 0, 12)): NO, (2, (0, 0, 12)): YES}


def test_every_playout_is_counted_once_and_ends_in_the_tree_or_in_a_rollout() -> None:
    policy = Agreeing()
    tree = _Tree(search(50, policy=policy), begun().view(0), tuple(SPLITS[:3]), None)
    tree.grow()
    assert sum(tried.visits for tried in tree.root.moves.values()) == tree.root.visits <= 50
    assert 0 < len(tree.nodes) <= 2 * tree.root.visits
    ended = _Tree(search(60), begun().view(0), tuple(SPLITS[:3]), 1)
    ended.grow()
    assert not ended.nodes, "after one ask a playout is over"


def test_the_bots_own_answer_stays_with_its_words_where_nothing_is_better() -> None:
    state, own = begun(), Reply(YES, say="agreed")
    state.apply(0, Propose((0, 12)))
    assert search(seat=1).choose(state.view(0), own, None) is own
    assert search(seat=1).choose(state.view(0), NO, None) == YES
    assert search(seat=1).choose(state.view(0), "no answer at all", None) == "no answer at all"
    assert search(doubt=1e9).choose(begun().view(0), EVERYTHING, None) == EVERYTHING


@pytest.mark.parametrize("more", [{"playouts": 1}, {"seconds": 0.0}, {"answers": 0}])
def test_without_playouts_time_or_answers_the_own_answer_is_given(more: dict[str, Any]) -> None:
    policy = Agreeing()
    assert search(policy=policy, **more).choose(begun().view(0), EVERYTHING, None) == EVERYTHING
    assert policy.rollouts <= 2


def test_moves_against_the_rules_are_not_tried_and_a_single_move_needs_no_search() -> None:
    policy = Agreeing()
    made = TreeSearch(sitting(0), policy, money, lambda view, rules: [SPLITS[3], HALF], 100)
    assert made.choose(begun().view(0), HALF, None) == HALF
    assert policy.rollouts == 0
    bad = TreeSearch(sitting(0), Agreeing(), money, lambda view, rules: [*SPLITS, YES, NO], 100)
    assert bad.choose(begun().view(0), HALF, None) in SPLITS[:3] + SPLITS[4:]


def test_more_playouts_try_more_moves_in_their_order() -> None:
    splits = tuple(Propose((12 - share, share)) for share in range(12, 0, -1))
    tried = []
    for playouts in (4, 40, 400):
        tree = _Tree(search(playouts), begun().view(0), splits, 1)
        tree.grow()
        tried.append(tuple(tree.root.moves))
    assert tried[0] == splits[:2]
    assert splits[: len(tried[1])] == tried[1]
    assert 2 < len(tried[1]) < len(tried[2]) == len(splits)


def test_it_stops_once_nothing_can_change_and_repeats_itself() -> None:
    policy, state = Agreeing(), begun()
    state.apply(0, Propose((0, 12)))
    assert search(1000, 1, policy).choose(state.view(0), NO, None) == YES
    assert policy.rollouts < 900
    first, again = (_Tree(search(150), begun().view(0), tuple(SPLITS[:3]), None) for _ in "12")
    assert first.grow() == again.grow()
    assert [(m, t.visits, t.total) for m, t in first.root.moves.items()] == [
        (m, t.visits, t.total) for m, t in again.root.moves.items()
    ]


def ahead(ended: PlayedOut) -> Sequence[float]:
    return all_money_ahead(ended.money)


def board_bot() -> tuple[Bot, State]:
    rules = load_edition("eagle-gryphon").rules
    state = load_game("board").start(rules, 3, Chance("observers"), None)
    state.apply(0, state.legal(0)[0])
    state.apply(0, Roll())
    bot = Bot()
    bot.seat, bot.players, bot.rules, bot.random, bot.seen_events = state.asks[0].seat, 3, rules, Random(3), []
    return bot, state


def test_of_several_observers_a_rival_does_not_choose_by_cards_that_only_the_own_seat_has_drawn() -> None:
    """The own seat draws three cards, which it alone sees: only in its own tree do they part the next seat's turn."""
    sizes = []
    for single in (True, False):
        bot, state = board_bot()
        made = TreeSearch(bot, Refusing(), ahead, lambda view, rules: (), 60, single=single)
        tree = _Tree(made, state.view(0), (Draw(), Open()), 2)
        tree.grow()
        sizes.append(sum(ask.hook == "turn" for ask, _ in tree.nodes))
    assert sizes[0] > 10
    assert sizes[1] == 1


@pytest.mark.parametrize(
    ("edition", "game", "listed"),
    [("eagle-gryphon", "board", sensible_board_moves), ("card-game", "cards", sensible_card_moves)],
)
def test_sensible_moves_are_legal_at_every_ask_and_some_wherever_there_is_a_choice(
    edition: str, game: str, listed: Any
) -> None:
    rules, random = load_edition(edition).rules, Random(5)
    met: dict[str, int] = {}
    for players in (3, 5):
        state = load_game(game).start(rules, players, Chance(f"sensible/{players}"), None)
        for _ in range(900):
            if not state.asks:
                break
            index = state.pending[0]
            view = state.view(index)
            found = list(listed(view, rules))
            assert all(state.refusal(index, move) is None for move in found), view
            hook = state.asks[index].hook
            met[hook] = max(met.get(hook, 0), len(found))
            tried = (*found, *state.legal(index)) if random.random() < 0.2 else ()
            state.apply(index, random.choice(tried or [state.default(index)]))
    assert set(met) == set(load_game(game).hooks)
    assert {hook for hook, most in met.items() if most < 2} == {"discard"}


def test_the_tactician_plays_both_ways_of_observing_without_faults_and_repeats_itself() -> None:
    found = []
    for single in ("false", "true"):
        bots = (f"tactician?playouts=2&single={single}", "magnate", "magnate")
        first = play_twice(*bots, rules="outline", seed="5", cut="max_turns=20")
        assert [seat.faults for seat in first.seats] == [{}, {}, {}]
        found.append(first.sha256)
    assert found[0] != found[1]


def test_the_tactician_stops_at_its_time() -> None:
    result = play("tactician?playouts=1000000&seconds=0.002", "dealmaker", "greedy", rules="outline", seed="4")
    assert [seat.faults for seat in result.seats] == [{}, {}, {}]
