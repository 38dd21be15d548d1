"""The negotiation that ``docs/bargaining.md`` tells, played by the engine and written as the page shows it."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from arena.bot import Move
from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.board import Close, Family, Offer, Offers, Open, PlaceMarker, Recruit, Stop, Travel, Yes
from arena.games.board.position import Phase
from arena.games.chance import Chance
from arena.games.contract import Event

NAMES = ("Ada", "Ben", "Cleo")
ORANGE = (Family.ORANGE,)
SCRIPT: dict[tuple[str, int, int], Move] = {
    ("MARKER", 0, 1): PlaceMarker(1),
    ("TURN", 0, 0): Open(),
    ("OFFER", 1, 0): Offers((Offer(2, 2, ORANGE),)),
    ("OFFER", 1, 2): Offers((Offer(0, 3, ORANGE),)),
    ("ACCEPT", 1, 0): Yes(),
    ("ACCEPT", 1, 2): Yes(),
    ("INTERRUPT", 1, 1): Travel(Family.ORANGE),
    ("LAST_CALL", 1, 1): Recruit(Family.ORANGE),
    ("OFFER", 2, 0): Offers((Offer(1, 2, ORANGE),)),
    ("ACCEPT", 2, 1): Yes(),
}


def told() -> list[str]:
    """The page's lines: each phase with its asks, the answers that do something, and what happened."""
    edition, game = load_edition("face2face-2003"), load_game("board")
    log: list[Event] = []
    state: Any = game.start(edition.rules, 3, Chance("docs-4"), log)
    log.clear()
    lines: list[str] = []
    say = game.tell(edition.rules, NAMES)
    number = 0
    while state.asks and state.turn < 2:
        asks, phase, tick = state.asks, state.phase, state.tick
        label = phase.name.lower().replace("_", " ")
        several = f"asks {number + 1} to {number + len(asks)}" if len(asks) > 1 else f"ask {number + 1}"
        lines.append(f"{label}, {several}")
        last_call = state.to_close is not None
        for index, ask in enumerate(asks):
            number += 1
            move = SCRIPT.get((phase.name, tick, ask.seat))
            if phase is Phase.STOP and not last_call:
                move = Stop()
            elif phase is Phase.CLOSE:
                move = next(each for each in state.legal(index) if isinstance(each, Close))
            if move is not None:
                lines.append(f"  {number:>2} {NAMES[ask.seat]}: {plain(move)}")
            state.apply(index, move or state.default(index), log)
        for event in log:
            sentence = say(event)
            if sentence or type(event).__name__ == "Fizzled":
                lines.append("       " + (sentence or f"(fizzled: the yes of {NAMES[event.seat]})").strip())  # type: ignore[attr-defined]
        log.clear()
    return lines


def plain(move: Move) -> str:
    """A move as the page shows it: its word and its fields."""
    data = msgspec.to_builtins(move)
    tag = data.pop("move")
    return f"{tag} {json.dumps(data).replace(chr(34), '')}" if data else str(tag)


if __name__ == "__main__":
    print("\n".join(told()))
