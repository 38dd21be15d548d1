"""Standings of a run that is not finished, as text."""

from __future__ import annotations

from arena.cli.output.terminal import fold_to_terminal, terminal_width
from arena.runs.provisional_standings import ProvisionalStandings
from arena.tournament.standings.standings_text import standings_table


def provisional_table(found: ProvisionalStandings, total: int) -> str:
    """The standings of the finished matches, with the numbers of matches behind them; if there are several editions,
    only the standings over all of them."""
    told = fold_to_terminal(found.in_words(total))
    if not found.matches:
        return told
    return f"{told}\n\n{standings_table(found.standings[-1], terminal_width())}"
