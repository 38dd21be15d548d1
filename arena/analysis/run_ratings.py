"""The ratings of the entrants of one run, or of several together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.errors import UserError, nearest_hint
from arena.ratings.order_columns import RatingMatches
from arena.ratings.rate import RatingOptions, Ratings, rate_entrants
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore
from arena.storage.tables.rated_columns import read_columns


def rate_runs(
    folders: Sequence[Path], wanted: RatingOptions, editions: Sequence[str] = (), without: Sequence[str] = ()
) -> Ratings:
    """Rate the entrants by the finished matches of these runs: only matches of the ``editions`` with these labels
    (empty: all), and only matches without any entrant of ``without``.

    Raises UserError for an unknown label or entrant, for runs that cannot be rated together
    (:func:`arena.storage.tables.rated_columns.read_columns`), and where no match is left to rate.
    """
    return rate_entrants(choose_rated_matches(read_columns(folders), editions, without), wanted)


def unfinished_run_notes(folders: Sequence[Path]) -> list[str]:
    """For each run that is not complete a sentence that says so."""
    told = []
    for folder in dict.fromkeys(folders):
        store = FolderStore(folder)
        if (share := store.facts().share) or store.state() is not RunState.COMPLETE:
            what = f"share {share} alone" if share else f"a run that is {store.state()}"
            told.append(f"provisional: the matches in {folder} are those of {what}")
    return told


def choose_rated_matches(matches: RatingMatches, editions: Sequence[str], without: Sequence[str]) -> RatingMatches:
    """Select the matches of these ``editions`` without any entrant of ``without``. Raises UserError for an unknown
    label or entrant."""
    labels = sorted({group.edition for group in matches.groups})
    _check_names("edition", editions, labels)
    _check_names("entrant", without, matches.names)
    if editions:
        matches = matches.in_groups([group for group in matches.groups if group.edition in editions])
    return matches.without_entrants([name for name in without if name in matches.names]) if without else matches


def _check_names(what: str, names: Sequence[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            told = ", ".join(known) or "none"
            raise UserError(f"no {what} {name!r}{nearest_hint(name, known)} in these matches; there are {told}")
