"""A second verifier of replays, written from ``arena docs replay`` alone: it imports nothing of arena.

It reads the fields of every line kind out of the page's tables, recomputes chance and hashes, and keeps the books of
cards, placards and money. The rules of bargaining it does not know.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

FAMILIES = ("red", "yellow", "blue", "magenta", "orange", "green")
KINDS = (
    *(f"clan {family}" for family in FAMILIES),
    *(f"travel {family}" for family in FAMILIES),
    *("travel wild", "recruitment", "boss", "stop"),
)
FINAL = ("dead", "missing")


class Wrong(Exception):
    """The replay does not hold what the page says."""


def check(right: object, what: str) -> None:
    if not right:
        raise Wrong(what)


# The page's tables ------------------------------------------------------------------------------------------------


def tables(page: str, section: str) -> Iterator[tuple[str, str]]:
    """Rows of the tables below a heading: first and second cell, continued rows joined."""
    text = page.split(f"\n## {section}\n")[1].split("\n## ")[0]
    first, second = "", ""
    for line in text.splitlines():
        if not line.startswith("|") or line.startswith("| -"):
            continue
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        cells = [""] * (line.startswith("|  ")) + cells if line.startswith("|   ") else cells
        cell = cells[1] if len(cells) > 1 else ""
        if line.startswith("|   "):
            second += " " + cell
            continue
        if first:
            yield first, second
        first, second = cells[0], cell
    yield first, second


def fields(cell: str) -> dict[str, str | None]:
    """``field`` or ``field`` = default, in order."""
    found = re.findall(r"`(\w+)`(?: = (\[\]|\{\}|null|false|\"\w*\"|0))?", cell)
    return {name: default or None for name, default in found}


def schema(page: str) -> dict[str, dict[str, str | None]]:
    """For each line kind its fields with their defaults, in order."""
    kinds = {name.strip("`"): fields(cell) for name, cell in tables(page, "Events") if "event" not in name}
    one = {"Header": "match", "Result": "result"}
    for section, kind in one.items():
        kinds[kind] = {}
        for name, cell in tables(page, section):
            if name.startswith("`"):
                kinds[kind] |= {name.strip("`"): "false" if cell.startswith("= false") else None}
    answer, fault = page.split("A `fault` line")
    for kind, text in (("answer", answer.split("An `answer` line")[1]), ("fault", fault)):
        rows = tables(f"\n## X\n{text}", "X")
        kinds[kind] = {}
        for name, cell in rows:
            if name.startswith("`"):
                default = '""' if cell.startswith('= ""') else "false" if cell.startswith("= false") else None
                kinds[kind][name.strip("`")] = default
    kinds["fault"] |= {"reply": "absent", "move": "absent"}
    return kinds


# Chance -----------------------------------------------------------------------------------------------------------


def words(seed: str, name: str, index: list[int]) -> Iterator[int]:
    k = 0
    while True:
        digest = sha256(f"{seed}/{name}/{'.'.join(map(str, index))}/{k}".encode()).digest()
        yield from (int.from_bytes(digest[at : at + 8], "big") for at in (0, 8, 16, 24))
        k += 1


def below(n: int, seed: str, name: str, index: list[int]) -> int:
    return (next(words(seed, name, index)) * n) >> 64


def permutation(n: int, seed: str, name: str, index: list[int]) -> list[int]:
    order, drawn = list(range(n)), words(seed, name, index)
    for place in range(n - 1, 0, -1):
        other = (next(drawn) * (place + 1)) >> 64
        order[place], order[other] = order[other], order[place]
    return order


def seed_of(*parts: object) -> str:
    """The first 32 digits: of bots' seeds and match seeds."""
    return sha256("/".join(map(str, parts)).encode()).hexdigest()[:32]


# The books --------------------------------------------------------------------------------------------------------


class Verifier:
    def __init__(self, content: bytes, page: str) -> None:
        check(content.endswith(b"\n"), "the file is cut off")
        self.raw = content[:-1].split(b"\n")
        self.lines: list[dict[str, Any]] = [json.loads(line) for line in self.raw]
        self.kinds = schema(page)
        self.header = self.lines[0]
        self.rules = self.header["rules"]
        self.seed = self.header["seed"]
        seats = self.seats = len(self.header["seats"])
        deck = self.rules["deck"]
        self.whole = Counter({k: deck["clan" if k.startswith("clan") else "travel"] for k in KINDS[:12]})
        self.whole |= Counter({k: deck[k if k != "travel wild" else "wild_travel"] for k in KINDS[12:]})
        self.pile: list[str] = []
        self.older: list[str] = []
        self.hands = [Counter[str]() for _ in range(seats)]
        self.table = [Counter[str]() for _ in range(seats)]
        self.discards, self.on_placards = Counter[str](), Counter[str]()
        self.owners: dict[str, int | None] = {}
        self.money = [0] * seats
        self.faults = [Counter[str]() for _ in range(seats)]
        self.out = [False] * seats
        self.reshuffles = self.sides = self.turn = self.tick = self.ask = 0
        self.deals = sorted(int(card) for card in self.rules["deals"] if int(card) not in self.rules["skip_deals"])
        self.covered: set[int] = set()
        self.marker, self.played, self.after_closing = -1, "", False
        self.due: dict[str, Any] = {}

    def run(self) -> None:
        check((self.header["format"], self.header["chance"]) == ("arena-replay/1", "sha256-1"), "format")
        plain = json.dumps(self.rules, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        check(sha256(plain.encode()).hexdigest() == self.header["rules_sha256"], "rules_sha256")
        check([line["event"] in ("match", "result") for line in self.lines].count(True) == 2, "one header, one result")
        for raw, line in zip(self.raw, self.lines, strict=True):
            self.canonical(raw, line)
            if line["event"] in ("answer", "fault"):
                self.after_closing = False
            getattr(self, "on_" + line["event"].replace(" ", "_"), lambda line: None)(line)
            self.conserved()

    def canonical(self, raw: bytes, line: dict[str, Any]) -> None:
        check(json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() == raw, f"not canonical: {raw!r}")
        known = self.kinds[line["event"]]
        given = list(line)[1:]
        check(given == [name for name in known if name in given], f"fields of {line['event']}: {given}")
        for name, default in known.items():
            if name in given:
                check(default in (None, "absent") or json.dumps(line[name]) != default, f"{name} has its default")
            else:
                check(default is not None, f"{line['event']} lacks {name}")

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

    def on_answer(self, line: dict[str, Any]) -> None:
        self.decided(line)
        idle = {"offer": "unchanged", "accept": "no", "interrupt": "pass", "close": "go on"}.get(line["hook"])
        silent = line["move"] == {"move": idle} and not line.get("say") and not line.get("note")
        check(not silent, "an idle answer is not written")

    def on_fault(self, line: dict[str, Any]) -> None:
        self.decided(line)
        seat, header = line["seat"], self.header
        check(not self.out[seat], "a seat that is out has no faults")
        self.faults[seat][line["kind"]] += 1
        strikes = self.faults[seat].total()
        strict = header["fault_policy"] != "substitute"
        out = line["ask"] == 0 or line["kind"] in FINAL or strict or strikes >= header["strikes"]
        ended = line["kind"] == "late" and line.get("out", False)
        check(line["strike"] == strikes and line.get("out", False) == (out or ended), "strike, out")
        check(("move" in line) == (line["ask"] > 0), "the default that was played")
        check(("reply" in line, "rule" in line) == (line["kind"] == "illegal",) * 2, "reply and rule")
        self.out[seat] = out or ended

    def on_result(self, line: dict[str, Any]) -> None:
        check(line["sha256"] == sha256(b"\n".join(self.raw[:-1]) + b"\n").hexdigest(), "sha256")
        check(line["asks"] >= self.ask, "asks")
        policy = self.header["fault_policy"]
        ended = [("forfeit" if policy == "forfeit" else "struck-out") if out else "played" for out in self.out]
        order = [
            (how == "forfeit", 0 if how == "forfeit" else -money) for how, money in zip(ended, self.money, strict=True)
        ]
        for seat, found in enumerate(line["seats"]):
            expected = {
                "entrant": self.header["seats"][seat]["entrant"],
                "money": self.money[seat],
                "rank": 1 + sum(other < order[seat] for other in order),
                "ended": ended[seat],
                "faults": dict(sorted(self.faults[seat].items())),
            }
            expected = {key: value for key, value in expected.items() if value not in ("played", {})}
            check(found == expected and list(found) == list(expected), f"seat {seat}: {found}, expected {expected}")
        check(line.get("void", False) == (policy == "void" and any(self.faults)), "void")

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


def verify(content: bytes, page: str) -> None:
    """Raises Wrong where the replay is not what the page describes."""
    Verifier(content, page).run()
