"""The sections of the pages of versions, authors and seasons: the same where they are served and where exported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from arena.games.summary import FigureUnit, SummaryFigure
from arena.ladder.rating.result_rows import ListedSeason, RankedVersion, VersionMatch, VersionPrices, VersionResults
from arena.ledger.figure import LedgerUnit
from arena.pages.html_table import ColumnHead, Field, Grid, TableLine
from arena.tournament.inference.intervals import Estimate
from arena.tournament.tables.rounded_figures import NO_VALUE, estimate_text, fixed_decimals, percent_text

STATE_ORDER = ("active", "suspended", "disabled", "replaced", "retired")
"""The order in which versions are listed, by their states: those that play first."""


class PageLinks(NamedTuple):
    """The addresses of pages by what they show: of a version, of an author, of a match by its number, of a season by
    its number; "": there is no such page."""

    version: Callable[[str], str]
    author: Callable[[str], str]
    match: Callable[[int], str]
    season: Callable[[int], str]


class ResultSection(NamedTuple):
    """A section of a page: its ``title``, a table, and a sentence below it ("": none)."""

    title: str
    grid: Grid
    told: str = ""


def version_sections(results: VersionResults, links: PageLinks, unit: str, decimals: int) -> list[ResultSection]:
    """The sections on a version: whom it beats, its figures, prices, siblings and matches; those that have rows."""
    sections = [
        _record_section(results, links, unit),
        ResultSection(
            "What it does in a match",
            _grid(("", "mean"), (_figure_line(figure, value, unit) for figure, value in results.figures)),
            f"Means over {results.counted:,} matches. Money is in {unit}." if results.counted else "",
        ),
        _price_section(results.prices, unit),
        ranked_section("Other versions of this bot", results.siblings, links, decimals),
        _match_section(results.matches, links, unit),
    ]
    return [each for each in sections if each.grid.lines]


def faults_sentence(results: VersionResults) -> str:
    """The faults of a version in a season, in words; "" if it has none."""
    kinds = [f"{count:,} {kind}" for kind, count in results.faults.items()]
    return ", ".join([*kinds, *([f"put out in {results.put_out:,} matches"] if results.put_out else [])])


def place_sentence(version: RankedVersion, decimals: int) -> str:
    """The place and the rating of a version, in words; "" if it has none."""
    return "" if version.place is None else f"{version.place}, rating {_rating_cell(version, decimals)}"


def ranked_section(title: str, versions: Iterable[RankedVersion], links: PageLinks, decimals: int) -> ResultSection:
    """A section on versions: those that play first, the best of them first."""
    order = sorted(versions, key=lambda each: (STATE_ORDER.index(each.state), each.place or 1 << 30, -each.id))
    lines = (
        [
            Field(each.name, address=links.version(each.name)),
            Field(each.state + (", anchor" if each.anchor else "")),
            Field(NO_VALUE if each.place is None else str(each.place)),
            Field(_rating_cell(each, decimals)),
            Field(each.submitted[:10]),
        ]
        for each in order
    )
    return ResultSection(title, _grid(("version", "state", "place", "rating", "submitted"), lines, left=(0, 1, 4)))


def season_section(seasons: Sequence[ListedSeason], links: PageLinks) -> ResultSection:
    """The section that lists all seasons, the last one first, with their champions and seeds."""
    lines = (
        [
            Field(f"season {each.number}", address=links.season(each.number)),
            Field(", ".join(each.champions) or NO_VALUE),
            Field(each.ended[:10] or "goes on"),
            Field(each.began[:10]),
            Field(f"{each.matches:,}"),
            Field(each.seed_sha256, prose=True),
            Field(each.seed or "not public", prose=True),
        ]
        for each in reversed(seasons)
    )
    heads = ("season", "champion", "ended", "began", "matches", "commitment", "seed")
    told = "The commitment is the SHA-256 of the seed, known since the season began."
    return ResultSection("", _grid(heads, lines, left=(0, 1, 2, 3, 5, 6)), told)


def _record_section(results: VersionResults, links: PageLinks, unit: str) -> ResultSection:
    lines = (
        [
            Field(each.opponent, address=links.version(each.opponent)),
            Field(percent_text((each.ahead + each.equal / 2) / each.matches)),
            Field(f"{each.ahead:,}"),
            Field(f"{each.equal:,}"),
            Field(f"{each.matches - each.ahead - each.equal:,}"),
            Field(f"{each.margin:+.1f}"),
        ]
        for each in results.records
    )
    heads = ("opponent", "ahead of it", "ahead", "equal", "behind", "margin")
    told = f"In matches with this opponent; equal ranks count half. Margin: how much more money ({unit}) a match."
    return ResultSection("Whom it beats", _grid(heads, lines, left=(0,)), told)


def _price_section(prices: VersionPrices, unit: str) -> ResultSection:
    """A column for each role, because a phone has room for two."""
    units = {LedgerUnit.MONEY: f" ({unit})", LedgerUnit.DIVIDENDS: " (dividends)"}
    lines = [
        [
            Field(each.heading + units.get(each.unit, "")),
            *(
                Field(estimate_text(row.cells.get(each.name), each.decimals, each.unit is LedgerUnit.SHARE))
                for row in prices.rows
            ),
        ]
        for each in prices.figures
    ]
    told = f"From its last {prices.matches:,} matches with a replay. What each line is: arena docs ledger."
    return ResultSection("Prices that it asks and gets", _grid(("", *(row.told for row in prices.rows)), lines), told)


def _match_section(matches: Sequence[VersionMatch], links: PageLinks, unit: str) -> ResultSection:
    lines = (
        [
            Field(f"{each.number}", address=links.match(each.number)),
            Field(f"{each.round}"),
            Field(f"{each.rank}"),
            Field(f"{each.money:,}"),
            Field(", ".join(f"{name} {money:,}" for name, money in each.others), prose=True),
            Field(_note(each)),
        ]
        for each in matches
    )
    heads = ("match", "round", "rank", "money", "others", "notes")
    return ResultSection("Last matches", _grid(heads, lines, left=(4, 5)), f"Money is in {unit}.")


def _note(match: VersionMatch) -> str:
    faults = f"{match.faults} fault{'' if match.faults == 1 else 's'}" if match.faults else ""
    ended = "" if match.ended == "played" else match.ended
    return ", ".join(filter(None, (faults, ended, "void" if match.void else "")))


def _rating_cell(version: RankedVersion, decimals: int) -> str:
    if version.value is None:
        return NO_VALUE
    return estimate_text(Estimate(version.value, version.low, version.high, 0), decimals)


def _figure_line(figure: SummaryFigure, value: float | None, unit: str) -> list[Field]:
    name = f"– {figure.told}" if figure.below else figure.told
    return [Field(name), Field(_figure_text(figure, value, unit))]


def _figure_text(figure: SummaryFigure, value: float | None, unit: str) -> str:
    if value is None:
        return NO_VALUE
    if figure.unit is FigureUnit.SHARE:
        return percent_text(value)
    return f"{fixed_decimals(value, 1)} {unit}" if figure.unit is FigureUnit.MONEY else fixed_decimals(value, 2)


def _grid(heads: Sequence[str], lines: Iterable[Sequence[Field]], left: Sequence[int] = (0,)) -> Grid:
    return Grid([ColumnHead(head, at in left) for at, head in enumerate(heads)], [TableLine(line) for line in lines])
