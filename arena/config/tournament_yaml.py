"""Reads, checks and spells out a tournament file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from arena.config.botspec import BotSpec, of_command, parse_bot
from arena.config.documents.document import Document, child_path, item_path
from arena.config.documents.old_keys import old_key_warnings, setting_in_new_names
from arena.config.documents.patch import set_key
from arena.config.documents.typed_yaml import convert_document
from arena.config.documents.yamlfile import read_yaml
from arena.config.entrant_copies import with_copies
from arena.config.filesearch import FileSearch
from arena.config.fixture_lists import read_fixtures
from arena.config.model_keys import check_model_keys
from arena.config.shortforms import spelled_out
from arena.config.tournament_config import NAME_LENGTH, RESOLVED_CONFIG, EditionEntry, Entrant, Tournament
from arena.errors import BotError, UserError, nearest_hint
from arena.match.executor_kind import ExecutorKind
from arena.plugins import check_name
from arena.tournament.formats.make_format import Formats, RoundRobinTables
from arena.tournament.measures.custom_measures import measure_problem
from arena.tournament.schedule.deals import Deals
from arena.tournament.schedule.seat_orders import FEWEST_SEATS, SeatOrders


def load_tournament(path: str | os.PathLike[str], overrides: Iterable[str] = (), *, files: bool = True) -> Tournament:
    """The tournament in the file at ``path``, after the ``key=value`` overrides in their order.

    Paths of bots and rules are relative to the file's folder, else to the current one. With ``files=False`` these files
    need not exist, for looking at a finished run. Raises ConfigError for every mistake that can be found without
    loading bots or rules.
    """
    document = load_document(path, overrides)
    tournament = convert_document(document, Tournament)
    _check_name(document, "name", tournament.name)
    _check_seed(document, tournament.seed)
    _check_seats(document, "seats", tournament)
    search = FileSearch(document, Path(path).parent, files)
    loaded = msgspec.structs.replace(
        tournament,
        entrants=_resolve_entrants(
            document, tournament.entrants, FileSearch(document, search.folder, files and not tournament.skip_broken)
        ),
        editions=_resolve_editions(document, tournament, search),
    )
    _check_challengers(document, loaded)
    _check_rounds(document, loaded)
    _check_measures(document, loaded)
    _check_executor(document, loaded)
    uses = {child_path(item_path("entrants", at), "models"): each.models for at, each in enumerate(loaded.entrants)}
    check_model_keys(document, loaded.models, loaded.consulting, loaded.limits, uses)
    if loaded.tables is not None and loaded.format is not Formats.ROUND_ROBIN:
        raise document.error(
            "tables", f"only a round robin has a choice of tables; the tables of a {loaded.format} are fixed"
        )
    loaded = with_copies(document, _with_fixtures(document, loaded, search))
    return msgspec.structs.replace(loaded, deals=loaded.deal_sharing, tables=loaded.played_tables)


def load_document(path: str | os.PathLike[str], overrides: Iterable[str] = ()) -> Document:
    """The document in the file at ``path`` after the overrides, spelled out, but neither checked nor completed."""
    kept = Path(path).name == RESOLVED_CONFIG
    document = spelled_out(read_yaml(path, kept))
    if kept and isinstance(document.data, dict):
        document = document.with_data({**in_those_days(document.data), **document.data})
    for setting in overrides:
        document = spelled_out(set_key(document, setting_in_new_names(setting)))
    return document


def in_those_days(keys: Mapping[str, Any]) -> dict[str, Any]:
    """The values that applied to an older run with these keys, for the keys that did not exist at its time."""
    tables = (
        {"tables": RoundRobinTables.ALL.value} if keys.get("format", Formats.ROUND_ROBIN) == Formats.ROUND_ROBIN else {}
    )
    return {**tables, "deals": Deals.DUPLICATE.value} if "tables" not in keys else {}


def old_names(path: str | os.PathLike[str], overrides: Iterable[str] = ()) -> list[str]:
    """A one-line warning for each key that the file or the overrides call by its old name."""
    return old_key_warnings(read_yaml(path), overrides)


def _resolve_entrants(document: Document, entrants: tuple[Entrant, ...], search: FileSearch) -> tuple[Entrant, ...]:
    """The entrants with resolved bots and names of their own."""
    if len(entrants) < 2:
        raise document.error("entrants", f"expected at least 2 entrants, got {len(entrants)}")
    return resolved_entrants(document, "entrants", entrants, search)


def resolved_entrants(
    document: Document, key: str, entrants: tuple[Entrant, ...], search: FileSearch
) -> tuple[Entrant, ...]:
    """The entrants in the list ``key`` with resolved bots and names of their own."""
    resolved: list[Entrant] = []
    names: dict[str, str] = {}
    for index, entrant in enumerate(entrants):
        path = item_path(key, index)
        spec = _resolve_bot(document, path, entrant, search)
        name = entrant.name if "name" in document.data[key][index] else spec.default_name
        _check_name(document, child_path(path, "name"), name)
        _check_team(document, child_path(path, "team"), entrant.team)
        if name in names:
            message = f"{names[name]} also has the name {name!r}; give each a different 'name'"
            raise document.error(path, message)
        names[name] = path
        files = tuple(
            search.resolve(item_path(child_path(path, "files"), place), file, or_folder=True)
            for place, file in enumerate(entrant.files)
        )
        resolved.append(msgspec.structs.replace(entrant, bot=spec.text, cmd=(), name=name, files=files))
    return tuple(resolved)


def _resolve_bot(document: Document, path: str, entrant: Entrant, search: FileSearch) -> BotSpec:
    """The bot's specification, with absolute paths of its files."""
    key = child_path(path, "cmd" if entrant.cmd else "bot")
    if bool(entrant.cmd) == bool(entrant.bot):
        got = "both" if entrant.cmd else "neither"
        raise document.error(path, f"expected either a 'bot' or a 'cmd', got {got}")
    try:
        spec = of_command(entrant.cmd) if entrant.cmd else parse_bot(entrant.bot)
    except BotError as problem:
        raise document.error(key, str(problem)) from None
    if spec.options:
        raise document.error(key, "options after '?' belong to the short form; write them under 'options'")
    if spec.kind == "command":
        return of_command([search.find_path(word) for word in spec.words])
    if spec.kind != "file":
        return spec
    return msgspec.structs.replace(spec, target=search.resolve(key, spec.target, or_folder=True))


def _resolve_editions(document: Document, tournament: Tournament, search: FileSearch) -> tuple[EditionEntry, ...]:
    """The editions, with absolute paths of their files."""
    if not tournament.editions:
        raise document.error("editions", "expected at least 1 edition, got an empty list")
    resolved: list[EditionEntry] = []
    for index, edition in enumerate(tournament.editions):
        path = item_path("editions", index)
        _check_seats(document, child_path(path, "seats"), tournament, edition.seats)
        for place, variant in enumerate(edition.variants):
            if variant in edition.variants[:place]:
                again = item_path(child_path(path, "variants"), place)
                raise document.error(again, f"the variant {variant!r} occurs twice")
        if edition.rules.endswith((".yaml", ".yml")):
            rules = edition.rules
            beside = search.folder / Path(rules).name
            if Path(rules).is_absolute() and not os.path.isfile(rules) and beside.is_file():
                rules = beside.name  # the run was played elsewhere, and came with its rules
            rules = search.resolve(child_path(path, "rules"), rules)
            edition = msgspec.structs.replace(edition, rules=rules)
        if edition in resolved:
            raise document.error(path, f"the same as {item_path('editions', resolved.index(edition))}")
        resolved.append(edition)
    return tuple(resolved)


def _check_name(document: Document, path: str, name: str) -> None:
    if not name.strip(" ."):
        raise document.error(path, f"expected a name, got {name!r}")
    if len(name) > NAME_LENGTH:
        raise document.error(path, f"expected a name of at most {NAME_LENGTH} characters, got {len(name)}")
    if "/" in name or not name.isprintable():
        raise document.error(path, f"expected a name without '/' and control characters, got {name!r}")


def _check_team(document: Document, path: str, team: str) -> None:
    if "/" in team or not team.isprintable() or team != team.strip() or len(team) > NAME_LENGTH:
        told = f"at most {NAME_LENGTH} characters, without '/', control characters and spaces around it"
        raise document.error(path, f"expected a team's name of {told}, got {team!r}")


def _check_seed(document: Document, seed: str | None) -> None:
    if seed is not None and (not seed or not seed.isprintable()):
        raise document.error("seed", f"expected text in one line, without control characters, got {seed!r}")


def _check_challengers(document: Document, tournament: Tournament) -> None:
    names = [entrant.name for entrant in tournament.entrants]
    if tournament.format is not Formats.GAUNTLET:
        if tournament.challengers:
            raise document.error(
                "challengers", "only a gauntlet has challengers: write 'format: gauntlet', or leave it out"
            )
        return
    if not tournament.challengers:
        raise document.error("format", "a gauntlet needs 'challengers': the names of one entrant or more")
    for place, name in enumerate(tournament.challengers):
        path = item_path("challengers", place)
        if name not in names:
            told = f"expected an entrant's name, got {name!r}{nearest_hint(name, names)}; there are {', '.join(names)}"
            raise document.error(path, told)
        if name in tournament.challengers[:place]:
            raise document.error(path, f"{name!r} occurs twice")
    for place, entrant in enumerate(tournament.entrants):
        teams = {each.team for each in tournament.entrants if each.name in tournament.challengers}
        if entrant.name not in tournament.challengers and entrant.team and teams == {entrant.team}:
            told = f"{entrant.name} would never play: all challengers are in its team, {entrant.team}"
            raise document.error(child_path(item_path("entrants", place), "team"), told)
    if len(tournament.challengers) == len(names):
        raise document.error("challengers", "expected entrants that are not challengers, as their opponents, got none")


def _check_rounds(document: Document, tournament: Tournament) -> None:
    swiss = tournament.format is Formats.SWISS
    if swiss and tournament.rounds is None:
        raise document.error("format", "a Swiss tournament needs 'rounds', their number")
    if not swiss and tournament.rounds is not None:
        follow = "in a knockout the number follows from the entrants" if tournament.format is Formats.KNOCKOUT else ""
        follow = follow or "write 'format: swiss', or leave it out"
        raise document.error("rounds", f"only a Swiss tournament has the key rounds: {follow}")


def _check_measures(document: Document, tournament: Tournament) -> None:
    for name, made in tournament.measures.items():
        if found := measure_problem(name, made):
            key, told = found
            path = child_path("measures", name)
            raise document.error(child_path(path, key) if key else path, told, of_key=not key)


def _check_executor(document: Document, tournament: Tournament) -> None:
    try:
        check_name(tournament.executor, "executor", ExecutorKind)
    except UserError as problem:
        raise document.error("executor", str(problem)) from None


def _with_fixtures(document: Document, tournament: Tournament, search: FileSearch) -> Tournament:
    """The tournament with its list of tables, if it has one."""
    if tournament.format is not Formats.LIST:
        if tournament.fixtures:
            raise document.error("fixtures", "only a list has fixtures: write 'format: list', or leave them out")
        if tournament.seat_orders is SeatOrders.LISTED:
            raise document.error(
                "seat_orders", "only the format list gives the order in which entrants sit: expected another scheme"
            )
        return tournament
    if not tournament.fixtures:
        raise document.error("format", "a list needs 'fixtures': its tables, or a file with them")
    teams = {entrant.name: entrant.team for entrant in tournament.entrants}
    return msgspec.structs.replace(tournament, fixtures=read_fixtures(document, search, teams, tournament.seat_orders))


def _check_seats(document: Document, path: str, tournament: Tournament, own: tuple[int, ...] | None = None) -> None:
    """Check the ``seats`` at this path, the tournament's or an edition's ``own``."""
    seats = tournament.seats if path == "seats" else own
    if seats is None:
        return
    if not seats:
        raise document.error(path, "expected numbers of seats, got an empty list")
    for index, number in enumerate(seats):
        place = item_path(path, index)
        place = place if place in document.values else path
        if number < FEWEST_SEATS:
            raise document.error(place, f"expected at least {FEWEST_SEATS} seats, got {number}")
        if number in seats[:index]:
            raise document.error(place, f"{number} occurs twice")
        if number > tournament.most_seats:
            who = "a challenger and the field" if tournament.challengers else f"{len(tournament.entrants)} entrants"
            many = f"; together {tournament.most_seats}" if tournament.challengers else ""
            raise document.error(place, f"{number} seats, but only {who} to fill them{many}")
