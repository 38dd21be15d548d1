"""The tables of the card game's ledger, and how a match is added to them."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.cards.presenting.ledger import bargains, played, rounds
from arena.ledger.game_tables import LedgerRows, LedgerTables, SumsOf


def _fold(at: SumsOf, names: Sequence[str], rows: LedgerRows) -> None:
    settled, offered, done = rows["rounds"], rows["bargains"], rows["actions"]
    rounds.add_rounds(at(rounds.ROUNDS_TABLE), names, rows["shares"])
    rounds.add_bosses(at(rounds.BOSS), names, settled)
    bargains.add_bargains(at(bargains.BARGAINS), names, offered)
    bargains.add_turns(at(bargains.TURNS), names, offered)
    bargains.add_tokens(at(bargains.TOKENS), names, settled, offered)
    played.add_cards(at(played.CARDS), names, settled, done)
    rounds.add_actions(at(rounds.ACTIONS), names, done)


LEDGER = LedgerTables(
    (
        rounds.ROUNDS_TABLE,
        rounds.BOSS,
        bargains.BARGAINS,
        bargains.TURNS,
        bargains.TOKENS,
        played.CARDS,
        rounds.ACTIONS,
    ),
    _fold,
    title="How bots bargain for Cousins",
    labels={
        ("role", "boss"): "as Boss",
        ("role", "cousin"): "as Cousin",
        ("role", "other"): "as neither",
        ("kind", "proposal"): "proposals",
        ("kind", "request"): "requests",
    },
)
