"""Prints the result of a bot's check on a terminal."""

from __future__ import annotations

from textwrap import fill

import click

from arena.cli.output.terminal import format_table, terminal_width
from arena.commands.bots.check import BotReport, LeagueOfCheck
from arena.commands.bots.findings import BotFinding, FindingCode, fault_in_words, seconds_text, used_of, where_first

SECOND_COLUMN = 14
"""Where the second column begins."""
SHOWN_FINDINGS = 3
"""Commands are shown for at most this number of findings; ``--json`` has those of all."""


def print_report(report: BotReport) -> None:
    """Print the whole report."""
    games = " and ".join(report.games)
    click.echo(f"{report.bot}: {report.matches} matches of {games}, isolation level {report.level}\n")
    if report.league is not None:
        _print_league(report, report.league)
    if report.asks:
        _print_asks(report)
    elif not report.faults:
        click.echo("it implements no hook: defaults are played for it")
    _print_line("repeats", "yes, every match twice the same" if report.repeats else f"NO: {report.differs} differs")
    if not report.faults:
        _print_line("faults", "none")
    else:
        click.echo("faults\n")
        for fault in report.faults:
            click.echo(f"{fault_in_words(fault)}\n    {where_first(fault)}")
    for finding in report.findings:
        if not finding.wrong and finding.code is not FindingCode.NO_HOOKS:
            _print_line("note", finding.sentence)
    _print_next(report)


def _print_league(report: BotReport, league: LeagueOfCheck) -> None:
    """Print the league that the bot was checked for, and how this machine compares with its machines."""
    limits = report.limits
    match = "any time" if limits.match is None else f"{limits.match:g} s"
    _print_line("league", f"{league.name} ({league.kind} {league.given})")
    _print_line("limits", f"start {limits.start:g} s, ask {limits.ask:g} s, bank {limits.bank:g} s, match {match}")
    _print_line("faults cost", f"policy {league.fault_policy}, {league.strikes} strikes")
    here, there = report.machine, league.machine
    assert here is not None, "a check measures the machine"
    _print_line("machine", f"{here.cpu}, {here.cores} cores, factor {here.factor:.2f}")
    if there is None or league.ratio is None:
        told = "the speed of its machines is unknown"
    else:
        ratio = f"{league.ratio:.2g}" if league.ratio < 100 else f"{league.ratio:,.0f}"
        told = f"{ratio} times as fast as the league's ({there.host}: {there.cpu}, factor {there.factor:.2f})"
        told += f": {seconds_text(report.worst)} here are about {seconds_text(report.worst * league.ratio)} there"
    _print_line("", told)
    click.echo()


def _print_asks(report: BotReport) -> None:
    """Print what the bot was asked, and the time and memory that its answers took."""
    rows = sorted(report.asks.items(), key=lambda item: -item[1])
    click.echo(format_table(rows, ["hook", "asks"]))
    click.echo()
    _print_line("start", f"{report.start * 1e3:.1f} ms")
    per_ask = f"median {report.median * 1e6:.0f} µs, mean {report.mean * 1e6:.0f} µs"
    _print_line("time per ask", f"{per_ask}, worst {report.worst * 1e3:.2f} ms")
    if report.cpu_mean is not None and report.cpu_median is not None and report.cpu_worst is not None:
        cpu = f"median {report.cpu_median * 1e6:.0f} µs, mean {report.cpu_mean * 1e6:.0f} µs"
        _print_line("CPU per ask", f"{cpu}, worst {report.cpu_worst * 1e3:.2f} ms")
    _print_line("of limits", "; ".join(used.in_words() for used in used_of(report, report.limits)))
    if report.memory:
        part = report.memory / 2**20 / report.memory_limit * 100 if report.memory_limit else 0
        of = f" of {report.memory_limit} MB, {part:.0f} %" if report.memory_limit else ""
        _print_line("memory", f"at most {report.memory / 2**20:.0f} MB{of}")
        _print_line("bytes per ask", f"{report.sent:,.0f} to the bot, {report.received:,.0f} from it")


def _print_next(report: BotReport) -> None:
    """The commands to go on with, one a line, to be copied."""
    wrong = [finding for finding in report.findings if finding.wrong and finding.next]
    if not wrong and not report.next:
        return
    click.echo("\nnext")
    for finding in wrong[:SHOWN_FINDINGS]:
        _print_commands(_finding_heading(finding), finding.next)
    if len(wrong) > SHOWN_FINDINGS:
        click.echo(f"  {len(wrong) - SHOWN_FINDINGS} more findings: see --json")
    if not wrong:
        _print_commands("no problem found; how good is it?", report.next)


def _print_commands(why: str, commands: tuple[str, ...]) -> None:
    click.echo(f"  {why}")
    for command in commands:
        click.echo(f"    {command}")


def _finding_heading(finding: BotFinding) -> str:
    if finding.code == FindingCode.NOT_REPEATING:
        return "not repeating: play the match twice; what to look for:"
    return f"{finding.code}: play the match of the first fault, look at the ask, re-ask the bot:"


def _print_line(name: str, text: str) -> None:
    """Print a line with two columns, folded to the terminal."""
    click.echo(
        fill(
            text,
            terminal_width(),
            initial_indent=f"{name:<{SECOND_COLUMN}}",
            subsequent_indent=" " * SECOND_COLUMN,
            break_on_hyphens=False,
        )
    )
