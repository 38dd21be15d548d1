"""The bundled bots at the card game: no faults at any table, the same match from the same seed, and true to what their
descriptions claim."""

from __future__ import annotations

import json
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from arena.match.refereeing.match_result import MatchResult
from arena.testing import play

BOTS = Path(__file__).parents[2] / "bots"
NAMES = ("usurper", "tycoon", "closer", "spoiler", "fair", "counter", "cousin", "miser", "random-legal", "silent")
PLAYING = {
    "usurper": {"lead", "offer", "accept", "play", "discard"},
    "tycoon": {"lead", "offer", "accept", "play", "discard"},
    "closer": {"lead", "accept", "play"},
    "spoiler": {"lead", "offer", "accept", "play", "discard"},
    "fair": {"lead", "offer", "accept", "play", "discard"},
    "counter": {"lead", "offer", "accept", "play", "discard"},
    "cousin": {"lead", "offer", "accept", "play", "discard"},
    "miser": {"lead", "play", "discard"},
}
VARIANTS: tuple[tuple[str, ...], ...] = (
    ("last-pass-draws", "no-limit"),
    ("no-pass-bonus", "no-cousins"),
    ("long-game",),
)


def cards(*bots: str, variants: tuple[str, ...] = (), seed: str = "1") -> MatchResult:
    return play(*bots, rules="card-game", variants=variants, seed=seed)


def faults(result: MatchResult) -> int:
    return sum(sum(seat.faults.values()) for seat in result.seats)


@cache
def tokens(seed: str) -> tuple[list[int], list[int]]:
    """Of a match of four: the Bosses who gave a Cousin token, and the seats that got one."""
    names = ["cousin", "fair", "cousin", "counter"]
    lines: list[dict[str, Any]] = [json.loads(line) for line in cards(*names, seed=seed).replay.splitlines()]
    boss, given, got = -1, [], []
    for line in lines:
        if line.get("event") == "round":
            boss = line["boss"]
        if line.get("event") == "cousin":
            given.append(boss)
            got.append(line["seat"])
    return given, got


@pytest.mark.parametrize("variants", VARIANTS)
def test_no_bundled_bot_makes_a_fault_under_house_rules(variants: tuple[str, ...]) -> None:
    players = 3 if variants == VARIANTS[0] else 6
    for table in (islice(cycle(NAMES), first, first + players) for first in range(0, len(NAMES), players)):
        assert faults(cards(*table, variants=variants, seed=str(players))) == 0


def test_a_bundled_bot_uses_the_hooks_it_is_made_of() -> None:
    company = ["cousin", "fair"]  # they offer tokens, and take them
    for names in (["usurper", "tycoon", "closer"], ["spoiler", "counter", "miser"], company):
        matches = [cards(*names, *company, seed=seed) for seed in "01"]
        for seat, name in enumerate(names):
            assert set().union(*(match.hooks[seat] for match in matches)) == PLAYING[name], name


def test_the_cousin_gives_and_gets_tokens() -> None:
    given, got = ({seat for seed in "12345" for seat in tokens(seed)[role]} for role in (0, 1))
    assert given >= {0, 2}
    assert got >= {0, 2}


def test_what_a_boss_asks_for_is_granted_by_several_bots() -> None:
    """C4.2 (b)."""
    names, asked, granted = ["closer", "cousin", "fair", "spoiler"], set[str](), set[str]()
    for seed in "123456":
        request = False
        for line in map(json.loads, cards(*names, seed=seed).replay.splitlines()):
            match line:
                case {"event": "round", "boss": boss}:
                    leader = names[boss]
                case {"event": "requested" | "proposed" as event}:
                    request = event == "requested"
                case {"event": "cousin", "seat": seat} if request:
                    asked.add(leader)
                    granted.add(names[seat])
    assert asked == {"cousin", "fair"}
    assert granted >= {"closer", "spoiler"}


def test_the_miser_has_nothing_to_do_with_tokens_and_the_closer_offers_none() -> None:
    replays = [cards(*["miser", "closer"] * 2, seed=seed).replay for seed in "123"]
    assert not any(event in replay for replay in replays for event in (b'"cousin"', b'"proposed"', b'"requested"'))


@pytest.mark.slow
@pytest.mark.parametrize(("players", "share"), [(3, 1 / 3), (6, 1 / 6)])
def test_the_tycoon_beats_the_rest(players: int, share: float) -> None:
    """A smoke test on fixed seeds; how strong the bots are is measured by tournaments."""
    others, matches, wins = ("closer", "fair", "spoiler", "counter", "cousin"), 6, 0.0
    for match in range(matches):
        company = list(islice(cycle(others), match, match + players - 1))
        own = match % players
        ranks = [s.rank for s in cards(*company[:own], "tycoon", *company[own:], seed=f"strength/{match}").seats]
        wins += (ranks[own] == 1) / ranks.count(1)
    assert wins > 1.5 * share * matches
