"""Cousins (C4): bargains offered, accepted and refused before a seat acts."""

from __future__ import annotations

from arena.games.cards.events import CousinMade, Proposed, Refused, Requested
from arena.games.cards.moves import Bargain, Propose, Request, Want
from arena.games.cards.phases import rounds
from arena.games.cards.position import Log, Phase, Position
from arena.games.contract import Move, Yes
from arena.games.phase_state import ask_one_seat


def propose_action(position: Position, move: Move, log: Log) -> None:
    """The seat on turn offers the Boss an exact action; if it offers none, the Boss may make an offer (C4.2 a)."""
    seat = position.on_turn
    if type(move) is not Propose:
        position.ask(Phase.REQUEST, ask_one_seat("offer", position.boss))
        return
    if log is not None:
        log.append(Proposed(seat, move.action))
    position.ask_to_accept(Phase.ANSWER, position.boss, Bargain(seat, move))


def answer_bargain(position: Position, move: Move, log: Log) -> None:
    """If the Boss says yes to a proposal, carry it out at once; if no, the Boss may make an offer (C4.2, C4.3)."""
    if type(move) is not Yes:
        if log is not None:
            log.append(Refused(position.boss))
        position.ask(Phase.REQUEST, ask_one_seat("offer", position.boss))
        return
    offer = position.asks[0].topic.offer
    assert isinstance(offer, Propose)
    _give_token(position, log)
    rounds.carry_out(position, offer.action, log)


def request_action(position: Position, move: Move, log: Log) -> None:
    """The Boss offers a token for a kind of action; if it offers none, the seat acts freely (C4.2 b)."""
    if type(move) is not Request:
        position.ask(Phase.PLAY, ask_one_seat("play", position.on_turn))
        return
    if log is not None:
        log.append(Requested(position.on_turn, move.want, move.least))
    position.ask_to_accept(Phase.ACCEPT, position.on_turn, Bargain(position.boss, move))


def accept_request(position: Position, move: Move, log: Log) -> None:
    """If the seat says yes to a request, its action must be of the kind agreed; after a gift it acts freely (C4.2)."""
    seat = position.on_turn
    if type(move) is Yes:
        offer = position.asks[0].topic.offer
        assert isinstance(offer, Request)
        _give_token(position, log)
        position.bound = None if offer.want is Want.GIFT else offer
    elif log is not None:
        log.append(Refused(seat))
    position.ask(Phase.PLAY, ask_one_seat("play", seat))


def _give_token(position: Position, log: Log) -> None:
    """Give the seat on turn a Cousin token: at most one for each seat, kept to the end of the round (C4.1)."""
    position.tokens -= 1
    position.cousins |= 1 << position.on_turn
    if log is not None:
        log.append(CousinMade(position.on_turn))
