"""The bot of the replays whose names begin with ``fault``: it fails in the way its option says, else plays at random.

Those replays name this file by its digest and were played by arena 0.2.0: neither may be changed.
"""

import os
import time

from arena.games.board import BoardBot, Draw, Roll


class Faulty(BoardBot):
    def __init__(self, fault=""):
        self.fault, self.turns = fault, 0
        if fault == "start missing":
            raise RuntimeError("not today")

    def start(self, start):
        if self.fault.startswith("start "):
            self.fail(self.fault.removeprefix("start "))

    def choose(self, view):
        if self.fault == "overtime":
            time.sleep(0.1)
        return self.random.choice(self.legal_moves(view))

    place_marker = offer = accept = interrupt = close = discard = choose

    def turn(self, view):
        self.turns += 1
        if self.turns < 2 or self.fault in ("", "overtime") or self.fault.startswith("start "):
            return self.choose(view)
        if self.fault == "all":
            return self.fail(("broken", "garbled", "illegal")[self.turns % 3], view)
        return self.fail(self.fault, view)

    def fail(self, fault, view=None):
        if fault == "dead":
            os._exit(1)
        elif fault == "late":
            time.sleep(30)
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
