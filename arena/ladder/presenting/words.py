"""The sentences below the table of a ladder's standings."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from arena.ladder.presenting.standings_cells import StandingsColumn
from arena.ladder.rating.standing import LadderStandings, StandingsBasis, Unrated
from arena.printable import printable_text
from arena.ratings.presenting.words import match_ups_in_words, name_list
from arena.ratings.rate import Basis
from arena.tournament.inference.intervals import LEAST_CLUSTERS
from arena.tournament.tables.rounded_figures import fixed_decimals

NAMED_GROUPS = 6
"""How many groups are listed at most."""


def standings_sentences(standings: LadderStandings, heads: Collection[str], options: bool = False) -> list[str]:
    """Return paragraphs that say from what the standings are computed, and what the shown columns (``heads``) mean.
    With ``options``, they name the options of the command that show more."""
    whole = standings.whole
    told = [played_text(whole)]
    if standings.rows:
        told += [_meaning_sentences(whole, heads), *_told_apart(standings), *_unrated_sentences(standings)]
        told += [f"{note[0].upper()}{note[1:]}." for note in whole.notes]
        told.append(match_ups_in_words(whole.match_ups, share=whole.rated_by is Basis.ORDER))
        if StandingsColumn.CHANGE in heads and whole.since is not None:
            told.append(_since_sentence(whole))
    return [printable_text(each) for each in (*told, *_left_out(whole, options))]  # strangers choose names


def played_text(whole: StandingsBasis) -> str:
    """Name the ladder and the season, and say how much was played."""
    ended = ", which has ended" if whole.ended else ""
    told = (
        f"{whole.ladder}, season {whole.season}{ended}: {whole.edition}, tables of {whole.seats}; "
        f"{_count_text(whole.matches, 'match', 'matches')} in {_count_text(whole.blocks, 'table', 'tables')} and "
        f"{_count_text(whole.rounds, 'round', 'rounds')} since {day_text(whole.began)}, {whole.voids} void."
    )
    if whole.waiting:
        told += f" {_count_text(whole.waiting, 'match', 'matches')} of the open round will count when it is closed."
    return told


def day_text(time: str) -> str:
    """Return the date of a time from the database."""
    return time[:10]


def minute_text(time: str) -> str:
    """Return a time from the database to the minute."""
    return f"{time[:16].replace('T', ' ')} UTC"


def _meaning_sentences(whole: StandingsBasis, heads: Collection[str]) -> str:
    to = whole.anchor or "the mean of all that are rated"
    seats = "at equally good seats" if whole.by_seat else "ignoring seats"
    if whole.rated_by is Basis.ORDER:
        told = f"Points by order of finish (Plackett–Luce), relative to {to}, {seats}: 400 more are odds of ten to one."
    else:
        more = f"than {whole.anchor}" if whole.anchor else "than an average version"
        told = f"Own: how much more it makes {more} ({whole.unit} per match), {seats}, against the same opponents."
    if StandingsColumn.BEATEN in heads:
        told += " Beaten: share of opponents that ranked worse; equal ranks count half."
    if StandingsColumn.MONEY in heads:
        told += f" Money a match in {whole.unit}."
    few = f"; no ± with fewer than {LEAST_CLUSTERS} tables" if whole.blocks else ""
    return f"{told} ± is half of a 95 % interval clustered by table{few}."


def _told_apart(standings: LadderStandings) -> Iterator[str]:
    pairs, whole = standings.pairs, standings.whole
    if pairs is None or len(standings.rows) < 2:
        return
    count = pairs.apart + pairs.equal + pairs.open + pairs.unrated
    equal = ""
    if whole.rated_by is Basis.ORDER:
        low, high = (fixed_decimals(100 * (0.5 + way * whole.indifference), 1) for way in (-1, 1))
        equal = f"{pairs.equal} as good as equal ({low} to {high} % of matches), "
    unrated = f", {pairs.unrated} without rating" if pairs.unrated else ""
    told = f"Of {_count_text(count, 'pair', 'pairs')} {pairs.apart} are told apart, {equal}{pairs.open} open{unrated}."
    if not standings.groups:
        yield told
        return
    names = [[row.version for row in standings.rows[first - 1 : last]] for first, last in standings.groups]
    if len(names) <= NAMED_GROUPS:
        told += f" Not told apart: {'; '.join(map(name_list, names))}."
    level = "the places of the versions from which it does not differ significantly"
    yield f"{told} Level: {level} (95 %, without correction for many pairs)."


def _unrated_sentences(standings: LadderStandings) -> Iterator[str]:
    told = {
        Unrated.AHEAD: "never finished behind a rated version, so it is unknown how much better they are",
        Unrated.BEHIND: "never finished ahead of a rated version, so it is unknown how much worse they are",
        Unrated.APART: "met no rated version, directly or by steps, so they have no meaningful place",
        Unrated.UNSOLVED: "have no rating: the matches do not distinguish them",
    }
    for why, meaning in told.items():
        names = [row.version for row in standings.rows if row.unrated is why]
        if names:
            yield f"Without rating: {name_list(names)}; {meaning}."


def _since_sentence(whole: StandingsBasis) -> str:
    assert whole.since is not None
    return f"Change since round {whole.since.round}, closed at {minute_text(whole.since.at)}; ▲ and ▼ are places."


def _left_out(whole: StandingsBasis, options: bool) -> Iterator[str]:
    if whole.without:
        yield f"Matches with {name_list(whole.without)} do not count here."
    if whole.not_shown:
        more = " (--all shows them)" if options else ""
        yield f"Not shown: {_count_text(whole.not_shown, 'version', 'versions')} that no longer play{more}."
    if whole.unplayed:
        yield f"No match counted: {name_list(whole.unplayed)}."


def _count_text(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
