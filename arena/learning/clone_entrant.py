"""Clones an entrant: reads its decisions from a run, fits a network to them, tests it on deals kept apart, and writes
it as a bot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy

from arena.coding.network import Activation, round_layers
from arena.coding.network_file import DescribedNetwork
from arena.errors import UserError
from arena.learning.decisions import Decisions, read_decisions
from arena.learning.export_bot import check_bot_folder, write_network_bot
from arena.learning.fit_network import fit_network, share_predicted
from arena.learning.fit_settings import DEFAULT_FIT, MOST_MATCHES, FitSettings

HELD_OUT = 5
"""Of so many deals in a row, the last is kept apart for the test."""


class CloneReport(msgspec.Struct, frozen=True):
    """A clone: the ``bot``'s folder, the ``entrant`` cloned, how many ``matches`` and ``deals`` were read, and how many
    ``decisions`` they have. Of these, ``exact`` is the share that the actions play exactly, and ``unlike`` counts those
    to which no action is near, left out. ``fitted`` and ``held_out`` are the shares of decisions that the network
    answers like the entrant: of those that it was fitted to, and of the ``tested`` ones in deals kept apart.
    """

    bot: str
    entrant: str
    matches: int
    deals: int
    decisions: int
    exact: float
    unlike: int
    fitted: float
    tested: int
    held_out: float


def clone_entrant(
    folder: Path,
    entrant: str,
    out: Path,
    most_matches: int = MOST_MATCHES,
    jobs: int = 1,
    settings: FitSettings = DEFAULT_FIT,
    tell_matches: Callable[[int], object] = lambda matches: None,
) -> CloneReport:
    """Write a clone of ``entrant``, an entrant of the run in ``folder``, as a bot to ``out``. Raises UserError for a
    run of fewer than five deals, and for another folder than an empty one or one of an earlier bot; else as
    :func:`arena.learning.decisions.read_decisions`."""
    check_bot_folder(out)
    decisions = read_decisions(folder, entrant, most_matches, jobs, tell_matches)
    fitted_to, tested = split_by_deal(decisions)
    layers = fit_network(fitted_to, settings)
    network = round_layers(layers, Activation.RELU)
    write_network_bot(DescribedNetwork(network, decisions.game, decisions.coding), out)
    return CloneReport(
        bot=str(out),
        entrant=entrant,
        matches=len(decisions.ids),
        deals=len(numpy.unique(decisions.blocks)),
        decisions=len(decisions.actions),
        exact=decisions.exact_share,
        unlike=decisions.unlike,
        fitted=share_predicted(layers, fitted_to),
        tested=len(tested.actions),
        held_out=share_predicted(layers, tested),
    )


def split_by_deal(decisions: Decisions) -> tuple[Decisions, Decisions]:
    """The decisions to fit a network to, and those of every fifth deal, to test it on: all matches of a deal go to the
    same side. Raises UserError for fewer than five deals."""
    deals, places = numpy.unique(decisions.blocks, return_inverse=True)
    if len(deals) < HELD_OUT:
        raise UserError(f"expected matches of at least {HELD_OUT} deals, to keep some apart, got {len(deals)}")
    apart = places % HELD_OUT == HELD_OUT - 1
    return decisions.where(~apart), decisions.where(apart)
