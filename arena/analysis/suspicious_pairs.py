"""Who in a run gave whom more than others, and at what error rate that is said."""

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
    """The gifts of a run in one game: the ``unit`` of money, the ``kinds`` of gifts, all pairs as they were judged, and
    the ``table`` from which that was done."""

    game: str
    unit: str
    kinds: tuple[GiftKind, ...]
    table: GiftTable
    findings: list[PairFinding]


@dataclass(frozen=True)
class RunGifts:
    """What was found in a run, by game; ``level`` is the probability that any honest pair of it stands out. Left out
    were ``voids`` and matches ``without_replay``."""

    games: list[GameGifts]
    level: float
    voids: int
    without_replay: int


def judge_run_gifts(
    folder: Path, level: float = ERROR_LEVEL, jobs: int = 1, tell: Callable[[int], object] = lambda matches: None
) -> RunGifts:
    """Judge all pairs of the run in ``folder``, with so many processes. The error ``level`` is that of the whole run:
    where it has several games, each has its part of it. Raises as :func:`arena.analysis.gifts_of_run.gather_gifts`
    does."""
    gathered = gather_gifts(folder, jobs, tell)
    games = judge_gift_sums(FolderStore(folder).facts(), gathered.sums, level)
    return RunGifts(games, level, gathered.voids, gathered.without_replay)


def judge_gift_sums(facts: Facts, sums: Mapping[str, GiftSums], level: float = ERROR_LEVEL) -> list[GameGifts]:
    """All pairs of a run, which is known by these ``facts``, from what was given in it by game."""
    played = {game: each for game, each in sums.items() if each.matches}
    games = []
    for game, each in sorted(played.items()):
        table, giving = each.table(), load_game(game).giving
        assert giving is not None
        findings = judge_pairs(table, f"{facts.tournament} {facts.seed} {game} {each.matches}", level / len(played))
        games.append(GameGifts(game, load_game(game).unit, giving.kinds, table, findings))
    return games
