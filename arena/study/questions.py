"""The list of findings. To add one, add its entry, its bundled tournament, and its part of ``arena docs study``."""

from __future__ import annotations

from arena.errors import UserError, nearest
from arena.study.boards import boards
from arena.study.boss_cards import boss_cards
from arena.study.boss_keeps import boss_keeps
from arena.study.finding import StudyQuestion
from arena.study.last_deals import last_deals
from arena.study.seats import seats

FINDINGS = (
    StudyQuestion("seats", "Is a seat better than another?", "study-seats", seats),
    StudyQuestion("card-seats", "And in the card game?", "study-card-seats", seats),
    StudyQuestion("last-deals", "What are the last deals worth?", "study-deals", last_deals, replays=True),
    StudyQuestion("boss-cards", "Who gains from boss cards?", "study-deals", boss_cards, replays=True),
    StudyQuestion("boss-keeps", "Equal shares, or does the Boss keep half?", "study-boss-keeps", boss_keeps),
    StudyQuestion("boards", "Does the order of the bots depend on board and variants?", "study-boards", boards),
)


def find(name: str) -> StudyQuestion:
    """The finding of this name. Raises UserError."""
    for each in FINDINGS:
        if each.name == name:
            return each
    known = [each.name for each in FINDINGS]
    raise UserError(f"there is no finding {name!r}{nearest(name, known)}; there are {', '.join(known)}")
