"""``arena study FILE.yaml``: plays or resumes the factorial experiment that a file describes; prints its effects."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click
import msgspec

from arena.cli.options.shared_options import PrintOptions, jobs_text, running_command
from arena.cli.output.progress_line import RunProgressLine
from arena.cli.output.run_and_print import say_unfinished
from arena.cli.output.terminal import fold_to_terminal
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.commands.study.factor_study import RunToPlay, open_study, read_study, runs_to_play, study_runs
from arena.commands.study.factor_words import cells_table, design_sentence, effects_table, results_sentences, study_data
from arena.config.study_yaml import load_study
from arena.executors.make import make_executor
from arena.runs import play_run as app
from arena.runs.job_count import up_to_cores
from arena.runs.planning.open_folder import new_run_folder
from arena.runs.run_options import RunOptions
from arena.storage.run_facts.facts import RunState
from arena.study.factor_effects import SizeToFind, estimate_effects
from arena.tournament.tables.table_text import text_table


def run_factor_study(
    path: Path,
    deals: int | None,
    jobs: int | None,
    out: Path | None,
    trust: bool,
    show_design: bool,
    printing: PrintOptions,
) -> int:
    """Play what is missing of the study in ``path``, in the folder ``out``, and print its effects; return the exit
    code. With ``show_design`` print its cells alone."""
    study = load_study(path)
    study = study if deals is None else msgspec.structs.replace(study, deals=deals)
    design = study.design()
    if show_design:
        click.echo(f"{fold_to_terminal(design_sentence(study, design))}\n\n{text_table(cells_table(study, design))}")
        return 0
    out = out if out is not None else new_run_folder(f"study-{study.name}", None)
    runs = study_runs(study, design, trust)
    stored = open_study(study, out)
    left = runs_to_play(runs, out, stored.seed, study.deals, trust)
    print_message(fold_to_terminal(design_sentence(study, design)))
    matches = sum(len(each.plan.schedule) for each in left)
    number = up_to_cores(jobs)
    if left:
        print_message(f"{matches} matches in {len(left)} runs, {jobs_text(number)}, into {out}")
    for each in left:
        outcome = _play_on(each, number, printing.quiet)
        if outcome.state is not RunState.COMPLETE:
            say_unfinished(outcome, each.store)
            print_message(f"go on with: arena study {path} --out {out}")
            return outcome.exit_code
    found = read_study(study, design, runs, out)
    effects = estimate_effects(design, found.means, None if study.find is None else SizeToFind(study.find, study.power))
    if printing.as_json:
        print_json(study_data(study, design, found, effects, stored.seed))
        return 0
    click.echo(text_table(effects_table(study, effects).for_people()) + "\n")
    for sentence in results_sentences(study, found, effects):
        click.echo(fold_to_terminal(sentence))
    return 0


def _play_on(run: RunToPlay, jobs: int, quiet: bool) -> app.RunOutcome:
    play = app.resume_run if run.resumed else app.start_run
    with RunProgressLine(len(run.plan.schedule), quiet) as progress, closing(make_executor(jobs)) as executor:
        return play(run.plan, run.store, executor, RunOptions(command=running_command()), progress)
