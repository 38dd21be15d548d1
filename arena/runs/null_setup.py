"""Null runs: a bot against copies of itself, and how to recognize such a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from arena.errors import UserError
from arena.runs.gauntlet_setup import GauntletOptions, ready_series, tournament_of
from arena.runs.planning.plan import Plan
from arena.storage.run_folder import FolderStore
from arena.tournament.formats.make_format import Formats
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.schedule.seat_orders import SeatOrders
from arena.tournament.standings.null_test import NullRun, judge_null
from arena.tournament.standings.standings import fold_standings


def set_up_null(wanted: GauntletOptions, copies: int, blocks: int, seed: str | None) -> Plan:
    """The plan of a round robin between ``copies`` copies of the bot. Tables are spread over blocks and have their own
    deals, which is the default of tournament files. Raises UserError."""
    if copies < (wanted.seats or 2):
        raise UserError(f"--copies: expected {wanted.seats} or more, as many as there are players, got {copies}")
    together = msgspec.structs.replace(wanted, opponents=(wanted.bot,) * (copies - 1), orders=SeatOrders.ROTATIONS)
    tournament = msgspec.structs.replace(
        tournament_of(together), name="null", blocks=blocks, format=Formats.ROUND_ROBIN, challengers=()
    )
    return ready_series(tournament, seed)


def is_null(plan: Plan) -> bool:
    """Whether all entrants of a plan are the same bot with the same options, and there are several."""
    return len(plan.bots) > 1 and all(_same_bot(plan.bots[0], bot) for bot in plan.bots)


def _same_bot(one: Any, two: Any) -> bool:
    return bool((one.sha256, one.name, one.options) == (two.sha256, two.name, two.options))


def of_plan(plan: Plan, records: Iterable[MatchRecord]) -> dict[str, NullRun]:
    """The results of the matches of a null run's plan, by edition."""
    return _judge_editions(list(records), plan.names, plan.labels, plan.seed)


def _judge_editions(
    records: Sequence[MatchRecord], names: Sequence[str], labels: Sequence[str], seed: str
) -> dict[str, NullRun]:
    played = {record.edition for record in records}
    found = fold_standings(records, names, labels)
    return {each.edition: judge_null(each, records, seed) for each in found if each.edition in played}


def of_run(store: FolderStore) -> dict[str, NullRun]:
    """The results of the matches in a null run's folder, by edition. Raises UserError where entrants are not all the
    same bot."""
    facts = store.facts()
    check_same_bot(facts.entrants)
    return _judge_editions(list(store.records()), tuple(facts.entrants), tuple(facts.editions), facts.seed)


def check_same_bot(entrants: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise UserError where entrants, given as in a manifest, are not all the same bot with the same options."""
    if len(entrants) < 2:
        raise UserError(f"expected 2 entrants or more, copies of one bot, got {len(entrants)}")
    (first, bot), *others = entrants.items()
    for name, other in others:
        for key, what in (("sha256", "are different bots"), ("options", "have different options")):
            if bot.get(key) != other.get(key):
                raise UserError(f"a null run needs copies of one bot: {first} and {name} {what}")
