"""Changes to the configuration of a run that is extended."""

from __future__ import annotations

from arena.errors import UserError
from arena.storage.run_facts.facts import Facts
from arena.tournament.formats.make_format import Formats


def longer_settings(began: Facts, blocks: int | None, matches: int | None) -> list[str]:
    """The settings, ``KEY=VALUE``, that extend a run to this many blocks, or matches, and leave its existing ones
    unchanged; empty where the number of blocks for so many matches depends on the schedule. A Swiss tournament gets
    more rounds of the same length. Raises UserError where the format determines the run's length."""
    match format := Formats(began.settings.get("format", Formats.ROUND_ROBIN)):
        case Formats.KNOCKOUT | Formats.LIST if (blocks, matches) not in ((began.blocks, None), (None, began.matches)):
            why = "to its final" if format is Formats.KNOCKOUT else "to the end of its list"
            raise UserError(f"a {format} cannot be made longer: its {began.blocks} blocks lead {why}")
        case Formats.KNOCKOUT | Formats.LIST:
            return [f"blocks={began.blocks}"]
        case Formats.SWISS:
            rounds = int(began.settings["rounds"])
            if matches is not None:
                rounds = _count_rounds(matches, began.matches // rounds, "matches")
            elif blocks is not None:
                rounds = _count_rounds(blocks, began.blocks // rounds, "blocks")
            return [f"blocks={rounds * _blocks_per_round(began)}", f"rounds={rounds}"]
        case _:
            return [] if blocks is None else [f"blocks={blocks}"]


def _blocks_per_round(began: Facts) -> int:
    """The number of blocks in a round."""
    return began.blocks // int(began.settings["rounds"])


def _count_rounds(wanted: int, each: int, unit: str) -> int:
    """How many rounds of a Swiss tournament make up this many blocks or matches; ``each`` is the number in one
    round."""
    rounds, over = divmod(wanted, each)
    if over or not rounds:
        near = [str(number * each) for number in (rounds, rounds + 1) if number]
        raise UserError(f"--{unit}: each round has {each} {unit}: take {' or '.join(near)}, got {wanted}")
    return rounds
