"""Draw the picture that ships with the pages anew: python tests/picture/make.py

The commands are those of arena/docs/pictures.md. They play bundled bots, so whenever these change, the picture does.
Then the deal may no longer be worth showing: python tests/picture/make.py --find 300
plays so many seeds and prints deals in which most of what a picture can show happens; put one into the page.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.games.board import events
from arena.games.board.presenting.picture import find_deals
from arena.replay.read import read_replay_lines
from arena.testing import play

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "arena" / "docs" / "pictures.md"
PICTURE = ROOT / "arena" / "docs" / "negotiation.svg"


def commands() -> list[list[str]]:
    """The commands of the page, in order."""
    blocks = re.findall(r"^```console\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [shlex.split(line.removeprefix("$ ")) for block in blocks for line in block.splitlines()]


def made(folder: Path) -> bytes:
    """What they draw, in an empty folder."""
    for _, *words in commands():
        subprocess.run(
            [sys.executable, "-m", "arena", *words], cwd=folder, check=True, capture_output=True, timeout=300
        )
    return (folder / PICTURE.name).read_bytes()


def find(seeds: int) -> None:
    """Print short deals of the bots in the page with a new Boss, a STOP, an agreement and several seats that are paid;
    the richest last."""
    bots = list(takewhile(lambda word: not word.startswith("-"), commands()[0][2:]))
    found = []
    for seed in range(1, seeds + 1):
        header, lines = read_replay_lines(play(*bots, seed=str(seed)).replay)
        for span in find_deals(lines, [seat.entrant for seat in header.seats]):
            kinds, end = [type(line) for line in lines[span.first : span.last]], lines[span.last - 1]
            wanted = (events.NewBoss, events.Stopped, events.Agreed, events.Closed)
            shared = isinstance(end, events.Closed) and sum(amount > 0 for amount in end.paid) > 1
            if shared and all(kind in kinds for kind in wanted) and kinds.count(events.TickBegan) <= 3:
                rich = sum(kind in (*wanted, events.Travelled, events.Recruited, events.Laid) for kind in kinds)
                found.append((len(set(kinds)), rich, seed, span.number, span.summary))
    for _, _, seed, number, summary in sorted(found)[-12:]:
        print(f"--seed {seed} --deal {number}: {summary}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--find"]:
        find(int(sys.argv[2]))
    else:
        with TemporaryDirectory() as folder:
            PICTURE.write_bytes(made(Path(folder)))
        print(f"wrote {PICTURE.relative_to(ROOT)}; look at it before you commit it")
