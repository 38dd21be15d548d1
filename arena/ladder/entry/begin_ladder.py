"""Begins a ladder, from its file or from the name of an edition, with its anchors."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from arena.config.botspec import BotSpec, parse_bot
from arena.config.documents.document import Document
from arena.config.ladder_yaml import check_ladder_document, load_ladder
from arena.config.tournament_config import Entrant
from arena.consultation.spending import RunAllowance
from arena.errors import ConfigError, UserError
from arena.finding.files import NeighbourFile, Trust, names_beside
from arena.finding.reference import BotRef, refer_file
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder, begin_ladder
from arena.ladder.database.rounds import isolation_of
from arena.ladder.entry.admission_rows import admit_anchors
from arena.ladder.entry.promotion import check_promotion, promote_at_begin
from arena.ladder.models.season_spending import NOBODY, add_spending
from arena.printable import printable_text
from arena.runs.bundled_bots import bundled_for
from arena.runs.models.model_access import try_models
from arena.runs.planning.isolation_level import BotPermissions
from arena.runs.planning.load_bots import check_loading, refer_to_bot
from arena.storage.files.atomic_files import check_place

FIRST_ANCHOR, ANCHOR_BOTS = "fair", 3
"""For a ladder without a file: the bundled bot whose rating is 0, and how many bundled bots are anchors, so that even a
single submitted bot has opponents."""
NAMED_FILES = 10
"""How many files that lie beside a bot, and are not taken, a message names at most."""


def begin_new_ladder(
    place: LadderFolder,
    config: Path | None,
    rules: str | None,
    overrides: list[str],
    say: Callable[[str], object] = lambda text: None,
) -> Ladder:
    """Begin a ladder from a file, or of the edition ``rules``, after applying the ``key=value`` overrides. ``say``
    receives notes on its anchors. Raises ConfigError for wrong keys or values, UserError where the folder has a ladder
    of this name already, or one of its language models fails."""
    check_place(place.shown, "DIR", folder=True)
    if config is not None:
        keys, edition = load_ladder(config, overrides)
    else:
        stem = Path(rules or "").stem
        keys, edition = check_ladder_document(Document("", {"name": stem, "rules": rules}), Path(), overrides)
        if not keys.anchors:
            names = sorted(bundled_for(edition.game), key=lambda name: name != FIRST_ANCHOR)[:ANCHOR_BOTS]
            bots = tuple(Entrant(bot=name, name=name) for name in names)
            keys = msgspec.structs.replace(keys, anchors=bots)
    from arena.ladder.rating.pairing_policy import find_policy  # numpy is slow to load

    try:
        find_policy(keys.pairing, recorded=False)  # its file is given here and now
    except UserError as problem:
        raise ConfigError(str(problem), file=str(config or ""), key="pairing") from None
    if unfit := check_promotion(place, keys, edition.game):
        raise ConfigError(unfit, file=str(config or ""), key="promotion.from")
    anchors = []
    for anchor in keys.anchors:
        spec = parse_bot(anchor.bot)
        ref = by_value(refer_to_bot(spec, anchor.options, anchor.files, trust=Trust.STRANGER))
        for sentence in left_in_words(f"anchor {anchor.name}", left_beside(spec, ref), "its key files"):
            say(sentence)
        anchors.append((anchor.name, ref))
    own = LadderFolder(place.shown, BotPermissions(trust=True, wider=True))  # its file is given here and now
    check_loading([ref for _, ref in anchors], isolation_of(own, keys, edition.game))
    tried = RunAllowance(keys.consulting)
    try_models(keys.models, tried)
    assert keys.seats is not None, "checked"

    def enter_first(database: sqlite3.Connection, ladder: Ladder) -> None:
        admit_anchors(place, database, ladder, anchors)
        promote_at_begin(database, ladder)
        if tried.run.calls:
            add_spending(database, ladder.season.id, NOBODY, tried.run)

    return begin_ladder(place, keys, edition, keys.seats, enter_first)


def by_value(ref: BotRef) -> BotRef:
    """Return the same bot with the content of its files, even if it is bundled, so that it stays the same when another
    version of arena is installed."""
    if not ref.bundled:
        return ref
    return refer_file(os.path.join(ref.folder, ref.file), ref.cls or None, ref.options, trust=Trust.INSTALLED)


def left_beside(spec: BotSpec, ref: BotRef) -> list[NeighbourFile]:
    """Return the files beside a bot that it names but that are not taken. Empty for a folder, which is taken whole."""
    if spec.kind == "bundled" or (spec.kind == "file" and os.path.isdir(spec.target)):
        return []
    return [NeighbourFile(printable_text(each.path), each.secret) for each in names_beside(ref.folder, ref.files)]


def left_in_words(bot: str, beside: Sequence[NeighbourFile], how: str) -> Iterator[str]:
    """Yield sentences: the ladder does not take these files, and what to do. ``how`` says how to add them."""
    if names := _paths_text(each.path for each in beside if not each.secret):
        yield (
            f"not submitted, although {bot} names these files beside it: {names}; add files of the bot with {how}, "
            f"or put them in one folder with the bot and submit the folder"
        )
    if names := _paths_text(each.path for each in beside if each.secret):
        yield (
            f"{bot} names files that no bot may have: {names} (tokens, results, ladders, hidden files, and files "
            f"readable only by their owner); check why it names them"
        )


def _paths_text(paths: Iterable[str]) -> str:
    names = list(paths)
    return ", ".join(names[:NAMED_FILES]) + (
        f" and {len(names) - NAMED_FILES} more" if len(names) > NAMED_FILES else ""
    )
