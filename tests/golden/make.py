"""Write the golden replays anew: python tests/golden/make.py

Only when the rules as arena plays them, or the replay format, change on purpose: say so in the commit.
"""

from __future__ import annotations

from pathlib import Path

from arena.testing import play

HERE = Path(__file__).parent
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


def main() -> None:
    """Play and write."""
    for name, (rules, variants, bots) in MATCHES.items():
        (HERE / f"{name}.jsonl").write_bytes(play(*bots, rules=rules, variants=variants, seed=name).replay)


if __name__ == "__main__":
    main()
