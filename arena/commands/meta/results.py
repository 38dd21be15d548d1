"""The tables of a game of many seats, and what ``arena meta --json`` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.metagame.meta_findings import MetaFindings
from arena.metagame.mixture_cells import mixture_text
from arena.metagame.payoff import Payoff
from arena.metagame.population import PopulationOutlook
from arena.tournament.tables.result_table import ResultColumn, ResultTable, estimate_column, rows_data
from arena.tournament.tables.rounded_figures import estimate_data, json_number


def payoff_looks(found: MetaFindings) -> dict[str, Any]:
    """How payoffs are shown to people."""
    payoff = found.game.payoff
    return {"decimals": 1, "share": payoff.is_share, "signed": payoff is Payoff.LEAD}


def payoff_unit(found: MetaFindings) -> str:
    """The payoff with its unit, in words."""
    payoff = found.game.payoff
    return f"{payoff}" if payoff.is_share else f"{payoff} in {found.unit}"


def mixture_table(found: MetaFindings) -> ResultTable:
    """What each bot earns in each mixture that was played: a row for each bot in each mixture."""
    game = found.game
    columns = (
        ResultColumn("mixture", "mixture", left=True),
        ResultColumn("matches", "matches"),
        ResultColumn("bot", "bot", left=True),
        ResultColumn("copies", "copies"),
        estimate_column("payoff", str(game.payoff), **payoff_looks(found)),
    )
    rows, ends = [], []
    for mixture, counts in enumerate(game.cells.counts.tolist()):
        if not game.matches[mixture]:
            continue
        for bot, count in enumerate(counts):
            if count:
                cell = int(game.cells.number[mixture, bot])
                text = mixture_text(game.bots, counts)
                rows.append((text, int(game.matches[mixture]), game.bots[bot], count, game.cell_estimate(cell)))
        ends.append(len(rows) - 1)
    return ResultTable(columns, rows, ends)


def invasion_table(found: MetaFindings) -> ResultTable:
    """One invader among copies of each resident, a row each, those that gain most first."""
    names = found.game.bots
    looks = {**payoff_looks(found), "signed": True}
    columns = (
        ResultColumn("residents", "residents", left=True),
        ResultColumn("invader", "one of", left=True),
        estimate_column("gain", "gain", **looks),
        ResultColumn("share", "in resamples", share=True),
        ResultColumn("verdict", "verdict", left=True),
    )
    order = sorted(found.graph.invasions, key=lambda each: (each.resident, -(each.gain.mean or 0.0)))
    rows = [
        (
            names[each.resident],
            names[each.invader],
            each.gain,
            each.share,
            {True: "invades", False: "cannot", None: "not told"}[each.succeeds],
        )
        for each in order
    ]
    last = {row[0]: number for number, row in enumerate(rows)}
    return ResultTable(columns, rows, list(last.values()))


def outlook_table(found: MetaFindings, outlook: PopulationOutlook) -> ResultTable:
    """What each bot can expect from a population, best first."""
    looks = payoff_looks(found)
    columns = (
        ResultColumn("bot", "bot", left=True),
        ResultColumn("share", "share", share=True),
        estimate_column("payoff", "can expect", **looks),
    )
    rows = [*zip(found.game.bots, outlook.shares, outlook.payoffs, strict=True)]
    known = [row for row in rows if row[2].mean is not None]
    return ResultTable(columns, sorted(known, key=lambda row: -(row[2].mean or 0.0)))


def meta_data(found: MetaFindings, populations: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """Everything that is found of one edition, as plain data."""
    game = found.game
    return {
        "edition": found.edition,
        "seats": game.cells.seats,
        "payoff": game.payoff.value,
        "unit": None if game.payoff.is_share else found.unit,
        "bots": {name: list(names) for name, names in zip(game.bots, found.entrants, strict=True)},
        "matches": int(game.matches.sum()),
        "blocks": game.blocks,
        "mixtures": rows_data(mixture_table(found)),
        "missing": found.missing,
        "populations": [_outlook_data(found, found.population(shares)) for shares in (None, *populations)],
        "invasions": rows_data(invasion_table(found)),
        "cycles": [{"bots": [game.bots[bot] for bot in each.bots], "share": each.share} for each in found.graph.cycles],
        "best_against_everybody": _best_data(found),
        "least_regret": [
            {
                "shares": _shares_data(found, each.shares),
                "regret": json_number(each.regret),
                "bound": json_number(each.bound),
                "average": json_number(each.average),
            }
            for each in found.least_regret
        ],
    }


def _outlook_data(found: MetaFindings, outlook: PopulationOutlook) -> dict[str, Any]:
    names = found.game.bots
    return {
        "shares": _shares_data(found, outlook.shares),
        "payoffs": {name: estimate_data(each) for name, each in zip(names, outlook.payoffs, strict=True)},
        "average": estimate_data(outlook.average),
        "regret": estimate_data(outlook.regret),
        "best": None if outlook.best is None else names[outlook.best],
    }


def _shares_data(found: MetaFindings, shares: Sequence[float]) -> dict[str, float | None]:
    return {name: json_number(share) for name, share in zip(found.game.bots, shares, strict=True) if share}


def _best_data(found: MetaFindings) -> dict[str, Any]:
    replies, names = found.best_replies, found.game.bots
    chances = dict(zip(names, map(json_number, replies.chances), strict=True)) if replies.chances else None
    return {
        "opponents": replies.opponents,
        "best": dict(zip(names, replies.best, strict=True)),
        "chances": chances,
        "may_be": [names[bot] for bot in replies.may_be_best],
        "nobody": replies.nobody_is,
    }
