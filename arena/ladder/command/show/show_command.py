"""``arena ladder show``."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import json_option
from arena.cli.options.option_records import gathered
from arena.cli.output.match_layout import story_text
from arena.cli.output.terminal import LookOptions, look_options
from arena.cli.output.terminal import show_paged as show_text
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.consultation.call_record import with_models
from arena.errors import UserError
from arena.ladder.command.ladder_options import SeasonOptions, folder_argument, ladder_option, season_option
from arena.ladder.command.read_only import opened_whole
from arena.ladder.command.words import ladder_text, match_text, version_text, versions_text
from arena.ladder.database.find_match import LocatedMatch, find_match, names_a_match
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import find_ladder
from arena.ladder.database.rounds import models_of_seats
from arena.ladder.models.season_spending import season_spending
from arena.ladder.show.ladder_detail import ladder_shown
from arena.ladder.show.match_detail import match_shown, replay_name
from arena.ladder.show.version_detail import versions_shown
from arena.recorded.recorded_models import cassette_beside
from arena.recorded.replay_names import read_named
from arena.recorded.story import tell_story
from arena.storage.files.atomic_files import check_place, write_whole
from arena.storage.packs.replay_packs import CASSETTES_FOLDER, KeptReplays


@click.command(cls=ArenaCommand)
@folder_argument
@click.argument("what", required=False, metavar="[MATCH|BOT|VERSION]")
@ladder_option
@season_option
@click.option("--told", is_flag=True, help="With a MATCH: print it as sentences, like arena show.")
@click.option(
    "--replay", type=click.Path(path_type=Path, dir_okay=False), help="With a MATCH: write its replay to this file."
)
@json_option
@look_options
@gathered(chosen=SeasonOptions, look=LookOptions)
def show(
    place: LadderFolder,
    what: str | None,
    told: bool,
    replay: Path | None,
    as_json: bool,
    chosen: SeasonOptions,
    look: LookOptions,
) -> None:
    """Show the ladder in DIR: its keys, its season and the commitment to its seed, what becomes public when, its
    versions, and whether it is playing.

    With a MATCH, a number or its name in replays: why its table was chosen, who sat there, the result, and the place of
    its replay. With a BOT: all its versions. With a VERSION, such as haggler:3: its files with digests, the report of
    its check, its history with reasons, and its place in the standings.

    \b
    Examples:
      arena ladder show my-ladder
      arena ladder show my-ladder 1234
      arena ladder show my-ladder eagle-gryphon-4p/b0012/0-3-2-1 --told
      arena ladder show my-ladder haggler:3 --json
    """
    is_match = what is not None and names_a_match(what)
    if (told or replay is not None) and not is_match:
        raise UserError("--told and --replay are for a match: give its number or name")
    if told and as_json:
        raise click.UsageError("--told and --json print different things: give only one")
    if replay is not None:
        check_place(replay, "--replay")
    with opened_whole(place) as database:
        if what is None:
            found_ladder = find_ladder(database, chosen.ladder, chosen.season)
            shown = ladder_shown(place, database, found_ladder)
            shown.spent = season_spending(database, found_ladder)
            found: Any = shown
            text = ladder_text(shown)
        elif is_match:
            match = find_match(database, what, chosen.ladder, chosen.season)
            if replay is not None:
                _write_replay(place, database, match, replay)
            found = match_shown(place, database, match)
            text = story_text(tell_story(_replay_path(place, match), 1, None, None)) if told else match_text(found)
        else:
            found = versions_shown(place, database, find_ladder(database, chosen.ladder, chosen.season), what)
            text = version_text(found[0]) if ":" in what else versions_text(found)
            found = found[0] if ":" in what else found
    if as_json:
        print_json(found)
    else:
        show_text(text, look.color, look.pager)


def _replay_path(place: LadderFolder, match: LocatedMatch) -> Path:
    """What its replay is called. Raises UserError where it has none."""
    if match.finished is None:
        raise UserError(f"match {match.number} is not finished: it has no replay yet")
    if not match.finished.record.replay:
        kept = match.ladder.config.replays
        raise UserError(f"the replay of match {match.number} was not kept (the ladder has replays: {kept})")
    return replay_name(place, match)


def _write_replay(place: LadderFolder, database: sqlite3.Connection, match: LocatedMatch, path: Path) -> None:
    """Write the replay to a file, with the cassette of its calls of models beside it, if its bots could make any."""
    replay, season = read_named(_replay_path(place, match)), match.ladder.season.number
    cassette = KeptReplays(place.season(match.ladder.name, season), CASSETTES_FOLDER).get(match.name)
    if cassette is not None and match.finished is not None:
        versions = [seat.entrant for seat in match.finished.record.seats]
        models = models_of_seats(database, match.ladder, versions)
        write_whole(cassette_beside(path), with_models(cassette, models))
    write_whole(path, replay)
    print_message(f"replay {path}")
