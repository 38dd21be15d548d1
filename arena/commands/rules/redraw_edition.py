"""Draws a new edition that nobody has seen, plays a pilot on it, and draws again where it is not fair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from arena.commands.rules.fairness_pilot import judge_pilot, pilot_sentence, play_fairness_pilot
from arena.config.editions import Edition
from arena.errors import UserError
from arena.games import load_game
from arena.games.canonical_rules import canonical_rules, rules_digest
from arena.games.chance import Chance
from arena.games.presenting import RedrawnRules, checked_part

MOST_DRAWS = 20
"""How often at most an edition is drawn until the pilot shows a fair one."""


@dataclass(frozen=True)
class SealedEdition:
    """A drawn ``edition``, the number of the ``draw`` (from 1), and what its ``pilot`` showed, beside the ``usual``
    play of the edition that it was drawn from (both in words, empty without a pilot)."""

    edition: Edition
    draw: int
    pilot: str = ""
    usual: str = ""


def redraw_edition(
    base: Edition, seed: str, matches: int, refuse: Callable[[int, list[str]], object] = lambda draw, why: None
) -> SealedEdition:
    """Draw an edition from ``base`` that passes a pilot of so many ``matches`` (0: the first one drawn). The same base,
    seed and number of matches give the same edition, on every Python. ``refuse`` is called with the number of each draw
    that was refused, and why.

    Raises UserError for a game that draws no rules, and where no draw was fair."""
    redrawn = _redrawn_rules(base.game)
    unit, usual = load_game(base.game).unit, play_fairness_pilot(base, matches, seed) if matches else None
    for draw in range(1, MOST_DRAWS + 1):
        edition = _draw_once(base, redrawn, Chance(Chance(seed).derive("sealed edition", draw)))
        if usual is None:
            return SealedEdition(edition, draw)
        play = play_fairness_pilot(edition, matches, seed)
        problems = judge_pilot(play, usual, redrawn.steady, unit)
        if not problems:
            told = [pilot_sentence(each, redrawn.steady, unit) for each in (play, usual)]
            return SealedEdition(edition, draw, *told)
        refuse(draw, problems)
    raise UserError(f"none of {MOST_DRAWS} editions drawn from {base.label} was fair; choose another seed or base")


def _redrawn_rules(name: str) -> RedrawnRules:
    redrawn = load_game(name).presenting.redrawn
    if redrawn is None:
        raise UserError(f"the game {name!r} draws no new editions; write a rules file (arena docs rules)")
    return checked_part(name, redrawn(), RedrawnRules)


def _draw_once(base: Edition, redrawn: RedrawnRules, chance: Chance) -> Edition:
    """One edition; its name has eight digits that follow from the chance."""
    name = f"sealed-{chance.derive('name')[:8]}"
    changed = redrawn.draw(base.rules, chance)
    rules = msgspec.structs.replace(
        changed, name=name, title=f"Sealed edition {name}", source=f"drawn from {base.label}"
    )
    try:
        rules = msgspec.convert(msgspec.to_builtins(rules), type(base.rules))
    except msgspec.ValidationError as problem:
        raise UserError(f"{base.label} gives no edition that can be played: {problem}") from None
    if problems := load_game(base.game).check_rules(rules):
        raise UserError(f"{base.label} gives no edition that can be played: {problems[0]}")
    data = canonical_rules(rules)
    return Edition(name, base.game, rules, data, rules_digest(data))
