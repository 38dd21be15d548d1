"""Begins a ladder, from its file or from the name of an edition, with its anchors."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from arena.config.botspec import parse_bot
from arena.config.document import Document
from arena.config.ladder_yaml import checked, load_ladder
from arena.config.tournament_config import Entrant
from arena.finding.reference import BotRef, refer_file
from arena.ladder.database.ladder_folder import Place
from arena.ladder.database.ladders import Ladder, begin_ladder
from arena.ladder.database.rounds import isolation_of
from arena.ladder.entry.admission_rows import admit_anchors
from arena.runs.bundled_bots import bundled_for
from arena.runs.planning.load_bots import check_loading, refer
from arena.storage.files.atomic_files import check_place

FIRST_ANCHOR, ANCHORS = "fair", 3
"""The bundled bot that has 0 points in a ladder without a file, and how many bundled bots are anchors there: with them
a single bot has opponents."""


def begin(place: Place, config: Path | None, rules: str | None, overrides: list[str]) -> Ladder:
    """Begin a ladder: that of a file, or one of the edition ``rules``; after the ``key=value`` overrides. Raises
    ConfigError for what is wrong with it, UserError where the folder has a ladder of this name already."""
    check_place(place.shown, "DIR", folder=True)
    if config is not None:
        keys, edition = load_ladder(config, overrides)
    else:
        stem = Path(rules or "").stem
        keys, edition = checked(Document("", {"name": stem, "rules": rules}), Path(), overrides)
        if not keys.anchors:
            names = sorted(bundled_for(edition.game), key=lambda name: name != FIRST_ANCHOR)[:ANCHORS]
            bots = tuple(Entrant(bot=name, name=name) for name in names)
            keys = msgspec.structs.replace(keys, anchors=bots)
    anchors = [
        (anchor.name, by_value(refer(parse_bot(anchor.bot), anchor.options, anchor.files))) for anchor in keys.anchors
    ]
    check_loading([ref for _, ref in anchors], isolation_of(keys, edition.game))
    assert keys.seats is not None, "checked"
    return begin_ladder(
        place, keys, edition, keys.seats, lambda database, ladder: admit_anchors(place, database, ladder, anchors)
    )


def by_value(ref: BotRef) -> BotRef:
    """The same bot with its files: a bundled one as if its file were anybody's, so that it stays what it is when
    another version of arena is installed."""
    if not ref.bundled:
        return ref
    return refer_file(os.path.join(ref.folder, ref.file), ref.cls or None, ref.options)
