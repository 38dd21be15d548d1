"""The schedule of a run, made from its manifest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from arena.errors import UserError
from arena.storage.run_facts.facts import Facts
from arena.storage.run_facts.settings import complete_settings
from arena.tournament.formats.list_format import read_tables
from arena.tournament.formats.make_format import Contest, Formats, RoundRobinTables, make_format
from arena.tournament.formats.team_tables.teams import teams_of
from arena.tournament.schedule.deals import Deals
from arena.tournament.schedule.roster import Roster
from arena.tournament.schedule.schedule import Schedule, ScheduledEdition
from arena.tournament.schedule.seat_orders import SeatOrders


def roster_of_facts(facts: Facts, settings: Mapping[str, Any], where: str) -> Roster:
    """The roster of a run, from the facts and settings of the manifest that messages call ``where``, without results.
    Raises UserError where these do not determine the matches."""
    editions = []
    for label in facts.editions:
        seats = re.fullmatch(r".+-(\d+)p", label)
        if seats is None:
            raise UserError(f"{where}: editions: {label} does not end in its number of seats, such as -4p")
        editions.append(ScheduledEdition(label, int(seats[1])))
    settings = complete_settings(settings)
    names = list(facts.entrants)
    teams = [each.get("team", "") for each in facts.entrants.values()]
    try:
        contest = Contest(
            entrants=len(names),
            seed=facts.seed,
            challengers=tuple(names.index(name) for name in settings["challengers"]),
            tables=RoundRobinTables(settings["tables"] or RoundRobinTables.SPREAD),
            teams=teams_of(teams) if any(teams) else None,
            rounds=settings["rounds"] or 1,
            listed=read_tables(settings["fixtures"], names),
            copies=max(edition.seats for edition in editions),
        )
        format, orders = make_format(Formats(settings["format"]), contest), SeatOrders(settings["seat_orders"])
        schedule = Schedule(len(names), editions, int(settings["blocks"]), orders, format, facts.suspend_after)
        return Roster(schedule, names, facts.seed, Deals(settings["deals"]), facts.played_share)
    except (KeyError, TypeError, ValueError) as problem:
        message = f"{where}: settings: no format, blocks, seat orders or deals that can be played: {problem}"
        raise UserError(message) from None
