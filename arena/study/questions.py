"""The list of findings, with those that the games hand over. To add one, add its entry here, or in the game whose
tables it reads, its bundled tournament, and its part of ``arena docs study``."""

from __future__ import annotations

from arena.errors import UserError, nearest
from arena.games import games, load_game
from arena.study.boards import boards
from arena.study.boss_keeps import boss_keeps
from arena.study.finding import StudyQuestion
from arena.study.seats import seats

FINDINGS = (
    StudyQuestion("seats", "Is a seat better than another?", "study-seats", seats),
    StudyQuestion("card-seats", "And in the card game?", "study-card-seats", seats),
    *(question for game in games() for question in load_game(game).presenting.questions()),
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
