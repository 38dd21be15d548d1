"""The board game's books: cards, placards and money of a replay, and its chance, as ``arena docs replay`` tells them.

The rules of bargaining it does not know.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from .verifier import Verifier, Wrong, below, check, permutation

FAMILIES = ("red", "yellow", "blue", "magenta", "orange", "green")
KINDS = (
    *(f"clan {family}" for family in FAMILIES),
    *(f"travel {family}" for family in FAMILIES),
    *("travel wild", "recruitment", "boss", "stop"),
)

IDLE = {
    "offer": {"move": "unchanged"},
    "accept": {"move": "no"},
    "interrupt": {"move": "pass"},
    "close": {"move": "go on"},
}


class BoardBooks(Verifier):
    idle = IDLE

    def __init__(self, content: bytes, page: str) -> None:
        super().__init__(content, page)
        seats = self.seats
        deck = self.rules["deck"]
        self.whole = Counter({k: deck["clan" if k.startswith("clan") else "travel"] for k in KINDS[:12]})
        self.whole |= Counter({k: deck[k if k != "travel wild" else "wild_travel"] for k in KINDS[12:]})
        self.pile: list[str] = []
        self.older: list[str] = []
        self.hands = [Counter[str]() for _ in range(seats)]
        self.table = [Counter[str]() for _ in range(seats)]
        self.discards, self.on_placards = Counter[str](), Counter[str]()
        self.owners: dict[str, int | None] = {}
        self.reshuffles = self.sides = self.turn = self.tick = 0
        self.deals = sorted(int(card) for card in self.rules["deals"] if int(card) not in self.rules["skip_deals"])
        self.covered: set[int] = set()
        self.marker, self.played, self.after_closing = -1, "", False
        self.due: dict[str, Any] = {}

    def follow(self) -> None:
        for line in self.lines:
            if line["event"] in ("answer", "fault"):
                self.after_closing = False
                self.decided(line)
            getattr(self, "on_" + line["event"].replace(" ", "_"), lambda line: None)(line)
            self.conserved()

    def conserved(self) -> None:
        total = Counter(self.pile) + Counter(self.older) + self.discards + self.on_placards
        for cards in (*self.hands, *self.table):
            check(all(count >= 0 for count in cards.values()), "a card is played that is not there")
            total += cards
        check(not self.pile or total == self.whole, "a card appeared or vanished")

    def move(self, source: Counter[str], target: Counter[str], *cards: str) -> None:
        for card in cards:
            check(source[card] > 0, f"no {card} to move")
            source[card] -= 1
            target[card] += 1

    # header, decisions, result

    def decided(self, line: dict[str, Any]) -> None:
        check(line["ask"] > self.ask or self.ask == line["ask"] == 0, "asks count up")
        self.ask = line["ask"]

    # chance

    def on_chance(self, line: dict[str, Any]) -> None:
        name, index, seed = line["name"], line["index"], self.seed
        due: list[int]
        value: Any
        match name:
            case "placards":
                due, value = [], [FAMILIES[place] for place in permutation(6, seed, name, index)]
                each = self.rules["placards"][str(self.seats)]
                self.due["placards"] = {f: p // each if p // each < self.seats else None for p, f in enumerate(value)}
            case "deck":
                due = [self.reshuffles]
                cards = [
                    kind for kind in KINDS for _ in range((self.discards if self.reshuffles else self.whole)[kind])
                ]
                value = [cards[place] for place in permutation(len(cards), seed, name, index)]
                self.older, self.pile = self.pile, value
                self.discards.clear()
                self.reshuffles += 1
            case "start":
                due, value = [], below(self.seats, seed, name, index)
                check(self.rules["start"] == "random", "start")
            case "die":
                due, value = [self.turn], below(6, seed, name, index) + 1
                self.due["roll"] = value
            case "initiative":
                due, value = [self.turn, self.tick + 1], permutation(self.seats, seed, name, index)
            case "side initiative":
                due, value = [self.sides], permutation(self.seats, seed, name, index)
                self.sides += 1
            case "end":
                due, value = [self.due["closed"]], below(6, seed, name, index) + 1
                self.due["end"] = value
            case _:
                raise Wrong(f"no event of chance is called {name}")
        check(index == due, f"{name} {index}, due is {due}")
        check(line["value"] == value, f"{name} {index}: {line['value']}, computed {value}")

    # cards and placards

    def on_placard_dealt(self, line: dict[str, Any]) -> None:
        check(list(self.owners) == list(FAMILIES[: len(self.owners)]), "placards in family order")
        self.owners[line["placard"]] = line.get("seat")
        check(self.due["placards"][line["placard"]] == line.get("seat"), "placard dealt")

    def on_drew(self, line: dict[str, Any]) -> None:
        drawn = []
        for _ in range(line["count"]):
            drawn.append((self.older or self.pile).pop(0))
        check(sorted(drawn, key=KINDS.index) == line.get("cards", []), "drew")
        self.hands[line["seat"]].update(drawn)

    def on_reshuffled(self, line: dict[str, Any]) -> None:
        check(line["count"] == len(self.pile), "reshuffled")

    def on_laid(self, line: dict[str, Any]) -> None:
        self.move(self.hands[line["seat"]], self.table[line["seat"]], *(f"clan {family}" for family in line["clans"]))

    def on_returned(self, line: dict[str, Any]) -> None:
        self.move(self.table[line["seat"]], self.hands[line["seat"]], *(f"clan {family}" for family in line["clans"]))

    def on_played(self, line: dict[str, Any]) -> None:
        play = line["play"]
        wild = play.get("wild", False)
        cards = {
            "travel": ["travel wild" if wild else f"travel {play.get('family')}"],
            "boss": ["boss"],
            "recruit": ["recruitment"] * 3,
        }[play["move"]]
        self.move(self.hands[line["seat"]], self.discards, *cards)
        self.played = cards[0]

    def on_stopped(self, line: dict[str, Any]) -> None:
        self.move(self.hands[line["seat"]], self.discards, "stop")

    def on_travelled(self, line: dict[str, Any]) -> None:
        if "clan_of" in line:
            self.move(self.table[line["clan_of"]], self.discards, f"clan {line['family']}")
        else:
            self.move(self.discards, self.on_placards, self.played)

    def on_travel_ended(self, line: dict[str, Any]) -> None:
        self.move(self.on_placards, self.discards, *line["cards"])
        check(not self.on_placards.total(), "travel ended")

    def on_discarded(self, line: dict[str, Any]) -> None:
        source = self.table if self.after_closing else self.hands
        self.move(source[line["seat"]], self.discards, *line["cards"])

    def on_recruited(self, line: dict[str, Any]) -> None:
        check(self.owners[line["placard"]] == line.get("owner"), "recruited from its owner")
        self.owners[line["placard"]] = line["seat"]

    # turns, deals and money

    def on_turn(self, line: dict[str, Any]) -> None:
        self.turn, self.tick = self.turn + 1, 0
        check(line["turn"] == self.turn and not any(cards.total() for cards in self.table), "turn")

    def on_tick(self, line: dict[str, Any]) -> None:
        self.tick += 1
        check(line["tick"] == self.tick, "tick")

    def on_marker(self, line: dict[str, Any]) -> None:
        if self.marker >= 0:
            steps, space = line.get("roll", 1), self.marker
            check("roll" not in line or line["roll"] == self.due.pop("roll"), "roll")
            while steps:
                space = (space + 1) % len(self.rules["spaces"])
                steps -= space not in self.covered
            check(space == line["space"], "the marker's way")
        self.marker = line["space"]

    def on_opened(self, line: dict[str, Any]) -> None:
        worth = self.rules["deals"][str(self.deals[0])]
        check(line["space"] == self.marker, "opened")
        check(line["proceeds"] == self.rules["spaces"][self.marker]["dividends"] * worth, "proceeds")

    def on_closed(self, line: dict[str, Any]) -> None:
        check((line["number"], line["space"]) == (self.deals.pop(0), self.marker), "closed")
        check(sum(line["paid"]) <= line["proceeds"], "more is paid than there is")
        self.money[line["boss"]] += line["proceeds"] - sum(line["paid"])
        for seat, amount in enumerate(line["paid"]):
            self.money[seat] += amount
        self.covered.add(line["space"])
        self.after_closing, self.due["closed"] = True, line["number"]

    def on_end_roll(self, line: dict[str, Any]) -> None:
        check(line["roll"] == self.due.pop("end"), "end roll")
        if self.rules["end_sum"] is None:
            check(line["ends"] == (line["roll"] in self.rules["end_rolls"][str(self.due["closed"])]), "ends")
