"""The set-up of a match (B2)."""

from __future__ import annotations

from arena.games.board.answers.legal import ASIDE_OWNER
from arena.games.board.cards import FAMILIES, FAMILY_ID
from arena.games.board.events import PlacardDealt
from arena.games.board.position import Log, Phase, Position
from arena.games.contract import Chanced
from arena.games.phase_state import ask_one_seat


def set_up(position: Position, log: Log) -> None:
    """Deal placards and hands, find the starting player, and ask for the marker's space."""
    rules, players = position.layout.rules, position.layout.players
    _deal_placards(position, rules.placards[players], log)
    position.shuffle_in(rules.deck.counts(), log)
    for seat in range(players):
        position.draw(seat, rules.start_hand, log)
    position.on_turn = _starting_seat(position, log)
    step = 1 if rules.marker_by == "left" else -1
    position.ask(Phase.MARKER, ask_one_seat("place_marker", (position.on_turn + step) % players))


def _deal_placards(position: Position, each: int, log: Log) -> None:
    """Deal ``each`` placards to every seat and put the rest aside (B2.1)."""
    players = position.layout.players
    order = position.chance.permutation(6, "placards")
    owners = bytearray([ASIDE_OWNER] * 6)
    for place, family in enumerate(order):
        owners[family] = place // each if place < players * each else ASIDE_OWNER
    position.owners = bytes(owners)
    if log is not None:
        log.append(Chanced("placards", (), tuple(FAMILIES[family].value for family in order)))
        for placard, owner in zip(FAMILIES, owners, strict=True):
            log.append(PlacardDealt(placard, None if owner == ASIDE_OWNER else owner))


def _starting_seat(position: Position, log: Log) -> int:
    """The seat that begins: by the edition's names of the placards, or at random (B2.3)."""
    rules = position.layout.rules
    if rules.start == "alphabetical":
        held = [family for family in FAMILIES if position.owners[FAMILY_ID[family]] != ASIDE_OWNER]
        return position.owners[FAMILY_ID[min(held, key=lambda family: rules.names[family].casefold())]]
    seat = position.chance.below(position.layout.players, "start")
    if log is not None:
        log.append(Chanced("start", (), seat))
    return seat
