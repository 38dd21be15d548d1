"""Rendered standings are the same bytes for the same matches, and safe to read back."""

from __future__ import annotations

import csv
import json
import random
from html import escape
from io import StringIO

from markdown_it import MarkdownIt

from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.tournament.standings.breakdown import crosstable_csv
from arena.tournament.standings.standings import Standings, fold_standings
from arena.tournament.standings.standings_text import (
    standings_caption,
    standings_csv,
    standings_data,
    standings_markdown,
    standings_table,
)


def match(block: int, edition: str, *seats: SeatRecord) -> MatchRecord:
    return MatchRecord("id", "board", edition, block, "seed", "played", 10, seats)


def example() -> tuple[Standings, ...]:
    return fold_standings(
        [
            match(0, "base", SeatRecord("ann", 30, 1), SeatRecord("ben", 10, 2, faults={"timeout": 2})),
            match(1, "base", SeatRecord("ann", 31, 1), SeatRecord("ben", 10, 2, "struck-out")),
            match(2, "base", SeatRecord("ann", 5, 2), SeatRecord("ben", 6, 1)),
        ],
        ["ann", "ben", "zoe"],
    )


PAIR_COLUMNS = (
    *("edition", "entrant", "opponent", "matches", "score", "score_half_width", "score_low", "score_high"),
    *("money_difference", "money_difference_half_width", "money_difference_low", "money_difference_high", "blocks"),
)


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


def test_the_terminal_table_shows_half_widths_beside_means() -> None:
    (standings,) = example()
    table, below = standings_table(standings).split("\n\n")
    assert [" ".join(line.split()) for line in table.splitlines()] == [
        "# entrant matches win rate mean rank beaten mean money matchpoints faults out",
        " ".join("-" * width for width in (3, 9, 9, 17, 16, 17, 12, 13, 8, 5)),
        "1 ann 3 66.7 (5.4…98.6) % 1.33 (1.01…1.95) 66.7 (5.4…98.6) % 22.0 ±36.6 – 0 0",
        "2 ben 3 33.3 (1.4…94.6) % 1.67 (1.05…1.99) 33.3 (1.4…94.6) % 8.7 ±5.7 – 2 1",
        "3 zoe 0 – – – – – 0 0",
    ]
    assert " ".join(below.split()) == standings_caption(standings)
    assert max(map(len, below.splitlines())) <= 90
    narrow = standings_table(standings, 100)
    assert max(map(len, narrow.splitlines())) <= 100
    assert "Too wide for this terminal: beaten, matchpoints;" in " ".join(narrow.split())
    assert "Even share: win rate 50.0 %. ±" in " ".join(narrow.split()), "beaten is not shown"
    assert standings_caption(standings) == (
        "base: 3 matches of board in 3 blocks, 0 void; money in $M. "
        "Ordered by win rate, then mean rank, mean money. Even share: win rate 50.0 %, beaten 50.0 %. "
        "± is half of a 95 % interval clustered by block; (low…high) are its ends. "
        "With so few blocks, intervals are wide. No design factor with fewer than 5 blocks."
    )


def test_counts_that_are_0_for_everybody_have_no_column() -> None:
    (clean,) = fold_standings([match(0, "base", SeatRecord("ann", 1, 1), SeatRecord("ben", 0, 2))])
    head = standings_table(clean).splitlines()[0]
    assert " ".join(head.split()) == "# entrant matches win rate mean rank beaten mean money matchpoints"
    (mixed,) = fold_standings([match(0, "base", SeatRecord("ann", 1, 1), SeatRecord("ben", 0, 2, "forfeit"))])
    assert "forfeits" in standings_table(mixed)
    assert "out" not in standings_table(mixed).splitlines()[0].split()


def test_markdown_is_a_github_table_that_names_cannot_break() -> None:
    (standings,) = fold_standings([match(0, "base", SeatRecord("a|b", 1, 1), SeatRecord("1e3", 0, 2))])
    lines = standings_markdown(standings).splitlines()
    assert lines[0].startswith("|   # | entrant   |")
    assert set(lines[1]) <= set("|-:")
    assert lines[2].startswith("|   1 | a\\|b ")
    assert lines[3].startswith("|   2 | 1e3 ")
    assert lines[-2:] == ["", standings_caption(standings)]
    assert "1 match of board in 1 block, 0 void" in lines[-1]


def test_in_markdown_a_name_is_only_letters() -> None:
    name = "[x](y) <b>_a_`"
    (standings,) = fold_standings([match(0, "base", SeatRecord(name, 1, 1), SeatRecord("ben", 0, 2))])
    row = standings_markdown(standings).splitlines()[2]
    assert MarkdownIt("commonmark").renderInline(row.split(" | ")[1]) == escape(name, quote=False)


def test_csv_holds_plain_numbers_for_every_edition() -> None:
    lines = read(standings_csv(example()))
    expected = {
        "edition": "base",
        "games": "board",
        "place": "1",
        "entrant": "ann",
        "matches": "3",
        "wins": "2.000000",
        "win_rate": "0.666667",
        "win_rate_half_width": "0.466175",
        "win_rate_low": "0.053670",
        "win_rate_high": "0.986020",
        "mean_rank": "1.333333",
        "mean_rank_half_width": "0.466175",
        "mean_rank_low": "1.013980",
        "mean_rank_high": "1.946330",
        "beaten": "0.666667",
        "beaten_half_width": "0.466175",
        "beaten_low": "0.053670",
        "beaten_high": "0.986020",
        "mean_money": "22.000000",
        "mean_money_half_width": "36.596587",
        "mean_money_low": "-14.596587",
        "mean_money_high": "58.596587",
        "matchpoints": "",
        "matchpoints_half_width": "",
        "matchpoints_low": "",
        "matchpoints_high": "",
        "even_share": "0.500000",
        "faults": "0",
        "struck_out": "0",
        "forfeits": "0",
        "faults.timeout": "0",
    }
    assert {key: lines[0][key] for key in expected} == expected
    assert (lines[1]["faults.timeout"], lines[1]["struck_out"]) == ("2", "1")
    assert (lines[2]["entrant"], lines[2]["win_rate"], lines[2]["mean_money_half_width"]) == ("zoe", "", "")


def test_csv_reads_back_names_with_commas_quotes_and_line_breaks() -> None:
    name = 'Smith, "Bob"\nJr'
    standings = fold_standings([match(0, "base", SeatRecord(name, 1, 1), SeatRecord("ben", 0, 2))])
    assert [line["entrant"] for line in read(standings_csv(standings))] == [name, "ben"]
    assert [line["opponent"] for line in read(crosstable_csv(standings))] == ["ben", name]


def test_the_crosstable_csv_has_every_ordered_pair() -> None:
    lines = crosstable_csv(example()).splitlines()
    assert lines == [
        ",".join(PAIR_COLUMNS),
        "base,ann,ben,3,0.666667,0.466175,0.053670,0.986020,13.333333,30.863174,-17.529841,44.196507,3",
        "base,ann,zoe,0,,,,,,,,,0",
        "base,ben,ann,3,0.333333,0.466175,0.013980,0.946330,-13.333333,30.863174,-44.196507,17.529841,3",
        "base,ben,zoe,0,,,,,,,,,0",
        "base,zoe,ann,0,,,,,,,,,0",
        "base,zoe,ben,0,,,,,,,,,0",
    ]


def test_data_survives_json_and_has_null_for_what_is_not_known() -> None:
    data = standings_data(example())
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    base = data["base"]
    assert isinstance(base, dict)
    assert (base["games"], base["unit"]) == (["board"], "$M")
    assert (base["matches"], base["voids"], base["even_share"]) == (3, 0, 0.5)
    ann, ben, zoe = base["rows"]
    assert ann["win_rate"] == {
        "mean": 0.666667,
        "half_width": 0.466175,
        "low": 0.05367,
        "high": 0.98602,
        "clusters": 3,
    }
    assert ben["faults_by_kind"] == {"timeout": 2}
    assert zoe["mean_rank"] == {"mean": None, "half_width": None, "low": None, "high": None, "clusters": 0}
    assert base["crosstable"][0] == {
        "entrant": "ann",
        "opponent": "ben",
        "matches": 3,
        "score": 0.666667,
        "score_half_width": 0.466175,
        "score_low": 0.05367,
        "score_high": 0.98602,
        "money_difference": 13.333333,
        "money_difference_half_width": 30.863174,
        "money_difference_low": -17.529841,
        "money_difference_high": 44.196507,
        "blocks": 3,
    }


def test_nothing_is_shown_as_minus_zero() -> None:
    records = [match(0, "base", SeatRecord("ann", -1, 1), SeatRecord("ben", 0, 1)) for _ in range(50)]
    records += [match(1, "base", SeatRecord("ann", 49, 1), SeatRecord("ben", 0, 1))]
    (standings,) = fold_standings(records)
    assert "-0.0 " in f"{standings.rows[0]['mean_money'].mean:.1f} {standings.rows[1]['mean_money'].mean:.1f} "
    assert "-0.0 " not in standings_table(standings)


def test_standings_without_entrants_are_a_bare_header() -> None:
    (standings,) = fold_standings([], editions=["base"])
    assert "entrant" in standings_table(standings)
    assert standings_caption(standings).startswith(
        "base: 0 matches in 0 blocks, 0 void. Even share: win rate –, beaten 50.0 %."
    )
    assert len(standings_csv([standings]).splitlines()) == 1


def test_the_order_of_records_leaves_no_trace_in_the_bytes() -> None:
    source = random.Random(11)
    records = [
        match(
            number % 5,
            source.choice(["base", "call"]),
            *(
                SeatRecord(name, source.randint(-9, 9), rank, faults={source.choice("abc"): 1})
                for name, rank in zip(source.sample("uvwxyz", 3), source.choice([(1, 1, 3), (1, 1, 1)]), strict=True)
            ),
        )
        for number in range(30)
    ]

    def rendered() -> str:
        standings = fold_standings(records)
        tables = [table(each) for each in standings for table in (standings_markdown, standings_table)]
        data = json.dumps(standings_data(standings))
        return "".join([data, standings_csv(standings), crosstable_csv(standings), *tables])

    expected = rendered()
    for _ in range(3):
        source.shuffle(records)
        assert rendered() == expected
