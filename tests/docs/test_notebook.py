"""The cells of the documentation's notebook are executed, and show what they showed when it was written.

``python -m tests.docs.test_notebook`` writes it anew, in a kernel of Jupyter's.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import arena.results
from arena.resources import docs_folder
from tests.conftest import Arena, CopiedRun

NOTEBOOK = Path(str(docs_folder())) / "notebook.ipynb"
SECONDS = 120
ANEW = "write it anew: python -m tests.docs.test_notebook"
CELLS = (
    """# A run in a notebook

Runs, standings and matches of `arena.results` are shown as tables. This notebook plays a small tournament of bots that
ship with arena, and asks it one question.""",
    """import subprocess
import sys

bots = ["dealmaker", "fair", "greedy", "hard"]
words = ["-m", "arena", "run", *bots, "--blocks", "4", "--seed", "7", "--out", "notebook-run", "--quiet"]
_ = subprocess.run([sys.executable, *words], check=True, capture_output=True)""",
    "A run: where it lies, whether it is complete, and the last of its standings.",
    """import arena.results

run = arena.results.read("notebook-run")
run""",
    "A match: who sat where, with how much money it ended, and how.",
    "next(run.records())",
    "What does each bot pay for one card, as Boss? Every offer is a row of a table.",
    """from collections import defaultdict

from arena.results import board

prices = defaultdict(list)
for match, offer in run.rows(board.OfferRow):
    if offer.answer == board.Answer.YES and len(offer.placards + offer.clans) == 1:
        prices[match.seats[offer.boss].entrant].append(offer.price)
for entrant, paid in sorted(prices.items()):
    print(f"{entrant:10} {len(paid):4} cards, ${sum(paid) / len(paid):.1f}M each")""",
)
"""Text and code, in turns."""


RUN = """
name: small
seed: 7
entrants: [greedy, fair, silent]
editions:
  - {rules: outline, changes: {max_turns: 4}}
  - {rules: face2face-2003, changes: {max_turns: 4}}
seats: 3
blocks: 1
"""


def made_of(cells: tuple[str, ...]) -> Any:
    """A notebook of these cells, not executed."""
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    code = ("import", "from", "next")
    made = [(new_code_cell if each.startswith(code) else new_markdown_cell)(each, id=f"cell-{number}")
            for number, each in enumerate(cells)]  # fmt: skip
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=made, metadata={"kernelspec": kernel})


def executed(folder: Path) -> Any:
    """The notebook, executed in this folder, without what differs each time."""
    from nbclient import NotebookClient

    book = made_of(CELLS)
    client = NotebookClient(book, timeout=SECONDS, record_timing=False, resources={"metadata": {"path": str(folder)}})
    client.execute()
    book.metadata.pop("language_info", None)  # the version of this Python
    return book


def shown_by_cell(source: str, names: dict[str, Any]) -> list[str]:
    """What a cell prints, or the last expression's value as HTML and as text: as a kernel shows it."""
    tree, printed = ast.parse(source), StringIO()
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else ast.Expr(ast.Constant(None))
    with redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(ast.fix_missing_locations(ast.Expression(last.value)), "cell", "eval"), names)
    texts = [printed.getvalue()] if printed.getvalue() else []
    return texts if value is None else [*texts, value._repr_html_(), repr(value)]


def shown_in_notebook(cell: dict[str, Any]) -> list[str]:
    """The same of a cell that is kept."""
    texts = [each["data"].values() if "data" in each else [each["text"]] for each in cell["outputs"]]
    return ["".join(lines) for each in texts for lines in each]


@pytest.mark.slow
def test_the_notebook_shows_what_its_cells_show_when_they_are_executed(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, began = subprocess.run, [sys.executable, "-m", "arena"]

    def run_here(words: list[str], **more: Any) -> Any:
        if words[:3] != began:
            return run(words, **more)
        with redirect_stdout(StringIO()):
            return arena(*words[3:])

    monkeypatch.setattr(subprocess, "run", run_here)
    kept = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert ["".join(each["source"]) for each in kept] == list(CELLS)
    names: dict[str, Any] = {}
    shown = [shown_by_cell("".join(each["source"]), names) for each in kept if each["cell_type"] == "code"]
    assert shown == [shown_in_notebook(each) for each in kept if each["cell_type"] == "code"], ANEW
    assert [len(each) for each in shown] == [0, 2, 2, 1]


def test_runs_standings_and_matches_are_tables_of_escaped_text_in_a_notebook(copied_run: CopiedRun) -> None:
    folder = copied_run(RUN, "run")
    text = (folder / "matches.jsonl").read_text()
    run = arena.results.read(folder)
    match = next(run.records())
    shown: Any = match
    html = shown._repr_html_()
    assert f"<b>{match.id}</b>" in html
    assert all(f">{seat.entrant}</td>" in html for seat in match.seats)
    assert html.count("<tr") == 1 + len(match.seats)
    standings = run.standings()
    one: Any = standings[-1]
    assert run._repr_html_().endswith(one._repr_html_())
    assert run.facts.tournament in run._repr_html_()
    assert standings._repr_html_().count("<table") == len(standings)
    assert all(f">{row.entrant}</td>" in one._repr_html_() for row in standings[-1].rows)
    (folder / "matches.jsonl").write_text(text.replace(match.seats[0].entrant, "<b>"))
    wrong: Any = next(arena.results.read(folder).records())
    assert "&lt;b&gt;" in wrong._repr_html_()
    assert "<b></td>" not in wrong._repr_html_()


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    import nbformat

    with TemporaryDirectory() as place:
        nbformat.write(executed(Path(place)), NOTEBOOK)
    sys.stdout.write(f"{NOTEBOOK}\n")
