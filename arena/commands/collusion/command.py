"""``arena collusion``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option
from arena.cli.options.option_records import gathered
from arena.cli.options.shared_options import PrintOptions, run_permission_options, say_isolation
from arena.cli.print_message import MESSAGE_STREAM, print_message
from arena.commands.collusion.proof_options import ProofOptions
from arena.commands.collusion.words import print_clones, print_gifts, print_proof
from arena.config.tournament_config import MOST_JOBS
from arena.errors import UserError
from arena.executors.make import make_executor
from arena.runs.job_count import up_to_cores
from arena.runs.planning.isolation_level import BotPermissions

Tell = Callable[[int, int], object]
"""Called with the amount of work done, and the total."""


class Probability(click.ParamType[float]):
    """A number above 0 and up to 0.5 as an option's value."""

    name = "probability"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number. Raises UserError for any other value, nan included."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not 0 < number <= 0.5:
            raise UserError(f"--error: expected a number above 0 and up to 0.5, got {value!r}")
        return number


@click.command(cls=ArenaCommand)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--test", "pair", nargs=2, metavar="A B", help="Play matches of A and B again, once muted, once with each replaced."
)
@click.option("--clones", is_flag=True, help="Ask all other bots the questions of each bot, to find copies.")
@click.option("--bot", "bots", multiple=True, metavar="NAME", help="With --clones: only this entrant; repeatable.")
@click.option(
    "--neutral",
    metavar="BOT",
    help="With --test: the bot that replaces A or B; by default fair, or another bundled bot.",
)
@click.option("--deals", type=click.IntRange(1), help="With --test: blocks to play again; 30 by default.")
@click.option("--matches", type=click.IntRange(1), help="With --clones: matches of each bot; 4 by default.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="With --test: folder for the replays.")
@click.option(
    "--error",
    type=Probability(),
    help="Probability that an honest pair stands out by chance; 0.01 by default.",
)
@click.option("-j", "--jobs", type=click.IntRange(1, MOST_JOBS), help="Worker processes; all cores by default.")
@click.option("--all", "every", is_flag=True, help="List all pairs, not only the first.")
@game_option
@run_permission_options()
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress.")
@gathered(proof=ProofOptions, word=BotPermissions, printing=PrintOptions)
def collusion(
    folder: Path,
    pair: tuple[str, str] | None,
    clones: bool,
    bots: tuple[str, ...],
    matches: int | None,
    error: float | None,
    jobs: int | None,
    every: bool,
    proof: ProofOptions,
    word: BotPermissions,
    printing: PrintOptions,
) -> None:
    """Show which entrants of the run in FOLDER give unusually much to another. Nothing is removed from the run.

    It finds gifts in the replays: money paid, cards sold below their price, attacks not made. --test plays the matches
    of a suspected pair again: once muted, so that the others do not hear what the two say, and once with each of them
    replaced by a neutral bot. Gifts that vanish then were meant for the other bot. --clones asks all other bots the
    questions of each bot: copies never answer differently.

    \b
    Examples:
      arena collusion results/league
      arena collusion results/league --test first second --neutral fair
      arena collusion results/league --clones --bot first --bot second
      arena standings results/league --without first
    """
    test_only: dict[str, object] = {"--neutral": proof.neutral, "--deals": proof.deals, "--out": proof.out}
    clones_only: dict[str, object] = {"--bot": bots or None, "--matches": matches}
    if pair is not None and clones:
        raise UserError("expected --test or --clones, got both")
    _refuse_options("--test", pair is not None, test_only)
    _refuse_options("--clones", clones, clones_only)
    _refuse_options("neither --test nor --clones", pair is None and not clones, {"--error": error})
    bots_only: dict[str, object] = {
        "--trust": word.trust or None,
        "--isolate-all": word.isolate_all or None,
        "--require": word.require,
        "--wider-sandbox": word.wider or None,
    }
    _refuse_options("--test and --clones, which play bots", pair is not None or clones, bots_only)
    if pair is not None:
        _test_pair(folder, pair, proof, up_to_cores(jobs), word, printing)
    elif clones:
        _search_clones(folder, bots, matches, every, word, printing)
    else:
        _search_gifts(folder, error, up_to_cores(jobs), every, printing)


def _refuse_options(with_what: str, given: bool, options: dict[str, object]) -> None:
    """Raise UserError if an option is given that has no effect together with ``with_what``."""
    for name, value in options.items():
        if value is not None and not given:
            raise UserError(f"{name} is for {with_what}")


@contextmanager
def _progress_bar(unit: str, quiet: bool) -> Iterator[Tell]:
    """A progress bar on a terminal, unless ``quiet``; ``unit`` names what it counts."""
    from tqdm import tqdm

    with tqdm(unit=f" {unit}", file=MESSAGE_STREAM, disable=True if quiet else None, leave=False) as bar:

        def tell(done: int, all: int) -> None:
            bar.total = all
            bar.update(done - bar.n)

        yield tell


def _search_gifts(folder: Path, error: float | None, processes: int, every: bool, printing: PrintOptions) -> None:
    from arena.analysis.suspicious_pairs import judge_run_gifts  # numpy is slow to load
    from arena.collusion.pair_search import ERROR_LEVEL

    with _progress_bar("matches", printing.quiet) as tell:
        read = 0

        def more(matches: int) -> None:
            nonlocal read
            read += matches
            tell(read, 0)

        found = judge_run_gifts(folder, error or ERROR_LEVEL, processes, more)
    print_gifts(folder, found, printing.as_json, every)
    if found.without_replay:
        print_message(f"arena: {found.without_replay} matches have no replay and are left out")


def _test_pair(
    folder: Path,
    pair: tuple[str, str],
    proof: ProofOptions,
    processes: int,
    word: BotPermissions,
    printing: PrintOptions,
) -> None:
    from arena.commands.collusion.pair_proof import prove_pair

    with _progress_bar("matches", printing.quiet) as tell, closing(make_executor(processes)) as executor:
        found = prove_pair(folder, pair, executor, proof, tell, word, say_isolation)
    print_proof(folder, found, printing.as_json)
    if (out := proof.out) is not None:
        print_message(f"replays  {out}  (check them with: arena verify {out})")


def _search_clones(
    folder: Path, bots: tuple[str, ...], matches: int | None, every: bool, word: BotPermissions, printing: PrintOptions
) -> None:
    from arena.commands.collusion.clone_search import CLONE_MATCHES, find_clones

    with _progress_bar("bots asked", printing.quiet) as tell:
        found = find_clones(folder, bots, matches or CLONE_MATCHES, tell, word, say_isolation)
    print_clones(folder, found, printing.as_json, every)
