"""Null runs: a bot against copies of itself, and whether a run is one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from arena.app.folder import FolderStore
from arena.app.gauntlet import Gauntlet
from arena.app.plan import Plan
from arena.errors import UserError
from arena.tournament.null_run import NullRun, judge_null
from arena.tournament.records import MatchRecord
from arena.tournament.schedule import ALL_EDITIONS
from arena.tournament.standings import Standings, fold_standings


def copies(wanted: Gauntlet, players: int) -> Gauntlet:
    """The gauntlet of a bot against copies of itself, at one table of so many players."""
    return msgspec.structs.replace(wanted, opponents=(wanted.bot,) * (players - 1), seats=players)


def is_null(plan: Plan) -> bool:
    """Whether all entrants of a plan are the same bot with the same options, and there are several."""
    return len(plan.bots) > 1 and all(_same(plan.bots[0], bot) for bot in plan.bots)


def _same(one: Any, two: Any) -> bool:
    return bool((one.sha256, one.name, one.options) == (two.sha256, two.name, two.options))


def judge_all(standings: Iterable[Standings], records: Iterable[MatchRecord], seed: str) -> dict[str, NullRun]:
    """What each edition of a null run has shown, by its label."""
    every = list(records)
    labels = {record.edition for record in every}
    return {each.edition: judge_null(each, every, seed) for each in standings if each.edition in labels}


def of_run(store: FolderStore) -> dict[str, NullRun]:
    """What the matches of a run's folder show, by edition. Raises UserError where entrants are not all the same bot."""
    facts = store.facts()
    check_same(facts.entrants)
    found = fold_standings(store.records(), tuple(facts.entrants), tuple(facts.editions))
    return judge_all([each for each in found if each.edition != ALL_EDITIONS], store.records(), facts.seed)


def check_same(entrants: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise UserError where entrants (as a manifest tells of them) are not all the same bot with the same options."""
    if len(entrants) < 2:
        raise UserError(f"expected 2 entrants or more, copies of one bot, got {len(entrants)}")
    (first, bot), *others = entrants.items()
    for name, other in others:
        for key, what in (("sha256", "are different bots"), ("options", "have different options")):
            if bot.get(key) != other.get(key):
                raise UserError(f"a null run is of copies of one bot: {first} and {name} {what}")
