"""A list of tables is read from the tournament file or a file of its own, and what is wrong is told with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.config.documents.dialect import dump_yaml
from arena.config.tournament_config import Tournament, to_data
from arena.config.tournament_yaml import load_tournament
from arena.errors import ConfigError
from arena.tournament.formats.list_format import ListTable

HEAD = """\
name: t
entrants: [{bot: silent, name: one}, {bot: silent, name: "t, wo"}, {bot: silent, name: three}, {bot: silent, name: "4"}]
editions: [eagle-gryphon]
format: list
"""
TABLES = (ListTable(0, (0, 1, 2)), ListTable(0, (2, 0)), ListTable(3, (3, 1)))
LINES = ('0,one,"t, wo",three', "0,three,one", '3,4,"t, wo"')
CSV = 'block,first,second,third\n0,one,"t, wo",three\n\n0, three ,one,,\n3,4,"t, wo"\n'


def load(folder: Path, text: str, **files: str) -> Tournament:
    (folder / "t.yaml").write_text(HEAD + text)
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_text(content)
    return load_tournament(folder / "t.yaml")


def refusal(folder: Path, text: str, **files: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load(folder, text, **files)
    return str(caught.value).replace(f"{folder}/", "")


@pytest.mark.parametrize(
    "written",
    [
        'fixtures:\n- [0, one, "t, wo", three]\n- [0, three, one]\n- [3, 4, "t, wo"]\n',
        "fixtures:\n- '0,one,\"t, wo\",three'\n- 0, three, one\n- '3,4,\"t, wo\"'\n",
        "fixtures: f.csv\n",
        "fixtures: f.yaml\n",
    ],
)
def test_every_form_gives_the_same_tables(written: str, tmp_path: Path) -> None:
    rows = '- [0, one, "t, wo", three]\n- [0, three, one]\n- [3, "4", "t, wo"]\n'
    loaded = load(tmp_path, written, f_csv=CSV, f_yaml=rows)
    assert loaded.fixtures == LINES
    assert loaded.list_tables == TABLES


def test_spelled_out_they_stand_alone(tmp_path: Path) -> None:
    loaded = load(tmp_path, "fixtures: f.csv\n", f_csv=CSV)
    (tmp_path / "f.csv").unlink()
    (tmp_path / "again.yaml").write_text(dump_yaml(to_data(loaded)))
    assert load_tournament(tmp_path / "again.yaml") == loaded


MISTAKES = {
    "fixtures: []\n": "t.yaml:4:9: format: a list needs 'fixtures': its tables, or a file with them",
    "": "t.yaml:4:9: format: a list needs 'fixtures': its tables, or a file with them",
    "fixtures:\n- [0, one, three]\n- [0, one]\n": (
        "t.yaml:7:3: fixtures[1]: expected a block and at least 2 entrants, got 1"
    ),
    "fixtures:\n- []\n": "t.yaml:6:3: fixtures[0]: expected a block and entrants, got an empty list",
    "fixtures:\n- [-1, one, three]\n": (
        "t.yaml:6:3: fixtures[0]: expected a block, a whole number from 0 to 999,999, got -1"
    ),
    "fixtures:\n- [1.5, one, three]\n": (
        "t.yaml:6:4: fixtures[0][0]: expected a whole number or text, got 1.5; put text in quotes"
    ),
    "fixtures:\n- 1000000,one,three\n": (
        "t.yaml:6:3: fixtures[0]: expected a block, a whole number from 0 to 999,999, got '1000000'"
    ),
    "fixtures:\n- [0, one, tree]\n": (
        "t.yaml:6:3: fixtures[0]: expected an entrant's name, got 'tree' (did you mean 'three'?); there are "
        "one, t, wo, "
        "three, 4"
    ),
    "fixtures:\n- [0, one, three, one]\n": "t.yaml:6:3: fixtures[0]: 'one' sits at this table twice",
    "fixtures:\n- [0, one, three]\n- [1, one, three]\n- [0, three, one]\n": (
        "t.yaml:8:3: fixtures[2]: the same match as in line 6 of the same block (seat_orders: rotations); 'listed' "
        "plays each table as written"
    ),
    "seat_orders: listed\nfixtures:\n- [0, one, three]\n- [0, one, three]\n": (
        "t.yaml:8:3: fixtures[1]: the same match as in line 7 of the same block"
    ),
    "fixtures:\n- {block: 0}\n": "t.yaml:6:3: fixtures[0]: expected text or a list, got a mapping (block)",
    "fixtures: f.txt\n": "t.yaml:5:11: fixtures: expected a list, or a file that ends in .csv or .yaml, got 'f.txt'",
    "fixtures: gone.csv\n": "t.yaml:5:11: fixtures: no such file: ",
    "fixtures: f.csv\n": (
        "f.csv:3: expected an entrant's name, got 'tree' (did you mean 'three'?); there are one, t, wo, three, 4"
    ),
    "fixtures: g.csv\n": "g.csv:2: not CSV: unexpected end of data",
    "fixtures: h.csv\n": (
        "h.csv: cannot be read: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"
    ),
    "fixtures: f.yaml\n": "f.yaml:2:3: [1]: expected a list of a block and entrants, got 7",
    "fixtures: g.yaml\n": "g.yaml:1:1: expected a list of tables, got a mapping (a)",
    "fixtures: empty.csv\n": "t.yaml:5:11: fixtures: expected 1 table or more, got none",
    "seats: 7\nfixtures: f.csv\n": "t.yaml:5:8: seats: 7 seats, but only 4 entrants to fill them",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_what_is_wrong_is_told_with_its_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_bytes(b"\xff")
    found = refusal(
        tmp_path,
        text,
        f_csv="block,a,b\n0,one,three\n0,one,tree\n",
        g_csv='0,one,three\n0,one,"tree\n',
        f_txt="",
        f_yaml="- [0, one, three]\n- 7\n",
        g_yaml="a: 1\n",
        empty_csv="block,a,b\n",
    )
    assert found.startswith(MISTAKES[text])
    assert found == MISTAKES[text] or "gone" in text


def test_two_of_a_team_cannot_be_listed_at_one_table(tmp_path: Path) -> None:
    head = HEAD.replace("name: one}", "name: one, team: t}").replace("name: three}", "name: three, team: t}")
    (tmp_path / "t.yaml").write_text(f"{head}fixtures:\n- [0, one, three]\n")
    with pytest.raises(ConfigError, match="one and three are in one team, t, and never sit at one table"):
        load_tournament(tmp_path / "t.yaml")


OTHERS = {
    "format: swiss": "t.yaml:4:9: format: a Swiss tournament needs 'rounds', their number",
    "rounds: 2": (
        "t.yaml:4:9: rounds: only a Swiss tournament has the key rounds: write 'format: swiss', or leave it out"
    ),
    "format: knockout\nrounds: 2": (
        "t.yaml:5:9: rounds: only a Swiss tournament has the key rounds: in a knockout the number follows from "
        "the entrants"
    ),
    "fixtures: [[0, one, three]]": (
        "t.yaml:4:11: fixtures: only a list has fixtures: write 'format: list', or leave them out"
    ),
    "seat_orders: listed": (
        "t.yaml:4:14: seat_orders: only the format list gives the order in which entrants sit: expected another scheme"
    ),
}


@pytest.mark.parametrize("text", OTHERS)
def test_keys_of_another_format_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(HEAD.replace("format: list\n", text + "\n"))
    with pytest.raises(ConfigError) as caught:
        load_tournament(tmp_path / "t.yaml")
    assert str(caught.value).replace(f"{tmp_path}/", "") == OTHERS[text]
