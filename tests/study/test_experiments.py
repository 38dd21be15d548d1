"""Factorial studies: designs with known resolutions and aliases, effects that are known, and the command."""

from __future__ import annotations

import json
import shutil
from itertools import product
from pathlib import Path
from typing import Any

import numpy
import pytest

from arena.commands.study.factor_study import read_study, study_runs
from arena.config.study_yaml import load_study
from arena.errors import ConfigError, UserError
from arena.storage.layout import read_records
from arena.study.factor_design import FactorDesign, make_design
from arena.study.factor_effects import SizeToFind, adjust_after_holm, estimate_effects
from arena.tournament.inference.paired import PairedMeasure
from tests.docs.pages import blocks

STUDY = """
name: small
bot: greedy
opponents: [silent, fair]
seats: 3
seed: 5
deals: 3
changes: {max_turns: 3}
find: 0.1
factors:
  greed: {option: greed, levels: [0.2, 0.8]}
  last: {variant: last-call}
"""


@pytest.mark.parametrize(
    ("factors", "resolution", "cells", "exact"),
    [
        (3, 3, 4, 3),
        (4, 4, 8, 4),
        (5, 5, 16, 5),
        (5, 3, 8, 3),
        (6, 4, 16, 4),
        (6, 5, 32, 6),
        (7, 3, 8, 3),
        (8, 4, 16, 4),
    ],
)
def test_fractions_are_the_smallest_with_their_resolution_as_in_the_textbook(
    factors: int, resolution: int, cells: int, exact: int
) -> None:
    design = make_design([2] * factors, resolution)
    assert (len(design.cells), design.resolution) == (cells, exact)
    for column in zip(*design.cells, strict=True):
        assert sum(column) * 2 == cells
    for word in design.words:
        assert {sum(1 - cell[factor] for factor in word) % 2 for cell in design.cells} == {0}


def test_aliases_are_the_effects_that_no_cell_tells_apart() -> None:
    def signs(design: FactorDesign, effect: Any) -> tuple[bool, ...]:
        return tuple(weight > 0 for weight in design.weights(effect))

    for resolution in (3, 4, 5):
        design = make_design([2] * 5, resolution)
        listed = [effect for effect, _ in design.effects()]
        for effect, aliases in design.effects():
            assert {signs(design, each) for each in aliases} <= {signs(design, effect)}
        assert len({signs(design, effect) for effect in listed}) == len(listed)
        assert sum(1 + len(aliases) for _, aliases in design.effects()) == 5 + 10
    fraction = make_design([2] * 4, 4)
    assert (((0, 1), (1, 1)), [((2, 1), (3, 1))]) in fraction.effects()
    assert all(not aliases for effect, aliases in fraction.effects() if len(effect) == 1)
    assert all(not aliases for _, aliases in make_design([2] * 5, 5).effects())


@pytest.mark.parametrize("design", [make_design([2, 2]), make_design([3, 2]), make_design([2] * 5, 5)], ids=str)
def test_effects_that_are_known_are_found_exactly(design: FactorDesign) -> None:
    main = [(0.0, 0.3, 0.5), (0.0, -0.2)]
    cells = [main[0][cell[0]] + main[1][cell[1]] + 0.4 * (cell[0] == 1) * (cell[1] == 1) for cell in design.cells]
    found = {
        each.effect: each
        for each in estimate_effects(design, [[10.0 * deal + cell for cell in cells] for deal in range(4)])
    }
    means = {effect: each.estimate.mean for effect, each in found.items()}
    assert means[((0, 1),)] == pytest.approx(0.3 + 0.2)  # with the interaction in half of the cells
    assert means[((0, 1), (1, 1))] == pytest.approx(0.2)
    if design.levels[0] == 3:
        assert means[((0, 2),)] == pytest.approx(0.5)
        assert means[((0, 2), (1, 1))] == pytest.approx(0)
    others = [mean for effect, mean in means.items() if max(effect)[0] > 1]
    assert others == pytest.approx([0.0] * len(others))


def test_p_values_agree_with_the_intervals_and_are_adjusted_after_holm() -> None:
    assert adjust_after_holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert adjust_after_holm([0.9, 0.8]) == [1.0, 1.0]
    source = numpy.random.Generator(numpy.random.PCG64(3))
    design, stood_out = make_design([2, 2]), 0
    for deal_count in (5, 12, 30):
        for _ in range(30):
            found = estimate_effects(design, source.standard_normal((deal_count, 4)).tolist(), SizeToFind(0.5, 0.8))
            stood_out += any(each.adjusted < 0.05 for each in found)
            for each in found:
                assert each.estimate.low is not None
                assert each.estimate.high is not None
                outside = not each.estimate.low <= 0 <= each.estimate.high
                assert outside is (each.p < 0.05) or each.p == pytest.approx(0.05, abs=2e-4)
                assert each.adjusted >= each.p
                assert each.blocks is not None
    assert 1 <= stood_out <= 10  # 90 studies without an effect: 4.5 ± 3 deviations
    assert [each.p for each in estimate_effects(design, [[0.0] * 4] * 5)] == [1.0] * 3


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the file of a study, and the study as it was played."""
    below = tmp_path_factory.mktemp("study")
    (below / "small.yaml").write_text(STUDY)
    told = _command(below / "small.yaml", below / "out")
    (below / "told.json").write_text(told)
    return below


def _command(path: Path, out: Path, *words: str) -> str:
    from click.testing import CliRunner

    from arena.cli.main import cli

    ran = CliRunner().invoke(cli, ["study", str(path), "-o", str(out), "--trust", "-j", "1", "-q", "--json", *words])
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def test_all_cells_play_the_same_deals_and_effects_are_those_of_their_matches(played: Path) -> None:
    study = load_study(played / "small.yaml")
    design = study.design()
    runs = study_runs(study, design, True)
    assert [each.cells for each in runs] == [(0, 2), (1, 3)]
    seeds, got = set[tuple[int, str]](), dict[tuple[str, str, int], list[float]]()
    for each in runs:
        for record in read_records(played / "out" / each.folder):
            seeds.add((record.block, record.seed))
            assert ("last-call" in record.edition) is (each.folder == "run-2")
            for seat, sat in enumerate(record.seats):
                if sat.entrant.startswith("greedy"):
                    value = float(PairedMeasure.BEATEN.seat_value(record, seat))
                    got.setdefault((sat.entrant, each.folder, record.block), []).append(value)
    assert len(seeds) == 3
    told = json.loads((played / "told.json").read_text())
    assert (told["deals"], told["left_out"], told["seed"]) == (3, 0, "5")
    signs = {"greed: 0.8 − 0.2": [-1, -1, 1, 1], "last: on − off": [-1, 1, -1, 1], "greed × last": [1, -1, -1, 1]}
    cells = list(product(("greedy?greed=0.2", "greedy?greed=0.8"), ("run-1", "run-2")))
    assert [each["effect"] for each in told["effects"]] == list(signs)
    for each in told["effects"]:
        sums = [
            sign * numpy.mean(got[(*cell, block)]) / 2
            for block in range(3)
            for sign, cell in zip(signs[each["effect"]], cells, strict=True)
        ]
        assert each["difference"]["mean"] == pytest.approx(sum(sums) / 3, abs=1e-6)


def test_a_study_that_was_stopped_or_made_longer_is_the_same_as_one_that_was_not(played: Path, tmp_path: Path) -> None:
    path, out = played / "small.yaml", tmp_path / "out"
    _command(path, out, "--blocks", "1")
    shutil.rmtree(out / "run-2")
    lines = (out / "run-1" / "matches.jsonl").read_text().splitlines(keepends=True)
    manifest = json.loads((out / "run-1" / "manifest.json").read_text())
    (out / "run-1" / "manifest.json").write_text(json.dumps({**manifest, "state": "stopped", "finished": 1}))
    (out / "run-1" / "matches.jsonl").write_text(lines[0])
    assert _command(path, out) == (played / "told.json").read_text()
    for name in ("run-1", "run-2"):
        both = [sorted((where / name / "matches.jsonl").read_text().splitlines()) for where in (out, played / "out")]
        assert both[0] == both[1]
    assert _command(path, out) == (played / "told.json").read_text()  # nothing is left to play


def test_a_fraction_plays_only_its_cells_and_a_deal_without_a_cell_is_left_out(played: Path, tmp_path: Path) -> None:
    third = "  turns: {rule: max_turns, levels: [2, 3]}\nresolution: 3\n"
    text = STUDY.replace("changes: {max_turns: 3}\n", "").replace("deals: 3", "deals: 1") + third
    (tmp_path / "third.yaml").write_text(text)
    study = load_study(tmp_path / "third.yaml")
    told = json.loads(_command(tmp_path / "third.yaml", tmp_path / "out"))
    assert (told["resolution"], len(told["cells"]), told["matches"]) == (3, 4, 4 * 3 * 2)
    assert told["effects"][0]["aliases"] == "last × turns"
    runs = study_runs(study, study.design(), True)
    first = tmp_path / "out" / "run-1" / "matches.jsonl"
    first.write_text(
        first.read_text().replace('"void":false', '"void":true').replace('"termination"', '"void":true,"termination"')
    )
    found = read_study(study, study.design(), runs, tmp_path / "out")
    assert (list(found.means), found.left_out) == ([], 1)


def test_the_table_and_the_design_are_printed(arena: Any, played: Path) -> None:
    ran = arena("study", played / "small.yaml", "--design")
    assert ran.out.startswith("small: a full design of 4 cells, all on the same deals.\n\n  cell  greed    last\n")
    ran = arena("study", played / "small.yaml", "-o", played / "out", "--trust", "-q")
    assert ran.out.splitlines()[0].split() == ["effect", "difference", "p", "after", "Holm", "deals", "needed"]
    assert "in 3 deals. An effect is the change of beaten by the level" in " ".join(ran.out.split())


def test_the_example_of_the_page_is_a_study(tmp_path: Path) -> None:
    (example,) = blocks("experiments", "yaml study")
    (tmp_path / "greed.yaml").write_text(example)
    assert len(load_study(tmp_path / "greed.yaml").design().cells) == 8


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("variant: last-call", "variant: last-call, seats: [3, 4]", "got variant and seats"),
        ("option: greed, levels: [0.2, 0.8]", "option: greed", "expected levels for an option"),
        ("[0.2, 0.8]", "[0.2, 0.2]", "expected two or more different levels, got 0.2, 0.2"),
        ("opponents: [silent, fair]", "opponents: []", "expected opponents"),
        ("variant: last-call", "option: greed, levels: [1, 2]", "another factor varies the same"),
        ("seats: 3", "resolution: 5", "no fraction of 2 factors has resolution 5"),
        ("variant: last-call", "seats: [3, 4]", "a factor varies the seats"),
        ("find: 0.1", "fnd: 0.1", "find"),
    ],
)
def test_mistakes_in_the_file_are_told_with_their_place(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in STUDY
    (tmp_path / "wrong.yaml").write_text(STUDY.replace(old, new))
    with pytest.raises(ConfigError) as problem:
        load_study(tmp_path / "wrong.yaml")
    assert told in str(problem.value)
    assert str(problem.value).startswith(str(tmp_path / "wrong.yaml"))


def test_mistakes_at_the_command_are_told(arena: Any, played: Path, tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text(STUDY.replace("0.8", "0.9"))
    assert "holds another study" in arena("study", tmp_path / "other.yaml", "-o", played / "out").err
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("")
    assert "is not empty, and holds no study" in arena("study", played / "small.yaml", "-o", "full").err
    assert "--trust and --design are for" in arena("study", "seats", "--trust").err
    with pytest.raises(UserError, match="at most 64 are played; ask for a fraction"):
        make_design([2] * 7)
    with pytest.raises(UserError, match="only factors with two levels"):
        make_design([3, 2], 3)
