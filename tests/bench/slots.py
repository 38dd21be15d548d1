"""How long matches take whose bots wait for a model, one alone and many in slots.

    python tests/bench/slots.py [MATCHES] [SECONDS]

Each of three bots asks a model four times in a match, which answers after SECONDS; all MATCHES have a slot.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from arena.bot import Limits
from arena.config.editions import load_edition
from arena.consultation.backend import Completion, PayAgain, pay_always
from arena.consultation.match_desk import CassetteMode, LiveCalls
from arena.consultation.model_spec import CallBudgets, MatchModels, ModelSpec
from arena.consultation.spending import RunAllowance
from arena.consulting.consultation import Consult
from arena.executors.executor import results_of_all
from arena.executors.slots import Slots
from arena.finding.reference import refer_file
from arena.match.desk_of_work import ModelAccess
from arena.match.work import Work
from arena.runs.planning.make_spec import MatchConditions, seats_of, spec_of

BOT = """
from arena.bot import ChatMessage, Consult
from arena.bundled import Fair

class Waiter(Fair):
    asked = 0
    def turn(self, view):
        self.asked += 1
        if self.asked <= 4:
            self.consult(Consult("", (ChatMessage("user", f"turn {self.asked}?"),)))
        return super().turn(view)
"""


class SlowModel:
    """A model that answers after some ``seconds``."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def complete(self, name: str, model: ModelSpec, consult: Consult, pay_again: PayAgain = pay_always) -> Completion:
        """Wait, and answer."""
        time.sleep(self.seconds)
        return Completion("hm", "stop", (10, 1), self.seconds)

    def close(self) -> None:
        """Nothing is open."""


def works(file: Path, matches: int) -> Iterator[Work]:
    """The matches, each with a deal of its own."""
    bot, edition = refer_file(str(file), "Waiter"), load_edition("eagle-gryphon")
    bots, seats = (bot,) * 3, seats_of(["a", "b", "c"], (bot,) * 3)
    models = MatchModels({"slow": ModelSpec(url="scripted")}, (("slow",),) * 3)
    for number in range(matches):
        spec = spec_of(
            edition,
            seats,
            id=str(number),
            tournament="slots",
            seed=str(number),
            conditions=MatchConditions(Limits(10.0, 60.0, 0.0, None)),
        )
        yield Work(spec=spec, bots=bots, models=models, replays="none")


def seconds_for(file: Path, matches: int, seconds: float) -> tuple[float, float]:
    """The wall and CPU time of so many matches, each in a slot, in seconds."""
    live = LiveCalls(SlowModel(seconds), ThreadPoolExecutor(3 * matches), RunAllowance(CallBudgets()))
    began, used = time.perf_counter(), sum(os.times()[:4])
    with closing(Slots(matches, ModelAccess(CassetteMode.RECORD, live))) as slots:
        done = list(results_of_all(slots, works(file, matches)))
    assert len(done) == matches
    return time.perf_counter() - began, sum(os.times()[:4]) - used


def main() -> None:
    """Measure one match, and many."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 64
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 2.0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "waiter.py"
        file.write_text(BOT)
        one, _ = seconds_for(file, 1, seconds)
        many, used = seconds_for(file, matches, seconds)
    print(f"answers after {seconds:g} s: 1 match {one:.1f} s, {matches} matches in {matches} slots {many:.1f} s")
    print(f"{many / one:.2f} times as long; {used:.1f} s of CPU")


if __name__ == "__main__":
    main()
