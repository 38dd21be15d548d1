"""``arena ladder backup``."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from arena.cli.command_classes import ArenaCommand
from arena.cli.print_message import print_message
from arena.ladder.command.ladder_options import folder_argument
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.integrity.backup import DATABASE_ENDINGS
from arena.ladder.integrity.backup import backup_ladders as copy_folder


@click.command(cls=ArenaCommand)
@folder_argument
@click.argument("to", type=click.Path(path_type=Path), metavar="FOLDER")
@click.option("--with-secrets", is_flag=True, help="Also copy the seeds of seasons that are not closed.")
@click.option("--json", "as_json", is_flag=True, help="Print the list of copied files as JSON.")
def backup(place: LadderFolder, to: Path, with_secrets: bool, as_json: bool) -> None:
    """Copy everything in DIR to a new FOLDER: a snapshot of the database, the files of versions, the replays. The
    ladder may be playing. Logs are left out. If FOLDER is on the same file system, files that never change take no
    space.

    The copy is a complete ladder: to restore it, give it the old name. A copy without the secrets can be read, but not
    played on (`arena docs ladder-evidence`). If FOLDER ends in .sqlite, only the database is copied, to this file.

    \b
    Examples:
      arena ladder backup my-ladder /backups/2026-01-31 --with-secrets
      arena ladder backup my-ladder ladder.sqlite
    """
    found = copy_folder(place, to, with_secrets)
    if as_json:
        click.echo(msgspec.json.encode(found).decode())
        return
    if to.suffix in DATABASE_ENDINGS:
        click.echo(f"{to}: the database, {_size_text(found.bytes)}")
        return
    linked = f", and {_size_text(found.linked)} that take no space" if found.linked else ""
    click.echo(f"{to}: {found.versions} versions, {found.packs} packs; {_size_text(found.bytes)} written{linked}")
    if not with_secrets:
        print_message("without the seeds of open seasons (--with-secrets): without secrets.json it cannot be played on")


def _size_text(number: int) -> str:
    return f"{number / 1e6:.1f} MB"
