"""Write the golden replays anew: python tests/golden/make.py

Only when the rules as arena plays them, or the replay format, change on purpose: say so in the commit. Those of a
version that is released are kept for ever, with faults of every kind: python tests/golden/make.py --release
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from msgspec.structs import replace

from arena import __version__
from arena.finding.reference import refer_file
from arena.isolation.wire.control import OVER_THREADS
from arena.isolation.worker.isolated_player import over_limit
from arena.match.match_spec import spec_from
from arena.match.refereeing.referee import Referee
from arena.match.runner import play_here
from arena.penalties import FaultKind
from arena.players.faults import Fault
from arena.players.player import TimedAnswer
from arena.players.scripted import ScriptedPlayer
from arena.replay.read import read_replay_lines, rules_of
from arena.sandbox.policy import SandboxPolicy
from arena.testing import play

HERE = Path(__file__).parent
FAULTY = "0.2.0/faulty.py"
"""The bot that fails as its option says."""
STRICT = (("dead", "broken", ""), ("illegal", "broken", ""), ("late", "broken", ""))
ISOLATED = ("broken", "dead", "endless", "garbled", "illegal", "late", "overtime", "refused")
FAULTS = {
    **{f"isolated-{fault}": ((fault, "", ""), ()) for fault in ISOLATED},
    **{f"isolated-start-{fault}": ((f"start {fault}", "", ""), ()) for fault in ("broken", "dead", "late")},
    "isolated-strikes": (("all", "late", "all"), ()),
    **{f"isolated-{each[0]}-{how}": (each, ("--fault-policy", how)) for each in STRICT for how in ("forfeit", "void")},
    **{f"trusted-{fault}": ((fault, "", ""), ("--trust",)) for fault in ("broken", "dead", "late", "overtime")},
}
"""The faults of the three bots of each match, and the options it is played with."""
MATCHES = {
    "eagle-gryphon-4p": ("eagle-gryphon", (), ("dealmaker", "hard", "random-legal", "saboteur")),
    "eagle-gryphon-2p": ("eagle-gryphon", (), ("dealmaker", "random-legal")),
    "eagle-gryphon-random-3p": ("eagle-gryphon", (), ("random-legal", "random-legal", "silent")),
    "eagle-gryphon-many-variants-5p": (
        "eagle-gryphon",
        ("fixed-turn-order", "must-deal", "active-to-be-paid", "draw-by-placards", "late-hand-limit", "last-call"),
        ("dealmaker", "greedy", "random-legal", "hoarder", "saboteur"),
    ),
    "eagle-gryphon-short-game-3p": ("eagle-gryphon", ("short-game", "cards-to-deal"), ("fair", "hard", "dealmaker")),
    "eagle-gryphon-less-cutthroat-4p": (
        "eagle-gryphon",
        ("less-cutthroat",),
        ("random-legal", "greedy", "dealmaker", "saboteur"),
    ),
    "eagle-gryphon-reported-board-4p": (
        "eagle-gryphon",
        ("reported-board",),
        ("dealmaker", "saboteur", "random-legal", "hard"),
    ),
    "outline-reported-board-3p": ("outline", ("reported-board",), ("dealmaker", "random-legal", "greedy")),
    "face2face-2003-4p": ("face2face-2003", (), ("dealmaker", "fair", "random-legal", "hoarder")),
    "face2face-2003-short-game-6p": (
        "face2face-2003",
        ("short-game",),
        ("greedy", "fair", "hard", "random-legal", "hoarder", "dealmaker"),
    ),
    "outline-4p": ("outline", (), ("dealmaker", "greedy", "random-legal", "saboteur")),
    "schmidt-1994-3p": ("schmidt-1994", (), ("dealmaker", "random-legal", "hoarder")),
    "card-game-3p": ("card-game", (), ("random-legal", "random-legal", "silent")),
    "card-game-4p": ("card-game", (), ("random-legal", "random-legal", "random-legal", "random-legal")),
    "card-game-last-pass-draws-no-limit-5p": (
        "card-game",
        ("last-pass-draws", "no-limit"),
        ("random-legal", "silent", "random-legal", "random-legal", "random-legal"),
    ),
    "card-game-no-cousins-6p": ("card-game", ("no-cousins",), ("random-legal",) * 6),
}


class GreedyPlayer(ScriptedPlayer):
    """Has more threads than it may have, at its first answer."""

    def take(self, limit: float) -> TimedAnswer:
        """The fault."""
        return TimedAnswer(None, Fault(FaultKind.REFUSED, over_limit(OVER_THREADS, SandboxPolicy())), 0.1, gone=True)


def main() -> None:
    """Play and write."""
    for name, (rules, variants, bots) in MATCHES.items():
        (HERE / f"{name}.jsonl").write_bytes(play(*bots, rules=rules, variants=variants, seed=name).replay)


def release() -> None:
    """Keep the golden replays as those of this version, and play faults."""
    folder = HERE / __version__
    folder.mkdir(exist_ok=True)
    for path in HERE.glob("*.jsonl"):
        shutil.copyfile(path, folder / path.name)
    for name, (faults, options) in FAULTS.items():
        named = [f"./{FAULTY}" + (f"?fault={fault}" if fault else "") for fault in faults]
        limits = ["--ask", "0.5", "--bank", "0", "--match-time", "1"]
        seats = [*named, "--rules", "outline", "--rule", "max_turns=20", "--seed", name]
        out = ["--out", f"{__version__}/fault-{name}.jsonl"]
        command = [sys.executable, "-m", "arena", "match", *seats, *limits, *options, *out]
        subprocess.run(command, cwd=HERE, check=True)
    like, _ = read_replay_lines((folder / "fault-trusted-broken.jsonl").read_bytes())
    spec = spec_from(like, rules_of(like))
    bots = tuple(refer_file(str(HERE / FAULTY), None, {"fault": fault}) for fault in ("start missing", "", ""))
    path = folder / "fault-trusted-missing.jsonl"  # the command would refuse a bot that cannot be loaded
    path.write_bytes(play_here(replace(spec, seed=path.stem), bots).replay)
    path = folder / "fault-scripted-greedy.jsonl"  # how a bot gets there depends on the machine
    players = [GreedyPlayer({"turn": []}), ScriptedPlayer({}), ScriptedPlayer({})]
    path.write_bytes(Referee(replace(spec, seed=path.stem), players).play().replay)


if __name__ == "__main__":
    release() if "--release" in sys.argv else main()
