"""A round of a ladder: its tables as rows of the database, and as a plan that is played like any tournament."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from arena.config.ladder_config import LadderConfig
from arena.config.tournament_config import EditionEntry as EditionChosen
from arena.config.tournament_config import Entrant, Tournament
from arena.consultation.model_spec import CallBudgets, MatchModels
from arena.finding.reference import BotRef
from arena.ladder.database.bot_versions.version_files import fetch_version
from arena.ladder.database.bot_versions.versions import Version, entered_versions
from arena.ladder.database.connection import write_transaction
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder, utc_now
from arena.ladder.database.season_secrets import read_season_seed, round_seed
from arena.runs.planning.isolation_level import Isolation, for_games
from arena.runs.planning.plan import Plan
from arena.tournament.formats.list_format import ListFormat, ListTable, written_line
from arena.tournament.formats.make_format import Formats
from arena.tournament.schedule.deals import Deals
from arena.tournament.schedule.schedule import Schedule, ScheduledEdition
from arena.tournament.schedule.seat_orders import seat_orders

if TYPE_CHECKING:  # numpy takes longer to load than most commands run
    from arena.ladder.rating.pairing import ChosenTable


class Round(msgspec.Struct, frozen=True):
    """A round: its row, its number in the season from 1, its first block and its first match, how many matches it has,
    whether it is closed, and for each block the rows of the versions at its table."""

    id: int
    number: int
    first_block: int
    first_match: int
    matches: int
    closed: bool
    tables: tuple[tuple[int, ...], ...]

    @property
    def version_rows(self) -> tuple[int, ...]:
        """The rows of all versions that play in the round, in ascending order."""
        return tuple(sorted({version for table in self.tables for version in table}))

    @property
    def next_block(self) -> int:
        """The first block of the next round."""
        return self.first_block + len(self.tables)


def last_round(database: sqlite3.Connection, season: int) -> Round | None:
    """Return the last round of a season; None if none was begun."""
    row = database.execute("SELECT id FROM rounds WHERE season = ? ORDER BY number DESC LIMIT 1", (season,)).fetchone()
    return None if row is None else get_round(database, row[0])


def get_round(database: sqlite3.Connection, id: int) -> Round:
    """The round in this row."""
    number, first_block, first_match, matches, state = database.execute(
        "SELECT number, first_block, first_match, matches, state FROM rounds WHERE id = ?", (id,)
    ).fetchone()
    rows = database.execute("SELECT versions FROM tables WHERE round = ? ORDER BY block", (id,))
    tables = tuple(tuple(msgspec.json.decode(versions)) for (versions,) in rows)
    return Round(id, number, first_block, first_match, matches, state == "closed", tables)


def open_round(database: sqlite3.Connection, ladder: Ladder, chosen: Sequence[ChosenTable]) -> Round:
    """Begin the next round of a ladder with these tables, in one transaction."""
    rows = {each.version.name: each.version.id for each in entered_versions(database, ladder.id)}
    orders = len(seat_orders(ladder.config.seat_orders, ladder.seats))
    before = last_round(database, ladder.season.id)
    first_block = before.next_block if before else 0
    with write_transaction(database):
        (first,) = database.execute("SELECT coalesce(max(first_match + matches), 1) FROM rounds").fetchone()
        number, matches = before.number + 1 if before else 1, len(chosen) * orders
        id = database.execute(
            "INSERT INTO rounds (season, number, state, first_block, first_match, matches, began) "
            "VALUES (?, ?, 'open', ?, ?, ?, ?)",
            (ladder.season.id, number, first_block, first, matches, utc_now()),
        ).lastrowid
        assert id is not None
        for block, table in enumerate(chosen, first_block):
            versions = msgspec.json.encode([rows[name] for name in table.names]).decode()
            database.execute("INSERT INTO tables VALUES (?, ?, ?, ?)", (id, block, versions, table.why))
    return get_round(database, id)


def season_seed(place: LadderFolder, ladder: Ladder) -> str:
    """Return the seed of a ladder's season, whether public or not. Raises UserError where it is missing."""
    return ladder.season.seed or read_season_seed(place, ladder.name, ladder.season.number, ladder.season.seed_sha256)


def schedule_of(ladder: Ladder, round: Round) -> Schedule:
    """Return the schedule of a round. Its entrants are the versions that play in it, in the order of their rows."""
    schedule = Schedule(
        len(round.version_rows),
        [ScheduledEdition(ladder.label, ladder.seats)],
        len(round.tables),
        ladder.config.seat_orders,
        ListFormat(ListTable(block, table) for block, table in enumerate(_seat_tables(round))),
    )
    schedule.first_block = round.first_block
    return schedule


def _seat_tables(round: Round) -> list[tuple[int, ...]]:
    """Return the tables of a round, each version given by its index in ``round.playing``."""
    places = {version: place for place, version in enumerate(round.version_rows)}
    return [tuple(places[version] for version in table) for table in round.tables]


def plan_of(
    place: LadderFolder,
    database: sqlite3.Connection,
    ladder: Ladder,
    round: Round,
    bot_of: Callable[[LadderFolder, Version], BotRef] = fetch_version,
) -> Plan:
    """Return the matches of a round as a plan that is ready to play, with the content of its bots' files. ``bot_of``
    loads the bot of a version. Raises UserError where the files of a version, or the season's seed, are missing."""
    versions = {each.version.id: each.version for each in entered_versions(database, ladder.id)}
    seed = season_seed(place, ladder)
    config, label = ladder.config, f"{ladder.name}.{ladder.season.number}"
    bots = tuple(bot_of(place, versions[each]) for each in round.version_rows)
    allowed = models_of_versions(database, ladder)
    entrants = tuple(_version_entrant(versions[each], allowed[each]) for each in round.version_rows)
    names = [entrant.name for entrant in entrants]
    tournament = Tournament(
        name=label,
        entrants=entrants,
        editions=(EditionChosen(rules=config.rules, variants=config.variants, changes=config.changes),),
        seed=round_seed(seed, round.number),
        seats=(ladder.seats,),
        blocks=len(round.tables),
        deals=Deals.TABLE,
        seat_orders=config.seat_orders,
        fault_policy=config.fault_policy,
        strikes=config.strikes,
        limits=config.limits,
        replays=config.replays,
        isolation=config.isolation,
        require=config.require,
        sandbox=config.sandbox,
        format=Formats.LIST,
        fixtures=tuple(
            written_line(block, [names[at] for at in table]) for block, table in enumerate(_seat_tables(round))
        ),
        models=config.models,
        consulting=match_budgets(config),
    )
    assert tournament.seed is not None
    edition, schedule = (ladder.edition, ladder.seats), schedule_of(ladder, round)
    return Plan(
        tournament, tournament.seed, (edition,), bots, schedule, isolation_of(place, config, ladder.edition.game)
    )


def isolation_of(place: LadderFolder, config: LadderConfig, game: str) -> Isolation:
    """Return how the bots of a ladder of this game are isolated on this machine; they are trusted only if both the
    ladder's file and the operator's permissions in ``place`` say so. Raises UserError where the machine offers less
    isolation than the ladder requires, or its file asks for more than is usual and the operator does not permit
    that."""
    word = msgspec.structs.replace(place.word, trust=place.word.trust and config.isolation == "none")
    every = config.isolation == "all" or bool(config.models)  # matches with models are played by threads
    return for_games(word.choose(config.sandbox, config.require, every), [game])


def models_of_versions(database: sqlite3.Connection, ladder: Ladder) -> dict[int, tuple[str, ...]]:
    """Which models each version of a ladder may consult, by its row: an anchor those of its own key, every other
    version those of ``entry.models``."""
    config, anchors = ladder.config, [anchor.models for anchor in ladder.config.anchors]
    return {
        each.version.id: anchors[each.anchor - 1] if each.anchor else config.entry.models
        for each in entered_versions(database, ladder.id)
    }


def models_of_seats(database: sqlite3.Connection, ladder: Ladder, versions: Sequence[str]) -> MatchModels:
    """The models of a match between these versions, named by seat."""
    rows = {each.version.name: each.version.id for each in entered_versions(database, ladder.id)}
    allowed = models_of_versions(database, ladder)
    return MatchModels(
        ladder.config.models, tuple(allowed[rows[name]] for name in versions), match_budgets(ladder.config)
    )


def match_budgets(config: LadderConfig) -> CallBudgets:
    """The budgets of a single match; the others are those of the season."""
    own = config.consulting
    return CallBudgets(ask=own.ask, match=own.match, tries=own.tries)


def _version_entrant(version: Version, models: tuple[str, ...]) -> Entrant:
    ref = version.reference
    return Entrant(bot=ref.name, name=version.name, options=ref.options, models=models)
