"""What changes in the configuration of a run that is made longer."""

from __future__ import annotations

from arena.app.store import Facts
from arena.errors import UserError
from arena.tournament.formats import Formats


def longer(began: Facts, blocks: int) -> list[str]:
    """The settings, ``KEY=VALUE``, that give a run so many blocks and leave those it had as they were. A Swiss
    tournament gets more rounds, each as long as before. Raises UserError where the format settles how long it is."""
    format = Formats(began.settings.get("format", Formats.ROUND_ROBIN))
    match format:
        case Formats.KNOCKOUT | Formats.LIST if blocks != began.blocks:
            why = "to its final" if format is Formats.KNOCKOUT else "to the end of its list"
            raise UserError(f"--blocks: a {format} cannot be made longer: its {began.blocks} blocks lead {why}")
        case Formats.SWISS:
            return [f"blocks={blocks}", f"rounds={_rounds(began, blocks)}"]
        case _:
            return [f"blocks={blocks}"]


def _rounds(began: Facts, blocks: int) -> int:
    """The rounds of a Swiss tournament with so many blocks."""
    each = began.blocks // int(began.settings["rounds"])
    rounds, over = divmod(blocks, each)
    if over or not rounds:
        near = [str(number * each) for number in (rounds, rounds + 1) if number]
        raise UserError(f"--blocks: each round lasts {each} blocks: take {' or '.join(near)}, got {blocks}")
    return rounds
