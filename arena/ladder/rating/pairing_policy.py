"""The policies by which a ladder chooses its tables, by their names in ladders' files.

To add one, write it in a file of this folder, and add its line to :data:`POLICIES` and to the table of ``arena docs
ladder-standings``; a test compares them. A policy is deterministic: the same input gives the same tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from arena.errors import UserError, cut_text
from arena.ladder.rating.pairing import ChosenTable, PairingPlayer, PairingRules, choose_tables
from arena.plugins import PluginKind, check_name, is_plugin
from arena.ratings.scale import RatingScale


class TableChooser(Protocol):
    """A function that chooses tables from what was played before a round; the same input gives the same tables."""

    def __call__(
        self,
        players: Sequence[PairingPlayer],
        met: Mapping[tuple[str, str], int],
        scales: Sequence[RatingScale],
        seats: int,
        count: int,
        wanted: PairingRules,
        seed: str,
    ) -> Sequence[ChosenTable]:
        """Return the tables of the next round, as :func:`arena.ladder.rating.pairing.choose_tables` does. ``count`` is
        the wanted number of tables; at least one is returned. Raises UserError where no table can be filled."""


class PairingPolicy(NamedTuple):
    """A policy: the function that chooses the tables, and its ``meaning`` in words."""

    choose: TableChooser
    meaning: str


POLICIES = {
    "open-pairs": PairingPolicy(choose_tables, "new versions, then undecided pairs, then everybody"),
}
PAIRINGS = PluginKind[PairingPolicy](
    "pairing policy",
    "arena.pairings",
    lambda part: "" if isinstance(part, PairingPolicy) else f"expected a PairingPolicy, got {cut_text(repr(part))}",
)
"""Pairing policies from outside arena."""


def find_policy(name: str, recorded: bool = True) -> TableChooser:
    """Return the policy called ``name``: one of arena's own, or an external one named ``module:Name``, whose every
    choice is checked; ``recorded`` is as for :meth:`arena.plugins.PluginKind.load`. Raises UserError where there is
    none."""
    if not is_plugin(check_name(name, PAIRINGS.noun, POLICIES)):
        return POLICIES[name].choose
    choose = PAIRINGS.load(name, recorded).choose

    def checked(
        players: Sequence[PairingPlayer],
        met: Mapping[tuple[str, str], int],
        scales: Sequence[RatingScale],
        seats: int,
        count: int,
        wanted: PairingRules,
        seed: str,
    ) -> Sequence[ChosenTable]:
        try:
            chosen = list(choose(players, met, scales, seats, count, wanted, seed))
        except UserError:
            raise
        except Exception as error:
            raise UserError(f"the pairing policy {name} fails: {type(error).__name__}: {error}") from None
        if problem := _problem(chosen, players, seats):
            raise UserError(f"the pairing policy {name} chooses {problem}")
        return chosen

    return checked


def _problem(chosen: Sequence[object], players: Sequence[PairingPlayer], seats: int) -> str:
    """Say what is wrong with the first table that these players cannot play; "" if all are right."""
    teams = {player.name: player.team or f"\n{player.name}" for player in players}
    if not chosen:
        return "no table"
    for table in chosen:
        if not isinstance(table, ChosenTable) or not isinstance(table.why, str):
            return f"{cut_text(repr(table))}: expected a ChosenTable"
        shown = cut_text(", ".join(map(str, table.names)))
        if unknown := [each for each in table.names if each not in teams]:
            return f"the table {shown}: {cut_text(str(unknown[0]))} is not among those that play"
        if len(table.names) != seats:
            return f"the table {shown}: expected {seats} players"
        if len({teams[each] for each in table.names}) < seats:
            return f"the table {shown}: two are the same, or of one team"
    return ""
