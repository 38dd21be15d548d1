"""The board game I'm the Boss! (rules B1 to B9), in every edition that a rules file describes.

Where a rule is found: B1 ``cards``, ``rules``; B2 ``setup``; B3 ``turn``; B4 ``negotiation``, with what is legal in
``legal``, ``judge`` and ``closing``; B5 ``plays``; B6, B7 ``settle``; B8 keys of ``rules``; B9 ``closing``.
"""

from arena.games.board.answers import HOOKS
from arena.games.board.events import EVENTS
from arena.games.board.rules import Rules, check_rules, seats
from arena.games.board.state import start
from arena.games.board.tell import tell
from arena.games.contract import Game

GAME = Game(
    name="board",
    hooks=HOOKS,
    rules_type=Rules,
    events=EVENTS,
    start=start,
    check_rules=check_rules,
    seats=seats,
    tell=tell,
)
