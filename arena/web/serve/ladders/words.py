"""What the words on the pages of a ladder mean, for readers who have not seen one before."""

from __future__ import annotations

from arena.games import load_game
from arena.ladder.database.ladders import Ladder
from arena.printable import printable_text
from arena.ratings.rate import Basis
from arena.tournament.schedule.seat_orders import seat_orders


def standings_meanings(ladder: Ladder, anchor: str) -> list[tuple[str, str]]:
    """The words of the standings, each with its meaning. ``anchor`` is the version that has 0; "" where none was
    rated."""
    return [
        _rating_meaning(ladder, anchor),
        ("anchor", "A bot that always plays, so that ratings of different months can be compared. The first has 0."),
        ("table", _table_meaning(ladder)),
        ("level", "The first and the last place of the versions that do not differ significantly; empty: none."),
        ("next tables", next_tables(ladder)),
    ]


def next_tables(ladder: Ladder) -> str:
    """How the tables of the next round are chosen."""
    return (
        "The tables of a round are chosen together, after the previous round is closed. First come new versions, "
        f"until each has sat at {ladder.config.newcomer_tables} tables; then pairs that do not yet differ "
        "significantly, beginning with tables that are expected to decide most pairs. A quarter of all seats is "
        "distributed evenly, whatever the results, so everybody plays on."
    )


def _rating_meaning(ladder: Ladder, anchor: str) -> tuple[str, str]:
    none = "the first anchor" if ladder.config.anchors else "the mean of all that are rated"
    to = printable_text(anchor) or none
    if Basis(ladder.config.rated_by) is Basis.ORDER:
        return (
            "points",
            f"Rating by order of finish, relative to {to}: 400 more are odds of ten to one.",
        )
    unit = load_game(ladder.edition.game).unit
    return "own", f"How much more a version makes than {to}, in {unit} a match, against the same opponents."


def _table_meaning(ladder: Ladder) -> str:
    matches = len(seat_orders(ladder.config.seat_orders, ladder.seats))
    return (
        f"{ladder.seats} versions that play {matches} matches with the same deals, in other seats each time. They "
        f"form a block: intervals are clustered by block, because its matches resemble each other."
    )
