"""Which editions a tournament plays, and with which table sizes."""

from __future__ import annotations

import re

from arena.config import editions
from arena.config.editions import Edition
from arena.config.tournament_config import Tournament
from arena.errors import ConfigError, UserError
from arena.runs.planning.config_blame import Complain
from arena.tournament.formats.make_format import Formats


def editions_by_size(
    tournament: Tournament, complain: Complain, recorded: bool = False
) -> tuple[tuple[Edition, int], ...]:
    """Each edition with each of its table sizes; ``recorded`` is as for :func:`arena.config.editions.load_edition`."""
    tables: list[tuple[Edition, int]] = []
    for index, entry in enumerate(tournament.editions):
        key = f"editions[{index}]"
        try:
            edition = editions.load_edition(entry.rules, entry.variants, entry.changes, recorded)
        except ConfigError as problem:
            if (
                re.split(r"[.\[]", problem.key)[0] in entry.changes
            ):  # the mistake is in this file, not in the rules file
                raise complain(f"{key}.changes.{problem.key}", UserError(problem.message)) from None
            raise
        except UserError as problem:
            raise complain(key, problem) from None
        played = {(before.label, seats) for before, seats in tables}
        for seats in _table_sizes(tournament, edition, index, complain):
            if (edition.label, seats) in played:
                raise complain(key, UserError(f"{edition.label} is already played at {seats} seats, further up"))
            tables.append((edition, seats))
    return tuple(tables)


def _table_sizes(tournament: Tournament, edition: Edition, index: int, complain: Complain) -> tuple[int, ...]:
    """The table sizes of one edition: its own, else the tournament's, else as many seats as can be filled."""
    allowed, entrants = edition.seats, tournament.most_seats
    if (own := tournament.editions[index].seats) is not None:
        wanted, key, hint = own, f"editions[{index}].seats", ""
    elif tournament.seats is not None:
        several = len(tournament.editions) > 1
        hint = f"; give editions[{index}] 'seats' of its own" if several else ""
        wanted, key = tournament.seats, "seats"
    elif tournament.format is Formats.LIST:
        sizes = {len(table.entrants) for table in tournament.list_tables}
        wanted, key = tuple(sorted(sizes.intersection(allowed))), f"editions[{index}]"
        if not wanted:
            listed = ", ".join(map(str, sorted(sizes)))
            problem = f"{edition.label} is for {allowed[0]} to {allowed[-1]} players, the fixtures are for {listed}"
            raise complain(key, UserError(problem))
        return wanted
    elif entrants < allowed[0]:
        problem = f"{edition.label} needs at least {allowed[0]} entrants, got {entrants}"
        raise complain(f"editions[{index}]", UserError(problem))
    else:
        return (min(entrants, allowed[-1]),)
    for place, seats in enumerate(wanted):
        if seats not in allowed:
            problem = f"{edition.label} is for {allowed[0]} to {allowed[-1]} players, got {seats}{hint}"
            raise complain(f"{key}[{place}]" if len(wanted) > 1 else key, UserError(problem))
    return wanted
