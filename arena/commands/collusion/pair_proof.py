"""Plays matches of a suspected pair again: muted, and with one of the two replaced by a neutral bot."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arena.analysis.gifts_of_run import gather_gifts, gifts_in
from arena.collusion.proof_test import (
    ProofEffect,
    ProofMatch,
    ProofPlay,
    compare_plays,
    gifts_at_usual_prices,
    preference_of_giver,
)
from arena.commands.collusion.proof_options import DEALS, ProofOptions
from arena.config.botspec import parse_bot
from arena.errors import UserError
from arena.executors.executor import Executor
from arena.finding.reference import BotRef
from arena.games import load_game
from arena.match.match_spec import MatchSpec
from arena.replay.lines import Seat
from arena.rerun.variants import (
    MatchVariant,
    check_empty_folder,
    choose_blocks,
    make_variant,
    mute_seats,
    play_variants,
    read_recorded,
    work_again,
)
from arena.runs.bundled_bots import bundled_for
from arena.runs.planning.isolation_level import NO_WORD, BotPermissions, Isolation
from arena.runs.planning.load_bots import check_loading, refer_to_bot
from arena.runs.planning.open_folder import open_played
from arena.runs.planning.plan import Plan
from arena.tournament.records.match_record import MatchRecord

NEUTRAL_BOTS = "fair", "greedy", "hard", "tycoon", "miser", "silent", "random-legal"
"""Bundled bots that may replace a suspect by default: the first that plays the games of the matches and is not one of
the pair. The first and the last two play every game."""


@dataclass(frozen=True)
class PairProof:
    """The result of playing a pair's matches again: by game, the effects on gifts in both directions (``plays``), and
    the ``units`` of money. ``matches`` matches in ``blocks`` blocks were played again, of the ``common`` matches that
    the two have in the run."""

    pair: tuple[str, str]
    neutral: str
    plays: dict[str, list[ProofEffect]]
    units: dict[str, str]
    matches: int
    blocks: int
    common: int


def prove_pair(
    folder: Path,
    pair: tuple[str, str],
    executor: Executor,
    options: ProofOptions,
    tell: Callable[[int, int], object] = lambda done, all: None,
    word: BotPermissions = NO_WORD,
    begin: Callable[[Isolation], object] = lambda isolation: None,
) -> PairProof:
    """Play matches of this pair of entrants again, from a number of blocks that are the same in each call. The neutral
    bot is one of ``NEUTRAL_BOTS`` unless the options name it. ``tell`` is called with the number of matches played, and
    of all; ``begin`` with the isolation of the bots: as strict as this machine allows, unless the permissions in
    ``word`` trust them.

    Raises UserError for an unknown entrant, a run whose bots are not here, or in which the two have no common match
    with a replay, and for a neutral bot that cannot be loaded or is one of the two."""
    plan, store = open_played(folder, word)
    _check_pair(plan, pair)
    out = options.out
    if out is not None:
        check_empty_folder(out)
    plan.schedule.learn(store.records())
    common = [each for each in store.records() if _has_pair(each, pair)]
    chosen = choose_blocks(common, options.deals or DEALS)
    if not chosen:
        raise UserError(f"{folder} has no match with a replay in which {pair[0]} and {pair[1]} sat at one table")
    games = sorted({each.game for each in chosen})
    neutral, bot = _neutral_bot(plan, pair, options.neutral or "", games)
    check_loading([bot], plan.isolation)
    begin(plan.isolation)
    usual = {game: sums.usual_parts() for game, sums in gather_gifts(folder, executor.jobs).sums.items()}
    found = {
        each.id: {ProofPlay.BEFORE.value: _gift_matrix(read_recorded(store, folder, each), each, usual)}
        for each in chosen
    }
    variants = [each for record in chosen for each in _variants(plan, record, pair, bot)]
    records = {each.id: each for each in chosen}
    for done, (variant, _, replay) in enumerate(play_variants(executor, variants, out), 1):
        found[variant.of][variant.name] = _gift_matrix(replay, records[variant.of], usual)
        tell(done, len(variants))
    return PairProof(
        pair,
        neutral,
        {game: _compare_records([each for each in chosen if each.game == game], found, pair) for game in games},
        {game: load_game(game).unit for game in games},
        len(chosen),
        len({each.block for each in chosen}),
        len(common),
    )


def _check_pair(plan: Plan, pair: tuple[str, str]) -> None:
    plan.check_entrants(pair)
    if pair[0] == pair[1]:
        raise UserError(f"expected two entrants, got {pair[0]} twice")


def _neutral_bot(plan: Plan, pair: tuple[str, str], named: str, games: Sequence[str]) -> tuple[str, BotRef]:
    """The bot that replaces either of the two: the one that is ``named``, or else the first of ``NEUTRAL_BOTS`` that
    plays these ``games`` and is not one of the pair. Raises UserError if the named bot is one of the two: a bot in its
    own place changes nothing, which would look like a result."""
    bots = dict(zip(plan.names, plan.bots, strict=True))
    known = (name for name in NEUTRAL_BOTS if all(name in bundled_for(game) for game in games))
    for name in [named] if named else known:
        bot = refer_to_bot(parse_bot(name))
        same = next((each for each in pair if _is_same(bot, bots[each])), None)
        if same is None:
            return name, bot
    called = named if named == same else f"{named}, the same bot as {same}"
    raise UserError(f"--neutral: expected a bot that is neither {pair[0]} nor {pair[1]}, got {called}")


def _is_same(one: BotRef, other: BotRef) -> bool:
    """Whether two bots are of the same files and options: the same class too, unless its file has only one."""
    classes = {one.cls, other.cls} - {""}
    return len(classes) < 2 and (one.sha256, one.options, one.command) == (other.sha256, other.options, other.command)


def _has_pair(record: MatchRecord, pair: tuple[str, str]) -> bool:
    names = {seat.entrant for seat in record.seats}
    gifts = load_game(record.game).giving is not None
    return names.issuperset(pair) and not record.void and bool(record.replay) and gifts


Usual = Mapping[str, Mapping[Hashable, float]]


def _gift_matrix(replay: bytes, record: MatchRecord, usual: Usual) -> list[list[float]]:
    given = gifts_in(replay, record.game, len(record.seats))
    return gifts_at_usual_prices(given, usual[record.game], record.edition, len(record.seats))


def _pair_seats(record: MatchRecord, pair: tuple[str, str]) -> tuple[int, int]:
    names = [seat.entrant for seat in record.seats]
    return names.index(pair[0]), names.index(pair[1])


def _variants(plan: Plan, record: MatchRecord, pair: tuple[str, str], neutral: BotRef) -> Iterator[MatchVariant]:
    """The match muted, and with each of the two replaced by the neutral bot."""
    work, seats = work_again(plan, record), _pair_seats(record, pair)
    yield mute_seats(record, "muted", work, seats)
    for name, seat in zip(pair, seats, strict=True):
        spec = _exchange_bot(work.spec, seat, neutral)
        bots = tuple(neutral if at == seat else bot for at, bot in enumerate(work.bots))
        yield make_variant(record, f"without {name}", msgspec.structs.replace(work, spec=spec, bots=bots))


def _exchange_bot(spec: MatchSpec, seat: int, neutral: BotRef) -> MatchSpec:
    """The same match with the neutral bot in this seat."""
    seats = list(spec.seats)
    seats[seat] = Seat("neutral", neutral.name, neutral.sha256, neutral.options)
    return msgspec.structs.replace(spec, seats=tuple(seats))


def _compare_records(
    records: list[MatchRecord], found: Mapping[str, Mapping[str, list[list[float]]]], pair: tuple[str, str]
) -> list[ProofEffect]:
    """The effects on gifts in both directions, for each way of playing."""
    shown: list[ProofEffect] = []
    for giver, receiver in (pair, pair[::-1]):
        names = {
            ProofPlay.BEFORE: ProofPlay.BEFORE.value,
            ProofPlay.MUTED: "muted",
            ProofPlay.RECEIVER: f"without {receiver}",
            ProofPlay.GIVER: f"without {giver}",
        }
        seen = []
        for record in records:
            seats = _pair_seats(record, (giver, receiver))
            matrices = found[record.id]
            seen.append(
                ProofMatch(
                    record.block, {play: preference_of_giver(matrices[name], *seats) for play, name in names.items()}
                )
            )
        shown += compare_plays(seen, giver, receiver)
    return shown
