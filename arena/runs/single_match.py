"""One match of named bots, played by an executor or in this process."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.bot import Limits
from arena.config.botspec import BotSpec, parse_bot
from arena.config.editions import Edition, load_source, resolve_edition
from arena.consultation.model_spec import MatchModels
from arena.errors import UserError
from arena.executors.executor import Executor, play_each
from arena.finding.reference import BotRef
from arena.match.match_spec import MatchSpec
from arena.match.refereeing.match_result import MatchResult
from arena.match.runner import play_here
from arena.match.work import Work
from arena.penalties import FaultPolicy
from arena.replay.frame import unpack_replay
from arena.runs.planning.guessable_seed import check_seed, draw_seed
from arena.runs.planning.isolation_level import TRUSTED_ISOLATION, Isolation, for_games
from arena.runs.planning.load_bots import check_loading, load_here, refer_to_bot
from arena.runs.planning.make_spec import MatchConditions, seats_of, spec_of
from arena.storage.logs.bot_logs import BotLogs, log_beginning
from arena.tournament.records.match_record import MatchRecord

DEFAULT_RULES = "eagle-gryphon"


class ReadyMatch(msgspec.Struct):
    """A match ready to be played: what the referee needs, the bots by seat, and their isolation; and the models that
    they may consult, with what is recorded of these (:class:`arena.match.work.Work`)."""

    spec: MatchSpec
    bots: tuple[BotRef, ...]
    isolation: Isolation = TRUSTED_ISOLATION
    models: MatchModels | None = None
    recorded: bytes = b""


class MatchSetup(msgspec.Struct, frozen=True, kw_only=True):
    """The conditions of a match: the edition, named by ``rules``, with its ``variants`` and changed ``settings``; the
    ``seed`` (None: one is drawn), time limits, what faults cost, and how bots are isolated."""

    rules: str = DEFAULT_RULES
    variants: Sequence[str] = ()
    settings: Sequence[str] = ()
    seed: str | None = None
    limits: Limits = Limits()
    fault_policy: FaultPolicy = FaultPolicy.SUBSTITUTE
    strikes: int = 3
    isolation: Isolation = TRUSTED_ISOLATION

    def edition(self) -> Edition:
        """The edition. Raises UserError where there is no such edition, or for an invalid seed."""
        if self.seed is not None:
            check_seed(self.seed)
        return resolve_edition(load_source(self.rules), self.variants, None, self.settings)

    @property
    def conditions(self) -> MatchConditions:
        """Time limits, and what faults cost."""
        return MatchConditions(self.limits, self.fault_policy, self.strikes)


DEFAULT_SETUP = MatchSetup()


def set_up_match(bots: Sequence[str], setup: MatchSetup = DEFAULT_SETUP, here: bool = False) -> ReadyMatch:
    """A match of the named bots, by seat. Each bot is loaded once to check it: in this process if ``here``, else in a
    process of its own. Raises UserError for a wrong name, number of players or setting."""
    edition = setup.edition()
    check_players(edition, len(bots))
    isolation = for_games(setup.isolation, [edition.game])
    specs = [parse_bot(bot) for bot in bots]
    refs = [refer_to_bot(spec) for spec in specs]
    if here:
        load_here(refs)
    else:
        check_loading(refs, isolation)
    seats, seed = seats_of(entrant_names(specs), refs), draw_seed() if setup.seed is None else setup.seed
    spec = spec_of(edition, seats, id="match", tournament="match", seed=seed, conditions=setup.conditions)
    return ReadyMatch(spec, tuple(refs), isolation)


def check_players(edition: Edition, players: int) -> None:
    """Raise UserError where the edition does not allow this number of players."""
    allowed = edition.seats
    if players not in allowed:
        raise UserError(f"{edition.label} is for {allowed[0]} to {allowed[-1]} players, got {players} bots")


def entrant_names(specs: Sequence[BotSpec]) -> list[str]:
    """A name for each bot; equal names are numbered."""
    return number_names([spec.default_name for spec in specs])


def number_names(names: Sequence[str]) -> list[str]:
    """The names; equal ones get a number at their end."""
    return [
        name if names.count(name) == 1 else f"{name}#{names[: index + 1].count(name)}"
        for index, name in enumerate(names)
    ]


SHOWN_OUTPUT_LINES = 20
"""How many lines of a bot's output in a match are shown."""


class PlayedMatch(NamedTuple):
    """A match that was played: its record, its replay, and the ``cassette`` of its calls of models (None: its bots
    could consult none)."""

    record: MatchRecord
    replay: bytes
    cassette: bytes | None


def play_apart(match: ReadyMatch, executor: Executor, logs: Path | None = None) -> PlayedMatch:
    """Play the match with the executor. The output of isolated bots goes to files in the folder ``logs``, or else its
    first lines to standard error."""
    demand, models = match.isolation.demand, match.models
    work = Work(spec=match.spec, bots=match.bots, demand=demand, models=models, recorded=match.recorded)
    (done,) = play_each(executor, [work])
    for printed in sorted(done.printed, key=lambda printed: done.record.seats[printed.seat].entrant):
        if logs is not None:
            BotLogs(logs).add(done.record, printed)
        else:
            sys.stderr.write(log_beginning(done.record, printed, SHOWN_OUTPUT_LINES))
    assert done.replay is not None
    return PlayedMatch(done.record, done.replay, None if done.cassette is None else unpack_replay(done.cassette))


def play_match(match: ReadyMatch) -> MatchResult:
    """Play the match in this process; bots' output goes to standard error."""
    with contextlib.redirect_stdout(sys.stderr):
        return play_here(match.spec, match.bots)
