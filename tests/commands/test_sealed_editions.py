"""``arena rules generate``: sealed editions, their pilot, and the commitment to one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from arena.commands.rules.fairness_pilot import PilotPlay, judge_pilot, play_fairness_pilot
from arena.commands.rules.redraw_edition import redraw_edition
from arena.config.editions import load_edition
from arena.errors import UserError
from arena.games.presenting import NOTHING_PRESENTED, SteadyFigure
from tests.conftest import Arena

STEADY = (SteadyFigure("share of deals closed", "closed", ("closed", "failed"), 0.15),)
USUAL = PilotPlay(24, (6.0, 6.0, 6.0, 6.0), 40.0, {"closed": 80, "failed": 20}, 0)


def test_the_same_seed_gives_the_same_bytes_as_on_every_python(arena: Arena) -> None:
    for name in ("one.yaml", "other.yaml"):
        ran = arena("rules", "generate", "--seed", "quiet-river", "--pilot", 0, "--out", name)
        assert (ran.code, ran.out) == (0, f"{name}: sealed-6e81a4cf, digest 01ee05c10950e043\n")
    assert Path("one.yaml").read_bytes() == Path("other.yaml").read_bytes()
    shown = arena("rules", "generate", "--seed", "quiet-river", "--pilot", 0).out
    assert shown == Path("one.yaml").read_text(encoding="utf-8")
    assert "quiet-river" not in shown


def test_a_sealed_board_is_played_verified_and_told_with_its_own_names(arena: Arena) -> None:
    assert arena("rules", "generate", "--seed", "quiet-river", "--pilot", 0, "--out", "s.yaml").code == 0
    played = arena(
        "match",
        "greedy",
        "fair",
        "--rules",
        "s.yaml",
        "--rule",
        "max_turns=3",
        "--seed",
        3,
        "--trust",
        "--out",
        "m.jsonl",
    )
    assert played.code == 0
    Path("s.yaml").unlink()
    assert "verified" in arena("verify", "m.jsonl").out
    told = arena("show", "m.jsonl").out
    assert "The Verpole placard" in told
    assert "Cashman" not in told
    assert "Red" not in told


def test_a_deck_of_the_card_game_is_drawn_within_bounds_and_played() -> None:
    base = load_edition("card-game")
    drawn = [redraw_edition(base, seed, 0).edition for seed in "abcdefgh"]
    assert drawn[0].digest == redraw_edition(base, "a", 0).edition.digest
    assert drawn[0].digest[:16] == "678110fd15288579"
    deck = base.rules.deck
    for edition in drawn:
        assert abs(edition.rules.factor - 5) <= 1
        for kind in ("positive", "negative", "move"):
            for value, number in getattr(deck, kind).items():
                assert 0 <= abs(getattr(edition.rules.deck, kind)[value] - number) <= 1
                assert getattr(edition.rules.deck, kind)[value] >= 1
        assert abs(edition.rules.deck.pota - deck.pota) <= 2
        assert msgspec.structs.replace(edition.rules, deck=deck, factor=5, name="", title="", source="") == (
            msgspec.structs.replace(base.rules, name="", title="", source="")
        )
    assert len({edition.digest for edition in drawn}) == len(drawn)
    none_left = load_edition("card-game", (), {"deck": {"pota": 0}})
    assert redraw_edition(none_left, "a", 0).edition.rules.deck.pota == 0
    assert play_fairness_pilot(drawn[0], 1, "x").faulty == 0


def test_a_game_may_draw_none(monkeypatch: pytest.MonkeyPatch) -> None:
    game = SimpleNamespace(presenting=NOTHING_PRESENTED)
    monkeypatch.setattr("arena.commands.rules.redraw_edition.load_game", lambda name: game)
    with pytest.raises(UserError, match="the game 'board' draws no new editions"):
        redraw_edition(load_edition("outline"), "x", 0)


def test_a_pilot_is_played_and_told(arena: Arena) -> None:
    ran = arena("rules", "generate", "--seed", "quiet-river", "--pilot", 4, "-o", "s.yaml")
    assert ran.code == 0
    pilot, usual = ran.err.splitlines()[-2:]
    assert pilot.startswith("pilot: wins by seat ")
    assert usual.startswith("eagle-gryphon: wins by seat ")
    assert pilot.count("of 4; $") == usual.count("of 4; $") == 1


def test_a_seed_is_drawn_and_printed_where_none_is_given(arena: Arena) -> None:
    ran = arena("rules", "generate", "--pilot", 0)
    seed = ran.err.removeprefix("seed ").strip()
    assert len(seed) == 32
    assert arena("rules", "generate", "--pilot", 0, "--seed", seed).out == ran.out


def test_a_board_outside_the_bounds_is_refused_and_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    pilots = iter([USUAL, replace(USUAL, money=55.0), USUAL])
    monkeypatch.setattr("arena.commands.rules.redraw_edition.play_fairness_pilot", lambda *_: next(pilots))
    refused: list[tuple[int, list[str]]] = []
    found = redraw_edition(load_edition("outline"), "x", 24, lambda draw, why: refused.append((draw, why)))
    assert refused == [(1, ["a seat had $55.0M at the end, usually 40.0"])]
    assert found.draw == 2
    assert found.edition.digest != redraw_edition(load_edition("outline"), "x", 0).edition.digest


def test_it_gives_up_where_no_board_is_fair(monkeypatch: pytest.MonkeyPatch) -> None:
    pilots = iter([USUAL, *[replace(USUAL, faulty=1)] * 20])
    monkeypatch.setattr("arena.commands.rules.redraw_edition.play_fairness_pilot", lambda *_: next(pilots))
    with pytest.raises(UserError, match="none of 20 editions drawn from outline was fair"):
        redraw_edition(load_edition("outline"), "x", 24)


@pytest.mark.parametrize(
    ("play", "told"),
    [
        (USUAL, []),
        (replace(USUAL, wins=(13.0, 4.0, 4.0, 3.0)), ["seat 0 won 13 of 24 matches"]),
        (replace(USUAL, wins=(12.0, 4.0, 4.0, 4.0)), []),
        (replace(USUAL, faulty=2), ["bundled bots made faults in 2 matches"]),
        (replace(USUAL, money=29.0), ["a seat had $29.0M at the end, usually 40.0"]),
        (replace(USUAL, counts={"closed": 60, "failed": 40}), ["share of deals closed: 0.60, usually 0.80"]),
        (replace(USUAL, counts={}), ["share of deals closed: 0.00, usually 0.80"]),
    ],
)
def test_a_pilot_is_judged_by_seats_faults_money_and_deals(play: PilotPlay, told: list[str]) -> None:
    assert judge_pilot(play, USUAL, STEADY, "$M") == told


def test_bots_of_a_pilot_move_on_by_a_seat_in_the_same_deal() -> None:
    edition = load_edition("eagle-gryphon", (), {"max_turns": 4})
    four = play_fairness_pilot(edition, 4, "x")
    assert (four.matches, sum(four.wins), four.faulty) == (4, pytest.approx(4.0), 0)
    assert four == play_fairness_pilot(edition, 4, "x")


def test_a_commitment_confirms_the_edition_and_no_other(arena: Arena) -> None:
    ran = arena("rules", "generate", "--seed", "quiet-river", "--pilot", 0, "--out", "s.yaml", "--commit")
    commitment = ran.out.split()[-1]
    assert len(commitment) == 64
    assert Path("s.yaml.secret").stat().st_mode & 0o077 == 0
    assert arena("rules", "check", "s.yaml", "--commitment", commitment).out.endswith(", as committed\n")
    text = Path("s.yaml").read_text(encoding="utf-8")
    Path("s.yaml").write_text(text.replace("draw: 3", "draw: 4"), encoding="utf-8")
    changed = arena("rules", "check", "s.yaml", "--commitment", commitment)
    assert (changed.code, "not the edition that was committed to" in changed.err) == (3, True)
    Path("s.yaml.secret").write_text("[]", encoding="utf-8")
    assert "s.yaml.secret: no salt" in arena("rules", "check", "s.yaml", "--commitment", commitment).err
    Path("s.yaml.secret").unlink()
    assert "s.yaml.secret is missing" in arena("rules", "check", "s.yaml", "--commitment", commitment).err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--commit"], "--commit needs --out FILE"),
        (["--out", "sealed.txt"], "the name of a rules file ends in .yaml"),
        (["--out", "there.yaml"], "there.yaml is there already"),
        (["--seed", "two\nlines"], "--seed: expected text of one line"),
        (["--base", "eagle-grypho"], "did you mean 'eagle-gryphon'?"),
    ],
)
def test_mistakes_are_told_before_anything_is_written(arena: Arena, words: list[str], told: str) -> None:
    Path("there.yaml").write_text("", encoding="utf-8")
    ran = arena("rules", "generate", "--pilot", 0, *words)
    assert ran.code == 2
    assert told in ran.err
    assert sorted(path.name for path in Path().iterdir()) == ["there.yaml"]


def test_a_commitment_is_to_one_edition(arena: Arena) -> None:
    ran = arena("rules", "check", "outline", "schmidt-1994", "--commitment", "0" * 64)
    assert (ran.code, "--commitment is to one edition, got 2" in ran.err) == (2, True)


def test_a_base_at_the_limit_of_what_rules_allow_is_refused_and_not_written(arena: Arena) -> None:
    full = ["--rule", "deck.clan=99", "--rule", "deck.boss=99", "--rule", "deck.stop=99"]
    ran = arena("rules", "generate", "--pilot", 0, "--seed", "a", *full, "--out", "s.yaml")
    assert (ran.code, "gives no edition that can be played" in ran.err) == (2, True)
    assert not Path("s.yaml").exists()
