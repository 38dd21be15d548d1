"""Fits the value function that ships with arena, with which luck is taken out of money.

    nice python tests/bench/luck_values.py FOLDER [--out arena/luck/bundled-1.json] [-j 1] [--part 1]

Plays the tournaments below into FOLDER (those that are there are gone on with), a few thousand matches of bundled
bots, every table with a deal of its own, and fits to them. Half an hour or so; with `--part 0.1` a tenth of the blocks,
to try the script: what it fits is not what ships.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from arena.commands.luck.corrected_money import fit_value_function
from arena.executors.make import make_executor
from arena.runs.planning.make_plan import make_plan
from arena.runs.play_run import start_run
from arena.storage.run_folder import FolderStore

SHIPPED = Path("arena/luck/bundled-1.json")
SEED = "luck-1"
BOARD = "[dealmaker, greedy, fair, hard, saboteur, hoarder]", "[eagle-gryphon, face2face-2003, schmidt-1994, outline]"
PAIR = BOARD[0], "[eagle-gryphon, face2face-2003]"
CARDS = "[tycoon, closer, spoiler, fair, counter, cousin]", "[card-game]"
TOURNAMENTS = {
    "board-2": (*PAIR, 2, 125),
    "board-3": (*BOARD, 3, 60),
    "board-4": (*BOARD, 4, 30),
    "board-5": (*BOARD, 5, 10),
    "board-6": (*BOARD, 6, 60),
    "cards-3": (*CARDS, 3, 200),
    "cards-4": (*CARDS, 4, 100),
    "cards-5": (*CARDS, 5, 10),
    "cards-6": (*CARDS, 6, 200),
}
"""Entrants, editions, players and blocks, by folder."""
CYCLES = {2: 5, 3: 10, 4: 5}
"""Blocks in which every two of six entrants meet equally often, by players where it is more than one."""
NAMES = {"board-2": "luck-board-2", "board-": "luck-board", "cards-": "luck-cards"}


def play(folder: Path, name: str, jobs: int, part: float) -> Path:
    """A part of one of the tournaments; its folder."""
    entrants, editions, players, whole = TOURNAMENTS[name]
    out, cycle = folder / name, CYCLES.get(players, 1)
    if (out / "standings.json").exists():
        return out
    path, title = folder / f"{name}.yaml", NAMES[name.rstrip("3456")]
    path.write_text(
        f"name: {title}\nseed: {SEED}\nentrants: {entrants}\n"
        f"editions: {editions}\nseats: [{players}]\n"
        f"blocks: {max(1, round(part * whole / cycle)) * cycle}\n"
        f"tables: spread\ndeals: fresh\nseat_orders: rotations\nisolation: none\n"
    )
    with closing(make_executor(jobs)) as executor:
        start_run(make_plan(path), FolderStore(out), executor)
    return out


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--part", type=float, default=1.0, help="the part of all blocks that is played")
    given = parser.parse_args(arguments)
    if given.part != 1 and given.out == SHIPPED:
        parser.error("a part of the blocks is not what ships: give another --out")
    given.folder.mkdir(parents=True, exist_ok=True)
    runs = []
    for name in TOURNAMENTS:
        runs.append(play(given.folder, name, given.jobs, given.part))
        print(name, flush=True)
    value = fit_value_function(runs, given.out, given.jobs)
    print(value.digest)


if __name__ == "__main__":
    main()
