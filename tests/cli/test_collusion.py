"""``arena collusion`` on a run with two bots that favour each other, and ``arena standings --without``."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from arena.analysis import replay_pass, suspicious_pairs
from arena.storage.packs.pack import packs_in
from tests.conftest import Arena
from tests.played_run import play_run

HERE = Path(__file__).parents[1] / "collusion" / "confederates.py"
TOURNAMENT = f"""
name: league
seed: 3
entrants:
  - {{bot: "{HERE}:First", name: first, options: {{gift: 8}}}}
  - {{bot: "{HERE}:Second", name: second, options: {{gift: 8}}}}
  - greedy
  - {{bot: greedy, name: twin}}
  - hard
  - saboteur
editions: [{{rules: eagle-gryphon, changes: {{max_turns: 22}}}}]
seats: 4
blocks: 8
balance: entrants
isolation: none
"""


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 96 matches."""
    return play_run(tmp_path_factory.mktemp("league"), TOURNAMENT)


def data(arena: Arena, *words: object) -> Any:
    ran = arena("collusion", *words, "--json", "-q")
    assert (ran.code, ran.err) == (0, "isolation none\n" if "--trust" in words else "")
    return json.loads(ran.out)


@pytest.mark.slow
def test_bots_that_favour_each_other_stand_out_and_nobody_else_in_tables_that_say_what_they_mean_and_fit(
    arena: Arena, league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge, judged = suspicious_pairs.judge_run_gifts, dict[int, suspicious_pairs.RunGifts]()

    def judge_once(folder: Path, level: float, jobs: int, *more: Any) -> suspicious_pairs.RunGifts:
        if jobs not in judged:
            judged[jobs] = judge(folder, level, jobs, *more)
        return judged[jobs]

    monkeypatch.setattr(suspicious_pairs, "judge_run_gifts", judge_once)
    found = data(arena, league, "--error", 0.05, "-j", 1)
    board = found["games"]["board"]
    out = {(each["giver"], each["receiver"]): each for each in board["pairs"] if each["verdict"] == "stands out"}
    assert ("first", "second") in out
    assert set(out) <= {("first", "second"), ("second", "first")}
    assert (found["error"], board["unit"], board["matches"], board["blocks"]) == (0.05, "$M", 96, 8)
    assert set(board["kinds"]) == {"paid", "cheaper", "plays"}
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(replay_pass, "SERIAL_MATCHES", 0)
    ran = arena("collusion", league, "--error", 0.05, "-j", 2)
    assert (ran.code, ran.err) == (0, "")
    assert all(len(line) <= 80 for line in ran.out.splitlines())
    assert "--test first second" in " ".join(ran.out.split())
    told = " ".join(ran.out.split())
    gift = out["first", "second"]["gift"]
    assert f"first and second {gift['mean']:+.1f} ±{gift['half_width']:.1f} " in told, "the same in two processes"
    assert "may stand out without colluding on purpose" in told
    assert "10 of 45 pairs, one way or both, by verdict and then the largest gifts first; --all lists the" in told
    assert "Too wide for this terminal: paid, cheaper, plays, money; --json has all." in told
    assert "Money: how much more" not in told, "only columns that are shown are explained"
    monkeypatch.setenv("COLUMNS", "200")
    wide = arena("collusion", league, "--error", 0.05, "-j", 2, "--all").out
    assert "Too wide" not in wide
    assert "--all lists" not in wide
    assert "Money: how much more" in wide


@pytest.mark.slow
def test_gifts_agreed_on_in_words_vanish_when_nobody_hears_them(arena: Arena, league: Path, tmp_path: Path) -> None:
    ran = arena(
        "collusion", league, "--trust", "--test", "first", "second", "--deals", 1, "-j", 2, "-o", "again", "--json"
    )
    found = json.loads(ran.out)
    plays = {(each["giver"], each["played"]): each for each in found["games"]["board"]["plays"]}
    assert len(plays) == 8
    assert plays["first", "as played"]["gift"]["mean"] > 6
    for played in ("muted", "receiver exchanged", "giver exchanged"):
        assert plays["first", played]["change"]["mean"] < -4
    assert len([*(tmp_path / "again").glob("*/*.jsonl")]) == 3 * found["matches"]
    assert arena("verify", "again").code == 0
    assert "choose another --out" in arena("collusion", league, "--trust", "--test", "first", "hard", "-o", "again").err


@pytest.mark.slow
def test_the_neutral_bot_is_by_default_neither_of_the_two(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "pairs.yaml").write_text(
        "name: pairs\nseed: 5\nentrants: [fair, {bot: greedy, name: other}, hard]\nisolation: none\n"
        "editions: [{rules: eagle-gryphon, changes: {max_turns: 4}}]\nseats: 3\nblocks: 1\n"
    )
    assert arena("run", "pairs.yaml", "-o", "pairs", "-q", "-j", 1).code == 0
    for pair, neutral in ((("other", "hard"), "fair"), (("fair", "other"), "hard")):
        assert data(arena, "pairs", "--trust", "--test", *pair, "-j", 1)["neutral"] == neutral
    assert "greedy sat in the place of" in " ".join(
        arena("collusion", "pairs", "--trust", "--test", "fair", "hard").out.split()
    )


@pytest.mark.slow
def test_copies_of_a_bot_are_named(arena: Arena, league: Path) -> None:
    ran = arena(
        "collusion", league, "--trust", "--clones", "--matches", 1, "--bot", "greedy", "--bot", "twin", "--bot", "hard"
    )
    assert ran.code == 0
    assert "greedy and twin: the same answer in" in ran.out
    pairs = data(arena, league, "--trust", "--clones", "--matches", 1, "--bot", "greedy", "--bot", "hard")["pairs"]
    assert [(each["one"], each["two"]) for each in pairs] == [("greedy", "hard")]
    assert pairs[0]["other"] > 0
    assert sum(each["asks"] for each in pairs[0]["hooks"].values()) == pairs[0]["asks"]


def test_standings_without_an_entrant_leave_its_matches_out_and_write_nothing(arena: Arena, league: Path) -> None:
    before = (league / "standings.json").read_bytes()
    ran = arena("standings", league, "--without", "first", "--pairs")
    assert ran.code == 0
    assert ran.out.startswith("eagle-gryphon+set-")
    assert "-4p, without first\n" in ran.out
    assert "The rest is not balanced" in " ".join(ran.out.split())
    found = json.loads(arena("standings", league, "--without", "first", "--json").out)
    (standings,) = found["standings"].values()
    assert "first" not in {row["entrant"] for row in standings["rows"]}
    assert found["without"] == ["first"]
    assert found["matches"] - found["left_out"] == standings["matches"] > 0
    assert (league / "standings.json").read_bytes() == before


MISTAKES = (
    (["--trust", "--test", "first", "secnd"], "no entrant 'secnd' (did you mean 'second'?)"),
    (["--trust", "--test", "first", "first"], "expected two entrants, got first twice"),
    (["--trust", "--test", "first", "second", "--neutral", "frai"], "did you mean 'fair'?"),
    (["--trust", "--test", "greedy", "hard", "--neutral", "greedy"], "neither greedy nor hard, got greedy"),
    (["--trust", "--test", "first", "twin", "--neutral", "greedy"], "got greedy, the same bot as twin"),
    (["--trust", "--test", "first", "second", "--neutral", f"{HERE}:First?gift=8"], "the same bot as first"),
    (["--trust", "--test", "first", "second", "--clones"], "expected --test or --clones, got both"),
    (["--deals", "3"], "--deals is for --test"),
    (["--matches", "3"], "--matches is for --clones"),
    (["--trust", "--clones", "--error", "0.1"], "--error is for neither --test nor --clones"),
    (["--trust", "--clones", "--bot", "first"], "expected two entrants or more, got first"),
    (["--trust", "--clones", "--bot", "frist"], "did you mean 'first'?"),
    (["--error", "nan"], "expected a number above 0 and up to 0.5, got 'nan'"),
    (["--error", "inf"], "expected a number above 0 and up to 0.5, got 'inf'"),
    (["--error", "0"], "expected a number above 0 and up to 0.5, got '0'"),
    (["--error", "much"], "expected a number above 0 and up to 0.5, got 'much'"),
    (["-j", "999"], "would only slow each other"),
)


def test_mistakes_are_named_in_one_line(arena: Arena, league: Path) -> None:
    for words, told in MISTAKES:
        ran = arena("collusion", league, *words)
        assert (ran.code, ran.out) == (2, ""), words
        *usage, line = ran.err.splitlines()
        assert told in line, words
        assert usage in ([], ["Usage: arena collusion [OPTIONS] FOLDER", "Try 'arena collusion --help' for help.", ""])


def test_mistakes_about_standings_and_folders_are_named(arena: Arena, league: Path, tmp_path: Path) -> None:
    assert "did you mean 'first'?" in arena("standings", league, "--without", "frist").err
    every = [word for name in ("first", "second", "greedy") for word in ("--without", name)]
    shutil.copytree(league, tmp_path / "copy")
    assert arena("standings", "copy", *every).err == "arena: copy has no match without first, second, greedy\n"
    assert "give only one of --without and --hosts" in arena("standings", league, "--without", "first", "--hosts").err
    assert arena("collusion", tmp_path).code == 2


@pytest.mark.parametrize(
    "words", [("--trust", "--clones", "--matches", 1000), ("--trust", "--test", "first", "second")]
)
def test_a_damaged_replay_is_named(arena: Arena, league: Path, tmp_path: Path, words: tuple[object, ...]) -> None:
    shutil.copytree(league, tmp_path / "damaged")
    (pack,) = packs_in(tmp_path / "damaged" / "replays")
    content = bytearray(pack.read_bytes())
    for at in range(200, len(content), 200):
        content[at] ^= 255
    pack.write_bytes(bytes(content))
    ran = arena("collusion", "damaged", *words, "-j", 1)
    level, problem = ran.err.splitlines()
    assert (ran.code, ran.out, level) == (2, "", "isolation none")
    assert re.match(r"arena: \S*damaged/replays/\S+\.jsonl: ", problem)


def test_a_run_without_replays_cannot_be_looked_at(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "bare.yaml").write_text(
        "name: bare\nseed: 5\nentrants: [greedy, silent]\nisolation: none\nreplays: none\n"
        "editions: [{rules: eagle-gryphon, changes: {max_turns: 4}}]\n"
    )
    assert arena("run", "bare.yaml", "-o", "bare", "-q").code == 0
    ran = arena("collusion", "bare")
    assert (ran.code, ran.out) == (2, "")
    assert "play with `replays: all`" in ran.err


def test_a_run_that_is_too_small_to_judge_says_what_is_needed(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text(
        "name: small\nseed: 5\nentrants: [greedy, silent, hard]\nisolation: none\nblocks: 2\nseats: 3\n"
        "editions: [{rules: eagle-gryphon, changes: {max_turns: 4}}]\n"
    )
    assert arena("run", "small.yaml", "-o", "small", "-q").code == 0
    ran = arena("collusion", "small")
    assert ran.code == 0
    assert "judge anybody: 3 entrants, and 5 are needed; 2 blocks, and 8 are needed." in " ".join(ran.out.split())
