"""The talker in the card game: bargains for Cousin tokens, and all else by rules."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from arena.config.editions import load_edition
from arena.consultation.scripted_model import FAILURES
from arena.finding.reference import find_file
from arena.games.cards import GAME, CardsView, Pass, Play, Propose, Rules
from arena.games.cards.cards import Card
from arena.games.cards.moves import Drop, Request, Shift, Want
from arena.games.cards.talking import LANGUAGES, CardsBrief
from arena.games.chance import Chance
from arena.match.runner import play_here
from arena.penalties import FaultKind
from arena.talking import Phrasebook
from tests.conftest import spec_of
from tests.talking.talks import Talk, question_in, talk, talker, words_said

OTHERS = "tycoon", "cousin", "fair"
RULES: Rules = load_edition("card-game").rules


@pytest.fixture(scope="module")
def match() -> Talk:
    return talk(talker(), *OTHERS, rules="card-game", rounds=1)


def test_it_bargains_in_both_roles_without_a_fault(match: Talk) -> None:
    assert match.result.seats[0].faults == {}
    asked = Counter(question_in(user)["question"] for user in match.users())
    assert asked.keys() == {"propose", "request", "agree"}
    assert words_said(match.result, 0)


def test_an_offer_has_a_gain_and_nothing_to_offer_is_always_a_choice(match: Talk) -> None:
    for user in match.users():
        *choices, last = question_in(user)["choices"]
        assert "gain" not in last
        assert choices
        assert question_in(user)["question"] == "agree" or min(choice["gain"] for choice in choices) > 0


def test_the_same_bargain_is_offered_to_a_seat_once_a_round_at_most(match: Talk) -> None:
    offered: Counter[Any] = Counter()
    for line in map(msgspec.json.decode, match.result.replay.splitlines()):
        if line.get("event") == "round":
            offered.clear()
        if line.get("event") == "answer" and line["seat"] == 0 and line["hook"] == "offer":
            move = line["move"]
            if move["move"] == "propose":
                offered[msgspec.json.encode(move)] += 1
    assert offered
    assert max(offered.values()) == 1


@pytest.mark.parametrize("plays", ["", "cousin"])
def test_without_models_it_plays_as_the_bot_that_plays_for_it(plays: str) -> None:
    replays = []
    for ref in (talker(plays=plays), find_file(plays or "tycoon")):
        refs = (replace(ref, name="one"), *map(find_file, OTHERS))
        edition = load_edition("card-game", changes={"rounds": {4: 1}})
        replays.append(play_here(spec_of(refs, edition), refs).replay.splitlines()[1:-1])
    assert replays[0] == replays[1]
    assert len(replays[0]) > 20


@pytest.mark.parametrize("failure", FAILURES)
def test_a_model_that_fails_always_is_a_fault_and_one_that_mends_is_none(failure: str, match: Talk) -> None:
    mended = talk(talker(), *OTHERS, rules="card-game", rounds=1, style=failure)
    assert mended.result.seats[0].faults == {}
    assert [seat.money for seat in mended.result.seats] == [seat.money for seat in match.result.seats]
    if failure != "illegal":  # every listed bargain is legal
        failed = talk(talker(), *OTHERS, rules="card-game", rounds=1, style=f"{failure}-always")
        assert failed.result.seats[0].faults == {FaultKind.UNUSABLE: 3}


def test_the_table_told_is_the_same_whatever_others_hold() -> None:
    brief = CardsBrief(RULES, Phrasebook(LANGUAGES, "en").phrase)
    state = GAME.start(RULES, 4, Chance("hidden"), None)
    hands = set()
    for step in range(60):
        index = state.pending[0]
        view = state.view(index)
        assert isinstance(view, CardsView)
        imagined = view.imagine(RULES, Random(step))
        seen = imagined.view(imagined.asks.index(view.ask(RULES)))
        assert isinstance(seen, CardsView)
        assert brief.table_text(seen) == brief.table_text(view)
        hands.add(tuple(imagined.hands))  # type: ignore[attr-defined]
        state.apply(index, state.default(index))
    assert len(hands) > 20


@pytest.mark.parametrize(
    ("offer", "words"),
    [
        (Propose(Pass(double=True)), "pass for good, for a token"),
        (Propose(Drop(Card.RED_REVERSE)), "discard red reverse without effect, for a token"),
        (Propose(Play(Card.WILD_POTA, 2)), "play wild POTA in front of seat 2, for a token"),
        (Propose(Play(Card.BLUE_MINUS_3)), "play blue -3, for a token"),
        (
            Propose(Play(Card.RED_MOVE_2, None, (Shift(Card.RED_PLUS_4, None, 2), Shift(Card.RED_POTA, 1, 3)))),
            "play red move 2 and move red +4 from the centre to seat 2, red POTA from seat 1 to seat 3, for a token",
        ),
        (Request(Want.POSITIVE, 3), "a token for a positive card of at least +3"),
        (Request(Want.GIFT), "a token for nothing"),
    ],
)
def test_a_bargain_in_words(offer: Propose | Request, words: str) -> None:
    assert CardsBrief(RULES, Phrasebook(LANGUAGES, "en").phrase).offer(offer) == words


def test_every_want_has_words_in_every_language() -> None:
    for language in LANGUAGES:
        brief = CardsBrief(RULES, Phrasebook(LANGUAGES, language).phrase)
        assert len({brief.offer(Request(want, 2)) for want in Want}) == len(Want)
        assert len({brief.card(card) for card in Card}) == len(Card)
