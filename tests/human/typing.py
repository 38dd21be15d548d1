"""Typed lines as moves, without a conversation; random matches to type in."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from arena.config.editions import Edition
from arena.games import load_game
from arena.games.chance import Chance
from arena.games.contract import Move, State, View
from arena.human.lexicon import choose_meaning, split_words
from arena.human.question import Draft, GameWords, HumanQuestion, Verb


def read_line(asked: HumanQuestion, line: str, draft: Draft = None) -> tuple[Move | None, Draft]:
    """What one line means: a move, or a draft. Raises Unclear."""
    words = split_words(line)
    verbs: dict[str, Verb] = {}
    for verb in asked.verbs:
        verbs |= dict.fromkeys((verb.word, *verb.also), verb)
    read = choose_meaning(words[0], verbs, "word").read(words[1:], draft)
    return read.move, read.draft


def read_lines(words: GameWords, view: View, lines: list[str]) -> Move | None:
    """What the lines mean, one after the other."""
    asked, draft, move = words.asked(view), None, None
    for line in lines:
        move, draft = read_line(asked, line, draft)
    return move


def asks(edition: Edition, players: int, seed: str, phases: int) -> Iterator[tuple[State, int, View]]:
    """Asks of a match with their views, of its first ``phases``: moves at random, but that nobody opens a deal in
    the first third of them, so that hands fill up."""
    game, dice = load_game(edition.game), random.Random(seed)
    log: list[Any] = []
    state = game.start(edition.rules, players, Chance(seed), log)
    for phase in range(phases):
        if not state.asks:
            return
        for index in range(len(state.asks)):
            yield state, index, state.view(index)
        for index in state.pending:
            quiet = phase < phases // 3 and state.asks[index].hook == "turn"
            state.apply(index, state.default(index) if quiet else dice.choice(state.legal(index)))
