"""What a bot remembers of a match, and what it imagines from that: cards that it has seen, and weights."""

from __future__ import annotations

from math import log
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from arena.bot import Bot
from arena.bundled import Dealmaker, Hard, Hoarder, Tycoon
from arena.config.editions import load_edition
from arena.games import cards, load_game
from arena.games.board import Family, Travel
from arena.games.board import events as on_board
from arena.games.board import memory as board_memory
from arena.games.board.cards import CLAN_CARDS
from arena.games.cards import events as of_cards
from arena.games.cards import memory as cards_memory
from arena.games.cards.cards import CARD_ID
from arena.games.chance import Chance
from arena.games.contract import Event, State
from arena.rollouts import Policy

RULES = {"board": load_edition("eagle-gryphon").rules, "cards": load_edition("card-game").rules}


def sitting(game: str, view: Any) -> Bot:
    """A bot in the seat of the view, that has seen nothing yet."""
    bot = Bot()
    bot.seat, bot.players, bot.rules, bot.random, bot.seen_events = view.seat, view.players, RULES[game], Random(7), []
    return bot


def begun(game: str, seed: str, players: int = 4) -> State:
    state = load_game(game).start(RULES[game], players, Chance(seed), None)
    while state.asks[0].hook == "place_marker":
        state.apply(0, state.default(0))
    return state


def test_clan_cards_that_went_back_to_a_hand_are_imagined_there_until_they_are_seen_to_leave_it() -> None:
    state = begun("board", "returned")
    view = state.view(0)
    bot, other = sitting("board", view), (view.seat + 1) % 4
    family = next(each for each in Family if CLAN_CARDS[each] not in view.hand)
    kind = list(Family).index(family)

    def held() -> int:
        return min(each.state.hands[other][kind] for each in bot.imagine(view, 60))  # type: ignore[attr-defined]

    assert held() == 0
    bot.seen_events += [on_board.Laid(other, (family,)), on_board.Returned(other, (family,))]
    assert held() == 1
    bot.seen_events.append(on_board.Laid(other, (family,)))
    assert held() == 0
    bot.seen_events += [on_board.Returned(other, (family,)), on_board.Discarded(other, (CLAN_CARDS[family],))]
    assert held() == 0


def test_own_discards_are_imagined_in_the_discard_pile_until_it_is_shuffled() -> None:
    state = begun("cards", "discards")
    view = state.view(0)
    bot = sitting("cards", view)
    card = next(each for each in cards.Card if each not in view.hand)
    deck = RULES["cards"].deck.counts()[CARD_ID[card]]
    view = replace(view, discard_pile=deck, deck=view.deck - deck)

    def hidden() -> int:
        return min(each.state.discards[CARD_ID[card]] for each in bot.imagine(view, 60))  # type: ignore[attr-defined]

    assert hidden() < deck
    bot.seen_events.append(of_cards.Discarded(view.seat, deck, (card,) * deck))
    assert hidden() == deck
    bot.seen_events.append(of_cards.Reshuffled(deck))
    assert hidden() < deck


def test_a_card_that_was_proposed_is_imagined_in_the_hand_until_it_may_have_left_it() -> None:
    state = begun("cards", "proposed")
    view = state.view(0)
    bot, other = sitting("cards", view), (view.seat + 1) % 4
    card = next(each for each in cards.Card if each.moves == 1 and each not in view.hand)

    def held() -> int:
        return min(each.state.hands[other][CARD_ID[card]] for each in bot.imagine(view, 60))  # type: ignore[attr-defined]

    assert held() == 0
    bot.seen_events.append(of_cards.Proposed(other, cards.Play(card)))
    assert held() == 1
    bot.seen_events.append(of_cards.Discarded(other, 2))
    assert held() == 0
    bot.seen_events += [of_cards.Proposed(other, cards.Play(card)), of_cards.Played(other, card)]
    assert held() == 0


def test_a_seat_that_let_its_deal_be_taken_over_is_less_likely_to_hold_a_stop() -> None:
    state = begun("board", "stops")
    view = state.view(0)
    bot, other, third = sitting("board", view), (view.seat + 1) % 4, (view.seat + 2) % 4
    bot.seen_events += [on_board.Opened(other, 0, 12), on_board.NewBoss(third)]
    drawn = bot.imagine(view, 200)
    assert abs(sum(each.weight for each in drawn) - 1) < 1e-9
    having = {each.weight for each in drawn if each.state.hands[other][board_memory.STOP]}  # type: ignore[attr-defined]
    without = {each.weight for each in drawn if not each.state.hands[other][board_memory.STOP]}  # type: ignore[attr-defined]
    assert max(having) == pytest.approx(board_memory.UNSTOPPED * min(without))
    bot.seen_events.append(on_board.Drew(other, 2))
    assert len({each.weight for each in bot.imagine(view, 50)}) == 1


def test_a_play_of_its_own_says_nothing_about_the_stops_of_a_seat() -> None:
    state = begun("board", "stops")
    view = state.view(0)
    bot, other, third = sitting("board", view), (view.seat + 1) % 4, (view.seat + 2) % 4
    travel = Travel(Family.RED)
    bot.seen_events += [on_board.Opened(other, 0, 12), on_board.Played(other, travel), on_board.Travelled(Family.RED)]
    assert len({each.weight for each in bot.imagine(view, 50)}) == 1
    bot.seen_events += [on_board.Played(third, travel), on_board.Travelled(Family.RED)]
    assert len({each.weight for each in bot.imagine(view, 50)}) == 2


def test_weights_of_the_bots_own_are_multiplied_and_all_zero_is_no_knowledge() -> None:
    state = begun("board", "weights")
    view = state.view(0)
    bot, other = sitting("board", view), (view.seat + 1) % 4
    drawn = bot.imagine(view, 30, weigh=lambda each: each.hands[other][board_memory.STOP])  # type: ignore[attr-defined]
    assert {each.weight > 0 for each in drawn if each.state.hands[other][board_memory.STOP]} == {True}  # type: ignore[attr-defined]
    assert {each.weight for each in drawn if not each.state.hands[other][board_memory.STOP]} == {0}  # type: ignore[attr-defined]
    assert {each.weight for each in bot.imagine(view, 5, weigh=lambda each: 0.0)} == {1 / 5}


@pytest.mark.parametrize(("game", "crew"), [("board", (Dealmaker, Hoarder, Hard)), ("cards", (Tycoon,))], ids=str)
def test_the_match_as_it_is_weighs_more_than_what_is_imagined_instead(game: str, crew: tuple[type[Bot], ...]) -> None:
    """On average, in the log of the weight: what others do tells something of what they hold."""
    gains = []
    for seed in range(3):
        seen: list[Event] = []
        state = load_game(game).start(RULES[game], 4, Chance(f"truth {seed}"), seen)
        policies = [Policy(crew[(seat + seed) % len(crew)], RULES[game], 4) for seat in range(4)]
        asked = 0
        while state.asks and asked < 700:
            index = state.pending[0]
            seat = state.asks[index].seat
            asked += 1
            if asked % 11 == 0:
                told = [each for event in seen if (each := event.seen_by(seat)) is not None]
                knowledge: Any = (board_memory if game == "board" else cards_memory).Knowledge(4, told)
                drawn = state.view(index).recall(RULES[game], Random(asked), told, 6)
                gains.append(log(knowledge.likelihood(state, seat)) - sum(log(each.weight) for each in drawn) / 6)
            policies[seat].play(state, index, seen)
    mean = sum(gains) / len(gains)
    assert mean > 0.02, mean
