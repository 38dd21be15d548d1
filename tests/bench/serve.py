"""How fast are the pages of `arena serve` for a run and a ladder with very many matches? Asks a server of its own, in a
process of its own, for pages and searches while it reads the matches and afterwards.

Run: python tests/bench/serve.py [MATCHES]     (1,000,000 by default; some minutes, about 4 GB of disk)
     python tests/bench/serve.py --folder DIR  (of a run, or of the ladder `scale`, that is there)
"""

from __future__ import annotations

import http.client
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

from arena.ladder.database.ladder_folder import DATABASE_FILE
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore, fold_again

SEARCHES = (
    "",
    "bot=bot-1",
    "bot=bot-1&other=bot-2&winner=bot-2",
    "fault=late",
    "bot=bot-3&fault=any",
    "result=void",
    "block=5000",
    "order=first&page=900",
    "page=19000",
)
ASKED = 5
"""Times that each search is asked; the slowest counts."""


def get(asked: http.client.HTTPConnection, path: str) -> tuple[float, str]:
    """Seconds until the page was there, and the page."""
    began = time.perf_counter()
    asked.request("GET", path)
    answer = asked.getresponse()
    text = answer.read().decode()
    assert answer.status == 200, (path, answer.status, text[-2000:])
    return time.perf_counter() - began, text


def memory(process: int) -> float:
    """The largest memory of a process in MB."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


def finish(folder: Path) -> None:
    """Make a run that was never finished look as if it were, with its standings written."""
    store = FolderStore(folder)
    fold_again(store)
    store.remember({"state": RunState.COMPLETE, "finished": sum(1 for _ in store.records())})


def main(folder: Path) -> None:
    """Print a table."""
    is_ladder = (folder / DATABASE_FILE).is_file()
    place = f"/ladder/{quote(folder.name)}/scale" if is_ladder else f"/run/{quote(folder.name)}"
    print("a ladder" if is_ladder else f"a run that is {FolderStore(folder).state()}")
    words = [sys.executable, "-m", "arena", "serve", str(folder), "--port", "0"]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert server.stdout is not None
    began = time.perf_counter()
    port = int(server.stdout.readline().decode().rstrip("/\n").rpartition(":")[2])
    print(f"listens after               {time.perf_counter() - began:8.2f} s")
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    began = time.perf_counter()
    first, text = get(asked, place)
    told = re.search(r"indexing (\d+) %", text)
    print(f"first page                  {first:8.2f} s  ({told[1] if told else 100} % of the matches read)")
    slowest = 0.0
    while "indexing" in text:
        took, text = get(asked, f"{place}/matches?bot=bot-1")
        slowest = max(slowest, took)
        time.sleep(0.2)
    print(f"slowest page while it reads {slowest:8.2f} s")
    print(f"all matches read after      {time.perf_counter() - began:8.2f} s")
    for search in (each.replace("bot-", "bot-00") if is_ladder else each for each in SEARCHES):
        times, found = [], ""
        for _ in range(ASKED):
            took, text = get(asked, f"{place}/matches?{search}")
            times.append(took)
        counted = re.search(r"<p>([\d,]+) of ([\d,]+) matches", text)
        found = counted[1] if counted else "?"
        print(f"{search or 'all matches':<38} {max(times):6.3f} s  {found:>9} matches")
    again, _ = get(asked, place)
    print(f"that page afterwards        {again:8.3f} s")
    print(f"largest memory              {memory(server.pid):8.0f} MB")
    server.send_signal(signal.SIGINT)
    assert server.wait(20) == 130


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--folder", folder]:
            main(Path(folder))
        case rest:
            with tempfile.TemporaryDirectory(prefix="arena-serve-bench-") as place:
                scale = Path(__file__).with_name("scale.py")
                made = [sys.executable, str(scale), "make", f"{place}/run", rest[0] if rest else "1000000", "200"]
                subprocess.run(made, check=True)
                main(Path(place) / "run")
                finish(Path(place) / "run")
                main(Path(place) / "run")
                made = [sys.executable, str(Path(__file__).with_name("ladder.py")), "make", f"{place}/ladder"]
                subprocess.run([*made, rest[0] if rest else "1000000"], check=True)
                main(Path(place) / "ladder")
