"""Which parts of a ladder are public now, by the keys of its file: the seeds of its matches, their replays and
cassettes, and these keys themselves."""

from __future__ import annotations

from typing import Any

import msgspec

from arena.config.ladder_config import LadderConfig, Published
from arena.ladder.database.ladders import Season


def seeds_public(config: LadderConfig, season: Season) -> bool:
    """Return whether the seeds of matches in closed rounds are public."""
    return _is_public(config.publish.seeds, season)


def replays_public(config: LadderConfig, season: Season) -> bool:
    """Return whether the replays of matches in closed rounds are public. A replay holds the seed of its match, so it
    never becomes public before the seed."""
    return _is_public(config.publish.replays, season) and seeds_public(config, season)


def cassettes_public(config: LadderConfig, season: Season) -> bool:
    """Return whether what bots asked language models in closed rounds, and what these answered, is public. It never
    becomes public before the replays, whose hidden cards it tells."""
    return _is_public(config.publish.cassettes, season) and replays_public(config, season)


def public_keys(config: LadderConfig) -> dict[str, Any]:
    """The keys of a ladder as plain data, without where its operator has files, and where and with whose key its models
    are reached."""
    keys: dict[str, Any] = msgspec.to_builtins(config)
    keys["anchors"] = [each.name for each in config.anchors]
    for model in keys["models"].values():
        for name in ("url", "key_env"):
            del model[name]
    if not config.models:  # ladders without models are as they were
        for name in ("models", "consulting", "slots"):
            del keys[name]
        del keys["entry"]["models"], keys["publish"]["cassettes"]
    return keys


def _is_public(when: Published, season: Season) -> bool:
    match when:
        case Published.ROUND:
            return True
        case Published.SEASON:
            return season.ended is not None
        case Published.NEVER:
            return False
