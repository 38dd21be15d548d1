"""``arena luck``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option
from arena.cli.output.terminal import fold_to_terminal, terminal_width
from arena.cli.print_json import print_json
from arena.cli.print_message import MESSAGE_STREAM, print_message
from arena.commands.luck.corrected_money import LuckResult, fit_value_function, take_out
from arena.errors import UserError
from arena.games import load_game
from arena.luck.luck_text import luck_data, luck_table
from arena.runs.job_count import up_to_cores


@click.command(cls=ArenaCommand)
@click.argument(
    "folders", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR...", nargs=-1, required=True
)
@click.option(
    "--values",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Value function; by default the one that ships with arena.",
)
@click.option(
    "--fit", "fitted", type=click.Path(path_type=Path), metavar="FILE", help="Instead fit a value function to the runs."
)
@click.option("-j", "--jobs", type=click.IntRange(1), help="Worker processes; all cores by default.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress.")
@game_option
def luck(
    folders: tuple[Path, ...], values: Path | None, fitted: Path | None, jobs: int | None, as_json: bool, quiet: bool
) -> None:
    """Show how much money each entrant of the run in DIR made, and how much without luck.

    Luck is the money that the die, the draws of cards and the first seat brought above their average; a value function,
    fitted on other matches, estimates it. Luck is 0 on average, whatever the bots do, so money without luck is unbiased
    and varies less; the output says by how much. The run must have kept replays. --fit fits a value function to one or
    more runs, and writes it to a file. More: `arena docs luck`.

    \b
    Examples:
      arena luck results/quick-20260101-120000
      arena luck results/quick-20260101-120000 --json
      arena luck results/pilot-20260101-120000 --fit values.json
      arena luck results/quick-20260101-120000 --values values.json
    """
    jobs = up_to_cores(jobs)
    if fitted is not None:
        if values is not None:
            raise UserError("give only one of --values (a value function to use) and --fit (one to make)")
        _fit_value(folders, fitted, jobs, as_json, quiet)
        return
    if len(folders) > 1:
        raise UserError(f"expected one run, got {len(folders)}; several are for --fit")
    with _progress_bar(quiet) as bar:
        found = take_out(folders[0], values, jobs, bar.update)
    _say_left_out(found)
    if as_json:
        print_json(_result_data(found))
        return
    for each in found.found:
        click.echo(f"{each.edition}\n")
        click.echo(luck_table(each, load_game(each.game).unit, terminal_width()))
    for line in _about_lines(found):
        click.echo(fold_to_terminal(line))


def _progress_bar(quiet: bool) -> Any:
    from tqdm import tqdm

    return tqdm(
        unit=" matches", file=MESSAGE_STREAM, disable=True if quiet else None, leave=False
    )  # None: on terminals alone


def _fit_value(folders: Sequence[Path], file: Path, jobs: int, as_json: bool, quiet: bool) -> None:
    with _progress_bar(quiet) as bar:
        value = fit_value_function(folders, file, jobs, bar.update)
    if as_json:
        made = [{"game": each.game, "players": each.players, "matches": each.matches} for each in value.weights]
        data = {"file": str(file), "sha256": value.digest, "weights": made}
        print_json(data)
        return
    for each in value.weights:
        click.echo(f"{each.game:8} {each.players} players  {each.matches:>8,} matches")
    click.echo(f"value function {value.name}, sha256 {value.digest}, in {file}")


def _say_left_out(found: LuckResult) -> None:
    whole = found.matches + found.without_replay + found.without_weights
    if found.without_replay:
        print_message(
            f"arena: {found.without_replay} of {whole} matches have no replay and are left out, of the raw figures too"
        )
    if found.without_weights:
        print_message(
            f"arena: {found.without_weights} of {whole} matches are left out, of the raw figures too: the value "
            f"function has no weights for their game and number of players"
        )


def _result_data(found: LuckResult) -> dict[str, object]:
    value = found.value
    fitted = {"name": value.name, "sha256": value.digest, "matches": sum(each.matches for each in value.sources)}
    return {
        "value": fitted,
        "matches": found.matches,
        "without_replay": found.without_replay,
        "without_weights": found.without_weights,
        "editions": [luck_data(each, load_game(each.game).unit) for each in found.found],
    }


def _about_lines(found: LuckResult) -> list[str]:
    value = found.value
    matches = sum(each.matches for each in value.sources)
    meant = (
        "Luck is what dice, draws and the first seat brought above their average. Not removed: the effects of "
        "initiative orders, of the dealing of placards, and of the bots' own random numbers. Wins are not corrected."
    )
    return [
        meant,
        f"value function {value.name}, fitted on {matches:,} other matches, sha256 {value.digest}",
    ]
