"""Finds the pairs of a run's entrants in which one gave the other unusually much, at a given error rate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.analysis.gifts_of_run import gather_gifts
from arena.collusion.gift_sums import GiftSums, GiftTable
from arena.collusion.pair_search import ERROR_LEVEL, PairFinding, judge_pairs
from arena.games import load_game
from arena.games.giving import GiftKind
from arena.storage.run_facts.facts import Facts
from arena.storage.run_folder import FolderStore


@dataclass(frozen=True)
class GameGifts:
    """The gifts of a run in one game: the ``unit`` of money, the ``kinds`` of gifts, the ``table`` of gifts, and the
    ``findings``: the verdict on each pair, judged from that table."""

    game: str
    unit: str
    kinds: tuple[GiftKind, ...]
    table: GiftTable
    findings: list[PairFinding]


@dataclass(frozen=True)
class RunGifts:
    """The gifts of a run, by game. ``level`` is the probability that any honest pair of the run stands out by chance.
    ``voids`` and matches ``without_replay`` were left out."""

    games: list[GameGifts]
    level: float
    voids: int
    without_replay: int


def judge_run_gifts(
    folder: Path, level: float = ERROR_LEVEL, jobs: int = 1, tell: Callable[[int], object] = lambda matches: None
) -> RunGifts:
    """Judge all pairs of the run in ``folder``, in ``jobs`` processes. The error ``level`` holds for the whole run:
    several games share it. Raises the same errors as :func:`arena.analysis.gifts_of_run.gather_gifts`."""
    gathered = gather_gifts(folder, jobs, tell)
    games = judge_gift_sums(FolderStore(folder).facts(), gathered.sums, level)
    return RunGifts(games, level, gathered.voids, gathered.without_replay)


def judge_gift_sums(facts: Facts, sums: Mapping[str, GiftSums], level: float = ERROR_LEVEL) -> list[GameGifts]:
    """Judge all pairs of a run from its ``facts`` and its ``sums`` of gifts by game."""
    played = {game: each for game, each in sums.items() if each.matches}
    games = []
    for game, each in sorted(played.items()):
        table, giving = each.table(), load_game(game).giving
        assert giving is not None
        findings = judge_pairs(table, f"{facts.tournament} {facts.seed} {game} {each.matches}", level / len(played))
        games.append(GameGifts(game, load_game(game).unit, giving.kinds, table, findings))
    return games
