"""The specification of a match: everything but the bots themselves, and its form in a replay's first line."""

from __future__ import annotations

from typing import Any

import msgspec

from arena import __version__
from arena.bot import Limits, Start
from arena.games import load_game
from arena.games.chance import CHANCE_SCHEME
from arena.penalties import FaultPolicy
from arena.players.own_seeds import BotSeeds, own_seed
from arena.replay import lines


class MatchSpec(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a match but the bots themselves.

    ``rules`` are the game's typed rules, ``rules_data`` and ``rules_sha256`` the same as in the header.
    """

    id: str
    tournament: str
    block: int
    game: str
    edition: str
    rules: Any
    rules_data: dict[str, Any]
    rules_sha256: str
    seats: tuple[lines.Seat, ...]
    seed: str
    bot_seeds: BotSeeds = BotSeeds.SCRYPT_1
    limits: Limits = Limits()
    fault_policy: FaultPolicy = FaultPolicy.SUBSTITUTE
    strikes: int = 3


def header_of_spec(spec: MatchSpec) -> lines.Header:
    """The first line of the replay."""
    return lines.Header(
        format=lines.REPLAY_FORMAT,
        arena=__version__,
        tournament=spec.tournament,
        id=spec.id,
        block=spec.block,
        game=spec.game,
        edition=spec.edition,
        seats=spec.seats,
        seed=spec.seed,
        chance=CHANCE_SCHEME,
        bot_seeds=spec.bot_seeds,
        fault_policy=spec.fault_policy,
        strikes=spec.strikes,
        limits=spec.limits,
        rules_version=load_game(spec.game).rules_version,
        rules_sha256=spec.rules_sha256,
        rules=spec.rules_data,
    )


def spec_from(header: lines.Header, rules: Any) -> MatchSpec:
    """The specification of the match in a replay, from its first line, for playing it again; the inverse of
    :func:`header_of_spec`. ``rules`` are the header's rules, typed."""
    return MatchSpec(
        id=header.id,
        tournament=header.tournament,
        block=header.block,
        game=header.game,
        edition=header.edition,
        rules=rules,
        rules_data=header.rules,
        rules_sha256=header.rules_sha256,
        seats=header.seats,
        seed=header.seed,
        bot_seeds=header.bot_seeds,
        limits=header.limits,
        fault_policy=header.fault_policy,
        strikes=header.strikes,
    )


def start_of(spec: MatchSpec, rules: bytes, seat: int) -> Start:
    """The start message for the bot in ``seat``. ``rules`` are the match's as JSON, of which each bot gets a copy,
    because it may change its dicts."""
    return Start(
        game=spec.game,
        edition=spec.edition,
        rules=msgspec.json.decode(rules, type=type(spec.rules)),
        players=len(spec.seats),
        seat=seat,
        seed=own_seed(spec.bot_seeds, spec.seed, seat),
        limits=spec.limits,
    )
