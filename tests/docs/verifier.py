"""A second verifier of replays, written from ``arena docs`` alone: it imports nothing of arena.

It reads the fields of every line kind out of the replay page's tables, and recomputes chance and hashes. What is the
game's own stands in ``board_books`` and ``card_game``.
"""

from __future__ import annotations

import hmac
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import scrypt, sha256
from typing import Any

from .pages import rows as rows_of_page


class Wrong(Exception):
    """The replay does not hold what the page says."""


def check(right: object, what: str) -> None:
    if not right:
        raise Wrong(what)


# The page's tables ------------------------------------------------------------------------------------------------


def tables(page: str, section: str) -> Iterator[tuple[str, str]]:
    """Rows of the tables below a heading: first and second cell, continued rows joined."""
    marks, _, text = re.split(rf"^(##+) ({re.escape(section)})$", page, maxsplit=1, flags=re.MULTILINE)[1:]
    text = re.split(rf"^#{{2,{len(marks)}}} ", text, maxsplit=1, flags=re.MULTILINE)[0]
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


def schema(page: str, game: str) -> dict[str, dict[str, str | None]]:
    """For each line kind its fields with their defaults, in order."""
    rows = tables(page, f"{game.capitalize()}: events")
    kinds = {name.strip("`"): fields(cell) for name, cell in rows if "event" not in name}
    one = {"Header": "match", "Result": "result"}
    for section, kind in one.items():
        kinds[kind] = {}
        for name, cell in tables(page, section):
            if name.startswith("`"):
                kinds[kind] |= {name.strip("`"): "false" if cell.startswith("= false") else None}
    answer, fault = page.split("Which kinds put a bot out")[0].split("A `fault` line")
    for kind, text in (("answer", answer.split("An `answer` line")[1]), ("fault", fault)):
        rows = tables(f"\n## X\n{text}", "X")
        kinds[kind] = {}
        for name, cell in rows:
            if name.startswith("`"):
                default = '""' if cell.startswith('= ""') else "false" if cell.startswith("= false") else None
                kinds[kind][name.strip("`")] = default
    kinds["fault"] |= {"reply": "absent", "move": "absent"}
    return kinds


def meanings() -> dict[str, tuple[bool, tuple[bool, ...]]]:
    """For each kind of fault: whether it always puts the bot out, and what its ``gone`` may be, as the page on bots
    says."""
    possible = {"always": (True,), "never": (False,), "may be": (True, False)}
    return {kind.strip("`"): (out == "yes", possible[gone]) for kind, _, out, gone, _ in rows_of_page("bots", "Faults")}


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
    """The first 32 digits: of match seeds, and of bots' seeds in format 1."""
    return sha256("/".join(map(str, parts)).encode()).hexdigest()[:32]


def own_seed_of(seed: str, seat: int) -> str:
    """A bot's own seed."""
    key = scrypt(seed.encode(), salt=b"arena/bot", n=4096, r=8, p=1, dklen=32)
    return hmac.new(key, str(seat).encode(), sha256).hexdigest()[:32]


# The file ---------------------------------------------------------------------------------------------------------


class Verifier:
    """What holds for every game. :meth:`follow` is the game's own part: to go through the lines, and to keep
    ``money``; it is also to call :meth:`on_answer`, :meth:`on_fault` and :meth:`on_result`."""

    idle: Mapping[str, dict[str, Any]] = {}

    def __init__(self, content: bytes, page: str) -> None:
        check(content.endswith(b"\n"), "the file is cut off")
        self.raw = content[:-1].split(b"\n")
        self.lines: list[dict[str, Any]] = [json.loads(line) for line in self.raw]
        self.header = self.lines[0]
        self.kinds = schema(page, self.header["game"])
        self.meanings = meanings()
        self.rules = self.header["rules"]
        self.seed = self.header["seed"]
        seats = self.seats = len(self.header["seats"])
        self.money = [0] * seats
        self.faults = [Counter[str]() for _ in range(seats)]
        self.out = [False] * seats
        self.ask = 0

    def follow(self) -> None:
        raise NotImplementedError

    def run(self) -> None:
        check((self.header["format"], self.header["chance"]) == ("arena-replay/2", "sha256-1"), "format")
        plain = json.dumps(self.rules, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        check(sha256(plain.encode()).hexdigest() == self.header["rules_sha256"], "rules_sha256")
        check([line["event"] in ("match", "result") for line in self.lines].count(True) == 2, "one header, one result")
        for raw, line in zip(self.raw, self.lines, strict=True):
            self.canonical(raw, line)
        self.follow()

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

    def on_answer(self, line: dict[str, Any]) -> None:
        silent = line["move"] == self.idle.get(line["hook"]) and not line.get("say") and not line.get("note")
        check(not silent, "an idle answer is not written")

    def on_fault(self, line: dict[str, Any]) -> None:
        seat, header = line["seat"], self.header
        check(not self.out[seat], "a seat that is out has no faults")
        self.faults[seat][line["kind"]] += 1
        strikes = self.faults[seat].total()
        strict = header["fault_policy"] != "substitute"
        final, possible = self.meanings[line["kind"]]
        gone = line.get("gone", False)
        check(gone in possible, "gone")
        out = line["ask"] == 0 or final or gone or strict or strikes >= header["strikes"]
        check(line["strike"] == strikes and line.get("out", False) == out, "strike, out")
        check(("move" in line) == (line["ask"] > 0), "the default that was played")
        check(("reply" in line, "rule" in line) == (line["kind"] == "illegal",) * 2, "reply and rule")
        self.out[seat] = out

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
