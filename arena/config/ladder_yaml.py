"""Reads, checks and spells out a ladder's file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

from arena.config.documents.document import Document, child_path, item_path
from arena.config.documents.patch import set_key
from arena.config.documents.typed_yaml import convert_document
from arena.config.documents.yamlfile import read_yaml
from arena.config.editions import Edition, load_edition
from arena.config.filesearch import FileSearch
from arena.config.ladder_config import LadderConfig
from arena.config.model_keys import check_model_keys
from arena.config.shortforms import expand_bots
from arena.config.tournament_yaml import resolved_entrants
from arena.errors import UserError, nearest_hint
from arena.resources import bundled_folder
from arena.tournament.schedule.seat_orders import FEWEST_SEATS, SeatOrders, seat_orders

LADDER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
"""The valid names of ladders and of bots in them: they name folders, and files in exports."""
MOST_BY_DEFAULT = 4
"""The default number of seats at a table, unless the edition allows fewer."""


def find_ladder_file(name: str) -> Path:
    """The path of a ladder's file, given as a path or as the name of a bundled one. Raises UserError for another
    name."""
    if name.endswith((".yaml", ".yml")) or os.sep in name:
        return Path(name)
    known = {path.stem: path for path in sorted(bundled_folder("configs/ladders").glob("*.yaml"))}
    if name in known:
        return known[name]
    told = f"give a .yaml file, or one of arena's own: {', '.join(known)}"
    raise UserError(f"no ladder's file {name!r}{nearest_hint(name, known)}; {told}")


def load_ladder(path: str | os.PathLike[str], overrides: Iterable[str] = ()) -> tuple[LadderConfig, Edition]:
    """The ladder in the file at ``path``, after the ``key=value`` overrides in their order, and its edition.

    Paths of bots and rules are relative to the file's folder, else to the current one. Raises ConfigError for every
    mistake that can be found without loading bots.
    """
    return check_ladder_document(read_yaml(path), Path(path).parent, overrides)


def check_ladder_document(
    document: Document, folder: Path, overrides: Iterable[str] = ()
) -> tuple[LadderConfig, Edition]:
    """The ladder in a document, and its edition; relative paths are relative to ``folder``. Raises ConfigError."""
    document = expand_bots(document, "anchors")
    for setting in overrides:
        document = expand_bots(set_key(document, setting), "anchors")
    config = convert_document(document, LadderConfig)
    if not LADDER_NAME.fullmatch(config.name):
        told = "letters, digits, '-' and '_', at most 40, with a letter or digit first"
        raise document.error("name", f"expected {told}, got {config.name!r}")
    search = FileSearch(document, folder)
    rules = config.rules
    if rules.endswith((".yaml", ".yml")):
        rules = search.resolve("rules", rules)
    edition = _ladder_edition(document, rules, config)
    seats = config.seats or min(MOST_BY_DEFAULT, max(edition.seats))
    if seats not in edition.seats:
        told = f"{edition.label} is played by {min(edition.seats)} to {max(edition.seats)}"
        raise document.error("seats", f"expected a number of seats that the edition allows, got {seats}: {told}")
    if config.seat_orders is SeatOrders.LISTED:
        raise document.error("seat_orders", "a ladder chooses its tables itself: expected another scheme")
    try:
        seat_orders(config.seat_orders, max(seats, FEWEST_SEATS))
    except UserError as problem:
        raise document.error("seat_orders", str(problem)) from None
    anchors = resolved_entrants(document, "anchors", config.anchors, search)
    for place, anchor in enumerate(anchors):
        if not LADDER_NAME.fullmatch(anchor.name):
            raise document.error(
                item_path("anchors", place),
                f"give it a 'name' of letters, digits, '-' and '_'; its name is now {anchor.name!r}",
            )
        if anchor.team:
            raise document.error(item_path("anchors", place), "an anchor has no team")
    uses = {child_path(item_path("anchors", at), "models"): each.models for at, each in enumerate(anchors)}
    uses["entry.models"] = config.entry.models
    check_model_keys(document, config.models, config.consulting, config.limits, uses)
    return msgspec.structs.replace(config, rules=rules, seats=seats, anchors=anchors), edition


def _ladder_edition(document: Document, rules: str, config: LadderConfig) -> Edition:
    try:
        return load_edition(rules, config.variants, config.changes)
    except UserError as problem:
        raise document.error("variants" if config.variants else "rules", str(problem)) from None
