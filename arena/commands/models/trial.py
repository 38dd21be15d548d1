"""The tournament in which language models are compared: each plays ``talker``, on the same deals, against the same
bundled bots."""

from __future__ import annotations

import os
from collections.abc import Sequence

import msgspec

from arena.config.botspec import Scalar
from arena.config.editions import load_edition
from arena.config.tournament_config import EditionEntry, Entrant, Tournament
from arena.consultation.model_spec import NO_BUDGET, CallBudget
from arena.errors import UserError, nearest_hint
from arena.runs.bundled_bots import list_bots
from arena.runs.gauntlet_setup import ready_series
from arena.runs.models.named_models import limits_for
from arena.runs.planning.plan import Plan
from arena.tournament.formats.make_format import Formats
from arena.tournament.schedule.seat_orders import SeatOrders

ANCHORS, TABLE_ANCHORS = ("dealmaker", "fair", "hard", "tycoon", "cousin"), 3
"""The bots of whom the first ones that play the game sit at every table, besides the one that asks a model; and how
many."""
SEARCHING = "planner"
"""The bot that searches, by whose number of playouts a model can be measured."""
TRIAL_DEALS = 24
TRIAL_BUDGET = CallBudget(calls=200, tokens=400_000)
"""What a bot may use in one match, unless the file says it."""


def set_up_trial(
    config: Tournament,
    names: Sequence[str],
    deals: int,
    rules: str,
    language: str,
    seed: str | None,
    ruler: Sequence[int] = (),
) -> Plan:
    """The plan of a trial of the models in ``config``, or of those with these ``names``; the budgets are those of the
    file. Each plays each of so many ``deals`` in every seat; so does the bot that searches, once with each of these
    numbers of playouts (``ruler``). Raises UserError."""
    models = {name: model for name, model in config.models.items() if not names or name in names}
    for name in names:
        if name not in config.models:
            known = ", ".join(config.models)
            raise UserError(f"--model: no model {name!r}{nearest_hint(name, config.models)}; there are {known}")
    if rules.endswith((".yaml", ".yml")):
        rules = os.path.abspath(rules)
    game = load_edition(rules).game
    playing = {each.name for each in list_bots() if game in each.games}
    anchors = [name for name in ANCHORS if name in playing][:TABLE_ANCHORS]
    if len(anchors) < TABLE_ANCHORS:
        raise UserError(f"--rules {rules}: too few bundled bots play the game {game} to compare models with them")
    if ruler and SEARCHING not in playing:
        raise UserError(f"--ruler: {SEARCHING} does not play the game {game}; leave it out")
    searching = [
        Entrant(bot=SEARCHING, name=f"{SEARCHING}-{number}", options={"playouts": number})
        for number in dict.fromkeys(ruler)
    ]
    taken = (*anchors, *(each.name for each in searching))
    if clash := next((name for name in models if name in taken), ""):
        raise UserError(f"models: {clash} is the name of a bot of the trial; give the model another name")
    budgets = config.consulting
    if budgets.match == NO_BUDGET:
        budgets = msgspec.structs.replace(budgets, match=TRIAL_BUDGET)
    options: dict[str, Scalar] = {} if language == "en" else {"language": language}
    talkers = [Entrant(bot="talker", name=name, options=options, models=(name,)) for name in models]
    tournament = Tournament(
        name="models",
        entrants=(*talkers, *searching, *(Entrant(bot=name, name=name) for name in anchors)),
        editions=(EditionEntry(rules=rules),),
        seats=(1 + len(anchors),),
        blocks=deals,
        seat_orders=SeatOrders.ROTATIONS,
        limits=limits_for(models),
        format=Formats.GAUNTLET,
        challengers=(*models, *(each.name for each in searching)),
        models=models,
        consulting=budgets,
    )
    return ready_series(tournament, seed)
