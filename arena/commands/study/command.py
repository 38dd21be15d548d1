"""``arena study``."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import click

from arena.cli.options.game_options import game_option
from arena.cli.options.option_records import gathered
from arena.cli.options.shared_options import PrintOptions, jobs_text, running_command
from arena.cli.output.progress_line import RunProgressLine
from arena.cli.output.resume_hint import print_resume_on_failure
from arena.cli.output.run_and_print import say_unfinished
from arena.cli.output.terminal import fold_to_terminal, format_table, terminal_width
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.config.tournament_config import MOST_BLOCKS, MOST_JOBS
from arena.errors import ConfigError, UserError
from arena.executors.make import make_executor
from arena.runs import play_run as app
from arena.runs.job_count import up_to_cores
from arena.runs.planning.make_plan import find_config, make_plan
from arena.runs.planning.open_folder import new_store
from arena.runs.planning.plan import Plan
from arena.runs.run_options import RunOptions
from arena.storage.files.atomic_files import check_place, write_whole
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore
from arena.study.finding import StudyAnswer, StudyColumn, StudyQuestion, StudyTable
from arena.study.questions import FINDINGS, find_question
from arena.tournament.measures.measures import MeasureUnit
from arena.tournament.schedule.balance import BALANCE_HINT
from arena.tournament.tables.result_table import ResultColumn, ResultTable, Row, estimate_column, rows_data
from arena.tournament.tables.table_text import text_table


@click.command()
@click.argument("name", required=False)
@click.argument(
    "folder", required=False, metavar="[DIR]", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@click.option(
    "-n",
    "--blocks",
    type=click.IntRange(1, MOST_BLOCKS),
    help="Number of blocks, a multiple of the cycle; by default as in the tournament file.",
)
@click.option("-j", "--jobs", type=click.IntRange(1, MOST_JOBS), help="Worker processes; all cores by default.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Folder for the matches; results/study-…-TIME by default."
)
@click.option(
    "--plot",
    "picture",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also draw the finding, as SVG; needs matplotlib.",
)
@click.option("--design", "show_design", is_flag=True, help="Only print the cells of an experiment, and its aliases.")
@click.option("--trust", is_flag=True, help="Play the bots of an experiment without isolation: only if they are yours.")
@game_option
@click.option("--json", "as_json", is_flag=True, help="Print the finding as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress.")
@gathered(printing=PrintOptions)
def study(
    name: str | None,
    folder: Path | None,
    blocks: int | None,
    jobs: int | None,
    out: Path | None,
    picture: Path | None,
    show_design: bool,
    trust: bool,
    printing: PrintOptions,
) -> None:
    """Play the tournament that answers a question, or read the run in DIR, and print the answer. Without a NAME, list
    the questions.

    NAME may also be the YAML file of an experiment of your own: factors of a bot, the rules and the table, all of whose
    combinations are played on the same deals. The effects of the factors are printed, adjusted for their number. With
    --out, the same command continues it.

    All intervals are 95 % intervals, clustered by block. `arena docs study` has all findings and their meaning.

    \b
    Examples:
      arena study
      arena study seats --plot seats.svg
      arena study last-deals --blocks 10 --out results/deals
      arena study boss-cards results/deals
      arena study greed.yaml --out results/greed
      arena study greed.yaml --out results/greed --blocks 120
    """
    if name is None:
        if printing.as_json:
            print_json([_question_entry(each) for each in FINDINGS])
            return
        rows = [(each.name, each.question, each.tournament) for each in FINDINGS]
        click.echo(format_table(rows, ["finding", "question", "tournament"], wrap=(1,)))
        return
    if name.endswith((".yaml", ".yml")):
        if folder is not None or picture is not None:
            raise click.UsageError("an experiment of your own takes no DIR and no --plot; name its folder with --out")
        from arena.commands.study.factor_command import run_factor_study

        sys.exit(run_factor_study(Path(name), blocks, jobs, out, trust, show_design, printing))
    if trust or show_design:
        raise click.UsageError("--trust and --design are for an experiment of your own, in a YAML file")
    finding = find_question(name)
    if folder is not None and (blocks is not None or jobs is not None or out is not None):
        raise click.UsageError("with DIR nothing is played: leave out --blocks, --jobs and --out")
    if picture is not None:
        check_place(picture, "--plot")
    folder = folder or _play_tournament(finding, blocks, jobs, out, printing.quiet)
    from arena.commands.study.answer_question import answer_question, study_run_unfinished

    found = answer_question(finding, folder)
    if study_run_unfinished(folder):
        print_message(f"{folder} is not finished: results of {found.matches} matches")
    if printing.as_json:
        print_json(_answer_data(finding, found))
    else:
        _print_answer(finding, found)
    if picture is not None:
        from arena.commands.study.plots import plot_finding

        write_whole(picture, plot_finding(found))
        print_message(f"plot     {picture}")


def _play_tournament(
    finding: StudyQuestion, blocks: int | None, jobs: int | None, out: Path | None, quiet: bool
) -> Path:
    """Play the tournament of a question; returns the run's folder."""
    try:
        plan = make_plan(find_config(finding.tournament), [] if blocks is None else [f"blocks={blocks}"])
    except ConfigError as problem:
        if blocks is None:
            raise
        raise UserError(f"--blocks: {problem.message.removesuffix(BALANCE_HINT)}") from None
    jobs = up_to_cores(jobs, plan.tournament.jobs)
    store = new_store(plan.tournament.name, out)
    print_message(
        fold_to_terminal(
            f"{len(plan.fixtures)} matches of {len(plan.names)} entrants, {jobs_text(jobs)}, into {store.shown}"
        )
    )
    outcome = _run_plan(plan, store, jobs, quiet)
    if outcome.state is not RunState.COMPLETE:
        say_unfinished(outcome, store)
        print_message(f"then: arena study {finding.name} {store.shown}")
        sys.exit(outcome.exit_code)
    return store.folder


def _run_plan(plan: Plan, store: FolderStore, jobs: int, quiet: bool) -> app.RunOutcome:
    total = len(plan.fixtures)
    with (
        RunProgressLine(total, quiet) as progress,
        closing(make_executor(jobs)) as executor,
        print_resume_on_failure(store),
    ):
        return app.start_run(plan, store, executor, RunOptions(command=running_command()), progress)


def _print_answer(finding: StudyQuestion, found: StudyAnswer) -> None:
    click.echo(fold_to_terminal(f"{finding.question}  ({found.matches} matches)") + "\n")
    for each in found.tables:
        click.echo(f"{each.title}\n")
        click.echo(_fitting_table(each) + "\n")
    for words in found.words:
        click.echo(fold_to_terminal(words))


def _fitting_table(answer: StudyTable) -> str:
    """A table that fits the terminal, if possible: otherwise with headings in two lines, and if that is still too wide,
    split into one table for each value of the first column, with the value as its title."""
    whole = table = _rows(answer)
    for table in (whole, _narrower(whole)):
        if _fits(text := text_table(table)):
            return text
    rest = table.drop(answer.heads[:1])
    groups: dict[str, list[Row]] = {}
    for row, below in zip(table.rows, rest.rows, strict=True):
        groups.setdefault(row[0], []).append(below)
    texts = [_columns_that_fit(replace(rest, rows=group), len(answer.heads) - 1) for group in groups.values()]
    return "\n\n".join(f"{first}\n\n{text}" for first, text in zip(groups, texts, strict=True))


def _columns_that_fit(table: ResultTable, labels: int) -> str:
    """The table, split by columns into tables that fit the terminal, one below the other. Each has the first ``labels``
    columns and as many of the others as fit beside them, at least one."""
    parts = [label := list(table.keys[:labels])]
    for key in table.keys[labels:]:
        if len(parts[-1]) > labels and not _fits(text_table(table.pick([*parts[-1], key]))):
            parts.append(label)
        parts[-1] = [*parts[-1], key]
    return "\n\n".join(text_table(table.pick(keys)) for keys in parts)


def _fits(text: str) -> bool:
    """Whether a text is no wider than the terminal."""
    return max(map(len, text.splitlines())) <= terminal_width()


def _rows(answer: StudyTable) -> ResultTable:
    label = [ResultColumn(head, head, left=True) for head in answer.heads]
    return ResultTable((*label, *map(_column, answer.columns)), [[*line.label, *line.values] for line in answer.lines])


def _narrower(table: ResultTable) -> ResultTable:
    """The table with its headings in two lines."""
    return replace(table, columns=tuple(replace(each, heading=_in_two(each.heading)) for each in table.columns))


def _in_two(head: str) -> str:
    """A heading broken into two lines of similar length, between words."""
    words = head.split(" ")
    lines = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return "\n".join(min(lines, key=lambda each: max(map(len, each)))) if lines else head


def _column(column: StudyColumn) -> ResultColumn:
    decimals = 2 if column.unit is MeasureUnit.POINTS else 1
    return estimate_column(column.head, column.head, decimals=decimals, share=column.unit is MeasureUnit.SHARE)


def _question_entry(finding: StudyQuestion) -> dict[str, str]:
    return {"name": finding.name, "question": finding.question, "tournament": finding.tournament}


def _answer_data(finding: StudyQuestion, found: StudyAnswer) -> dict[str, object]:
    return {
        **_question_entry(finding),
        "matches": found.matches,
        "tables": [_table_data(each) for each in found.tables],
        "words": found.words,
    }


def _table_data(answer: StudyTable) -> dict[str, object]:
    return {
        "title": answer.title,
        "lines": rows_data(_rows(answer)),
    }
