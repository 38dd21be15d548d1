"""The bot of the replays whose names begin with ``fault``: it fails in the way its option says, else plays at random.

Those replays name this file by its digest and were played by arena 0.1.0: neither may be changed.
"""

import itertools
import os
import time
from collections import deque

from arena.bot import Bot
from arena.games.board import Draw, Roll


class Faulty(Bot):
    games = ("board",)

    def __init__(self, fault=""):
        self.fault, self.turns = fault, 0
        if fault == "missing":
            raise RuntimeError("not today")

    def start(self, start):
        if self.fault.startswith("start "):
            self.fail(self.fault.removeprefix("start "))

    def choose(self, view):
        return self.random.choice(self.legal_moves(view))

    place_marker = offer = accept = interrupt = close = discard = choose

    def turn(self, view):
        self.turns += 1
        if self.turns < 2 or not self.fault or self.fault.startswith("start "):
            return self.choose(view)
        if self.fault == "all":
            return self.fail(("broken", "garbled", "illegal")[self.turns % 3], view)
        return self.fail(self.fault, view)

    def fail(self, fault, view=None):
        if fault == "dead":
            os._exit(1)
        elif fault == "late":
            time.sleep(9)
        elif fault == "stuck":
            deque(itertools.repeat(None), maxlen=0)
        elif fault == "broken":
            raise RuntimeError("no idea")
        elif fault == "garbled":
            return "roll"
        elif fault == "illegal":
            return Roll() if view.rolled else Draw()
        elif fault == "refused":
            raise PermissionError(1, "not allowed")
        elif fault == "endless":
            while True:
                os.write(4, b"x" * 65_536)
