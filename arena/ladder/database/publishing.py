"""Which parts of a ladder are public now, by the keys of its file: the seeds of its matches, and their replays."""

from __future__ import annotations

from arena.config.ladder_config import LadderConfig, Published
from arena.ladder.database.ladders import Season


def seeds_public(config: LadderConfig, season: Season) -> bool:
    """Return whether the seeds of matches in closed rounds are public."""
    return _is_public(config.publish.seeds, season)


def replays_public(config: LadderConfig, season: Season) -> bool:
    """Return whether the replays of matches in closed rounds are public. A replay holds the seed of its match, so it
    never becomes public before the seed."""
    return _is_public(config.publish.replays, season) and seeds_public(config, season)


def _is_public(when: Published, season: Season) -> bool:
    match when:
        case Published.ROUND:
            return True
        case Published.SEASON:
            return season.ended is not None
        case Published.NEVER:
            return False
