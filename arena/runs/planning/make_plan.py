"""From a tournament file to everything that is needed to play it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from arena.config.editions import Edition
from arena.config.tournament_config import RESOLVED_CONFIG, Tournament
from arena.config.tournament_yaml import load_document, load_tournament, old_names
from arena.errors import ArenaError, ConfigError, UserError, nearest_hint
from arena.executors.executor import EXECUTORS
from arena.games import load_game
from arena.games.contract import Game
from arena.plugins import PluginKind, is_plugin
from arena.resources import bundled_folder
from arena.runs.planning.admission import find_entrants, idle_in, leave_out_entrants
from arena.runs.planning.config_blame import Complain, with_the_missing
from arena.runs.planning.guessable_seed import check_seed, draw_seed, judge_seed
from arena.runs.planning.isolation_level import BotPermissions, choose_isolation, for_games, for_strangers
from arena.runs.planning.plan import Plan
from arena.runs.planning.table_sizes import editions_by_size
from arena.sandbox.policy import SandboxPolicy
from arena.tournament.formats.make_format import Contest, Formats, RoundRobinTables, make_format
from arena.tournament.measures.custom_measures import SEAT_FACTS, WORD_FACTS, fact_words
from arena.tournament.schedule.balance import Balance, blocks_for, check_blocks
from arena.tournament.schedule.schedule import Schedule, ScheduledEdition
from arena.tournament.schedule.seat_orders import seat_orders
from arena.tournament.schedule.share import Share, check_shareable


def find_config(name: str) -> Path:
    """The path of a tournament file, given as a path or as the name of a bundled one."""
    if name.endswith((".yaml", ".yml")) or os.sep in name:
        path, shipped = Path(name), bundled_folder("configs/tournaments") / Path(name).name
        in_configs = Path(name).parts[:2] == ("configs", "tournaments")
        return shipped if not path.exists() and in_configs and shipped.is_file() else path
    known = {path.stem: path for path in sorted(bundled_folder("configs/tournaments").glob("*.yaml"))}
    if name in known:
        return known[name]
    if Path(name).exists():
        raise UserError(f"{name} is not a tournament file; its name must end in .yaml")
    message = f"no tournament file {name!r}{nearest_hint(name, known)}; give a .yaml file, or one of arena's own"
    raise UserError(f"{message}: {', '.join(known)}; or name two or more bots")


def make_plan(
    config: Path,
    overrides: Sequence[str] = (),
    seed: str | None = None,
    trust: bool = False,
    matches: int | None = None,
    share: Share | None = None,
    wider: bool = False,
) -> Plan:
    """Read a tournament file, and find and load everything it names. ``trust`` overrides the file's ``isolation``;
    ``matches`` is as for :func:`ready_plan`. Where the required level is one for bots that nobody has read, no bot can
    claim another's files as its own, and the seed must be a secret. With a ``share`` only that share is played; the
    seed must be given then.

    A configuration that arena has written out lies in the folder of a run, and may come from anybody: it trusts no bots
    and imports no game, executor or measure, unless ``trust`` permits it, and asks for no more than the usual sandbox,
    unless ``wider`` permits it.

    Raises ConfigError with file, line, column and key for every mistake in it.
    """
    if seed is not None:
        check_seed(seed)
    tournament = load_tournament(config, overrides)
    trust = trust or "isolation=none" in overrides
    recorded = Path(config).name == RESOLVED_CONFIG and not trust
    if trust:
        tournament = msgspec.structs.replace(tournament, isolation="none")
    elif recorded:
        if tournament.isolation == "none":
            tournament = msgspec.structs.replace(tournament, isolation="process")
        BotPermissions(wider=wider).check(tournament.sandbox)

    if share is not None and not (seed or tournament.seed):
        raise UserError(f"--shard: all shares need the same seed; add, for example: --seed {draw_seed()}")

    def complain(key: str, problem: ArenaError) -> ConfigError:
        return load_document(config, overrides).error(key, str(problem))

    plan = ready_plan(tournament, complain, seed, matches, recorded)
    if share is not None:
        check_shareable(plan.schedule, share)
    return msgspec.structs.replace(plan, old_names=tuple(old_names(config, overrides)), share=share)


def ready_plan(
    tournament: Tournament,
    complain: Complain,
    seed: str | None = None,
    matches: int | None = None,
    recorded: bool = False,
) -> Plan:
    """The plan of a tournament, after finding and loading everything that it names. ``seed`` overrides the tournament's
    own; ``matches``, a number for all editions together, overrides its number of blocks; ``recorded`` is as for
    :func:`arena.config.editions.load_edition`. Raises the error that ``complain`` makes of the key and the problem."""
    limits = SandboxPolicy(**msgspec.structs.asdict(tournament.sandbox))
    try:
        isolate_all = tournament.isolation == "all"
        isolation = choose_isolation(tournament.isolation == "none", tournament.require, limits, isolate_all)
    except UserError as problem:
        raise complain("require", problem) from None
    for place, name in enumerate(tournament.sandbox.preload):
        if find_spec(name.partition(".")[0]) is None:
            raise complain(f"sandbox.preload[{place}]", UserError(f"no module {name!r} to import; is it installed?"))
    if not recorded:
        _import_parts(tournament, complain)
    tables = editions_by_size(tournament, complain, recorded)
    isolation = for_games(isolation, (edition.game for edition, _ in tables))
    bots, plays, skipped = find_entrants(tournament, complain, isolation, strangers=for_strangers(tournament.require))
    if skipped:
        tournament = leave_out_entrants(tournament, skipped)
        complain = with_the_missing(complain, skipped)
        if tournament.format is Formats.GAUNTLET and not tournament.challengers:
            raise complain("challengers", UserError("none of the challengers can be loaded"))
        if tournament.format is Formats.LIST and not tournament.fixtures:
            raise complain("fixtures", UserError("every table has a bot that cannot be loaded"))
        tables = editions_by_size(tournament, complain, recorded)
    for _, seats in tables:
        try:
            seat_orders(tournament.seat_orders, seats)
        except UserError as problem:
            raise complain("seat_orders", problem) from None
    _check_words(tournament, [edition for edition, _ in tables], complain)
    chosen = seed or tournament.seed or draw_seed()
    labels = [ScheduledEdition(f"{edition.label}-{seats}p", seats) for edition, seats in tables]
    tournament = msgspec.structs.replace(tournament, deals=tournament.deal_sharing, tables=tournament.played_tables)
    tournament, schedule = _schedule_tournament(tournament, labels, chosen, complain, matches, bool(skipped))
    try:
        judge_seed(chosen, bots, isolation, tournament.require)
    except UserError as problem:
        raise problem if seed else complain("seed", problem) from None
    idle = idle_in(tournament, plays, dict.fromkeys(edition.game for edition, _ in tables))
    return Plan(tournament, chosen, tables, bots, schedule, isolation, skipped, idle=idle)


def _import_parts(tournament: Tournament, complain: Complain) -> None:
    """Import the executor and the measures from outside arena that a tournament names, unless the tournament is
    recorded in a folder. Raises the error that ``complain`` makes of one that is missing, or is something else."""
    named: list[tuple[str, PluginKind[Any], str]] = [("executor", EXECUTORS, tournament.executor)]
    named += [(f"measures.{name}.of", SEAT_FACTS, made.of) for name, made in tournament.measures.items()]
    for key, kind, part in named:
        if is_plugin(part):
            try:
                kind.load(part, recorded=False)
            except UserError as problem:
                raise complain(key, problem) from None


def _check_words(tournament: Tournament, editions: Sequence[Edition], complain: Complain) -> None:
    """Raise the error that ``complain`` makes of a made measure that reads a word or a count which no record can
    have."""
    for game in dict.fromkeys(edition.game for edition in editions):
        _check_counts(tournament, load_game(game), complain)
    ends = {each.value for edition in editions for each in load_game(edition.game).terminations}
    for name, made in tournament.measures.items():
        if made.of in WORD_FACTS and made.equals not in (words := fact_words(made.of, ends)):
            close = nearest_hint(str(made.equals), words)
            told = f"expected one of {', '.join(words)}, got {made.equals!r}{close}"
            raise complain(f"measures.{name}.equals", UserError(told))


def _check_counts(tournament: Tournament, game: Game, complain: Complain) -> None:
    """Raise the error that ``complain`` makes of a made measure that reads a count which this game does not keep."""
    counts = () if game.summary is None else game.summary.counts
    for name, made in tournament.measures.items():
        if made.count is not None and made.count not in counts:
            there = f"it counts {', '.join(counts)}" if counts else "it counts nothing"
            told = f"the game {game.name} has no count {made.count!r}{nearest_hint(made.count, counts)}; {there}"
            raise complain(f"measures.{name}.count", UserError(told))


def _schedule_tournament(
    tournament: Tournament,
    editions: Sequence[ScheduledEdition],
    seed: str,
    complain: Complain,
    matches: int | None,
    fewer: bool,
) -> tuple[Tournament, Schedule]:
    """The tournament with its number of blocks, and its schedule. Where ``fewer`` entrants are admitted than the file
    names, other numbers of blocks would be balanced than the file's; then pairs need not be balanced."""
    if matches is not None:
        tournament = msgspec.structs.replace(tournament, blocks=None)
    try:
        schedule = make_schedule(tournament, editions, seed)
        if matches is not None:
            tournament = _of_matches(tournament, schedule, matches)
            schedule = make_schedule(tournament, editions, seed)
    except ConfigError:
        raise
    except UserError as problem:
        raise complain(_guilty_key(tournament, editions, seed), problem) from None
    try:
        check_blocks(schedule, tournament.balance)
    except UserError as problem:
        if not fewer:
            raise complain("blocks", problem) from None
        tournament = msgspec.structs.replace(tournament, balance=Balance.ENTRANTS)
    return msgspec.structs.replace(tournament, blocks=schedule.blocks), schedule


def _guilty_key(tournament: Tournament, editions: Sequence[ScheduledEdition], seed: str) -> str:
    """The key that makes a schedule impossible: ``blocks``, if there could be a schedule without it."""
    if tournament.blocks is None:
        return "editions"
    try:
        make_schedule(msgspec.structs.replace(tournament, blocks=None), editions, seed)
    except UserError:
        return "editions"
    return "blocks"


def _of_matches(tournament: Tournament, one_cycle: Schedule, matches: int) -> Tournament:
    try:
        return msgspec.structs.replace(tournament, blocks=blocks_for(one_cycle, matches, tournament.balance))
    except UserError as problem:
        raise ConfigError(str(problem), file="--matches") from None


def make_schedule(tournament: Tournament, editions: Sequence[ScheduledEdition], seed: str) -> Schedule:
    """The schedule of a tournament with this seed. Raises UserError where there can be none."""
    contest = Contest(
        entrants=len(tournament.entrants),
        seed=seed,
        challengers=tournament.challenger_indices,
        tables=tournament.played_tables or RoundRobinTables.SPREAD,
        teams=tournament.teams,
        rounds=tournament.rounds or 1,
        listed=tournament.list_tables,
        copies=max(edition.seats for edition in editions),
    )
    format = make_format(tournament.format, contest)
    orders, suspend_after = tournament.seat_orders, tournament.suspend_after
    return Schedule(contest.entrants, editions, tournament.blocks, orders, format, suspend_after)
