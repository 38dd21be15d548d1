"""``arena talk``."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option
from arena.cli.options.model_options import FolderModelOptions, folder_model_options
from arena.cli.options.option_records import gathered
from arena.cli.options.shared_options import PrintOptions, run_permission_options, say_isolation
from arena.cli.print_message import MESSAGE_STREAM, print_message
from arena.config.tournament_config import MOST_JOBS
from arena.runs.job_count import up_to_cores
from arena.runs.models.model_access import executor_again
from arena.runs.planning.isolation_level import BotPermissions


@click.command(cls=ArenaCommand)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--entrant", "entrants", multiple=True, metavar="NAME", help="Whose words to take away; repeatable; all by default."
)
@click.option("--deals", type=click.IntRange(1), help="Number of blocks to play again; all by default.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Folder for the replays.")
@click.option("-j", "--jobs", type=click.IntRange(1, MOST_JOBS), help="Worker processes; all cores by default.")
@game_option
@run_permission_options()
@folder_model_options
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress.")
@gathered(word=BotPermissions, consulted=FolderModelOptions, printing=PrintOptions)
def talk(
    folder: Path,
    entrants: tuple[str, ...],
    deals: int | None,
    out: Path | None,
    jobs: int | None,
    word: BotPermissions,
    consulted: FolderModelOptions,
    printing: PrintOptions,
) -> None:
    """Show what the words of entrants are worth in the run in FOLDER.

    Every recorded match is played again twice: muted, so that the others do not hear what the entrant says, and with
    nothing changed, which shows how much bots differ from themselves. The money as recorded, less the money played
    again, is what the words brought. Bots that consult models are asked again too; their
    models are asked only what no cassette of the run answers.

    \b
    Examples:
      arena talk results/league --entrant injector
      arena talk results/league --deals 10 --out twins
    """
    from tqdm import tqdm

    from arena.commands.talk.results import TalkOptions, measure_talk
    from arena.commands.talk.words import print_talk

    off = True if printing.quiet else None
    with (
        tqdm(unit=" matches", file=MESSAGE_STREAM, disable=off, leave=False) as bar,
        closing(executor_again(folder, up_to_cores(jobs), consulted.models)) as executor,
    ):

        def tell(done: int, all: int) -> None:
            bar.total = all
            bar.update(done - bar.n)

        found = measure_talk(folder, TalkOptions(entrants, deals, out), executor, tell, word, say_isolation)
    print_talk(found, printing.as_json)
    if out is not None and any(each.muted is not None for each in found):
        print_message(f"replays  {out}  (check them with: arena verify {out})")
