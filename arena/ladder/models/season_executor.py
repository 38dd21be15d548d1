"""The executor of a ladder whose bots consult language models: slots in this process."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import msgspec

from arena.consultation.model_spec import CallBudget
from arena.errors import UserError
from arena.executors.executor import Executor
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import find_ladder
from arena.ladder.models.season_spending import season_allowance, spending_in
from arena.match.executor_kind import ExecutorKind
from arena.runs.models.model_access import USUAL_SLOTS, ModelOptions, check_prices, check_recorded_models, reach_models
from arena.storage.packs.replay_packs import OPEN_CALLS_FOLDER


def season_executor(
    place: LadderFolder,
    name: str,
    options: ModelOptions,
    way: str,
    make: Callable[[], Executor],
    tell: Callable[[int], object] = lambda slots: None,
) -> Executor:
    """The executor that plays the ladder of this name: what ``make`` gives, which plays in the ``way`` of that name; or
    where its bots consult models, slots, once each of its models was tried. ``tell`` hears how many. The caller must
    close it. Raises UserError where the user has not allowed the ladder's models, one fails, or the executor is
    another."""
    with closing(open_database(place.database, place.shown)) as database:
        ladder = find_ladder(database, name)
        models = ladder.config.models
        if not models:
            return make()
        if way != ExecutorKind.POOL:
            raise UserError(f"models are consulted in the process of the ladder alone: leave out the executor {way}")
        check_recorded_models(models, options)
        allowance = season_allowance(place, ladder)
        if options.money is not None:  # in place of what is left of the season's budget
            check_prices(models)
            run = CallBudget(money=spending_in(database, ladder.season.id).money + options.money)
            allowance.budgets = msgspec.structs.replace(allowance.budgets, run=run)
    slots = ladder.config.slots or USUAL_SLOTS
    tell(slots)
    journals = place.season(ladder.name, ladder.season.number) / OPEN_CALLS_FOLDER
    return reach_models(models, slots, allowance, options, journals)
