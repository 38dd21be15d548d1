"""The round of cards that ``docs/bargaining.md`` tells, played by the engine and written as the page shows it."""

from __future__ import annotations

from typing import Any

from arena.bot import Move
from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.cards import Card, Drop, Enough, Lead, NoBargain, Pass, Play, Propose, Request, Shift, Want
from arena.games.chance import Chance
from arena.games.contract import NO, YES, Event

from .bargain import plain

NAMES = ("Ada", "Ben", "Cleo", "Dora")
SCRIPT: list[Move] = [
    Lead(Card.RED_PLUS_4),
    Propose(Play(Card.RED_PLUS_3)),
    YES,
    Propose(Pass(double=True)),
    NO,
    Request(Want.POTA),
    NO,
    Play(Card.RED_MINUS_3),
    NoBargain(),
    Request(Want.REVERSE),
    YES,
    Drop(Card.RED_REVERSE),
    Play(Card.RED_MOVE_3),
    Shift(Card.RED_MINUS_3),
    Enough(),
    Play(Card.WILD_POTA, 1),
    Play(Card.RED_REVERSE, 1),
    Pass(double=True),
    Play(Card.RED_POTA, 0),
    Play(Card.RED_REVERSE, 1),
    Play(Card.RED_MOVE_2),
    Shift(Card.RED_REVERSE, 1),
    Shift(Card.WILD_POTA, 1, 2),
    Pass(),
    Pass(double=True),
    Pass(double=True),
    Pass(),
]


def told() -> list[str]:
    """The page's lines: each ask with its answer, and what happened."""
    edition, game = load_edition("card-game"), load_game("cards")
    log: list[Event] = []
    state: Any = game.start(edition.rules, len(NAMES), Chance("docs-2446"), log)
    log.clear()
    lines: list[str] = []
    say = game.tell(edition.rules, NAMES)
    for number, move in enumerate(SCRIPT, 1):
        ask = state.asks[0]
        lines.append(f"{number:>2} {NAMES[ask.seat]}, {ask.hook}: {plain(move)}")
        state.apply(0, move, log)
        for event in log:
            if sentence := say(event):
                lines.append("      " + sentence.strip())
        log.clear()
    assert len(state.ledger) == 1
    return lines


if __name__ == "__main__":
    print("\n".join(told()))
