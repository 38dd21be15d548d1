"""What a model is told: word for word in both languages, with the edition's own names, and nothing that its seat must
not know. ``python -m tests.talking.test_prompts`` writes the files anew that are compared here."""

from __future__ import annotations

import re
import string
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from arena.bot import Limits, Start
from arena.bundled import Talker
from arena.config.editions import load_edition
from arena.games.board import GAME, BoardView, Rules
from arena.games.board.talking import LANGUAGES, BoardBrief
from arena.games.cards import talking
from arena.games.chance import Chance
from arena.players.reply_checks import read_reply
from arena.talking import Phrasebook
from tests.talking.talks import talk, talker

HERE = Path(__file__).parent
QUESTIONS = {"eagle-gryphon": ("sell", "buy", "accept", "close"), "card-game": ("propose", "request", "agree")}
OTHERS = {"eagle-gryphon": ("dealmaker", "greedy", "fair"), "card-game": ("tycoon", "cousin", "fair")}


def told_in(language: str) -> str:
    """The system message and the first question of each kind in a match of each game."""
    told = []
    for rules, questions in QUESTIONS.items():
        found = talk(talker(language=language), *OTHERS[rules], rules=rules)
        (system,) = {consult.messages[0].content for consult, _ in found.calls}
        told += [system, *map(found.first, questions)]
    return "\n\n".join(told) + "\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_model_is_told_this_word_for_word(language: str) -> None:
    assert told_in(language) == (HERE / f"told-{language}.txt").read_text("utf-8")


@pytest.mark.parametrize("languages", [LANGUAGES, talking.LANGUAGES], ids=["board", "cards"])
def test_every_language_has_the_same_phrases_with_the_same_gaps(languages: dict[str, dict[str, str]]) -> None:
    def gaps(texts: dict[str, str]) -> dict[str, set[str]]:
        return {key: {gap for _, gap, _, _ in string.Formatter().parse(text) if gap} for key, text in texts.items()}

    assert gaps(languages["en"]) == gaps(languages["nl"])
    assert len(languages) == 2


def test_a_language_without_prompts_is_refused_with_the_ones_there_are() -> None:
    with pytest.raises(ValueError, match=r"no prompts in the language 'fr'.*there are en, nl"):
        Talker(language="fr")


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_and_limits_are_those_of_the_edition(language: str) -> None:
    for name in ("outline", "schmidt-1994"):
        rules: Rules = load_edition(name).rules
        system = BoardBrief(rules, Phrasebook(LANGUAGES, language).phrase).system_text(0, 4)
        assert all(family in system for family in rules.names.values())
        assert rules.title in system
        assert re.search(rf"\b{rules.quiet_ticks}\b", system)


def test_what_an_edition_allows_is_told_where_it_does() -> None:
    phrase = Phrasebook(LANGUAGES, "en").phrase
    texts = [
        BoardBrief(load_edition("eagle-gryphon", variants).rules, phrase).system_text(0, players)
        for variants, players in (([], 4), ([], 2), (["less-cutthroat", "active-to-be-paid"], 4))
    ]
    fair, active = phrase("system.fair_share"), phrase("system.active")
    assert [fair in text for text in texts] == [False, True, True]
    assert [active in text for text in texts] == [False, False, True]


RULES: Rules = load_edition("eagle-gryphon", changes={"max_turns": 24}).rules


@pytest.fixture(scope="module")
def views() -> list[BoardView]:
    """Views of seat 0 in negotiations, in a match of four talkers without models."""
    state = GAME.start(RULES, 4, Chance("hidden"), None)
    bots = []
    for seat in range(4):
        bot = Talker()
        bot.seat, bot.players, bot.rules, bot.random, bot.seen_events = seat, 4, RULES, Random(seat), []
        bot.limits = Limits()
        bot.start(Start("board", RULES.name, RULES, 4, seat, "seed", bot.limits))
        bots.append(bot)
    found = []
    while state.asks:
        index = state.pending[0]
        seat, name, _ = state.asks[index]
        view = state.view(index)
        if seat == 0 and name in ("offer", "accept", "close"):
            found.append(view)
        hook = GAME.hooks[name]
        move = read_reply(hook, getattr(bots[seat], name)(view)).move or hook.idle
        assert move is not None
        state.apply(index, move)
    return found  # type: ignore[return-value]


def test_a_match_that_is_repeated_from_its_replay_has_the_same_prompt() -> None:
    of_replay = replace(RULES, names=dict(reversed(RULES.names.items())))  # a header's keys are in another order
    phrase = Phrasebook(LANGUAGES, "en").phrase
    assert BoardBrief(of_replay, phrase).system_text(0, 4) == BoardBrief(RULES, phrase).system_text(0, 4)


def test_the_table_told_is_the_same_whatever_others_hold(views: list[BoardView]) -> None:
    brief, hands = BoardBrief(RULES, Phrasebook(LANGUAGES, "en").phrase), set()
    for number, view in enumerate(views):
        imagined = view.imagine(RULES, Random(number))
        seen = imagined.view(imagined.asks.index(view.ask(RULES)))
        assert isinstance(seen, BoardView)
        assert brief.table_text(seen) == brief.table_text(view)
        hands.add(imagined.hands[1])  # type: ignore[attr-defined]
    assert len(hands) > 5


def test_cards_in_hand_are_told_of_the_own_seat_alone(views: list[BoardView]) -> None:
    brief = BoardBrief(RULES, Phrasebook(LANGUAGES, "en").phrase)
    assert len(views) > 5
    for view in views:
        lines = brief.table_text(view).split("\n")
        assert f"Your hand: {brief.hand(view.hand)}." in lines
        others = [line for line in lines if re.match(r"Seat \d:", line)]
        assert len(others) == 3
        assert not any("card," in line or "STOP" in line for line in others)


if __name__ == "__main__":
    for each in LANGUAGES:
        (HERE / f"told-{each}.txt").write_text(told_in(each), "utf-8")
