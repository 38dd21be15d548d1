"""Money over deals: how entrants earn their final money."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.games import load_game
from arena.tournament.standings.standings import Standings
from arena.tournament.tables.result_table import estimate_column, keyed_table
from arena.web.report.charts.line_chart import IN_COLOUR, Curve, line_chart
from arena.web.report.figures.money_over_deals import MoneyOverDeals, MoneyPoint, money_by_deal
from arena.web.report.sections.report_parts import Meaning, ReportPart, ReportSection, Sheet


def money_section(
    standings: Sequence[Standings],
    money: MoneyOverDeals | None,
    editions: Mapping[str, str],
    numbers: Mapping[str, int],
    missing: Sequence[str],
) -> ReportSection:
    """Return the section on mean money by number of deals (rounds); ``editions`` has the game of each edition, by
    label. ``missing`` are sentences on what is left out because replays are missing."""
    parts = []
    for each in standings if money is not None else ():
        assert money is not None
        if len(each.games) == 1 and money_by_deal(each.games[0]) is not None and each.matches:
            labels = [each.edition] if each.edition in editions else _of_game(editions, each.games[0])
            if part := _money_part(each, labels, money, numbers):
                parts.append(part)
    return ReportSection(
        id="money",
        title="Money over deals",
        about="Mean money by number of deals opened (or rounds played); the band is the 95 % interval of the mean.",
        parts=parts,
        missing=missing if parts or missing else ["No match has its money deal by deal."],
    )


def _of_game(editions: Mapping[str, str], game: str) -> list[str]:
    return [label for label, of in editions.items() if of == game]


def _money_part(
    standings: Standings, labels: Sequence[str], money: MoneyOverDeals, numbers: Mapping[str, int]
) -> ReportPart | None:
    game = standings.games[0]
    by_deal, unit = money_by_deal(game), load_game(game).unit
    assert by_deal is not None
    word = by_deal.deal
    names = [row.entrant for row in standings.rows if row.matches]
    points = {name: found for name in names if (found := money.points(labels, name))}
    if not points:
        return None
    curves = [
        Curve(name, numbers[name], [(point.deals, point.money) for point in found]) for name, found in points.items()
    ]
    title = f"{standings.edition}, {unit}"
    more = f"In colour: the best {IN_COLOUR} of {len(curves)}; pick another to see its line."
    return ReportPart(
        title=f"In {unit}",
        edition=standings.edition,
        meanings=[
            Meaning(
                f"money after {word} N",
                f"The mean over all matches of the entrant of its money after the Nth {word} of the match"
                f"{f', failed {word}s too' if by_deal.fails else ''}. A match with fewer {word}s counts with the money "
                f"at its end, so that every point is a mean over the same matches, the last one that of the standings.",
            )
        ],
        picture=line_chart(f"Mean money over {word}s: {title}", curves, f"{word}s", unit),
        notes=[more] if len(curves) > IN_COLOUR else [],
        sheet=_money_sheet(standings.edition, word, points),
    )


def _money_sheet(edition: str, word: str, points: Mapping[str, Sequence[MoneyPoint]]) -> Sheet:
    keys = ("entrant", f"{word}s", "matches", f"matches_with_as_many_{word}s", estimate_column("money"))
    rows = [
        [name, point.deals, point.matches, point.reached, point.money]
        for name, found in points.items()
        for point in found
    ]
    return Sheet(f"money-over-{word}s-{edition}", keyed_table(keys, rows))
