"""The tables of the card game's ledger, and the functions that add a match to them."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.cards.presenting.ledger import bargains, rounds
from arena.games.cards.presenting.ledger import card_plays as played
from arena.ledger.game_tables import LedgerRows, LedgerTables, PriceFigures, SumsOf


def _fold_match(at: SumsOf, names: Sequence[str], rows: LedgerRows) -> None:
    settled, offered, done = rows["rounds"], rows["bargains"], rows["actions"]
    rounds.add_rounds(at(rounds.ROUNDS_TABLE), names, rows["shares"])
    rounds.add_bosses(at(rounds.ROUND_BOSS_TABLE), names, settled)
    bargains.add_bargains(at(bargains.BARGAINS_TABLE), names, offered)
    bargains.add_turns(at(bargains.TURNS_TABLE), names, offered)
    bargains.add_tokens(at(bargains.TOKENS_TABLE), names, settled, offered)
    played.add_cards(at(played.PLAYED_TABLE), names, settled, done)
    rounds.add_actions(at(rounds.ACTIONS_TABLE), names, done)


CARDS_LEDGER = LedgerTables(
    (
        rounds.ROUNDS_TABLE,
        rounds.ROUND_BOSS_TABLE,
        bargains.BARGAINS_TABLE,
        bargains.TURNS_TABLE,
        bargains.TOKENS_TABLE,
        played.PLAYED_TABLE,
        rounds.ACTIONS_TABLE,
    ),
    _fold_match,
    title="How bots bargain for Cousins",
    labels={
        ("role", "boss"): "as Boss",
        ("role", "cousin"): "as Cousin",
        ("role", "other"): "as neither",
        ("kind", "proposal"): "proposals",
        ("kind", "request"): "requests",
    },
    prices=PriceFigures(bargains.BARGAINS_TABLE, "kind", ("made", "accepted", "token")),
)
