"""B4.2 on spaces with several choice groups, and what follows from it: closings, refusals, B4.7, B9.

The board of these tests is written down in each; every space of it is the same.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from itertools import combinations, permutations
from typing import Any

import msgspec
import pytest

from arena.config.editions import load_edition
from arena.errors import ConfigError
from arena.games.board.cards import FAMILIES, Family, mask_of
from arena.games.board.events import Named, TickBegan
from arena.games.board.moves import Close, GiveUp
from arena.games.board.sentences.tell import Teller
from arena.games.board.spaces import Choice, Space, filled_needs

from .scenario import Scenario, agreed, close, families, lay, offer

BOARDS = ("eagle-gryphon", "face2face-2003", "outline", "schmidt-1994")


def group(choose: int, names: str) -> dict[str, Any]:
    return {"choose": choose, "from": names.split()}


def board(*groups: dict[str, Any], required: str = "", dividends: int = 6) -> list[dict[str, Any]]:
    """Sixteen spaces that need the same."""
    return [{"required": required.split(), "choices": list(groups), "dividends": dividends}] * 16


SEVERAL = board(group(1, "magenta green"), group(2, "orange blue yellow"), required="red")
SHARED = board(group(1, "red yellow"), group(1, "yellow blue"))


def random_board(pick: random.Random) -> list[dict[str, Any]]:
    """One to three groups of two to five families, which may share families, beside up to two required ones."""
    while True:
        names = pick.sample([str(family) for family in FAMILIES], 6)
        required, rest = names[: (taken := pick.choice((0, 0, 1, 2)))], names[taken:]
        made = []
        for _ in range(pick.randint(1, 3)):
            chosen = pick.sample(rest, pick.randint(2, len(rest) - 1))
            made.append(group(pick.randint(1, min(2, len(chosen))), " ".join(chosen)))
        try:
            load_edition("eagle-gryphon", (), {"spaces": board(*made, required=" ".join(required))})
        except ConfigError:  # six families are too few for it
            continue
        return board(*made, required=" ".join(required))


def fills(space: dict[str, Any], chosen: Iterable[Family]) -> bool:
    """Whether every need can be handed a family of its own and none is left: every way of handing out is tried."""
    needs = [{name} for name in space["required"]]
    needs += [set(each["from"]) for each in space["choices"] for _ in range(each["choose"])]
    chosen = list(chosen)
    if len(chosen) != len(needs):
        return False
    return any(all(f in need for f, need in zip(order, needs, strict=True)) for order in permutations(chosen))


def plain(space: Any) -> Any:
    """The data of a space with lists for tuples."""
    return json.loads(json.dumps(space))


# B4.2: what closes


def test_B4_2_every_group_has_as_many_as_it_asks_for() -> None:
    table = Scenario(placards=("red yellow blue magenta orange green", "", ""), spaces=SEVERAL)
    assert {move for move in table.open().offers().plays().legal() if isinstance(move, Close)} == {
        close("red yellow blue magenta"),
        close("red yellow blue green"),
        close("red yellow magenta orange"),
        close("red yellow orange green"),
        close("red blue magenta orange"),
        close("red blue orange green"),
    }


def test_B4_2_a_family_of_two_groups_counts_for_one_of_them_whichever_fits() -> None:
    table = Scenario(placards=("red yellow blue", "magenta", "orange green"), spaces=SHARED).open().offers().plays()
    assert {move for move in table.legal() if isinstance(move, Close)} == {
        close("red yellow"),
        close("red blue"),
        close("yellow blue"),
    }
    assert table.refused(close("yellow")) == "B4.2"


def test_B4_2_the_closings_listed_are_exactly_those_that_brute_force_finds() -> None:
    for seed in range(80):
        check_closings(seed)


def check_closings(seed: int) -> None:
    pick = random.Random(seed)
    spaces = random_board(pick)
    held: list[list[str]] = [[], [], [], []]
    for family in FAMILIES:
        pick.choice([*held, held[0]]).append(str(family))
    hand = ", ".join(f"clan {family}" for family in pick.sample(FAMILIES, pick.randint(0, 3)))
    table = Scenario(placards=map(" ".join, held), hands={0: hand}, spaces=spaces).open()
    made = {}
    for seat in (1, 2, 3):
        parts = [held[seat]] if pick.random() < 0.3 else [[name] for name in held[seat]]
        made[seat] = [offer(0, pick.randint(0, table.state.proceeds), " ".join(part)) for part in parts if part]
    table.offers(made)
    if any(made.values()):
        table.accepts_of(*pick.sample((1, 2, 3), 2))
    table.plays()

    pieces = [(0, Close((family,)), [family]) for family in families(" ".join(held[0]))]
    pieces += [(0, Close((), (card.family,)), [card.family]) for card in table.hand(0) if card.family]
    for seat, offers in made.items():
        terms = [agreed(seat, each.price, " ".join(each.placards)) for each in offers]
        pieces += [(each.price, Close((), (), (each,)), list(each.placards)) for each in terms]
    expected = set()
    for size in range(1, 7):
        for used in combinations(pieces, size):
            named = [family for _, _, part in used for family in part]
            paid = sum(price for price, _, _ in used)
            if len(set(named)) == len(named) and fills(spaces[0], named) and paid <= table.state.proceeds:
                expected.add(_joined(part for _, part, _ in used))
    assert {move for move in table.legal() if isinstance(move, Close)} == expected, seed


def _joined(parts: Iterable[Close]) -> Close:
    placards, clans, partners = [], [], []
    for part in parts:
        placards += part.placards
        clans += part.clans
        partners += part.partners
    by_terms = sorted(partners, key=lambda terms: (terms.partner, terms.price, terms.placards))
    order = FAMILIES.index
    return Close(tuple(sorted(placards, key=order)), tuple(sorted(clans, key=order)), tuple(by_terms))


def test_B4_2_how_many_needs_a_set_of_families_fills_is_what_brute_force_finds() -> None:
    for seed in range(30):
        data = random_board(random.Random(seed))[0]
        space = msgspec.convert(data, Space)
        full = [set(each) for each in combinations(FAMILIES, space.needs) if fills(data, each)]
        for size in range(7):
            for have in combinations(FAMILIES, size):
                assert filled_needs(space)[mask_of(have)] == max(len(each & set(have)) for each in full)


# B4.2: what is refused, and why

WHY = {
    "yellow magenta orange": "red required and not named",
    "red yellow orange": "1 of magenta/green needed, 0 named",
    "red yellow magenta": "2 of orange/blue/yellow needed, 1 named",
    "red magenta": "2 of orange/blue/yellow needed, 0 named",
    "red": "1 of magenta/green needed, 0 named; 2 of orange/blue/yellow needed, 0 named",
    "red yellow blue orange": "1 of magenta/green needed, 0 named; no need left for orange",
    "red yellow blue magenta green": "no need left for green",
}


@pytest.mark.parametrize("named", WHY)
def test_B4_2_a_refusal_says_which_group_lacks_what(named: str) -> None:
    table = Scenario(placards=("red yellow blue magenta orange green", "", ""), spaces=SEVERAL)
    refusal = table.open().offers().plays().state.refusal(0, close(named))
    assert refusal is not None
    assert (refusal.rule, refusal.reason) == ("B4.2", WHY[named])


def test_B4_2_families_of_no_group_have_no_place() -> None:
    table = Scenario(placards=("red yellow green", "blue", "orange"), spaces=SHARED).open().offers().plays()
    refusal = table.state.refusal(0, close("red yellow green"))
    assert refusal is not None
    assert (refusal.rule, refusal.reason) == ("B4.2", "green not needed here")


# B4.7 and B9


def test_B4_7_a_boss_whose_cards_fill_every_group_closes_at_once() -> None:
    held = {"placards": ("red green", "magenta", "orange"), "hands": {0: "clan yellow, clan blue, clan magenta"}}
    table = Scenario("outline", spaces=SEVERAL, **held).open("yellow blue magenta")  # type: ignore[arg-type]
    assert table.said(TickBegan) == []
    assert table.said(Named) == [Named(0, families("red green"), families("yellow blue"))]
    assert Scenario("outline", spaces=SEVERAL, **held).open("yellow magenta").asked == "offer"  # type: ignore[arg-type]


def test_B4_7_of_groups_that_share_families_placards_first_then_the_lowest() -> None:
    table = Scenario("outline", placards=("yellow", "", ""), hands={0: "clan red, clan blue"}, spaces=SHARED)
    assert table.open("red blue").said(Named) == [Named(0, families("yellow"), families("red"))]


def test_B4_7_takes_what_brute_force_takes_first() -> None:
    for seed in range(40):
        check_what_is_taken_first(seed)


def check_what_is_taken_first(seed: int) -> None:
    pick = random.Random(seed)
    spaces = random_board(pick)
    own, laid = pick.sample(FAMILIES, pick.randint(0, 3)), pick.sample(FAMILIES, pick.randint(1, 5))
    hand = ", ".join(f"clan {family}" for family in laid)
    table = Scenario("outline", placards=(" ".join(own), "", ""), hands={0: hand}, spaces=spaces).open(" ".join(laid))
    rank = {family: (family not in own, FAMILIES.index(family)) for family in {*own, *laid}}
    in_order = sorted(rank, key=rank.__getitem__)
    full = [each for size in range(7) for each in combinations(in_order, size) if fills(spaces[0], each)]
    named = [[*said.placards, *said.clans] for said in table.said(Named)]
    assert named == [list(each) for each in sorted(full, key=lambda each: [rank[family] for family in each])[:1]], seed


def test_B9_1_the_fair_share_is_divided_by_all_investors_and_B9_3_the_boss_must_close() -> None:
    table = Scenario(placards=("red magenta blue", "yellow orange green"), spaces=SEVERAL).open().offers().plays()
    assert table.state.proceeds == 12
    assert table.refused(close("red blue magenta", "", agreed(1, 4, "yellow"))) == "B4.5"
    assert close("red blue magenta", "", agreed(1, 3, "orange")) in table.legal()
    assert table.refused(GiveUp()) == "B9.3"
    table.go_on().idle_tick()
    assert table.said(Named) == [Named(0, families("red blue magenta"), (), (agreed(1, 3, "yellow"),))]


def test_B5_1_a_laid_clan_card_fills_a_group_too() -> None:
    table = Scenario(placards=("red blue", "orange", "yellow"), hands={0: "clan green"}, spaces=SEVERAL)
    table.open().offers({1: [offer(0, 2, "orange")]}).accepts().plays({0: lay("green")})
    assert close("red blue", "green", agreed(1, 2, "orange")) in table.legal()


# B1.4: the board as data


def test_B1_4_one_group_is_the_same_board_in_either_form() -> None:
    short = [{"required": ["red"], "choose": 2, "from": ["blue", "green", "orange"], "dividends": 4}] * 16
    long = board(group(2, "blue green orange"), required="red", dividends=4)
    one, other = (load_edition("outline", (), {"spaces": spaces}) for spaces in (short, long))
    assert one.digest == other.digest
    assert plain(other.data["spaces"][0]) == short[0]
    assert other.rules.spaces[0].groups == (Choice(2, families("blue green orange")),)


def test_B1_4_several_groups_stand_in_choices_alone() -> None:
    edition = load_edition("outline", (), {"spaces": SEVERAL})
    assert plain(edition.data["spaces"][0]) == {
        "dividends": 6,
        "required": ["red"],
        "choices": [group(1, "magenta green"), group(2, "orange blue yellow")],
    }
    assert [(each.choose, each.families) for each in edition.rules.spaces[0].groups] == [
        (1, families("magenta green")),
        (2, families("orange blue yellow")),
    ]


WRONG = {
    "choices: [{choose: 1, from: [red, red]}, {choose: 1, from: [blue]}]": (
        "spaces[0].choices[0]: a family occurs twice (B4.2)"
    ),
    "choices: [{choose: 1, from: [blue]}, {choose: 3, from: [red, green]}]": (
        "spaces[0].choices[1].choose: 3 of only 2 families"
    ),
    "required: [red], choices: [{choose: 1, from: [red, blue]}, {choose: 1, from: [green]}]": (
        "spaces[0].choices[0]: a family is both required and optional (B4.2)"
    ),
    "choose: 1, from: [red, blue], choices: [{choose: 1, from: [green]}]": (
        "spaces[0].choices: choose and from cannot be used with choices; write them as one of the choices (B4.2)"
    ),
    "choices: [{choose: 1, from: [red]}, {choose: 1, from: [red]}]": (
        "spaces[0].choices: the six families are too few for all these choices (B4.2)"
    ),
    "choices: [{choose: 0, from: [red]}]": (
        "spaces[0].choices[0].choose: expected a whole number from 1 to 1,000,000,000, got 0"
    ),
    "choices: [{from: [red]}]": "spaces[0].choices[0].choose: ",
    "choices: [{choose: 1, form: [red]}]": "spaces[0].choices[0].form: ",
}


@pytest.mark.parametrize("space", WRONG)
def test_B4_2_a_wrong_group_is_refused_with_its_place(space: str, tmp_path: Any) -> None:
    path = tmp_path / "mine.yaml"
    rest = "  - {required: [red], dividends: 2}\n" * 15
    path.write_text(f"parent: outline\nspaces:\n  - {{{space}, dividends: 3}}\n{rest}")
    with pytest.raises(ConfigError) as raised:
        load_edition(str(path))
    assert "mine.yaml:3:" in str(raised.value)
    assert WRONG[space] in str(raised.value)


def test_a_space_is_told_with_all_its_groups() -> None:
    rules = load_edition("schmidt-1994", ("reported-board",)).rules
    said = Teller(rules, ("Ann", "Bob", "Cid"))
    assert said.space(15) == ("space 15 (Raffzahn + 1 of Piepenbrok/Heiermann + 1 of Knetowitz/Liebgeld; 4 dividends)")
    assert said.space(6).startswith("space 6 (1 of Knetowitz/Raffzahn + 1 of Liebgeld/Piepenbrok + 1 of ")


# B1.4: the reported board


def test_B1_4_every_edition_can_be_played_on_the_reported_board() -> None:
    boards = [load_edition(name, ("reported-board",)) for name in BOARDS]
    assert len({edition.rules.spaces for edition in boards}) == 1
    for name, edition in zip(BOARDS, boards, strict=True):
        usual = load_edition(name).data
        assert {key for key in usual if edition.data[key] != usual[key]} == {"spaces", "source"}
        assert "one person's reading of a printed board" in edition.rules.source
        assert "doubts" in edition.rules.source
    spaces = boards[0].rules.spaces
    assert len(spaces) == 16
    assert set(spaces[0].required) == {*load_edition("outline").rules.spaces[0].required}
    assert all(space.dividends == space.needs + 1 for space in spaces)
    assert [len(space.groups) for space in spaces] == [1, 2, 1, 0, 1, 0, 3, 1, 1, 2, 0, 1, 1, 1, 0, 2]
    assert [space.needs for space in spaces] == [5, 3, 4, 2, 5, 2, 3, 3, 5, 4, 3, 4, 5, 3, 2, 3]
