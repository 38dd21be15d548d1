"""The output of ``arena losses``: tables, what they mean, and the commands that look closer."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from arena.analysis.bot_losses import DealLoss, MatchLoss
from arena.cli.options.game_options import game_words
from arena.cli.output.terminal import fold_to_terminal, format_table
from arena.games import load_game

LOOKED_CLOSER = 3
"""How many of the listed matches and deals get a command."""


class LossesFound(NamedTuple):
    """The losses of an entrant in the matches of one game in a run: of ``played`` matches those that cost most, and
    the deals that cost most in the ``looked_at`` most costly ones."""

    folder: Path
    entrant: str
    game: str
    played: int
    matches: Sequence[MatchLoss]
    deals: Sequence[DealLoss]
    looked_at: int

    @property
    def costly(self) -> list[MatchLoss]:
        """The matches that cost something."""
        return [each for each in self.matches if each.cost > 0]


def losses_text(found: LossesFound) -> str:
    """Both tables, what they mean, and the commands."""
    unit = load_game(found.game).unit
    if not found.costly:
        return fold_to_terminal(
            f"None of the {found.played} matches of {found.entrant} in {found.folder} cost it anything: in each "
            f"match it had as much as others in the same seat of the same deal, or more."
        )
    parts = [
        fold_to_terminal(
            f"Of the {found.played} matches of {found.game} that {found.entrant} played in {found.folder}, these cost "
            "it most:"
        ),
        format_table(
            [[each.match, each.seat, each.money, _expected(each), f"{each.cost:.1f}"] for each in found.costly],
            ["match", "seat", f"money {unit}", "others there", f"cost {unit}"],
            wrap=(0,),
            plain=True,
        ),
        fold_to_terminal(_match_note(found)),
    ]
    if found.deals:
        parts += [
            fold_to_terminal(_deal_title(found)),
            format_table(
                [
                    [each.match, each.number, f"#{each.event}", each.summary, each.gained, each.cost]
                    for each in found.deals
                ],
                ["match", "deal", "at", "how it went", f"gained {unit}", f"cost {unit}"],
                wrap=(0, 3),
                plain=True,
            ),
        ]
    parts.append("Look closer:\n" + "\n".join(f"  {each}" for each in closer_commands(found)))
    return "\n\n".join(parts)


def _expected(loss: MatchLoss) -> str:
    return f"{loss.money + loss.cost:.1f}" + ("" if loss.compared else " *")


def _match_note(found: LossesFound) -> str:
    note = "Others there: the mean money of others in the same seat of the same deal."
    if any(not each.compared for each in found.costly):
        note += f" *: nobody else had that seat; the mean of {found.entrant} in this edition."
    return note


def _deal_title(found: LossesFound) -> str:
    some = min(found.looked_at, found.played)
    return f"The most costly deals of the {some} most costly matches, by how much more another seat gained:"


def closer_commands(found: LossesFound) -> list[str]:
    """The commands that look at the matches and deals that cost most."""
    game = game_words(found.game)
    told = [
        ["arena", "branch", str(found.folder), each.match, "--scan", str(each.seat)]
        for each in found.costly[:LOOKED_CLOSER]
        if each.has_replay
    ]
    for each in found.deals[:LOOKED_CLOSER]:
        told.append(["arena", "view", str(found.folder), each.match, "--at", str(each.event)])
        told.append(
            ["arena", "picture", str(found.folder), each.match, "--deal", str(each.number), "--out", "deal.svg"]
        )
    return [shlex.join([*words, *game]) for words in told]


def losses_data(found: LossesFound) -> dict[str, Any]:
    """The whole result, for JSON."""
    return {
        "folder": str(found.folder),
        "entrant": found.entrant,
        "game": found.game,
        "matches": found.played,
        "costly_matches": msgspec.to_builtins(found.costly),
        "costly_deals": msgspec.to_builtins(list(found.deals)),
        "looked_at": min(found.looked_at, found.played),
        "commands": closer_commands(found),
    }
