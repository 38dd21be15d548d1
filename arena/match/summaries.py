"""A match summed up where it was played, so that only few numbers of it travel."""

from __future__ import annotations

from arena.replay.read import game_of, read_replay_lines

Counts = tuple[tuple[int, ...], ...]
"""By seat, in the order of the game's counts (:class:`arena.games.summary.Summary`)."""


def sum_up(replay: bytes) -> Counts:
    """The counts of the match in a replay; empty for a game that has none."""
    header, lines = read_replay_lines(replay)
    summary = game_of(header).summary
    if summary is None:
        return ()
    return tuple(tuple(counts) for counts in summary.count(lines, len(header.seats)))
