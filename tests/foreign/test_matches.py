"""The foreign bots at the table: no faults anywhere, the same match from the same seed, deals in both roles, and
better than what merely moves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from arena.config.editions import load_edition
from arena.games.board.rules import Rules, seats

from .conftest import NAMES, Commands, Game, PlayMatch

pytestmark = pytest.mark.slow

EDITIONS = ("eagle-gryphon", "face2face-2003", "outline", "schmidt-1994")
VARIANTS = (
    "eagle-gryphon+last-call+must-deal+cards-to-deal",
    "face2face-2003+active-to-be-paid+late-hand-limit",
    "eagle-gryphon+less-cutthroat+draw-by-placards",
    "face2face-2003+short-game+fixed-turn-order",
)
OTHERS = ("dealmaker", "greedy", "saboteur", "hard", "fair", "hoarder")


def tables() -> Iterator[tuple[str, int]]:
    """Bundled editions with the fewest players and the most, in turns, and variants with two or three."""
    for label, number in zip(EDITIONS, cycle((min, max)), strict=False):
        rules = load_edition(label).rules
        assert isinstance(rules, Rules)
        yield label, number(seats(rules))
    yield from zip(VARIANTS, cycle((2, 3)), strict=False)
    yield "outline+reported-board", 3  # B4.7 with choice groups


TABLES = list(tables())


@pytest.fixture(scope="module")
def games(match: PlayMatch) -> list[Game]:
    """One match at each table, with both bots in changing seats."""
    found, others = [], cycle(OTHERS)
    for number, (label, players) in enumerate(TABLES):
        names = [*NAMES, *islice(others, players - 2)]
        turned = [names[(seat + number) % players] for seat in range(players)]
        found.append(match(turned, label, seed=f"{label}/{players}", max_turns=40))
    return found


def test_they_make_no_fault_in_any_edition_at_any_table(games: list[Game]) -> None:
    faulty = [(at, game.result.seats) for at, game in zip(TABLES, games, strict=True) if faults(game)]
    assert not faulty


@pytest.mark.parametrize("name", NAMES)
def test_they_deal_as_the_boss_and_as_a_partner(games: list[Game], name: str) -> None:
    closed = {"boss": 0, "partner": 0}
    agreed = {"boss": 0, "partner": 0}
    for game in games:
        seat, boss = game.names.index(name), None
        for line in game.replay:
            match line["event"]:
                case "opened" | "new boss":
                    boss = line["seat"]
                case "agreed":
                    agreed["boss"] += boss == seat
                    agreed["partner"] += line["agreement"]["partner"] == seat
                case "closed":
                    closed["boss"] += line["boss"] == seat and sum(line["paid"]) > 0
                    closed["partner"] += line["paid"][seat] > 0
    assert min(closed.values()) >= 10, closed
    assert min(agreed.values()) >= 10, agreed


def test_they_play_every_hook_in_other_words_than_the_defaults(games: list[Game]) -> None:
    for name in NAMES:
        moves = {
            line["move"]["move"]
            for game in games
            for line in game.replay
            if line["event"] == "answer" and line["seat"] == game.names.index(name)
        }
        assert moves >= {"open", "roll", "draw", "offers", "yes", "travel", "boss", "stop", "recruit", "close"}


@pytest.mark.parametrize("label", ["eagle-gryphon", "outline"])
def test_the_same_seed_gives_the_same_bytes(match: PlayMatch, label: str) -> None:
    first, second, other = (
        match([*NAMES, "greedy"], label, seed, max_turns=6).result.replay for seed in ("again", "again", "another")
    )
    assert first == second != other


def test_foreign_bots_beat_what_moves_at_random(match: PlayMatch) -> None:
    wins = dict.fromkeys(NAMES, 0)
    for number in range(3):
        names = [*NAMES, "random-legal", "silent"]
        turned = [names[(seat + number) % 4] for seat in range(4)]
        found = match(turned, seed=f"floor/{number}", max_turns=25).result.seats
        rank = {name: seat.rank for name, seat in zip(turned, found, strict=True)}
        for name in NAMES:
            wins[name] += rank[name] < min(rank["random-legal"], rank["silent"])
    assert min(wins.values()) == 3, wins  # one would be a share


TOURNAMENT = """
name: four-nations
seed: 4
entrants:
  - {{cmd: {broker}, name: broker}}
  - {{cmd: {haggler}, name: haggler, options: {{patience: 3}}}}
  - greedy
  - fair
editions: [{{rules: eagle-gryphon, changes: {{max_turns: 40}}}}]
blocks: 1
deals: duplicate
"""


def test_a_tournament_of_commands(commands: Commands, arena: Any, tmp_path: Path) -> None:
    written = {name: json.dumps(words) for name, words in commands.items()}
    (tmp_path / "nations.yaml").write_text(TOURNAMENT.format(**written))
    assert arena("run", "nations.yaml", "-o", "out", "-j", 1, "-q").code == 0
    records = [json.loads(line) for line in (tmp_path / "out" / "matches.jsonl").read_text().splitlines()]
    wins = dict.fromkeys(("broker", "haggler", "greedy", "fair"), 0.0)
    for record in records:
        first = [seat["entrant"] for seat in record["seats"] if seat["rank"] == 1]
        for entrant in first:
            wins[entrant] += 1 / len(first)
        assert not any(seat.get("faults") for seat in record["seats"])
    assert len(records) == 4
    assert min(wins["broker"], wins["haggler"]) >= 1, wins  # an even share
    assert arena("verify", "out").code == 0


def faults(game: Game) -> int:
    """How many faults the match had, of whomever."""
    return sum(sum(seat.faults.values()) for seat in game.result.seats)
