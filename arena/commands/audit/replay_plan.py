"""Prepares a finished or stopped run to be played again: its matches as work, with those of its bots that are here."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from arena import __version__
from arena.code_digest import SCHEDULED, code_difference
from arena.config.botspec import parse_bot
from arena.config.tournament_config import Tournament, to_data
from arena.config.tournament_yaml import load_document, load_tournament
from arena.errors import ArenaError, BotError, ConfigError, UserError, nearest_hint
from arena.finding.reference import BotRef
from arena.recorded.find_bots import find_bot
from arena.replay.lines import Seat
from arena.runs.planning.isolation_level import NO_WORD, BotPermissions, Isolation, for_games
from arena.runs.planning.load_bots import refer_to_bot, try_loading
from arena.runs.planning.plan import Plan
from arena.runs.planning.table_sizes import editions_by_size
from arena.storage.consistency import roster_of
from arena.storage.layout import CONFIG_FILE, MANIFEST_FILE
from arena.storage.run_facts.facts import Facts
from arena.storage.run_facts.settings import comparable_settings, differences_line, setting_differences
from arena.storage.run_folder import FolderStore


def plan_again(folder: Path, given: Mapping[str, str], word: BotPermissions = NO_WORD) -> tuple[Plan, dict[str, str]]:
    """The plan of the run in ``folder``, and for each entrant whose bot is missing or has changed, the reason. The bots
    are those ``given`` by entrant, else those in the run's configuration, else those that ``arena rerun`` would find by
    name; their digests must match the run's. The bots are isolated as strictly as this machine can, whether or not the
    run isolated them, unless the permissions in ``word`` trust them.

    Raises UserError where the run's files contradict each other, another version of arena played it, its rules have
    changed, this machine does not reach the required isolation level, or its configuration asks for more than was
    permitted."""
    facts = FolderStore(folder).facts()
    tournament = load_tournament(folder / CONFIG_FILE, files=False)
    _check_run(folder, facts, tournament)

    def complain(key: str, problem: ArenaError) -> ConfigError:
        return load_document(folder / CONFIG_FILE).error(key, str(problem))

    tables = editions_by_size(tournament, complain, recorded=not word.trust)
    for label, (edition, _) in zip(facts.editions, tables, strict=True):
        if facts.editions[label] != edition.digest:
            raise UserError(
                f"the rules of {label} have changed since {folder} was played, so its matches cannot be compared"
            )
    isolation = word.choose(tournament.sandbox, tournament.require, tournament.isolation == "all")
    isolation = for_games(isolation, (edition.game for edition, _ in tables))
    bots, absent = _find_bots(folder, facts, tournament, given, isolation)
    schedule = roster_of(folder).schedule
    return Plan(tournament, facts.seed, tables, bots, schedule, isolation, share=facts.played_share), absent


def _check_run(folder: Path, facts: Facts, tournament: Tournament) -> None:
    """Raise UserError if the settings of the run are not known, or cannot be played here."""
    if facts.arena != __version__:
        raise UserError(f"{folder} was played by arena {facts.arena}, this is {__version__}; audit it with that one")
    if code := code_difference(facts.code, SCHEDULED):
        raise UserError(f"{folder} was played by other {code}, on which its matches depend; audit it with that one")
    if facts.config_sha256 != facts.digest():
        raise UserError(f"{folder / MANIFEST_FILE} has been changed: its digest is not the one in config_sha256")
    if changed := setting_differences(facts.comparable_settings(), comparable_settings(to_data(tournament))):
        told = differences_line(changed, f"in {MANIFEST_FILE}", f"in {CONFIG_FILE}")
        raise UserError(f"{folder}: its configuration has been changed: {told}")


def _find_bots(
    folder: Path, facts: Facts, tournament: Tournament, given: Mapping[str, str], isolation: Isolation
) -> tuple[tuple[BotRef, ...], dict[str, str]]:
    """The bot of each entrant, without files if it is missing; and for each missing bot the reason."""
    for name in given:
        if name not in facts.entrants:
            names = ", ".join(facts.entrants)
            raise UserError(f"--bot: no entrant {name!r}{nearest_hint(name, facts.entrants)}; there are {names}")
    configured = {}
    for entrant in tournament.entrants:
        with suppress(ArenaError):
            configured[entrant.name] = refer_to_bot(parse_bot(entrant.bot), entrant.options, entrant.files)
    found: dict[str, BotRef] = {}
    absent: dict[str, str] = {}
    for name, each in facts.entrants.items():
        seat = Seat(name, each["bot"], each["sha256"], each["options"])
        try:
            ref = find_bot(folder / MANIFEST_FILE, seat, given, configured)
        except BotError as problem:
            absent[name] = str(problem)
            continue
        if ref.sha256 != seat.sha256:
            absent[name] = f"{given[name]} is not the bot that played: its digest differs"
        else:
            found[name] = ref
    for name, loaded in zip(list(found), try_loading(list(found.values()), isolation), strict=True):
        if isinstance(loaded, BotError):
            absent[name] = str(loaded)
    nobody = {name: BotRef(name=each["bot"], sha256=each["sha256"]) for name, each in facts.entrants.items()}
    return tuple(found.get(name, nobody[name]) for name in facts.entrants), absent
