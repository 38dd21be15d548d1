"""Findings: folds of made matches whose answers are known, and the command on a run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec import structs

from arena.cli.main import cli
from arena.config.tournament_yaml import load_tournament
from arena.errors import UserError
from arena.games.board.log.ledger_rows import DealRow, Ending, PlayKind, PlayRow
from arena.games.board.presenting.boss_cards import boss_cards
from arena.games.board.presenting.last_deals import last_deals
from arena.penalties import SeatEnd
from arena.runs.planning.make_plan import find_config
from arena.study.boards import compare_boards
from arena.study.boss_keeps import BASE_CHALLENGER, OTHER_CHALLENGERS, boss_keeps
from arena.study.finding import StudyColumn, StudyLine, StudyMatch, StudyTable, chance_words
from arena.study.questions import FINDINGS, find_question
from arena.study.seats import compare_seats
from arena.tournament.inference.intervals import Estimate
from arena.tournament.measures.measures import MeasureUnit
from arena.tournament.records.match_record import MatchRecord, SeatRecord

pytestmark = pytest.mark.slow


def match(block: int, edition: str, *money: tuple[str, int]) -> MatchRecord:
    """A match with this money by entrant, in seat order."""
    ranks = [1 + sum(other > own for _, other in money) for _, own in money]
    made = tuple(
        SeatRecord(name, own, rank, SeatEnd.PLAYED, {}) for (name, own), rank in zip(money, ranks, strict=True)
    )
    return MatchRecord(f"{edition}/b{block}", "board", edition, block, "seed", "last deal", 1, made)


def deal(number: int, boss: int, kept: int, paid: tuple[int, ...], opened_by: int | None = None) -> DealRow:
    """A closed deal, opened by its Boss unless another is named."""
    first = boss if opened_by is None else opened_by
    return DealRow(
        deal=number,
        turn=number,
        space=0,
        number=number,
        dividends=1,
        dividend=kept + sum(paid),
        proceeds=kept + sum(paid),
        opened_by=first,
        boss=boss,
        new_bosses=int(first != boss),
        ticks=1,
        outcome=Ending.CLOSED,
        kept=kept,
        paid=paid,
    )


def means(table: StudyTable) -> dict[tuple[str, ...], list[float | None]]:
    """The means of a table, by label."""
    return {
        line.label: [None if value is None or value.mean is None else round(value.mean, 9) for value in line.values]
        for line in table.lines
    }


def test_a_seat_is_compared_with_the_mean_of_its_table() -> None:
    found = compare_seats([StudyMatch(match(block, "base", ("a", 10 + block), ("b", 4)), {}) for block in range(3)])
    assert means(found.tables[0]) == {("base", "0"): [0.5, 3.5], ("base", "1"): [-0.5, -3.5]}
    assert found.matches == 3
    most, least = (
        "seat 0 of base, +3.5 against the mean of its table.",
        "seat 1 of base, -3.5 against the mean of its table.",
    )
    assert found.words[1] == f"Most: {most} Least: {least}"


def test_the_last_deals_are_counted_from_the_end_and_tell_how_often_the_leader_wins() -> None:
    rows = [deal(1, 0, 8, (0, 2)), deal(2, 1, 3, (3, 0)), deal(3, 1, 15, (5, 0))]
    found = last_deals([StudyMatch(match(block, "base", ("a", 16), ("b", 20)), {"deals": rows}) for block in range(3)])
    assert means(found.tables[0]) == {
        ("base", "last"): [round(20 / 36, 9), 20, 0, 1],  # a had 11, b had 5
        ("base", "2. from the end"): [round(6 / 36, 9), 6, 0, 0.5],  # both get 3
        ("base", "3. from the end"): [round(10 / 36, 9), 10, 0.5, 0],  # nobody leads
    }


def test_deals_that_fail_are_no_last_deals() -> None:
    failed = structs.replace(deal(2, 0, 0, (0, 0)), outcome=Ending.QUIET)
    found = last_deals([StudyMatch(match(0, "base", ("a", 8), ("b", 2)), {"deals": [deal(1, 0, 8, (0, 2)), failed]})])
    assert [line.label for line in found.tables[0].lines] == [("base", "last")]


def test_a_taken_deal_is_the_gain_of_one_and_the_loss_of_the_other() -> None:
    card = PlayRow(deal=2, turn=2, tick=1, seat=1, kind=PlayKind.BOSS, cards=(), gained=9)
    rows = {"deals": [deal(1, 0, 6, (0, 4)), deal(2, 1, 9, (1, 0), opened_by=0)], "plays": [card]}
    found = boss_cards([StudyMatch(match(block, "base", ("a", 7), ("b", 13)), rows) for block in range(3)])
    deals, bots = found.tables
    assert means(deals) == {("base", "taken over"): [0.5, 1, 0.1, 0.9], ("base", "not taken over"): [0.5, 1, 0.6, 0.6]}
    assert means(bots) == {("base", "a"): [0, 0, 9, -9], ("base", "b"): [1, 9, 0, 9]}


def test_what_the_boss_keeps_is_compared_with_equal_shares_at_the_same_tables() -> None:
    money = {
        BASE_CHALLENGER: 5,
        OTHER_CHALLENGERS[0]: 3,
        OTHER_CHALLENGERS[1]: 5,
        OTHER_CHALLENGERS[2]: 9,
        OTHER_CHALLENGERS[3]: 11,
    }
    played = [
        StudyMatch(match(block, "base", (name, own + (0 if own == 5 else block % 2)), ("x", 7)), {})
        for block in range(6)
        for name, own in money.items()
    ]
    found = boss_keeps(played)
    assert means(found.tables[0])[("base", OTHER_CHALLENGERS[2])] == [1, 9.5, 1, 4.5]
    assert means(found.tables[0])[("base", BASE_CHALLENGER)] == [0, 5, None, None]
    verbs = ("less than", "as much as", "more than")
    told = ", ".join(
        f"{each} earns {verb} {BASE_CHALLENGER}" for each, verb in zip(OTHER_CHALLENGERS[:3], verbs, strict=True)
    )
    assert found.words[0].startswith(f"base: {told}")


def test_an_order_that_a_variant_turns_round_is_named() -> None:
    def by(first: str, second: str, edition: str) -> list[StudyMatch]:
        """Eight blocks of five matches, of which one goes to the second, in another place in every block."""
        found = []
        for block in range(6):
            won = [(first, second)] * (5 if block % 3 else 4) + [(second, first)] * (0 if block % 3 else 1)
            found += [StudyMatch(match(block, edition, (winner, 2), (loser, 1)), {}) for winner, loser in won]
        return found

    found = compare_boards([*by("a", "b", "base"), *by("b", "a", "base+turned"), *by("a", "b", "base+same")])
    assert found.words[:3] == (
        "base: a, b.",
        "base+turned: b, a; significantly reversed: b before a.",
        "base+same: a, b; no pair is significantly reversed.",
    )
    first = found.tables[0].lines[0]
    assert (first.label, first.values[1]) == (("base", "a"), None)


def test_without_matches_nothing_is_found() -> None:
    for finding in FINDINGS:
        assert finding.fold([]).matches == 0


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda each: each.name)
def test_a_bundled_tournament_answers_every_question(finding: Any) -> None:
    tournament = load_tournament(find_config(finding.tournament))
    assert tournament.name == finding.tournament
    assert tournament.replays == ("all" if finding.game else "none")
    if finding.name == "boss-keeps":
        assert tournament.challengers == (BASE_CHALLENGER, *OTHER_CHALLENGERS)


def test_a_misspelt_finding_is_answered_with_the_nearest() -> None:
    with pytest.raises(UserError, match=r"there is no finding 'seat' \(did you mean 'seats'\?\)"):
        find_question("seat")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two blocks of four of the bots and two of the editions, cut short, with replays."""
    folder = tmp_path_factory.mktemp("study") / "run"
    text = find_config("study-deals").read_text(encoding="utf-8")
    config = folder.with_name("study-deals.yaml")
    for rules, turns in (("eagle-gryphon", 16), ("outline", 24)):
        brief = f"parent: {rules}\nname: brief-{rules}\nmax_turns: {turns}\n"
        folder.with_name(f"brief-{rules}.yaml").write_text(brief)
    editions = "editions: [./brief-eagle-gryphon.yaml, ./brief-outline.yaml]"
    few = re.sub(r"(?m)^entrants: .*$", "entrants: [dealmaker, greedy, fair, hard]", text)
    config.write_text(re.sub(r"(?m)^editions: .*$", editions, few), encoding="utf-8")
    words = ["study", "last-deals", "--blocks", "2", "-j", "1", "-q", "--out", str(folder)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.commands.study.command.find_config", {"study-deals": config}.__getitem__)
        done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.output
    return folder


def answered(*words: str) -> Any:
    done = CliRunner().invoke(cli, ["study", *words, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_one_run_answers_several_questions(run: Path) -> None:
    last, cards = answered("last-deals", str(run)), answered("boss-cards", str(run))
    assert last["matches"] == cards["matches"] == 16
    parts = [
        line["of all proceeds"]["mean"] for line in last["tables"][0]["lines"] if line["edition"] == "brief-outline-4p"
    ]
    assert len(parts) == 6
    assert 0.3 < sum(parts) < 1
    shares = [line["of all deals"]["mean"] for line in cards["tables"][0]["lines"]]
    assert [round(one + other, 5) for one, other in zip(shares[::2], shares[1::2], strict=True)] == [1] * 2


def check_widths(wide: str, narrow: str) -> None:
    """Check that no column is lost where a terminal is narrow."""
    assert [line for line in narrow.splitlines() if len(line) > 80] == []
    rows = [line.split() for line in wide.splitlines() if line.startswith("brief-eagle-gryphon-")]
    below = [line.split() for line in narrow.splitlines()]
    assert rows
    for row in rows:
        first = max((each for each in below if each and row[1 : len(each) + 1] == each), key=len, default=[])
        rest = row[len(first) + 1 :]  # what did not fit beside it stands further below, after the same label
        assert row in below or (first and any(each[len(each) - len(rest) :] == rest for each in below)), row


def test_a_finding_is_drawn_the_same_each_time_and_its_table_fits_a_narrow_terminal(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from xml.etree import ElementTree

    monkeypatch.chdir(tmp_path)

    pictures, shown = [], []
    for columns in ("200", "80"):
        words = ["study", "boss-cards", str(run), "--plot", f"{columns}.svg"]
        done = CliRunner().invoke(cli, words, env={"COLUMNS": columns})
        assert done.exit_code == 0, done.output
        pictures.append(Path(f"{columns}.svg").read_bytes())
        shown.append(done.stdout)
    assert pictures[0] == pictures[1]
    check_widths(*shown)
    texts = {each.text for each in ElementTree.fromstring(pictures[0]).iter("{http://www.w3.org/2000/svg}text")}
    assert {"Deals", "Bots, a match", "gain", "brief-outline-4p, dealmaker"} <= texts


def test_a_run_without_replays_is_refused_where_they_are_needed(run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bare"
    folder.mkdir()
    for name in ("manifest.json", "config.resolved.yaml"):
        (folder / name).write_bytes((run / name).read_bytes())
    lines = [json.loads(line) for line in (run / "matches.jsonl").read_text().splitlines()]
    (folder / "matches.jsonl").write_text("".join(json.dumps({**line, "replay": ""}) + "\n" for line in lines))
    done = CliRunner().invoke(cli, ["study", "last-deals", str(folder)])
    assert isinstance(done.exception, UserError)
    assert "has no replay of brief-eagle-gryphon-4p/b0000/" in str(done.exception)
    assert answered("boards", str(folder))["matches"] == 16


def test_a_folder_is_read_and_not_played_in(run: Path) -> None:
    done = CliRunner().invoke(cli, ["study", "seats", str(run), "--blocks", "5"])
    assert done.exit_code == 2
    assert "with DIR nothing is played" in done.output


def test_without_a_name_the_questions_are_listed() -> None:
    listed = CliRunner().invoke(cli, ["study"], env={"COLUMNS": "120"}).stdout
    assert all(finding.name in listed and finding.question in listed for finding in FINDINGS)


@pytest.mark.parametrize("name", ["seats", "last-deals", "boards"])
def test_tables_fit_a_narrow_terminal_with_every_column(run: Path, name: str) -> None:
    words = ["study", name, str(run)]
    wide, narrow, narrower = (CliRunner().invoke(cli, words, env={"COLUMNS": at}).stdout for at in ("200", "80", "48"))
    check_widths(wide, narrow)
    assert [line for line in narrower.splitlines() if len(line) > 48] == []
    assert set(re.findall(r"[\w.…±]+", wide)) - {"edition"} <= set(re.findall(r"[\w.…±]+", narrower))  # it is a title


def test_a_number_of_blocks_within_a_cycle_is_refused_without_naming_what_has_no_option() -> None:
    ran = CliRunner().invoke(cli, ["study", "seats", "--blocks", "7"])
    assert isinstance(ran.exception, UserError)
    assert str(ran.exception).startswith("--blocks: expected 10 blocks, ")
    assert str(ran.exception).endswith("(a cycle has 10), got 7")


def test_fewer_than_one_interval_by_chance_is_told_with_a_decimal() -> None:
    estimate = Estimate(0.5, 0.1, 0.9, 5)
    lines = [StudyLine((f"{number}",), (estimate,)) for number in range(8)]
    told = chance_words([StudyTable("", ("seat",), (StudyColumn("more wins", MeasureUnit.SHARE, 0.0),), tuple(lines))])
    assert told == "8 of 8 intervals exclude 0, the even value; if there were no effects, about 0.4 would."


def test_a_finding_without_matches_says_so(tmp_path: Path, run: Path) -> None:
    for name in ("manifest.json", "config.resolved.yaml"):
        (tmp_path / name).write_bytes((run / name).read_bytes())
    (tmp_path / "matches.jsonl").write_bytes(b"")
    done = CliRunner().invoke(cli, ["study", "boards", str(tmp_path)])
    assert "has no finished match that counts" in str(done.exception)
