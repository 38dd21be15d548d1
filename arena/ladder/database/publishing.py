"""What of a ladder is public by now: the seeds of its matches and their replays, as its file says."""

from __future__ import annotations

from arena.config.ladder_config import LadderConfig, Published
from arena.ladder.database.ladders import Season


def seeds_public(config: LadderConfig, season: Season) -> bool:
    """Whether the seeds of matches are, of the rounds that are closed."""
    return _is_public(config.publish.seeds, season)


def replays_public(config: LadderConfig, season: Season) -> bool:
    """Whether the replays of matches are, of the rounds that are closed. A replay holds the seed of its match, so it is
    not public before that is."""
    return _is_public(config.publish.replays, season) and seeds_public(config, season)


def _is_public(when: Published, season: Season) -> bool:
    match when:
        case Published.ROUND:
            return True
        case Published.SEASON:
            return season.ended is not None
        case Published.NEVER:
            return False
