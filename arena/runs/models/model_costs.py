"""What the models of a run have cost, and what came of it: by entrant and model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import msgspec

from arena.config.tournament_yaml import load_tournament
from arena.consultation.model_spec import ModelSpec
from arena.consultation.spending import ModelUse
from arena.match.work import Timing
from arena.runs.host_counts import with_timings
from arena.storage.layout import CONFIG_FILE
from arena.storage.packs.replay_packs import CASSETTES_FOLDER
from arena.storage.run_folder import FolderStore
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.tables.result_table import ResultColumn, ResultTable

MODEL_COLUMNS = (
    ResultColumn("entrant", "entrant", left=True),
    ResultColumn("model", "model", left=True),
    ResultColumn("calls", "calls"),
    ResultColumn("estimated", "estimated"),
    ResultColumn("prompt_tokens", "tokens asked"),
    ResultColumn("completion_tokens", "answered"),
    ResultColumn("dollars", "dollars", decimals=4),
    ResultColumn("won_per_dollar", "won a dollar", decimals=2),
)


def model_costs(store: FolderStore) -> ResultTable | None:
    """A row for each entrant and model that it used, with what the entrant won in all matches for each dollar of all
    its models, in the unit of the game; None where nobody has used any. Dollars are unknown where a price is."""
    if not (store.folder / CASSETTES_FOLDER).is_dir():
        return None  # reading the configuration takes long
    models = load_tournament(store.folder / CONFIG_FILE, files=False).models
    return cost_table(with_timings(store.records(), store.timings()), models) if models else None


def cost_table(
    matches: Iterable[tuple[MatchRecord, Timing | None]], models: dict[str, ModelSpec]
) -> ResultTable | None:
    """The table for these matches, void ones included, because they cost too."""
    used: dict[str, dict[str, ModelUse]] = defaultdict(dict)
    won: dict[str, int] = defaultdict(int)
    for record, timing in matches:
        for seat in record.seats:
            won[seat.entrant] += 0 if record.void else seat.money
        for of in timing.seats if timing is not None else ():
            for name, use in ({} if isinstance(of.models, msgspec.UnsetType) else of.models).items():
                used[of.entrant][name] = used[of.entrant].get(name, ModelUse()) + use
    rows = []
    for entrant, uses in sorted(used.items()):
        prices = {name: _dollars(models.get(name), use) for name, use in sorted(uses.items())}
        known = [price for price in prices.values() if price is not None]
        total = sum(known) if len(known) == len(prices) else None
        for name, price in prices.items():
            use = uses[name]
            rate = won[entrant] / total if total else None
            rows.append((entrant, name, use.calls, use.estimated, use.prompt, use.completion, price, rate))
    return ResultTable(MODEL_COLUMNS, rows) if rows else None


def _dollars(model: ModelSpec | None, use: ModelUse) -> float | None:
    return None if model is None or model.price is None else use.cost(model).money
