"""Ratings as tables for people, each with what its numbers mean and what they do not show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from textwrap import fill

from tabulate import tabulate

from arena.games import load_game
from arena.ratings.by_money.money_ratings import MoneyRating, MoneyRatings
from arena.ratings.by_order.orders import OrderRating, SeatEffect
from arena.ratings.order_columns import Numbers, RatingMatches
from arena.ratings.presenting.rating_figures import better_than_average, estimate_in_points, money_scales, scales_of
from arena.ratings.presenting.words import apart_in_words, components_in_words, parts_in_words
from arena.ratings.rate import Basis, Ratings
from arena.ratings.scale import RatingScale
from arena.tournament.inference.intervals import LEAST_CLUSTERS, Estimate
from arena.tournament.standings.rounded_figures import TEXT_WIDTH, estimate_text, fixed_decimals, percent_text

CELL_COLUMNS = 5
"""Columns of a superiority matrix take so much."""
MATRIX_TITLE = "Row above column, confidence in %:"


def ratings_text(ratings: Ratings, columns: int, matrix: bool = False, seats: bool = False) -> str:
    """Everything that was rated, for a terminal of so many ``columns``. The matrix of who is above whom is shown where
    it fits, and with ``matrix`` in any case; ``seats`` adds the effects of seats. Ends in a line break."""
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
        table = _order_table(ratings, scale, columns)
        heads += _header_line(table)
        yield table
        yield _fold_sentences(apart_in_words(scale), columns)
        if square := _chance_matrix(scale, columns, matrix):
            yield square
    about = [*components_in_words(rating.components, ratings.matches), *map(_note_sentence, rating.notes)]
    if about:
        yield _fold_sentences(about, columns)
    if seats and rating.seats:
        yield _seats_table(rating.seats, "log-worth", 2)
    if rating.scales:
        yield _fold_sentences(
            [_order_meaning(rating, ratings.wanted.anchor, heads), *_robust_meaning(ratings)], columns
        )


def _money_parts(ratings: Ratings, columns: int, matrix: bool, seats: bool) -> Iterator[str]:
    rating = ratings.money
    if rating is None:
        return
    unit = load_game(rating.game).unit
    yield f"In money ({unit})"
    heads = ""
    for each in rating.ratings:
        table = _money_table(ratings, each, columns)
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
        yield _seats_table(rating.seats, f"money ({unit})", 1)
    if rating.ratings:
        yield _fold_sentences(
            [_money_meaning(rating, ratings.wanted.anchor, heads), *_robust_meaning(ratings)], columns
        )


def _order_table(ratings: Ratings, scale: RatingScale, columns: int) -> str:
    name = scale.anchor or "average"
    headers = ["log-worth", "points", f"better than {name}"]
    makers: list[Callable[[int], str]] = [
        lambda at: estimate_text(scale.estimate(at), 2),
        lambda at: estimate_text(estimate_in_points(scale.estimate(at)), 0),
        lambda at: estimate_text(better_than_average(scale.estimate(at)), 1, True),
    ]
    return _scale_table(ratings, scale, headers, makers, Basis.ORDER, columns)


def _money_table(ratings: Ratings, rating: MoneyRating, columns: int) -> str:
    own, others, lead = money_scales(rating, ratings.wanted.anchor)
    headers, makers = ["own"], [_estimate_cells(own)]
    if others is not None:
        headers += ["others", "lead"]
        makers += [_estimate_cells(others), _estimate_cells(lead)]
    return _scale_table(ratings, own, headers, makers, Basis.MONEY, columns)


def _estimate_cells(scale: RatingScale) -> Callable[[int], str]:
    return lambda at: _signed_estimate(scale.estimate(at))


def _signed_estimate(estimate: Estimate) -> str:
    told = estimate_text(estimate, 1)
    return told if estimate.mean is None or told.startswith("-") or round(estimate.mean, 1) == 0 else f"+{told}"


def _scale_table(
    ratings: Ratings,
    scale: RatingScale,
    headers: Sequence[str],
    makers: Sequence[Callable[[int], str]],
    basis: Basis,
    columns: int,
) -> str:
    """A table of the entrants on a scale, the best first. Where it is too wide its last columns are left out, and a
    line says which."""
    matches = ratings.matches
    number = {name: at for at, name in enumerate(matches.names)}
    played, blocks = matches.played().tolist(), matches.blocks_of()[0].tolist()
    headers = ["#", "entrant", "matches", "blocks", *headers]
    rows = [
        [
            *(str(place), scale.names[at]),
            *(str(played[number[scale.names[at]]]), str(blocks[number[scale.names[at]]])),
            *(make(at) for make in makers),
        ]
        for place, at in enumerate(scale.order, 1)
    ]
    if ratings.clone_robust is not None and (robust := ratings.clone_robust.values.get(basis)) is not None:
        headers.append("clone-robust")
        for row, at in zip(rows, scale.order, strict=True):
            row.append(_robust_cell(robust, number[scale.names[at]], basis))
    return _fitting_table(headers, rows, columns)


def _robust_cell(values: Numbers, at: int, basis: Basis) -> str:
    value = float(values[at])
    return f"{fixed_decimals(value * 100, 1)} %" if basis is Basis.ORDER else fixed_decimals(value, 1)


def _fitting_table(headers: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> str:
    for kept in range(len(headers), 4, -1):
        align = ["right", "left", *["right"] * (kept - 2)]
        table = tabulate([row[:kept] for row in rows], headers[:kept], "simple", disable_numparse=True, colalign=align)
        if max(map(len, table.splitlines())) <= columns:
            break
    if kept == len(headers):
        return table
    return f"{table}\n\n" + _fold_sentences(
        [f"Too wide for this terminal: {', '.join(headers[kept:])}; --json has all."], columns
    )


def _header_line(table: str) -> str:
    """The headers of a table, of those columns that are shown."""
    return table.partition("\n")[0]


def _chance_matrix(scale: RatingScale, columns: int, wanted: bool) -> str:
    """How sure it is that the entrant of each row is above that of each column, in percent, under a line that says
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
        [str(place), scale.names[at], *(_chance_cell(each) for each in row)]
        for place, (at, row) in enumerate(zip(scale.order, matrix, strict=True), 1)
    ]
    numbers = [str(place) for place in range(1, size + 1)]
    align = ["right", "left", *["right"] * size]
    table = tabulate(rows, ["#", "entrant", *numbers], "simple", disable_numparse=True, colalign=align)
    return f"{MATRIX_TITLE}\n\n{table}"


def _chance_cell(chance: float | None) -> str:
    if chance is None:
        return ""
    whole = round(chance * 100)
    return {0: "<1", 100: ">99"}.get(whole, str(whole))


def _seats_table(seats: Sequence[SeatEffect], header: str, decimals: int) -> str:
    rows = [
        [each.group.edition, str(each.group.players), str(each.seat), estimate_text(each.effect, decimals)]
        for each in seats
    ]
    align = ("left", "right", "right", "right")
    return tabulate(rows, ["edition", "players", "seat", header], "simple", disable_numparse=True, colalign=align)


def _order_meaning(rating: OrderRating, anchor: str, heads: str) -> str:
    """What the columns mean that are shown under these ``heads``."""
    to = anchor or "their mean"
    if anchor and any(anchor not in scale.names for scale in rating.scales):
        to = f"{anchor} in its table, else to their mean"
    seats = "at equally good seats" if rating.seats else "with no regard to seats"
    told = f"Log-worths (Plackett–Luce with ties) are relative to {to}, {seats}."
    if "points" in heads:
        told += " 400 points are odds of ten to one."
    if "better than" in heads:
        told += (
            f" Better than {anchor or 'average'}: the share of matches, but for ties, in which it ranks before "
            f"{anchor or 'an average one'}."
        )
    if rating.tie is not None:
        told += f" Two equal entrants next to each other tie in {percent_text(rating.tie)} of cases."
    return told


def _money_meaning(rating: MoneyRatings, anchor: str, heads: str) -> str:
    """What the columns mean that are shown under these ``heads``."""
    to = anchor or "an average entrant"
    common = "the deal" if rating.deals else "the edition"
    if rating.ratings[0].others is None:
        return f"Own is what it makes more than {to}, of the same seat and deal."
    told = f"Own is what it makes more than {to} would at the same seat, with {common} and the opponents taken into "
    told += "account."
    if "others" in heads:
        told += " Others: what each of its opponents makes more because it sits there."
    if "lead" in heads:
        told += " Lead: own less others, so over each opponent (in arena luck: over the mean of the table)."
    told += f" A seat makes {fixed_decimals(rating.ratings[0].base, 1)} on average."
    return f"{told} Who is told apart, and the matrix, are by own."


def _robust_meaning(ratings: Ratings) -> list[str]:
    found = ratings.clone_robust
    if found is None:
        return []
    if found.strangers is not None:
        one, two = found.strangers
        return [f"There is no clone-robust rating: every two must have met, and {one} and {two} have not."]
    told = (
        "Clone-robust (deviation ratings): what it loses, in a match, to the mixture of entrants that is hardest to "
        "beat, whatever copies of anybody take part; it has no interval."
    )
    return [told]


def _counts_text(ratings: Ratings, columns: int) -> str:
    matches: RatingMatches = ratings.matches
    editions = sorted({group.edition for group in matches.groups})
    told = editions[0] if len(editions) == 1 else f"{len(editions)} editions"
    few = f" No ± with fewer than {LEAST_CLUSTERS} blocks." if matches.blocks < LEAST_CLUSTERS else ""
    text = (
        f"{matches.matches} matches of {told} in {matches.blocks} {'block' if matches.blocks == 1 else 'blocks'}, "
        f"{matches.voids} void. ± is half of a 95 % interval clustered by block. Neither ± nor confidence allows "
        f"for looking at many pairs at once.{few}"
    )
    return _fold_sentences([text, *([_note_sentence(ratings.left_out)] if ratings.left_out else [])], columns)


def _note_sentence(note: str) -> str:
    return f"{note[0].upper()}{note[1:]}."


def _fold_sentences(sentences: Sequence[str], columns: int) -> str:
    return "\n".join(fill(each, min(TEXT_WIDTH, columns), break_on_hyphens=False) for each in sentences)
