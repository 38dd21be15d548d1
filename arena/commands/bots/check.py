"""The check of a bot: it plays against the bundled bots in every edition of its games, or at the tables of a league,
every match twice."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import cycle, islice
from math import ceil

import msgspec

from arena.bot import Limits
from arena.commands.bots.checked_match import MOST_BY_DEFAULT, CheckedMatch, how_good
from arena.commands.bots.findings import BotFinding, FindingCode, findings_of
from arena.commands.bots.league_conditions import League, LeagueSource, LeagueTable
from arena.config.botspec import parse_bot
from arena.config.editions import Edition, load_edition
from arena.errors import BotError, UserError
from arena.executors.executor import Executor
from arena.finding.files import Trust
from arena.finding.reference import BotRef, find_file
from arena.games import built_in_games as every_game
from arena.match.match_spec import MatchSpec
from arena.match.work import Work
from arena.penalties import FaultPolicy
from arena.rerun.check_conditions import CheckConditions, works_under
from arena.rerun.play_twice import CHECKED_ENTRANT, TwicePlayed, play_twice
from arena.runs.bundled_bots import bundled_for
from arena.runs.machine_speed import Machine, this_machine
from arena.runs.planning.edition_list import list_editions
from arena.runs.planning.isolation_level import Isolation
from arena.runs.planning.load_bots import plays_of, refer_to_bot
from arena.runs.planning.make_spec import MatchConditions, seats_of, spec_of

CHECK_STRIKES = 10
"""A check without a league puts a bot out of a match after this number of faults: enough to see several."""
FEWEST_MATCHES = 8
"""Least number of matches of a check in a league, each played twice."""


class LeagueOfCheck(msgspec.Struct, frozen=True):
    """The league that a bot is checked for: its argument as ``given``, the ``kind`` of source, its ``name``, its fault
    policy and strikes, the slowest of its machines, and this machine's speed relative to that one (``ratio``); None:
    not known."""

    given: str
    kind: LeagueSource
    name: str
    fault_policy: FaultPolicy
    strikes: int
    machine: Machine | None = None
    ratio: float | None = None


class BotReport(TwicePlayed, kw_only=True):
    """The result of a check. ``games`` are the games played, ``limits`` and ``memory_limit`` (MB; 0: none) the limits
    in force, ``machine`` is this machine; ``findings`` are all problems and remarks, and ``next`` are the commands to
    continue with if no problem is found."""

    games: tuple[str, ...]
    limits: Limits = Limits()
    memory_limit: int = 0
    machine: Machine | None = None
    league: LeagueOfCheck | None = None
    findings: tuple[BotFinding, ...] = ()
    next: tuple[str, ...] = ()
    passed: bool = True


def check_bot(name: str, executor: Executor, isolation: Isolation) -> BotReport:
    """Play the bot against the bundled bots in every edition and number of players of its games, every match twice: the
    second time in another interpreter with another hash seed, and in reverse order."""
    ref = refer_to_bot(parse_bot(name))
    games = tuple(plays_of(ref, isolation)) or every_game()  # a bot without hooks can play any game
    works = list(_check_works(ref, games, isolation))
    if not works:
        raise UserError(f"bot {ref.name} plays {', '.join(games)}, but no edition of these ships with arena")
    words = {work.spec.id: ("--rules", work.spec.edition) for work in works}
    report = _check_report(name, games, works, words, isolation, executor)
    first = works[0].spec
    edition = load_edition(first.edition)
    seats = min(max(MOST_BY_DEFAULT, edition.seats[0]), edition.seats[-1])
    table = LeagueTable(CheckConditions(edition=edition, seats=seats), ("--rules", first.edition))
    return _conclude_report(report, table, None)


def check_in_league(name: str, league: League, executor: Executor) -> BotReport:
    """Play the bot at the tables of a league, under all of its conditions, against the bundled bots of its games,
    everything twice, as :func:`check_bot` does."""
    ref, isolation = refer_to_bot(parse_bot(name)), league.isolation
    played = tuple(dict.fromkeys(table.conditions.edition.game for table in league.tables))
    plays = plays_of(ref, isolation)
    games = tuple(game for game in played if game in plays) if plays else played
    if not games:
        told = f"bot {ref.name} plays {' and '.join(plays)}, and the league {league.name} {' and '.join(played)}"
        raise UserError(f"{told}: nothing to check")
    tables = [table for table in league.tables if table.conditions.edition.game in games]
    works, words = list[Work](), dict[str, tuple[str, ...]]()
    for table in tables:
        for work in _works_at(table, ref, league.matches or ceil(FEWEST_MATCHES / len(tables))):
            works.append(work)
            words[work.spec.id] = table.words
    conditions, slowest = tables[0].conditions, league.slowest_machine
    ratio = None if slowest is None else round(this_machine().factor / slowest.factor, 2)
    checked_for = LeagueOfCheck(
        league.given, league.kind, league.name, conditions.fault_policy, conditions.strikes, slowest, ratio
    )
    report = _check_report(name, games, works, words, isolation, executor, checked_for)
    if games != played:
        others = " and ".join(game for game in played if game not in games)
        told = f"the league also plays {others}, but the bot does not: defaults are played for it there"
        report.findings = (*report.findings, BotFinding(FindingCode.OTHER_GAME, False, told, ("arena docs bots",)))
    return _conclude_report(
        report, tables[0], league, _companion_files(name, ref) if league.kind is LeagueSource.LADDER else ()
    )


def _check_report(
    name: str,
    games: tuple[str, ...],
    works: list[Work],
    words: Mapping[str, tuple[str, ...]],
    isolation: Isolation,
    executor: Executor,
    league: LeagueOfCheck | None = None,
) -> BotReport:
    """Play ``works`` and report on them; ``words`` has, by match id, the command-line words that name the edition."""
    played, _ = play_twice(name, isolation.level, works, executor)
    trust, limits = isolation.policy is None, works[0].spec.limits
    matches = {work.spec.id: CheckedMatch(work, name, words[work.spec.id], trust) for work in works}
    memory = isolation.policy.memory if isolation.policy is not None else 0
    found = tuple(findings_of(played, matches, limits, memory, league.ratio if league is not None else None))
    return BotReport(
        **msgspec.structs.asdict(played),
        games=games,
        limits=limits,
        memory_limit=memory,
        machine=this_machine(),
        league=league,
        findings=found,
        passed=not any(each.wrong for each in found),
    )


def _companion_files(name: str, ref: BotRef) -> tuple[str, ...]:
    """The bot's companion files: files named by its own files, given relative to here. A ladder takes them only if they
    are submitted by name."""
    with suppress(BotError):
        named = {file.path for file in refer_to_bot(parse_bot(name), trust=Trust.STRANGER).files}
        return tuple(
            os.path.relpath(os.path.join(ref.folder, each.path)) for each in ref.files if each.path not in named
        )
    return ()


def _conclude_report(
    report: BotReport, table: LeagueTable, league: League | None, files: Sequence[str] = ()
) -> BotReport:
    """The report with the commands to continue with, if no problem is found; ``files`` must be submitted with the
    bot."""
    if not report.passed:
        return report
    others = [each for each in bundled_for(table.conditions.edition.game) if each != report.bot]
    steps = how_good(report.bot, table, others)
    if league is not None and league.kind is LeagueSource.LADDER:
        more = [word for file in files for word in ("--file", file)]
        words = ["arena", "ladder", "submit", league.given, report.bot, *more, "--ladder", league.name]
        steps.append(shlex.join(words))
    report.next = tuple(steps)
    return report


def _works_at(table: LeagueTable, ref: BotRef, matches: int) -> Iterator[Work]:
    """``matches`` matches at a table of a league, or one for each seat if it has more seats, so that the bot sits in
    every seat."""
    conditions = table.conditions
    others = [find_file(name) for name in bundled_for(conditions.edition.game)]
    name = f"{conditions.edition.label}-{conditions.seats}p"
    return works_under(conditions, ref, others, max(matches, conditions.seats), f"check {name}", name)


def _check_works(ref: BotRef, games: Sequence[str], isolation: Isolation) -> Iterator[Work]:
    """A match for every edition and number of players; the seat of the bot changes from match to match."""
    others = {game: [find_file(name) for name in sorted(bundled_for(game))] for game in games}
    number = 0
    for listed in list_editions():
        if listed.game not in games:
            continue
        edition = load_edition(listed.name)
        for players in edition.seats:
            number += 1
            opponents = list(islice(cycle(others[listed.game]), number, number + players - 1))
            seat = number % players
            bots = (*opponents[:seat], ref, *opponents[seat:])
            yield Work(spec=_check_spec(edition, bots, seat, number), bots=bots, demand=isolation.demand)


def _check_spec(edition: Edition, bots: tuple[BotRef, ...], seat: int, number: int) -> MatchSpec:
    names = [CHECKED_ENTRANT if index == seat else f"{bot.name}#{index}" for index, bot in enumerate(bots)]
    id = f"{edition.label}-{len(bots)}p"
    seats, conditions = seats_of(names, bots), MatchConditions(strikes=CHECK_STRIKES)
    return spec_of(edition, seats, id=id, tournament="check", seed=f"check-{number}", conditions=conditions)
