"""The questions of ``arena study`` that the tables of the board game answer."""

from __future__ import annotations

from arena.games.board.presenting.boss_cards import boss_cards
from arena.games.board.presenting.last_deals import last_deals
from arena.study.finding import StudyQuestion

QUESTIONS = (
    StudyQuestion("last-deals", "What are the last deals worth?", "study-deals", last_deals, game="board"),
    StudyQuestion("boss-cards", "Who gains from boss cards?", "study-deals", boss_cards, game="board"),
)
