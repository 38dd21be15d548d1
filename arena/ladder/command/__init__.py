"""``arena ladder``: the group; each command has a file of its own."""

from __future__ import annotations

import click

from arena.cli.command_classes import CommandEntry, LazyGroup

LADDER_COMMANDS = {
    "init": CommandEntry("arena.ladder.command.play.init_command", "Begin a ladder."),
    "author": CommandEntry("arena.ladder.command.entry.author_command", "Make an author, and print the token."),
    "submit": CommandEntry("arena.ladder.command.entry.submit_command", "Check a bot and take it in."),
    "retire": CommandEntry("arena.ladder.command.entry.retire_command", "Withdraw a bot, for its author."),
    "disable": CommandEntry("arena.ladder.command.entry.disable_command", "Put a bot out, from the next match on."),
    "enable": CommandEntry("arena.ladder.command.entry.enable_command", "Let a version play again."),
    "play": CommandEntry("arena.ladder.command.play.play_command", "Play a ladder, round after round."),
    "standings": CommandEntry("arena.ladder.command.show.standings_command", "Who stands where, and how sure that is."),
    "history": CommandEntry("arena.ladder.command.show.history_command", "Ratings over time, and what happened."),
    "show": CommandEntry("arena.ladder.command.show.show_command", "Show a ladder, a match, a bot or a version."),
    "rerun": CommandEntry("arena.ladder.command.upkeep.rerun_command", "Play matches again and compare."),
    "audit": CommandEntry(
        "arena.ladder.command.upkeep.audit_command", "Play a sample of a season's matches again and compare."
    ),
    "season": CommandEntry("arena.ladder.command.play.season_command", "List seasons, or close one."),
    "check": CommandEntry("arena.ladder.command.upkeep.check_command", "Check that nothing is lost or changed."),
    "export": CommandEntry(
        "arena.ladder.command.show.export_command", "Write a ladder as a static folder for any web host."
    ),
    "backup": CommandEntry("arena.ladder.command.upkeep.backup_command", "Copy a ladder, also while it plays."),
}


@click.group(cls=LazyGroup, short_help="A league that plays night after night.")
def ladder() -> None:
    """Ladders: leagues that play for as long as you like. Bots come, change and go; every match and every version stays
    in one folder. `arena docs ladders` begins at the beginning.

    \b
    Examples:
      arena ladder init my-ladder --rules eagle-gryphon
      arena ladder submit my-ladder ./mybot.py
      arena ladder play my-ladder --minutes 30
      arena ladder standings my-ladder
    """


ladder.table = LADDER_COMMANDS
