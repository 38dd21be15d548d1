"""Plays of influence cards and the STOP question (B5)."""

from __future__ import annotations

from arena.games.board.answers.judge import refuse_play
from arena.games.board.answers.legal import ASIDE_OWNER
from arena.games.board.cards import BOSS, CLAN, FAMILIES, FAMILY_ID, RECRUITMENT, STOP, TRAVEL, WILD
from arena.games.board.events import (
    AgreementFell,
    Closed,
    Fizzled,
    Laid,
    NewBoss,
    Played,
    Recruited,
    Stopped,
    Travelled,
)
from arena.games.board.moves import Lay, Pass, Play, Recruit, Stop, TakeOver, Travel
from arena.games.board.position import Log, Phase, Position
from arena.games.board.table import free_clans
from arena.games.contract import Ask, HeldMove
from arena.games.hand_counts import change_count


def take_effect(position: Position, log: Log) -> bool:
    """Let queued plays take effect, in order, until one can be stopped (then the other seats are asked) or none is
    left.

    Returns whether the queue is empty.
    """
    while position.queue:
        (seat, play), *rest = position.queue
        position.queue = tuple(rest)
        refused = refuse_play(position, seat, position.hands[seat], play)
        if refused is not None:
            if log is not None:
                log.append(Fizzled(seat, refused.rule))
        elif type(play) is Lay:
            position.lay(seat, play.clans, log)
            _has_played(position, seat)
        else:
            assert type(play) is Travel or type(play) is TakeOver or type(play) is Recruit
            if position.queue_of is not Phase.DISCARD:
                _has_played(position, seat)
            _spend_play(position, seat, play)
            position.play = (seat, play)
            if log is not None:
                log.append(Played(seat, play))
            if position.queue_of is Phase.DISCARD and position.layout.rules.triple_at_limit == "unstoppable":
                _apply_play(position, log)
                continue
            ask_to_stop(position)
            return False
    return True


def held_plays(position: Position) -> tuple[HeldMove, ...]:
    """Moves without effect so far: the play that can be stopped, those queued, and the closing before a last call."""
    hook = "discard" if position.queue_of is Phase.DISCARD else "interrupt"
    found = []
    if position.play is not None:
        found.append(HeldMove(position.play[0], hook, (Travelled, NewBoss, Recruited, AgreementFell)))
    found += [HeldMove(seat, hook, (Played, Laid, Fizzled)) for seat, _ in position.queue]
    if position.to_close is not None:
        found.append(HeldMove(position.to_close.by, "close", (Closed,)))
    return tuple(found)


def ask_to_stop(position: Position) -> None:
    """Ask all but the seat that plays whether they stop the play (B5.5)."""
    assert position.play is not None
    others = (other for other in range(position.layout.players) if other != position.play[0])
    position.ask(Phase.STOP, tuple(Ask(other, "interrupt", position.play) for other in others))


def _has_played(position: Position, seat: int) -> None:
    *before, now = position.played
    position.played = (*before, (*now, seat))


def _spend_play(position: Position, seat: int, play: Play) -> None:
    if type(play) is Travel:
        position.spend(seat, WILD if play.wild else TRAVEL + FAMILY_ID[play.family])
    elif type(play) is TakeOver:
        position.spend(seat, BOSS)
    else:
        position.spend(seat, RECRUITMENT, 3)
    position.active |= 1 << seat
    position.fresh = True


def answer_stop(position: Position, log: Log) -> None:
    """End the STOP question: the first yes in initiative order spends its STOP, else the play takes effect (B5.5)."""
    willing = {ask.seat for ask, move in zip(position.asks, position.answers, strict=True) if type(move) is Stop}
    for seat in position.initiative:
        if seat in willing:
            position.spend(seat, STOP)
            position.active |= 1 << seat
            position.play = None
            if log is not None:
                log.append(Stopped(seat))
            return
    _apply_play(position, log)


def _apply_play(position: Position, log: Log) -> None:
    assert position.play is not None
    seat, play = position.play
    position.play = None
    if type(play) is Travel:
        _travel(position, play, log)
    elif type(play) is TakeOver:
        _take_over(position, seat, log)
    else:
        _recruit(position, seat, play, log)


def _travel(position: Position, play: Travel, log: Log) -> None:
    family = FAMILY_ID[play.family]
    if log is not None:
        log.append(Travelled(play.family, play.clan_of))
    if play.clan_of is None:
        kind = WILD if play.wild else TRAVEL + family
        position.discards = change_count(position.discards, kind, -1)  # it lies on the placard until the end
        position.travel_cards = change_count(position.travel_cards, family, kind)
        position.travelling |= 1 << family
        drop_placard(position, family, log)
        return
    laid = position.laid
    owner = play.clan_of
    position.laid = (*laid[:owner], change_count(laid[owner], family, -1), *laid[owner + 1 :])
    position.discards = change_count(position.discards, CLAN + family, 1)
    _drop_clan(position, owner, play, log)


def _take_over(position: Position, seat: int, log: Log) -> None:
    if position.layout.rules.former_boss_is_active:
        position.active |= 1 << position.boss
    position.boss = seat
    position.new_boss = True
    position.agreements = ()
    position.offers = ((),) * position.layout.players
    position.offered = ()
    if log is not None:
        log.append(NewBoss(seat))


def _recruit(position: Position, seat: int, play: Recruit, log: Log) -> None:
    family = FAMILY_ID[play.placard]
    owner = position.owners[family]
    position.owners = position.owners[:family] + bytes([seat]) + position.owners[family + 1 :]
    if log is not None:
        log.append(Recruited(seat, play.placard, None if owner == ASIDE_OWNER else owner))
    drop_placard(position, family, log)


def drop_placard(position: Position, family: int, log: Log) -> None:
    """End every agreement and open offer that names a placard which travels or changed hands (B4.8)."""
    card = FAMILIES[family]
    for agreement in position.agreements:
        if card in agreement.placards:
            position.agreements = tuple([other for other in position.agreements if other is not agreement])
            if log is not None:
                log.append(AgreementFell(agreement))
    for seat, offers in enumerate(position.offers):
        if offers:
            kept = tuple([offer for offer in offers if card not in offer.placards])
            if len(kept) < len(offers):
                position.offers = (*position.offers[:seat], kept, *position.offers[seat + 1 :])


def _drop_clan(position: Position, owner: int, play: Travel, log: Log) -> None:
    """Handle the loss of a laid clan card: an agreement falls if the seat now has too few of the family to keep all."""
    if free_clans(position, owner, play.family) < 0:
        fallen = next(a for a in position.agreements if a.partner == owner and play.family in a.clans)
        position.agreements = tuple(other for other in position.agreements if other is not fallen)
        if log is not None:
            log.append(AgreementFell(fallen))
    end_clan_offers(position, owner)


def end_clan_offers(position: Position, seat: int) -> None:
    """End the open offers of ``seat`` that name a clan card it no longer has free on the table (B4.5, B4.8)."""
    offers = position.offers[seat]
    if seat == position.boss or not offers:
        return
    kept = tuple(offer for offer in offers if all(free_clans(position, seat, family) > 0 for family in offer.clans))
    if len(kept) < len(offers):
        position.offers = (*position.offers[:seat], kept, *position.offers[seat + 1 :])


def queue_plays(position: Position) -> None:
    """Line up the answers of an interrupt phase in initiative order."""
    position.queue_of = position.phase
    position.played += ((),)
    queue, answers = [], position.answers
    for seat in position.initiative:
        move = answers[seat]
        if move is not None and type(move) is not Pass:
            queue.append((seat, move))
    position.queue = tuple(queue)
