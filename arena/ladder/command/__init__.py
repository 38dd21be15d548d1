"""``arena ladder``: the group; each command has a file of its own."""

from __future__ import annotations

import click

from arena.cli.command_classes import CommandEntry, LazyGroup

LADDER_COMMANDS = {
    "Playing": {
        "init": CommandEntry("arena.ladder.command.play.init_command", "Begin a ladder."),
        "play": CommandEntry("arena.ladder.command.play.play_command", "Play matches, round after round."),
        "standings": CommandEntry("arena.ladder.command.show.standings_command", "Show the standings, with intervals."),
        "history": CommandEntry("arena.ladder.command.show.history_command", "Show ratings over time, and events."),
        "show": CommandEntry("arena.ladder.command.show.show_command", "Show a ladder, a match, a bot or a version."),
    },
    "Bots": {
        "submit": CommandEntry(
            "arena.ladder.command.entry.submit_command", "Check a bot, and admit it as the next version."
        ),
        "enter": CommandEntry(
            "arena.ladder.command.entry.enter_command", "Enter a version that another ladder of the folder admitted."
        ),
        "retire": CommandEntry("arena.ladder.command.entry.retire_command", "Withdraw a bot, for its author."),
        "author": CommandEntry("arena.ladder.command.entry.author_command", "Add an author, and print the token."),
        "hand-over": CommandEntry("arena.ladder.command.entry.hand_over_command", "Hand a bot over to another author."),
        "disable": CommandEntry(
            "arena.ladder.command.entry.disable_command", "Stop a version from playing, from the next match on."
        ),
        "quarantine": CommandEntry(
            "arena.ladder.command.entry.quarantine_command", "Take a version out, with the proof against it."
        ),
        "enable": CommandEntry("arena.ladder.command.entry.enable_command", "Let a version play again."),
    },
    "Trust": {
        "rerun": CommandEntry("arena.ladder.command.upkeep.rerun_command", "Play matches again, and compare."),
        "audit": CommandEntry(
            "arena.ladder.command.upkeep.audit_command", "Play a sample of a season's matches again, and compare."
        ),
        "check": CommandEntry("arena.ladder.command.upkeep.check_command", "Check a ladder for lost or changed data."),
    },
    "Upkeep": {
        "season": CommandEntry("arena.ladder.command.play.season_command", "List seasons, or close one."),
        "health": CommandEntry(
            "arena.ladder.command.upkeep.health_command", "Say what is overdue or wrong, for a monitor."
        ),
        "export": CommandEntry(
            "arena.commands.ladder.export_command", "Write a ladder as a static folder for any web host."
        ),
        "backup": CommandEntry("arena.ladder.command.upkeep.backup_command", "Copy a ladder, even while it plays."),
    },
}


@click.group(cls=LazyGroup)
def ladder() -> None:
    """Run a ladder: a league that plays for as long as you like, night after night.

    Authors submit bots, change them and withdraw them; every match and every version stays in one folder. Begin with
    `arena docs ladders`.

    \b
    Examples:
      arena ladder init my-ladder --rules eagle-gryphon
      arena ladder submit my-ladder ./mybot.py
      arena ladder play my-ladder --minutes 30
      arena ladder standings my-ladder
    """


ladder.groups = LADDER_COMMANDS
