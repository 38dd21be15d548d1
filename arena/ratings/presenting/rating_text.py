"""Ratings as tables for people, each with what its numbers mean and what they do not show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import fill

from arena.games import load_game
from arena.ratings.by_money.money_ratings import MoneyRatings
from arena.ratings.by_order.orders import OrderRating
from arena.ratings.order_columns import RatingMatches
from arena.ratings.presenting.rating_figures import (
    FIXED,
    money_rows,
    money_scales,
    order_rows,
    scales_of,
    seat_effect_rows,
)
from arena.ratings.presenting.words import apart_in_words, components_in_words, match_ups_in_words, parts_in_words
from arena.ratings.rate import Ratings
from arena.ratings.scale import RatingScale
from arena.tournament.inference.intervals import LEAST_CLUSTERS
from arena.tournament.tables.result_table import ResultColumn, ResultTable
from arena.tournament.tables.rounded_figures import TEXT_WIDTH, fixed_decimals, percent_text
from arena.tournament.tables.table_text import fit_table, text_table, too_wide

FEW_BLOCKS = 10
"""With fewer blocks the largest likelihood draws log-worths apart by more than a few hundredths."""
CELL_COLUMNS = 5
"""The width of a column of the superiority matrix, in characters."""
MATRIX_TITLE = "Row above column, confidence in %:"


def ratings_text(ratings: Ratings, columns: int, matrix: bool = False, seats: bool = False) -> str:
    """All ratings, for a terminal of so many ``columns``. The matrix of who is above whom is shown if it fits, and
    always with ``matrix``; ``seats`` adds the effects of seats. Ends in a line break."""
    parts = [*_order_parts(ratings, columns, matrix, seats), *_money_parts(ratings, columns, matrix, seats)]
    parts.append(_counts_text(ratings, columns))
    return "\n\n".join(parts) + "\n"


def _order_parts(ratings: Ratings, columns: int, matrix: bool, seats: bool) -> Iterator[str]:
    rating = ratings.order
    if rating is None:
        return
    yield "By order of finish"
    heads = ""
    for scale in scales_of(ratings):
        table = _fitted(order_rows(ratings, scale), columns)
        heads += _header_line(table)
        yield table
        yield _fold_sentences(apart_in_words(scale), columns)
        if square := _chance_matrix(scale, columns, matrix):
            yield square
    about = [*components_in_words(rating.components, ratings.matches), *map(_note_sentence, rating.notes)]
    if about:
        yield _fold_sentences(about, columns)
    if seats and rating.seats:
        yield text_table(seat_effect_rows(rating.seats, "log-worth", 2))
    if rating.scales:
        yield _fold_sentences(
            [
                match_ups_in_words(rating.match_ups, share=True),
                _order_meaning(rating, ratings.wanted.anchor, heads),
                *_robust_meaning(ratings),
            ],
            columns,
        )


def _money_parts(ratings: Ratings, columns: int, matrix: bool, seats: bool) -> Iterator[str]:
    rating = ratings.money
    if rating is None:
        return
    unit = load_game(rating.game).unit
    yield f"In money ({unit})"
    heads = ""
    for each in rating.ratings:
        table = _fitted(money_rows(ratings, each), columns)
        heads += _header_line(table)
        yield table
        own, _, _ = money_scales(each, ratings.wanted.anchor)
        yield _fold_sentences(apart_in_words(own), columns)
        if square := _chance_matrix(own, columns, matrix):
            yield square
    about = [*parts_in_words(rating.components, ratings.matches), *map(_note_sentence, rating.notes)]
    if about:
        yield _fold_sentences(about, columns)
    if seats and rating.seats:
        yield text_table(seat_effect_rows(rating.seats, f"money ({unit})"))
    if rating.ratings:
        yield _fold_sentences(
            [
                match_ups_in_words(rating.match_ups, share=False),
                _money_meaning(rating, ratings.wanted.anchor, heads),
                *_robust_meaning(ratings),
            ],
            columns,
        )


def _fitted(table: ResultTable, columns: int) -> str:
    """A table of the entrants on a scale. Where it is too wide its last columns are left out, and a line says which."""
    table = table.for_people()
    shown = fit_table(table, columns, [(key,) for key in table.keys[:4:-1]])
    told = too_wide(table, shown, "--json has all")
    return "\n\n".join([text_table(shown), *([_fold_sentences([told], columns)] if told else [])])


def _header_line(table: str) -> str:
    """The line of headings of a table, for the columns that are shown."""
    return table.partition("\n")[0]


def _chance_matrix(scale: RatingScale, columns: int, wanted: bool) -> str:
    """The probability in percent that the entrant of each row is above that of each column, below a title that says
    so."""
    size = len(scale.names)
    widest = max(len(name) for name in scale.names)
    if size < 2:
        return ""
    if not (wanted or 3 + widest + 2 + size * CELL_COLUMNS <= columns):
        return _fold_sentences(
            ["Too wide for this terminal: who is above whom; --matrix shows it, --json has it."], columns
        )
    matrix = scale.matrix()
    if all(each is None for row in matrix for each in row):
        return ""
    rows = [
        [place, scale.names[at], *(_chance_cell(each) for each in row)]
        for place, (at, row) in enumerate(zip(scale.order, matrix, strict=True), 1)
    ]
    numbers = [ResultColumn(str(place), str(place)) for place in range(1, size + 1)]
    return f"{MATRIX_TITLE}\n\n{text_table(ResultTable((*FIXED[:2], *numbers), rows))}"


def _chance_cell(chance: float | None) -> str:
    if chance is None:
        return ""
    whole = round(chance * 100)
    return {0: "<1", 100: ">99"}.get(whole, str(whole))


def _order_meaning(rating: OrderRating, anchor: str, heads: str) -> str:
    """The meaning of the columns by order of finish whose headings are in ``heads``."""
    to = anchor or "their mean"
    if anchor and any(anchor not in scale.names for scale in rating.scales):
        to = f"{anchor} in its table, else to their mean"
    seats = "at equally good seats" if rating.seats else "ignoring seats"
    told = f"Log-worths (Plackett–Luce with ties) are relative to {to}, {seats}."
    if "points" in heads:
        told += " 400 points are odds of ten to one."
    if "better than" in heads:
        told += (
            f" Better than {anchor or 'average'}: the share of matches, without ties, in which it ranks above "
            f"{anchor or 'an average one'}."
        )
    if rating.tie is not None:
        told += f" Two equal entrants next to each other tie in {percent_text(rating.tie)} of cases."
    return told


def _money_meaning(rating: MoneyRatings, anchor: str, heads: str) -> str:
    """The meaning of the columns in money whose headings are in ``heads``."""
    to = anchor or "an average entrant"
    common = "the deal" if rating.deals else "the edition"
    if rating.ratings[0].others is None:
        return f"Own: how much more it makes than {to}, in the same seat and deal."
    told = f"Own: how much more it makes than {to} would in the same seat, with {common} and the opponents taken into "
    told += "account."
    if "others" in heads:
        told += " Others: how much more each of its opponents makes because it is at the table."
    if "lead" in heads:
        told += " Lead: own minus others, its advantage over each opponent (in arena luck: over the mean of the table)."
    told += f" A seat makes {fixed_decimals(rating.ratings[0].base, 1)} on average."
    return f"{told} Groups and matrix are by own."


def _robust_meaning(ratings: Ratings) -> list[str]:
    found = ratings.clone_robust
    if found is None:
        return []
    if found.strangers is not None:
        one, two = found.strangers
        return [f"There is no clone-robust rating: every two must have met, and {one} and {two} have not."]
    told = (
        "Clone-robust (deviation ratings): how much it loses per match to the mixture of entrants that is hardest to "
        "beat; copies do not change it, and it has no interval."
    )
    return [told]


def _counts_text(ratings: Ratings, columns: int) -> str:
    matches: RatingMatches = ratings.matches
    editions = sorted({group.edition for group in matches.groups})
    told = editions[0] if len(editions) == 1 else f"{len(editions)} editions"
    few = f" No ± with fewer than {LEAST_CLUSTERS} blocks." if matches.blocks < LEAST_CLUSTERS else ""
    text = (
        f"{matches.matches} matches of {told} in {matches.blocks} {'block' if matches.blocks == 1 else 'blocks'}, "
        f"{matches.voids} void. ± is half of a 95 % interval clustered by block. Neither ± nor confidence is "
        f"corrected for many pairs.{few}"
    )
    if ratings.order is not None and ratings.order.scales and matches.blocks < FEW_BLOCKS:
        text += " With so few blocks log-worths are a little too far apart, with 3 blocks by a tenth."
    return _fold_sentences([text, *([_note_sentence(ratings.left_out)] if ratings.left_out else [])], columns)


def _note_sentence(note: str) -> str:
    return f"{note[0].upper()}{note[1:]}."


def _fold_sentences(sentences: Sequence[str], columns: int) -> str:
    return "\n".join(fill(each, min(TEXT_WIDTH, columns), break_on_hyphens=False) for each in sentences)
