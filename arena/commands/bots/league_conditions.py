"""The conditions that bots meet in a league: its tables, limits, isolation and machines.

They are read from a tournament file, a ladder's file, the folder of a run, or the folder of a ladder. Other entrants'
bots are not needed for that, so authors can reproduce the league's conditions at home with nothing but its file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from arena.config.documents.yamlfile import read_yaml
from arena.config.editions import Edition, load_edition, load_source, resolve_edition
from arena.config.ladder_config import LadderConfig
from arena.config.ladder_yaml import load_ladder
from arena.config.tournament_config import Tournament
from arena.config.tournament_yaml import load_document, load_tournament
from arena.errors import ArenaError, UserError
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import DATABASE_FILE, LadderFolder
from arena.ladder.database.ladders import find_ladder
from arena.recorded.replay_names import is_run
from arena.rerun.check_conditions import CheckConditions, conditions_of
from arena.runs.machine_speed import FASTEST_FACTOR, MACHINES_KEY, SLOWEST_FACTOR, WORKLOAD, Machine, machines_in
from arena.runs.planning.isolation_level import NO_WORD, BotPermissions, Isolation, for_games
from arena.runs.planning.make_plan import find_config
from arena.runs.planning.table_sizes import editions_by_size
from arena.storage.layout import CONFIG_FILE, MANIFEST_FILE
from arena.storage.run_folder import FolderStore


class LeagueSource(StrEnum):
    """The kinds of files and folders that a league is read from."""

    TOURNAMENT = "tournament"
    RUN = "run"
    LADDER_FILE = "ladder file"
    LADDER = "ladder"


class LeagueTable(msgspec.Struct, frozen=True):
    """A table of a league: its conditions, and the words that name its edition to ``arena match``; empty if no words
    can."""

    conditions: CheckConditions
    words: tuple[str, ...] = ()


class League(msgspec.Struct, frozen=True, kw_only=True):
    """A league: its argument as ``given``, the ``kind`` of source, its name, its tables, the isolation of bots here,
    and the ``machines`` that have played it so far. ``matches`` is the number to play for a check (None: the
    default)."""

    given: str
    kind: LeagueSource
    name: str
    tables: tuple[LeagueTable, ...]
    isolation: Isolation
    machines: tuple[Machine, ...] = ()
    matches: int | None = None

    @property
    def slowest_machine(self) -> Machine | None:
        """The slowest of its machines that can be compared with this one; None where none is known."""
        known = [
            each
            for each in self.machines
            if each.workload == WORKLOAD and SLOWEST_FACTOR <= each.factor <= FASTEST_FACTOR
        ]
        return min(known, key=lambda each: each.factor, default=None)


def find_league(given: str, ladder: str = "", word: BotPermissions = NO_WORD) -> League:
    """Read the league that is ``given``: the file of a tournament or ladder, by path or by the name of a tournament
    that ships with arena; a run's folder; or a folder of ladders, from which ``ladder`` names one. The permissions in
    ``word`` override the league's own isolation; a folder of runs or ladders cannot itself ask to trust bots. Raises
    UserError where there is no such league, or this machine cannot isolate as required."""
    folder = Path(given)
    if (folder / DATABASE_FILE).is_file():
        return _of_ladder(LadderFolder(folder), given, ladder, word)
    if ladder:
        raise UserError(f"--ladder names one of several ladders in a folder, and {given} is no folder of ladders")
    if folder.is_dir() and is_run(folder):
        machines = tuple(machines_in(FolderStore(folder).manifest_data())) if (folder / MANIFEST_FILE).is_file() else ()
        return _of_tournament(folder / CONFIG_FILE, given, LeagueSource.RUN, machines, word)
    if folder.is_dir():
        raise UserError(
            f"{given} holds neither a run ({CONFIG_FILE}) nor ladders ({DATABASE_FILE}); give such a folder or a file"
        )
    path = find_config(given)
    if _is_ladder_file(path):
        config, edition = load_ladder(path)
        return _of_config(config, edition, given, LeagueSource.LADDER_FILE, (), word)
    return _of_tournament(path, given, LeagueSource.TOURNAMENT, (), word)


def _is_ladder_file(path: Path) -> bool:
    """Whether it is a ladder's file: a ladder has one edition, a tournament a list of them."""
    data = read_yaml(path).data
    return isinstance(data, dict) and "rules" in data and "editions" not in data


def _of_tournament(
    path: Path,
    given: str,
    kind: LeagueSource,
    machines: tuple[Machine, ...],
    word: BotPermissions,
) -> League:
    tournament = load_tournament(path, files=False)

    def complain(key: str, problem: ArenaError) -> ArenaError:
        return load_document(path).error(key, str(problem))

    recorded = path.name == CONFIG_FILE and not word.trust
    tables = editions_by_size(tournament, complain, recorded)
    entries = {edition.label: words for edition, words in _tournament_editions(tournament, recorded)}
    isolation = _league_isolation(tournament, given, [edition.game for edition, _ in tables], word, recorded)
    return League(
        given=given,
        kind=kind,
        name=tournament.name,
        tables=tuple(
            LeagueTable(conditions_of(tournament, edition, seats, isolation), entries.get(edition.label, ()))
            for edition, seats in tables
        ),
        isolation=isolation,
        machines=machines,
    )


def _tournament_editions(tournament: Tournament, recorded: bool) -> Iterable[tuple[Edition, tuple[str, ...]]]:
    """Each edition of a tournament with the command-line words that name it."""
    for entry in tournament.editions:
        edition = load_edition(entry.rules, entry.variants, entry.changes, recorded)
        yield edition, edition_words(edition, entry.rules, entry.variants, entry.changes)


def _of_ladder(place: LadderFolder, given: str, name: str, word: BotPermissions) -> League:
    database = open_database(place.database, place.shown)
    try:
        ladder = find_ladder(database, name)
        rows = database.execute(
            "SELECT told FROM rounds WHERE season = ? ORDER BY number", (ladder.season.id,)
        ).fetchall()
    finally:
        database.close()
    found = {
        each.host: each
        for (told,) in rows
        for each in machines_in({MACHINES_KEY: msgspec.json.decode(told).get(MACHINES_KEY, [])})
    }
    config = msgspec.structs.replace(ladder.config, seats=ladder.seats)
    return _of_config(config, ladder.edition, given, LeagueSource.LADDER, tuple(found.values()), word)


def _of_config(
    config: LadderConfig,
    edition: Edition,
    given: str,
    kind: LeagueSource,
    machines: tuple[Machine, ...],
    word: BotPermissions,
) -> League:
    recorded = kind is LeagueSource.LADDER
    isolation = _league_isolation(config, given, [edition.game], word, recorded)
    assert config.seats is not None, "checked"
    words = edition_words(edition, config.rules, config.variants, config.changes)
    return League(
        given=given,
        kind=kind,
        name=config.name,
        tables=(LeagueTable(conditions_of(config, edition, config.seats, isolation), words),),
        isolation=isolation,
        machines=machines,
        matches=config.entry.check_matches,
    )


def _league_isolation(
    config: Tournament | LadderConfig, given: str, games: Sequence[str], word: BotPermissions, recorded: bool
) -> Isolation:
    """The isolation of the league's bots here. A file, unlike settings ``recorded`` in a folder, may itself ask to
    trust bots or for a wider sandbox. Raises UserError with the league's name where the isolation is less than
    required."""
    trust, wider = word.trust or (config.isolation == "none" and not recorded), word.wider or not recorded
    word = BotPermissions(trust, word.require, wider, word.isolate_all)
    word.check(config.sandbox)
    try:
        return for_games(word.choose(config.sandbox, config.require, config.isolation == "all"), games)
    except UserError as problem:
        remedy = "to check it without the missing layers, add: --require none"
        raise UserError(f"{given} (league {config.name}): {problem}; {remedy}") from None


def edition_words(edition: Edition, rules: str, variants: Sequence[str], changes: Mapping[str, Any]) -> tuple[str, ...]:
    """The command-line words that name this edition, made of ``rules``, ``variants`` and ``changes``; empty if no words
    can, as for rules whose file is not here."""
    settings = [f"{key}={msgspec.json.encode(value).decode()}" for key, value in _leaves(changes)]
    try:
        found = resolve_edition(load_source(rules), variants, None, settings)
    except (UserError, OSError):
        return ()
    if found.digest != edition.digest:
        return ()
    shown = os.path.relpath(rules) if os.path.isabs(rules) else rules
    words = ["--rules", shown if os.sep in shown or not shown.endswith((".yaml", ".yml")) else f"./{shown}"]
    words += [word for variant in variants for word in ("--variant", variant)]
    return (*words, *(word for setting in settings for word in ("--rule", setting)))


def _leaves(changes: Mapping[str, Any], above: str = "") -> Iterable[tuple[str, Any]]:
    """The single values in nested changes, with their keys joined by dots."""
    for key, value in changes.items():
        name = f"{above}.{key}" if above else str(key)
        if isinstance(value, dict) and value:
            yield from _leaves(value, name)
        else:
            yield name, value
