"""The counts that a game keeps of a match, as its record has them."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET, UnsetType

from arena.games.contract import Event, Game
from arena.replay.read import game_of, read_replay_lines

MatchCounts = dict[str, tuple[int, ...]] | UnsetType
"""Each of the game's counts (:class:`arena.games.summary.Summary`) by seat; UNSET for a game that keeps none."""


def count_match(game: Game, events: Iterable[Event], players: int) -> MatchCounts:
    """The counts of a match with these events."""
    if game.summary is None:
        return UNSET
    by_seat = game.summary.count(events, players)
    return dict(zip(game.summary.counts, zip(*by_seat, strict=True), strict=True))


def counts_in(replay: bytes) -> MatchCounts:
    """The counts of the match in a replay."""
    header, lines = read_replay_lines(replay)
    return count_match(game_of(header), lines, len(header.seats))
