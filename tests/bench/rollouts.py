"""How many rollouts a bot makes in a second of CPU time: with a policy, and by hand as bots had to before.

A rollout imagines a match from the view of an ask of a seat's own turn, and plays about 190 asks on with the strongest
bundled bot of the game in all four seats: ``dealmaker``, ``tycoon``. By hand, a bot makes these bots itself, and reads
their answers (this file's :class:`ByHand`). Both make the very same rollouts, of the same views with the same numbers:
the money at their ends is compared. The two take turns, and each round has new matches. Printed are rollouts a CPU
second, and the median of their ratios over the rounds, with its range. With another checkout, by hand is done there,
with its engine.

Run: nice python tests/bench/rollouts.py [ROUNDS [OTHER_CHECKOUT [VIEWS]]]     (by default 9 rounds of 8: a minute)
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from arena.bot import Bot, Reply
from arena.config.editions import load_edition
from arena.finding.hooks import hooks_of
from arena.finding.loading import make_bot
from arena.finding.reference import find_file
from arena.games import load_game
from arena.games.chance import Chance
from arena.games.contract import NO, YES, Move, State, View

ROOT = Path(__file__).parents[2]
POLICIES = {"eagle-gryphon": "dealmaker", "card-game": "tycoon"}
OWN_TURN = {"eagle-gryphon": "turn", "card-game": "play"}
PATHS = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path not in ("", ".", str(ROOT))]
"""Where else modules are found, such as a compiled build."""
SEATS, ASKS, VIEWS, EACH = 4, 190, 8, 4


class ByHand:
    """New bots in all seats, and what their answers mean."""

    def __init__(self, cls: type[Bot], rules: Any, rng: random.Random) -> None:
        self.hooks, self.bots = hooks_of(cls, rules.game), [cls() for _ in range(SEATS)]
        for seat, bot in enumerate(self.bots):
            bot.seat, bot.players, bot.rules, bot.random = seat, SEATS, rules, rng

    def answer(self, state: State, index: int) -> Move:
        """The bot's answer, or the default."""
        seat, hook, _ = state.asks[index]
        if hook not in self.hooks:
            return state.default(index)
        move = getattr(self.bots[seat], hook)(state.view(index))
        if isinstance(move, Reply):
            move = move.move
        if isinstance(move, bool):
            move = YES if move else NO
        if move is None or state.refusal(index, move) is not None:
            return state.default(index)
        return move  # type: ignore[no-any-return]


def find_views(edition: str, match: int, count: int) -> list[View]:
    """Views of asks of their seats' own turns, in a match of the policy's bots."""
    rules = load_edition(edition).rules
    cls, found = type(make_bot(find_file(POLICIES[edition]))), list[View]()
    state, bots = load_game(rules.game).start(rules, SEATS, Chance(f"rollouts {match}"), None), None
    while state.asks and len(found) < 4 * count:
        bots = bots or ByHand(cls, rules, random.Random(match))
        for index, ask in enumerate(state.asks):
            if ask.hook == OWN_TURN[edition]:
                found.append(state.view(index))
            state.apply(index, bots.answer(state, index))
    return found[::4]


def roll_by_hand(edition: str, views: list[View]) -> list[int]:
    """The money at the end of each rollout, of the seat that imagines it."""
    rules, rng, money = load_edition(edition).rules, random.Random(1), list[int]()
    cls = type(make_bot(find_file(POLICIES[edition])))
    for view in views:
        for _ in range(EACH):
            state, bots, asked = view.imagine(rules, rng), ByHand(cls, rules, rng), 0
            while state.asks and asked < ASKS:
                for index in range(len(state.asks)):
                    state.apply(index, bots.answer(state, index))
                    asked += 1
                    if not state.pending:
                        break
            money.append(state.look(view.seat).money)  # type: ignore[attr-defined]
    return money


def roll_with_policy(edition: str, views: list[View]) -> list[int]:
    """The same with a policy."""
    from arena import bundled
    from arena.games.playout import play_out
    from arena.rollouts import Policy

    rules, rng, money = load_edition(edition).rules, random.Random(1), list[int]()
    policy = Policy(getattr(bundled, POLICIES[edition].capitalize()), rules, SEATS)
    for view in views:
        for _ in range(EACH):
            money.append(play_out(view.imagine(rules, rng), policy, ASKS).money[view.seat])
    return money


def answer_orders() -> None:
    """Roll as each line of standard input says: edition, how, number of the match, how many views; the first of each
    kind is not timed."""
    for line in sys.stdin:
        edition, how, match, count = json.loads(line)
        views, roll = find_views(edition, match, count), roll_by_hand if how == "by hand" else roll_with_policy
        roll(edition, views[:1])
        began = process_time()
        money = roll(edition, views)
        print(json.dumps([len(money) / (process_time() - began), money]), flush=True)


def main(rounds: int = 9, other: Path = ROOT, views: int = VIEWS) -> None:
    """Print the table."""
    processes = {
        how: subprocess.Popen(
            [sys.executable, __file__, "orders"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=root,
            env=os.environ | {"PYTHONPATH": os.pathsep.join([str(root), *PATHS]), "PYTHONHASHSEED": "0"},
        )
        for how, root in (("by hand", other), ("policy", ROOT))
    }

    def roll(how: str, *order: object) -> tuple[float, list[int]]:
        process = processes[how]
        assert process.stdin is not None
        assert process.stdout is not None
        print(json.dumps((order[0], how, *order[1:])), file=process.stdin, flush=True)
        speed, money = json.loads(process.stdout.readline())
        return speed, money

    print(f"{'rollouts a CPU second':<24}{'by hand':>10}{'policy':>10}   policy ÷ by hand")
    for edition in POLICIES:
        pairs = []
        for match in range(rounds):
            (before, money), (now, same) = roll("by hand", edition, match, views), roll("policy", edition, match, views)
            if money != same:
                raise SystemExit(f"{edition}, match {match}: other money at the ends of the same rollouts")
            pairs.append((before, now))
        ratios = sorted(now / before for before, now in pairs)
        before, now = (median(column) for column in zip(*pairs, strict=True))
        spread = f"{median(ratios):6.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
        print(f"{edition:<24}{before:>10.0f}{now:>10.0f} {spread}", flush=True)
    for process in processes.values():
        process.communicate()


if __name__ == "__main__":
    if sys.argv[1:] == ["orders"]:
        answer_orders()
    else:
        kinds = (int, lambda path: Path(path).resolve(), int)
        main(*(kind(each) for kind, each in zip(kinds, sys.argv[1:], strict=False)))
