"""The list of questions, with those that games provide. To add one, add its entry here, or in the game whose tables it
reads, its bundled tournament, and its part of ``arena docs study``."""

from __future__ import annotations

from arena.errors import UserError, nearest_hint
from arena.games import built_in_games, load_game
from arena.games.presenting import checked_part
from arena.study.boards import compare_boards
from arena.study.boss_keeps import boss_keeps
from arena.study.finding import StudyQuestion
from arena.study.seats import compare_seats

FINDINGS = (
    StudyQuestion("seats", "Are some seats better than others?", "study-seats", compare_seats),
    StudyQuestion(
        "card-seats", "Are some seats of the card game better than others?", "study-card-seats", compare_seats
    ),
    *(
        checked_part(game, question, StudyQuestion)
        for game in built_in_games()
        for question in load_game(game).presenting.questions()
    ),
    StudyQuestion("boss-keeps", "Should the Boss share equally, or keep half?", "study-boss-keeps", boss_keeps),
    StudyQuestion("boards", "Does the order of the bots depend on board and variants?", "study-boards", compare_boards),
)


def find_question(name: str) -> StudyQuestion:
    """The question of this name. Raises UserError if there is none."""
    for each in FINDINGS:
        if each.name == name:
            return each
    known = [each.name for each in FINDINGS]
    raise UserError(f"there is no finding {name!r}{nearest_hint(name, known)}; there are {', '.join(known)}")
