"""What matters most, at the top of the report: who is best and by how much, and why deals failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.games import load_game
from arena.ledger.figure import LedgerUnit
from arena.ledger.figure_rows import LedgerRow
from arena.ledger.game_tables import FailureReasons, ledger_tables
from arena.ledger.ledger_fold import GameLedger
from arena.pages.html_table import ColumnHead, Field, Grid, TableLine
from arena.ratings.presenting.words import name_list
from arena.tournament.inference.intervals import Estimate
from arena.tournament.standings.standings import Pairing, Standings, StandingsRow
from arena.tournament.standings.standings_tables import pair_rows
from arena.tournament.tables.rounded_figures import estimate_text, fixed_decimals, gain_text, money_text, percent_text
from arena.web.report.sections.ledger_figures import figure_sheet, meanings_of
from arena.web.report.sections.ledger_section import LedgerReader, Scope
from arena.web.report.sections.report_parts import Meaning, ReportPart, ReportSection, Sheet

EVEN_SCORE = 0.5
"""The share of common matches in which an entrant ranks above an equal one."""
SCORE_MEANING = Meaning(
    "ranked above",
    "Share of their common matches in which it ranked better; an equal rank counts half. The difference is "
    "significant if the 95 % interval excludes 50 %.",
)


def lead_section(
    standings: Sequence[Standings], ledgers: Sequence[tuple[GameLedger, Sequence[Scope]]], numbers: Mapping[str, int]
) -> ReportSection:
    """Return the section with the two answers, for each edition and for all together."""
    best = [_best_part(each) for each in standings if each.rows and each.rows[0].matches]
    failed = [part for ledger, scopes in ledgers for part in _failure_parts(ledger, scopes, numbers)]
    return ReportSection(id="lead", title="In short", parts=[*best, *failed])


def _best_part(standings: Standings) -> ReportPart:
    """Who is best, and by how much."""
    first, *others = [row for row in standings.rows if row.matches]
    told = [_first_sentence(standings, first)]
    if others:
        pairs = {pair.opponent: pair for pair in standings.crosstable if pair.entrant == first.entrant and pair.matches}
        told += _next_sentences(standings, others[0], pairs.get(others[0].entrant))
        told += _beaten_sentences(first.entrant, [pairs[row.entrant] for row in others[1:] if row.entrant in pairs])
    pairs_of_first = pair_rows(standings).drop(["blocks"])
    return ReportPart(
        title="Who is best",
        edition=standings.edition,
        meanings=[SCORE_MEANING],
        sentences=told,
        sheet=Sheet(f"lead-{standings.edition}", pairs_of_first),
    )


def _first_sentence(standings: Standings, first: StandingsRow) -> str:
    even = "" if standings.even_share is None else f"; an equal share would be {percent_text(standings.even_share)}"
    money = first["mean_money"] if len(standings.games) == 1 else None
    unit = load_game(standings.games[0]).unit
    earned = f" It ends with {money_text(money, unit)} on average." if isinstance(money, Estimate) else ""
    return f"{first.entrant} is first: it won {_win_rate(first)} of its {first.matches:,} matches{even}.{earned}"


def _next_sentences(standings: Standings, second: StandingsRow, pair: Pairing | None) -> list[str]:
    told = f"{second.entrant} is second and won {_win_rate(second)}."
    if pair is None:
        return [f"{told} The two never met."]
    money, unit = pair.money_difference, load_game(standings.games[0]).unit
    ahead = "" if money is None or money.mean is None else f", with {gain_text(money, unit)} in money"
    verdict = "That is significant." if _is_better(pair) else "That is not significant: they may be equals."
    score = estimate_text(pair.score, 1, share=True)
    return [f"{told} In their {pair.matches:,} common matches, the first ranked higher in {score}{ahead}. {verdict}"]


def _beaten_sentences(first: str, pairs: Sequence[Pairing]) -> list[str]:
    """Which of the others the first one is significantly better than."""
    better = [pair.opponent for pair in pairs if _is_better(pair)]
    level = [pair.opponent for pair in pairs if not _is_better(pair)]
    told = [f"{first} is significantly better than {name_list(better)}."] if better else []
    return [*told, *([f"{first} is not significantly better than {name_list(level)}."] if level else [])]


def _is_better(pair: Pairing) -> bool:
    return pair.score.low is not None and pair.score.low > EVEN_SCORE


def _win_rate(row: StandingsRow) -> str:
    rate = row["win_rate"]
    return estimate_text(rate, 1, share=True) if isinstance(rate, Estimate) else "an unknown share"


def _failure_parts(ledger: GameLedger, scopes: Sequence[Scope], numbers: Mapping[str, int]) -> list[ReportPart]:
    """Why negotiations failed, for each scope; nothing for a game that cannot say it."""
    failures = ledger_tables(ledger.game).failures
    if failures is None or failures.table.name not in ledger.book.tables:
        return []
    reading = LedgerReader(ledger, failures.table, scopes, numbers)
    names = [failures.closed, *failures.reasons]
    figures = [each for each in failures.table.figures if each.name in names]
    whole, single = reading.rows((), figures), reading.rows(("entrant",), figures)
    return [
        _failure_part(failures, scope.label, whole[scope.label], single.get(scope.label, []), numbers)
        for scope in scopes
        if scope.label in whole
    ]


def _failure_part(
    failures: FailureReasons,
    label: str,
    whole: Sequence[LedgerRow],
    single: Sequence[LedgerRow],
    numbers: Mapping[str, int],
) -> ReportPart:
    closed = next(row for row in whole if row.figure.name == failures.closed)
    reasons = [row for row in whole if row.figure.name in failures.reasons and row.total]
    reasons.sort(key=lambda row: -(row.estimate.mean or 0.0))
    share = estimate_text(closed.estimate, 1, closed.figure.unit is LedgerUnit.SHARE)
    told = [f"Of {closed.n:,} {failures.negotiations} {share} were closed."]
    told += _closing_sentence([row for row in single if row.figure.name == failures.closed])
    told += [f"The other {reasons[0].n:,} failed because:"] if reasons else ["None failed."]
    lines = [
        _reason_line(failures, row, [each for each in single if each.figure is row.figure], numbers) for row in reasons
    ]
    heads = [
        ColumnHead("why", left=True),
        ColumnHead("of the failed"),
        ColumnHead("most often with", left=True),
        ColumnHead("of its failed"),
    ]
    return ReportPart(
        title="Why deals failed",
        edition=label,
        sentences=told,
        meanings=meanings_of(failures.table, ()),
        grid=Grid(heads, lines) if lines else None,
        sheet=Sheet(f"failed-{label}", figure_sheet(("entrant",), single)),
    )


def _closing_sentence(single: Sequence[LedgerRow]) -> list[str]:
    """Who closes most of the negotiations that it leads, and who fewest."""
    if len(single) < 2:
        return []
    ordered = sorted(single, key=lambda row: -(row.estimate.mean or 0.0))
    most, fewest = ordered[0], ordered[-1]
    told = f"{most.keys[0]} closes most of those that it leads ({_percent(most)})"
    return [f"{told}, {fewest.keys[0]} fewest ({_percent(fewest)})."]


def _reason_line(
    failures: FailureReasons, row: LedgerRow, single: Sequence[LedgerRow], numbers: Mapping[str, int]
) -> TableLine:
    worst = max(single, key=lambda each: each.estimate.mean or 0.0)
    name = str(worst.keys[0])
    return TableLine(
        [
            Field(failures.reasons[row.figure.name], prose=True),
            Field(estimate_text(row.estimate, 1, share=True)),
            Field(name, entrant=numbers[name]),
            Field(_percent(worst)),
        ]
    )


def _percent(row: LedgerRow) -> str:
    return f"{fixed_decimals((row.estimate.mean or 0.0) * 100, 0)} %"
