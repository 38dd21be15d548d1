"""Makes everything needed to play a tournament from its file: editions, bots, schedule, work."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec

from arena.app.isolation import TRUSTED, Isolation, choose, for_games, for_strangers
from arena.app.loading import Plays, refer, try_loading
from arena.app.secrecy import check_seed, draw_seed, judge_seed
from arena.app.specs import spec_of
from arena.config import editions
from arena.config.botspec import BotSpec, parse_bot
from arena.config.editions import Edition
from arena.config.tournament import Tournament, load_document, load_tournament, old_names, to_data
from arena.errors import ArenaError, BotError, ConfigError, UserError, nearest
from arena.finding.reference import BotRef
from arena.match.work import Work
from arena.resources import bundled
from arena.sandbox.policy import Policy
from arena.tournament.balance import Balance, blocks_for, check_blocks
from arena.tournament.formats import Contest, Formats, Tables, make_format
from arena.tournament.listed import read_line
from arena.tournament.roster import Roster
from arena.tournament.schedule import Fixture, Schedule, ScheduledEdition, match_seed
from arena.tournament.seat_orders import FEWEST_SEATS, seat_orders
from arena.tournament.share import Fixtures, Share, check_shareable, fixtures_of


class Plan(msgspec.Struct, frozen=True):
    """A tournament, ready to play. ``tables`` pairs each edition with its seats, in the schedule's order; ``skipped``
    tells of each entrant that was not admitted why its bot cannot be loaded; ``old_names`` warns of each key that has
    another name now; ``summed`` says that matches are summed up (:class:`arena.games.summary.Summary`); ``share`` is
    what is played of it (None: all); ``idle`` names, by game, the entrants whose bots do not play it."""

    tournament: Tournament
    seed: str
    tables: tuple[tuple[Edition, int], ...]
    bots: tuple[BotRef, ...]
    schedule: Schedule
    isolation: Isolation = TRUSTED
    skipped: dict[str, str] = {}
    old_names: tuple[str, ...] = ()
    summed: bool = False
    share: Share | None = None
    idle: dict[str, tuple[str, ...]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants' names."""
        return tuple(entrant.name for entrant in self.tournament.entrants)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels under which standings are kept, in order."""
        return tuple(edition.label for edition in self.schedule.editions)

    @property
    def sizes(self) -> list[int]:
        """How many matches of each edition are played."""
        sizes = [self.schedule.edition_size(edition) for edition in range(len(self.labels))]
        if self.share is None:
            return sizes
        return [
            self.share.count(end) - self.share.count(end - size)
            for end, size in zip(accumulate(sizes), sizes, strict=True)
        ]

    @property
    def fixtures(self) -> Fixtures:
        """The matches that are played: those of the share, or all of the schedule."""
        return fixtures_of(self.schedule, self.share)

    @property
    def roster(self) -> Roster:
        """What the record of each match has to say."""
        return Roster(self.schedule, self.names, self.seed, self.tournament.dealt, self.share)

    def warn(self) -> Iterator[str]:
        """What keeps this run from holding strangers, and who sits at tables of a game that its bot does not play,
        each in one line."""
        yield from filter(None, (self.isolation.warn(), judge_seed(self.seed, self.bots, self.isolation)))
        yield from self.warn_of_idle()

    def warn_of_idle(self) -> Iterator[str]:
        """Who sits at tables of a game that its bot does not play, a line for each game."""
        for game, names in self.idle.items():
            yield f"these do not play the game {game}, so defaults are played for them there: {', '.join(names)}"

    def work(self, fixture: Fixture) -> Work:
        """One match as work."""
        tournament = self.tournament
        edition, _ = self.tables[fixture.edition]
        bots = tuple(self.bots[entrant] for entrant in fixture.entrants)
        spec = spec_of(
            edition,
            [self.names[entrant] for entrant in fixture.entrants],
            bots,
            id=fixture.id,
            tournament=tournament.name,
            seed=match_seed(self.seed, tournament.dealt, fixture.block, fixture.id),
            block=fixture.block,
            label=self.schedule.editions[fixture.edition].label,
            limits=tournament.limits,
            fault_policy=tournament.fault_policy,
            strikes=tournament.strikes,
        )
        demand, replays = self.isolation.demand, tournament.replays
        return Work(spec=spec, bots=bots, replays=replays, demand=demand, summed=self.summed)

    def works(self, fixtures: Iterable[Fixture], finished: Container[int] = ()) -> Iterator[Work]:
        """These matches as work, in their order, without those that are ``finished`` (places in the schedule)."""
        return (self.work(fixture) for fixture in fixtures if fixture.index not in finished)

    def resolved(self) -> dict[str, Any]:
        """The whole configuration spelled out, as plain data that loads as an equal tournament."""
        return to_data(msgspec.structs.replace(self.tournament, seed=self.seed))


Complain = Callable[[str, ArenaError], ArenaError]
"""Makes the error to be raised of a problem with the value of a key, such as ``entrants[0].bot``."""


def find_config(name: str) -> Path:
    """A tournament file: a path, or the name of one that ships with arena."""
    if name.endswith((".yaml", ".yml")) or os.sep in name:
        path, shipped = Path(name), bundled("configs/tournaments") / Path(name).name
        in_configs = Path(name).parts[:2] == ("configs", "tournaments")
        return shipped if not path.exists() and in_configs and shipped.is_file() else path
    known = {path.stem: path for path in sorted(bundled("configs/tournaments").glob("*.yaml"))}
    if name in known:
        return known[name]
    if Path(name).exists():
        raise UserError(f"{name} is no tournament file; give one that ends in .yaml")
    message = f"no tournament file {name!r}{nearest(name, known)}; give a .yaml file, or one of arena's own"
    raise UserError(f"{message}: {', '.join(known)}")


def make_plan(
    config: Path,
    overrides: Sequence[str] = (),
    seed: str | None = None,
    trust: bool = False,
    skip_broken: bool = False,
    matches: int | None = None,
    share: Share | None = None,
) -> Plan:
    """Read a tournament file and find and load everything it names. ``trust`` stands over the file's ``isolation``;
    ``skip_broken`` is as in the file, and either is enough; ``matches`` is as for :func:`ready`. Where a level is
    required that is for bots that nobody has read, nobody takes another's files for its own, and the seed must be a
    secret. With a ``share`` only that is played; the seed must be given then.

    Raises ConfigError with file, line, column and key for all that is wrong with it.
    """
    if seed is not None:
        check_seed(seed)
    if skip_broken:
        overrides = [*overrides, "skip_broken=true"]
    tournament = load_tournament(config, overrides)
    if trust:
        tournament = msgspec.structs.replace(tournament, isolation="none")

    if share is not None and not (seed or tournament.seed):
        raise UserError(f"--shard: all shares need one seed, such as (drawn just now): --seed {draw_seed()}")

    def complain(key: str, problem: ArenaError) -> ConfigError:
        return load_document(config, overrides).error(key, str(problem))

    plan = ready(tournament, complain, seed, matches)
    if share is not None:
        check_shareable(plan.schedule, share)
    return msgspec.structs.replace(plan, old_names=tuple(old_names(config, overrides)), share=share)


def ready(tournament: Tournament, complain: Complain, seed: str | None = None, matches: int | None = None) -> Plan:
    """The plan of a tournament, with everything that it names found and loaded; ``seed`` stands over its own, and a
    number of ``matches`` of all editions over its number of blocks. Raises what ``complain`` makes of the key and the
    problem."""
    limits = Policy(**msgspec.structs.asdict(tournament.sandbox))
    try:
        isolation = choose(tournament.isolation == "none", tournament.require, limits)
    except UserError as problem:
        raise complain("require", problem) from None
    for place, name in enumerate(tournament.sandbox.preload):
        if find_spec(name.partition(".")[0]) is None:
            raise complain(f"sandbox.preload[{place}]", UserError(f"no module {name!r} to import; is it installed?"))
    tables = _tables(tournament, complain)
    isolation = for_games(isolation, (edition.game for edition, _ in tables))
    bots, plays, skipped = find_bots(tournament, complain, isolation, strangers=for_strangers(tournament.require))
    if skipped:
        tournament = _without(tournament, skipped)
        complain = _complain_of(complain, skipped)
        if tournament.format is Formats.GAUNTLET and not tournament.challengers:
            raise complain("challengers", UserError("none of the challengers can be loaded"))
        if tournament.format is Formats.LIST and not tournament.fixtures:
            raise complain("fixtures", UserError("at every table sits one of those who cannot be loaded"))
        tables = _tables(tournament, complain)
    for _, seats in tables:
        try:
            seat_orders(tournament.seat_orders, seats)
        except UserError as problem:
            raise complain("seat_orders", problem) from None
    chosen = seed or tournament.seed or draw_seed()
    labels = [ScheduledEdition(f"{edition.label}-{seats}p", seats) for edition, seats in tables]
    tournament = msgspec.structs.replace(tournament, deals=tournament.dealt, tables=tournament.played_tables)
    tournament, schedule = _scheduled(tournament, labels, chosen, complain, matches, bool(skipped))
    try:
        judge_seed(chosen, bots, isolation, tournament.require)
    except UserError as problem:
        raise problem if seed else complain("seed", problem) from None
    idle = _idle(tournament, plays, dict.fromkeys(edition.game for edition, _ in tables))
    return Plan(tournament, chosen, tables, bots, schedule, isolation, skipped, idle=idle)


def _scheduled(
    tournament: Tournament,
    editions: Sequence[ScheduledEdition],
    seed: str,
    complain: Complain,
    matches: int | None,
    fewer: bool,
) -> tuple[Tournament, Schedule]:
    """The tournament with its number of blocks, and its schedule. Where ``fewer`` entrants are admitted than the file
    names, another number would be balanced than it says: then pairs need not be."""
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
        raise complain(_guilty(tournament, editions, seed), problem) from None
    try:
        check_blocks(schedule, tournament.balance)
    except UserError as problem:
        if not fewer:
            raise complain("blocks", problem) from None
        tournament = msgspec.structs.replace(tournament, balance=Balance.ENTRANTS)
    return msgspec.structs.replace(tournament, blocks=schedule.blocks), schedule


def _guilty(tournament: Tournament, editions: Sequence[ScheduledEdition], seed: str) -> str:
    """The key because of which there can be no schedule: ``blocks``, if there could be one without it."""
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
    """The matches of a tournament with this seed. Raises UserError where there can be none."""
    contest = Contest(
        entrants=len(tournament.entrants),
        seed=seed,
        challengers=tournament.challenging,
        tables=tournament.played_tables or Tables.SPREAD,
        teams=tournament.teams,
        rounds=tournament.rounds or 1,
        listed=tournament.listed,
    )
    format = make_format(tournament.format, contest)
    orders, suspend_after = tournament.seat_orders, tournament.suspend_after
    return Schedule(contest.entrants, editions, tournament.blocks, orders, format, suspend_after)


def _idle(tournament: Tournament, plays: Sequence[Plays], games: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """By game, the entrants whose bots play others. A bot without hooks, of no game, is meant to do nothing."""
    found = {}
    for game in games:
        pairs = zip(tournament.entrants, plays, strict=True)
        if names := tuple(entrant.name for entrant, played in pairs if played and game not in played):
            found[game] = names
    return found


def _tables(tournament: Tournament, complain: Complain) -> tuple[tuple[Edition, int], ...]:
    """Each edition with each of its table sizes."""
    tables: list[tuple[Edition, int]] = []
    for index, entry in enumerate(tournament.editions):
        key = f"editions[{index}]"
        try:
            edition = editions.load_edition(entry.rules, entry.variants, entry.changes)
        except ConfigError as problem:
            if (
                re.split(r"[.\[]", problem.key)[0] in entry.changes
            ):  # the mistake is in this file, not in the rules file
                raise complain(f"{key}.changes.{problem.key}", UserError(problem.message)) from None
            raise
        except UserError as problem:
            raise complain(key, problem) from None
        played = {(before.label, seats) for before, seats in tables}
        for seats in _seats(tournament, edition, index, complain):
            if (edition.label, seats) in played:
                raise complain(key, UserError(f"{edition.label} is played at {seats} seats already, further up"))
            tables.append((edition, seats))
    return tuple(tables)


def _seats(tournament: Tournament, edition: Edition, index: int, complain: Complain) -> tuple[int, ...]:
    """The table sizes of one edition: its own, else the tournament's, else as many seats as can be filled."""
    allowed, entrants = edition.seats, tournament.most_seats
    if (own := tournament.editions[index].seats) is not None:
        wanted, key, hint = own, f"editions[{index}].seats", ""
    elif tournament.seats is not None:
        several = len(tournament.editions) > 1
        hint = f"; give editions[{index}] 'seats' of its own" if several else ""
        wanted, key = tournament.seats, "seats"
    elif tournament.format is Formats.LIST:
        sizes = {len(table.entrants) for table in tournament.listed}
        wanted, key = tuple(sorted(sizes.intersection(allowed))), f"editions[{index}]"
        if not wanted:
            listed = ", ".join(map(str, sorted(sizes)))
            problem = f"{edition.label} is for {allowed[0]} to {allowed[-1]} players, the fixtures are for {listed}"
            raise complain(key, UserError(problem))
        return wanted
    elif entrants < allowed[0]:
        problem = f"{edition.label} needs at least {allowed[0]} entrants, got {entrants}"
        raise complain(f"editions[{index}]", UserError(problem))
    else:
        return (min(entrants, allowed[-1]),)
    for place, seats in enumerate(wanted):
        if seats not in allowed:
            problem = f"{edition.label} is for {allowed[0]} to {allowed[-1]} players, got {seats}{hint}"
            raise complain(f"{key}[{place}]" if len(wanted) > 1 else key, UserError(problem))
    return wanted


def find_bots(
    tournament: Tournament, complain: Complain, isolation: Isolation, strangers: bool = False
) -> tuple[tuple[BotRef, ...], tuple[Plays, ...], dict[str, str]]:
    """All entrants' bots, found, and loaded once in a process of their own to see that they can be; the games that each
    plays; and where broken ones are to be skipped, why each of these was, by its entrant's name. Of ``strangers`` none
    can take another's files for its own."""
    refs: dict[int, BotRef] = {}
    failures: dict[int, UserError] = {}
    own = [_own_paths(parse_bot(entrant.bot)) for entrant in tournament.entrants]
    for index, entrant in enumerate(tournament.entrants):
        key = f"entrants[{index}].bot"
        others = [path for paths in own if paths != own[index] for path in paths] if strangers else []
        try:
            refs[index] = refer(parse_bot(entrant.bot), entrant.options, entrant.files, others)
        except BotError as problem:
            failures[index] = problem
            if not tournament.skip_broken:
                raise complain(key, problem) from None
    plays: list[Plays] = []
    for index, found in zip(refs, try_loading(list(refs.values()), isolation), strict=True):
        if not isinstance(found, BotError):
            plays.append(found)
            continue
        failures[index] = found
        if not tournament.skip_broken:
            raise complain(f"entrants[{index}].bot", found)
    admitted = tuple(ref for index, ref in refs.items() if index not in failures)
    skipped = {tournament.entrants[index].name: str(failures[index]) for index in sorted(failures)}
    if len(admitted) < FEWEST_SEATS:
        told = "; ".join(f"{name}: {why}" for name, why in skipped.items())
        raise complain("entrants", UserError(f"only {len(admitted)} of {len(own)} bots can be loaded ({told})"))
    return admitted, tuple(plays), skipped


def _complain_of(complain: Complain, skipped: Iterable[str]) -> Complain:
    """The same complaints, which say as well who is missing."""
    names = ", ".join(skipped)
    return lambda key, problem: complain(key, UserError(f"{problem} (not admitted: {names})"))


def _without(tournament: Tournament, skipped: Container[str]) -> Tournament:
    """The tournament of those who are admitted. From now on they must be: a run that goes on needs all of them."""
    admitted = tuple(entrant for entrant in tournament.entrants if entrant.name not in skipped)
    challengers = tuple(name for name in tournament.challengers if name not in skipped)
    fixtures = tuple(
        line
        for line in tournament.fixtures
        if isinstance(line, str) and not any(name in skipped for name in read_line(line)[1])
    )
    return msgspec.structs.replace(
        tournament, entrants=admitted, challengers=challengers, fixtures=fixtures, skip_broken=False
    )


def _own_paths(spec: BotSpec) -> list[str]:
    """The files and folders that a bot's specification names."""
    if spec.kind == "command":
        return [word for word in spec.words if os.path.isabs(word)]
    return [spec.target] if spec.kind == "file" else []
