"""Language models for bots that are named on the command line: from a file, which may be that of a tournament."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.bot import Limits
from arena.config.documents.typed_yaml import convert_document
from arena.config.documents.yamlfile import read_yaml
from arena.config.model_keys import check_model_keys
from arena.config.tournament_config import RESOLVED_CONFIG, Tournament
from arena.consultation.model_spec import CallBudgets, MatchModels, ModelSpec
from arena.runs.models.model_access import ModelOptions, check_recorded_models, money_budget

THINKING_SECONDS = 60.0
"""How much longer than one call an ask may take by default."""


class ModelsFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of a file that say what models there are, what they may cost, and how long bots may think (None: long
    enough for the slowest)."""

    models: dict[str, ModelSpec]
    consulting: CallBudgets = CallBudgets()
    limits: Limits | None = None


class NamedModels(NamedTuple):
    """The models of a file, which all bots may consult, within which budgets, and the time limits for these bots."""

    models: dict[str, ModelSpec]
    budgets: CallBudgets
    limits: Limits

    def of_match(self, seats: int) -> MatchModels:
        """The models of one match with so many seats."""
        return MatchModels(self.models, (tuple(self.models),) * seats, self.budgets)


NO_NAMED_MODELS = NamedModels({}, CallBudgets(), Limits())


def read_named_models(path: str, options: ModelOptions, limits: Mapping[str, float]) -> NamedModels:
    """The models in the file at ``path``: its keys ``models``, ``consulting`` and ``limits``; other keys of tournaments
    do not count. ``limits`` are those that stand on the command line, by their key. Raises ConfigError for a mistake,
    and UserError where arena has written the file into a folder and the user has not allowed its models."""
    document = read_yaml(path)
    if isinstance(document.data, dict):
        own, others = ModelsFile.__struct_fields__, Tournament.__struct_fields__
        document = document.with_data(
            {key: value for key, value in document.data.items() if key in own or key not in others}
        )
    file = convert_document(document, ModelsFile)
    if not file.models:
        raise document.error("models", "expected at least one model: {NAME: {url: …, model: …}} (arena docs models)")
    allowed = msgspec.structs.replace(file.limits or limits_for(file.models), **limits)
    check_model_keys(document, file.models, file.consulting, allowed, {})
    if Path(path).name == RESOLVED_CONFIG:
        check_recorded_models(file.models, options)
    return NamedModels(file.models, money_budget(file.models, file.consulting, options), allowed)


def limits_for(models: Mapping[str, ModelSpec]) -> Limits:
    """Time limits that leave bots enough time for the slowest of these models."""
    slowest = max(model.total for model in models.values())
    return Limits(start=10.0, ask=slowest + THINKING_SECONDS, bank=10 * slowest, match=None)
