"""The card game played again from a replay's decisions, as ``arena docs replay`` and ``arena docs card-rules`` tell it.

Every decision is judged, every line that follows from it expected, every default worked out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from .verifier import Verifier, below, check, permutation

Move = dict[str, Any]

COLORS = ("blue", "green", "red")
PLACES = ("+1", "+2", "+3", "+4", "-5", "-4", "-3", "-2", "reverse", "pota", "move 1", "move 2", "move 3")
KINDS = (*(f"{color} {place}" for color in COLORS for place in PLACES), "wild pota")
IDLE: dict[str, Move] = {"offer": {"move": "no bargain"}, "accept": {"move": "no"}, "discard": {"move": "discard"}}
PASS, ENOUGH = {"move": "pass"}, {"move": "enough"}


def worth(kind: str) -> int:
    place = kind.partition(" ")[2]
    return int(place) if place[0] in "+-" else 0


def moves_of(kind: str) -> int:
    place = kind.partition(" ")[2]
    return int(place[-1]) if place.startswith("move") else 0


def is_pota(kind: str) -> bool:
    return kind.endswith(" pota")


def in_order(cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=KINDS.index)


class CardGame(Verifier):
    idle = IDLE

    def __init__(self, content: bytes, page: str) -> None:
        super().__init__(content, page)
        rules, key = self.rules, str(self.seats)
        self.size, self.rounds = rules["hand"][key], rules["rounds"][key] * self.seats
        self.limit = rules["limit"] and rules["limit"][key]
        deck = rules["deck"]
        self.whole = Counter({"wild pota": deck["wild_pota"]})
        for color in COLORS:
            self.whole |= Counter({f"{color} +{value}": count for value, count in deck["positive"].items()})
            self.whole |= Counter({f"{color} -{value}": count for value, count in deck["negative"].items()})
            self.whole |= Counter({f"{color} move {number}": count for number, count in deck["move"].items()})
            self.whole |= Counter({f"{color} reverse": deck["reverse"], f"{color} pota": deck["pota"]})
        self.at = 1
        self.money = [rules["start_money"]] * self.seats
        self.hands = [Counter[str]() for _ in range(self.seats)]
        self.discards = Counter[str]()
        self.exes = self.reshuffles = 0
        self.bargain: Move | None = None  # what is asked about
        self.bound: Move | None = None  # what has been agreed
        self.using, self.made = "", 0  # the move card in use, and the moves made with it

    # Lines

    def happen(self, event: str, **values: Any) -> None:
        known = self.kinds[event]
        plain = {None: "null", False: "false"}
        shown = {
            name: value
            for name, value in values.items()
            if known[name] != (plain[value] if value is None or value is False else str(value))
        }
        expected = {"event": event, **shown}
        check(self.lines[self.at] == expected, f"line {self.at + 1} is {self.lines[self.at]}, due is {expected}")
        self.at += 1

    def decide(self, seat: int, hook: str) -> Move:
        self.ask += 1
        line = self.lines[self.at]
        if line.get("ask") != self.ask:
            check(hook in IDLE, f"ask {self.ask} is not answered")
            return IDLE[hook]
        check((line["seat"], line["hook"]) == (seat, hook), f"ask {self.ask} is {hook} of seat {seat}")
        self.at += 1
        if line["event"] == "fault":
            self.on_fault(line)
            check("reply" not in line or not self.legal(seat, hook, line["reply"]), "what was refused is legal")
            check(line["move"] == self.default(seat, hook), "the default")
        else:
            self.on_answer(line)
            check(not self.out[seat] or line["move"] == self.default(seat, hook), "a bot that is out plays defaults")
        move: Move = line["move"]
        check(self.legal(seat, hook, move), f"ask {self.ask}: {move} is not legal")
        return move

    # What is legal

    def legal(self, seat: int, hook: str, move: Move) -> bool:
        kind = move["move"]
        match hook, kind:
            case "lead", "lead":
                return worth(move["card"]) != 0 and self.hands[seat][move["card"]] > 0
            case "lead", "color":
                return not any(worth(card) for card in self.hands[seat].elements())
            case "offer", "no bargain":
                return True
            case "offer", "propose":
                return seat != self.boss and self.can_propose(seat, move["action"])
            case "offer", "request":
                return seat == self.boss and self.can_request(move["want"], move.get("least", 0))
            case "accept", "yes":
                assert self.bargain is not None
                return self.bargain["move"] == "propose" or bool(self.keeping(seat, self.bargain))
            case "accept", "no":
                return True
            case "play", "shift":
                return bool(self.using) and self.can_shift(move)
            case "play", "enough":
                return self.made > 0
            case "play", "drop" if self.bound is None:
                return False
            case "play", "play" | "pass" | "drop":
                allowed = not self.using and not move.get("shifts") and self.can_do(seat, move)
                return allowed and (self.bound is None or move in self.keeping(seat, self.bound))
            case "discard", "discard":
                cards = move.get("cards", [])
                return len(cards) <= self.rules["discards_between_rounds"] and Counter(cards) <= self.hands[seat]
        return False

    def can_do(self, seat: int, action: Move) -> bool:
        if action["move"] == "pass":
            return not (action.get("double") and self.passes[seat])
        card, to = action["card"], action.get("to")
        if not self.hands[seat][card] or card.split()[0] not in (self.color, "wild"):
            return False
        if moves_of(card) and not self.shifts():
            return False
        if action["move"] == "drop":
            return True
        if worth(card) or moves_of(card):
            return to is None
        return to is not None and to in self.inside()

    def can_propose(self, seat: int, action: Move) -> bool:
        if not self.can_do(seat, action):
            return False
        shifts, number = action.get("shifts", []), moves_of(action.get("card", "wild pota"))
        if action["move"] != "play" or not number:
            return not shifts
        trial = deepcopy(self)
        for shift in shifts:
            if not trial.can_shift(shift):
                return False
            trial.shift(shift)
        return 1 <= len(shifts) <= number

    def can_request(self, want: str, least: int) -> bool:
        if want in ("positive", "negative"):
            return bool(self.rules["deck"][want].get(str(least)))
        return least == 0 and (want != "pota" or self.boss in self.inside())

    def keeping(self, seat: int, request: Move) -> list[Move]:
        """The actions that keep a bargain, in card order."""
        want, least = request["want"], request.get("least", 0)
        hand = [card for card in KINDS if self.hands[seat][card] and card.split()[0] in (self.color, "wild")]
        match want:
            case "pass" | "gift":
                return [PASS] + [{"move": "pass", "double": True}] * (not self.passes[seat])
            case "reverse":
                return [{"move": "drop", "card": card} for card in hand if card.endswith("reverse")]
            case "pota":
                return [{"move": "play", "card": card, "to": self.boss} for card in hand if is_pota(card)]
            case "positive":
                return [{"move": "play", "card": card} for card in hand if worth(card) >= least]
            case _:
                return [{"move": "play", "card": card} for card in hand if worth(card) <= -least]

    def inside(self) -> list[int]:
        return [seat for seat, turned in enumerate(self.passes) if turned < 2]

    def shifts(self) -> list[Move]:
        """What can be moved, to the discard pile, in the order of defaults."""
        found: list[Move] = [{"move": "shift", "card": card} for card in KINDS if self.centre[card]]
        for seat in self.inside():
            left = self.fronts[seat] - self.moved[seat]
            found += [{"move": "shift", "card": card, "source": seat} for card in KINDS if left[card]]
        return found

    def can_shift(self, shift: Move) -> bool:
        to = shift.get("to")
        away = {key: value for key, value in shift.items() if key != "to"}
        return away in self.shifts() and (
            to is None or ("source" in shift and to != shift["source"] and to in self.inside())
        )

    def default(self, seat: int, hook: str) -> Move:
        if hook in IDLE:
            return IDLE[hook]
        if hook == "lead":
            cards = [card for card in KINDS if self.hands[seat][card] and worth(card)]
            return {"move": "lead", "card": cards[0]} if cards else {"move": "color", "color": "blue"}
        if self.using:
            return ENOUGH if self.made else self.shifts()[0]
        return PASS if self.bound is None else self.keeping(seat, self.bound)[0]

    # Set-up and drawing

    def set_up(self) -> None:
        self.boss = below(self.seats, self.seed, "boss", [])
        self.happen("chance", name="boss", index=[], value=self.boss)
        cards = in_order(self.whole.elements())
        order = permutation(len(cards), self.seed, "deck", [0])
        deck, dealt = [cards[place] for place in order], self.seats * self.size
        half = dealt + (len(deck) - dealt) // 2
        halves = [deck[dealt:half], deck[half:]]
        for number in range(min(2, self.rules["deck"]["x"])):
            halves[number].insert(below(len(halves[number]) + 1, self.seed, "x", [number]), "x")
        self.deck = deck[:dealt] + halves[0] + halves[1]
        self.happen("chance", name="deck", index=[0], value=self.deck)
        for seat in self.clockwise(self.boss):
            self.draw(seat, self.size)
        self.third_x = self.rules["deck"]["x"] == 3
        self.begin(1)

    def clockwise(self, first: int) -> list[int]:
        return [(first + step) % self.seats for step in range(self.seats)]

    def draw(self, seat: int, count: int) -> None:
        drawn: list[str] = []
        while len(drawn) < count and (self.deck or self.reshuffle()):
            card = self.deck.pop(0)
            if card == "x":
                self.exes += 1
                self.happen("x", seat=seat, multiplier=2 + self.exes)
            else:
                drawn.append(card)
        self.happen("drew", seat=seat, count=len(drawn), cards=in_order(drawn))
        self.hands[seat].update(drawn)

    def reshuffle(self) -> bool:
        cards = in_order(self.discards.elements()) + ["x"] * self.third_x
        if not cards:
            return False
        self.reshuffles += 1
        order = permutation(len(cards), self.seed, "deck", [self.reshuffles])
        self.deck = [cards[place] for place in order]
        self.happen("chance", name="deck", index=[self.reshuffles], value=self.deck)
        self.happen("reshuffled", count=len(cards), third_x=self.third_x)
        self.discards.clear()
        self.third_x = False
        return True

    # The match

    def follow(self) -> None:
        self.set_up()
        while self.lines[self.at].get("ask") == 0:
            self.on_fault(self.lines[self.at])
            self.at += 1
        for number in range(1, self.rounds + 1):
            self.play_round()
            self.settle(number)
            if number == self.rounds:
                break
            self.boss = (self.boss + 1) % self.seats
            if self.rules["discards_between_rounds"]:
                self.discard()
            for seat in self.clockwise(self.boss):
                if (missing := self.size - self.hands[seat].total()) > 0:
                    self.draw(seat, missing)
            self.begin(number + 1)
        result = self.lines[self.at]
        check((result["event"], self.at) == ("result", len(self.lines) - 1), "the result is due")
        check((result["termination"], result["asks"]) == ("last round", self.ask), "termination, asks")
        self.on_result(result)

    def begin(self, number: int) -> None:
        total = sum(self.hands, self.discards) + Counter(card for card in self.deck if card != "x")
        check(total == +self.whole, "a card appeared or vanished")
        self.happen("round", round=number, boss=self.boss)
        self.centre = Counter[str]()
        self.fronts = [Counter[str]() for _ in range(self.seats)]
        self.moved = [Counter[str]() for _ in range(self.seats)]
        self.passes = [0] * self.seats
        self.tokens = self.rules["cousins"][str(self.seats)]
        self.cousins: set[int] = set()

    def play_round(self) -> None:
        lead = self.decide(self.boss, "lead")
        if lead["move"] == "lead":
            self.color = lead["card"].split()[0]
            self.hands[self.boss][lead["card"]] -= 1
            self.centre[lead["card"]] += 1
            self.happen("led", seat=self.boss, card=lead["card"])
        else:
            self.color = lead["color"]
            self.happen("color", seat=self.boss, color=self.color)
        seat = self.boss
        while self.inside():
            seat = (seat + 1) % self.seats
            if self.passes[seat] < 2:
                self.turn(seat)

    def turn(self, seat: int) -> None:
        self.bound = None
        if seat != self.boss and self.tokens and seat not in self.cousins and self.agreed_at_once(seat):
            return
        action = self.decide(seat, "play")
        self.act(seat, action)
        if action["move"] == "play" and moves_of(action["card"]):
            self.use(seat, action["card"])

    def agreed_at_once(self, seat: int) -> bool:
        proposal = self.decide(seat, "offer")
        if proposal["move"] == "propose":
            self.happen("proposed", seat=seat, action=proposal["action"])
            if self.accepted(self.boss, proposal, seat):
                self.act(seat, proposal["action"])
                return True
        request = self.decide(self.boss, "offer")
        if request["move"] == "request":
            self.happen("requested", to=seat, want=request["want"], least=request.get("least", 0))
            if self.accepted(seat, request, seat) and request["want"] != "gift":
                self.bound = request
        return False

    def accepted(self, by: int, bargain: Move, cousin: int) -> bool:
        self.bargain = bargain
        if self.decide(by, "accept")["move"] == "no":
            self.happen("refused", seat=by)
            return False
        self.tokens -= 1
        self.cousins.add(cousin)
        self.happen("cousin", seat=cousin)
        return True

    def act(self, seat: int, action: Move) -> None:
        if action["move"] == "pass":
            first = not self.passes[seat]
            self.passes[seat] = 2 if action.get("double") else self.passes[seat] + 1
            self.happen("passed", seat=seat, disks=self.passes[seat])
            bonus = self.rules["pass_bonus"]
            if first and (bonus == "each" or (bonus == "last" and all(self.passes))):
                self.draw(seat, 1)
            return
        card, to = action["card"], action.get("to")
        self.hands[seat][card] -= 1
        if action["move"] == "drop":
            self.happen("dropped", seat=seat, card=card)
        else:
            self.happen("played", seat=seat, card=card, to=to)
        target = self.fronts[to] if to is not None else self.discards
        (self.centre if worth(card) and action["move"] == "play" else target)[card] += 1
        for shift in action.get("shifts", []):
            self.shift(shift)
            self.tell_shift(seat, shift)
        self.moved = [Counter() for _ in self.moved]

    def use(self, seat: int, card: str) -> None:
        self.using, self.made = card, 0
        while self.made < moves_of(card) and self.shifts():
            shift = self.decide(seat, "play")
            if shift["move"] == "enough":
                break
            self.shift(shift)
            self.tell_shift(seat, shift)
            self.made += 1
        self.using, self.made = "", 0
        self.moved = [Counter() for _ in self.moved]

    def shift(self, shift: Move) -> None:
        card, source, to = shift["card"], shift.get("source"), shift.get("to")
        (self.centre if source is None else self.fronts[source])[card] -= 1
        (self.discards if to is None else self.fronts[to])[card] += 1
        if to is not None:
            self.moved[to][card] += 1

    def tell_shift(self, seat: int, shift: Move) -> None:
        self.happen("shifted", seat=seat, card=shift["card"], source=shift.get("source"), to=shift.get("to"))

    def settle(self, number: int) -> None:
        points = sum(worth(card) * count for card, count in self.centre.items())
        value = self.rules["factor"] * (2 + self.exes) * points
        if self.limit is not None:
            value = max(-self.limit, min(self.limit, value))
        amounts = []
        for seat, front in enumerate(self.fronts):
            shares = (seat == self.boss) + (seat in self.cousins)
            shares += sum(count for card, count in front.items() if is_pota(card))
            reverses = sum(count for card, count in front.items() if card.endswith("reverse"))
            amounts.append(max(shares * value * (-1) ** reverses, -self.money[seat]))
            self.money[seat] += amounts[seat]
        self.happen("settled", round=number, boss=self.boss, value=value, amounts=amounts)
        self.discards += sum(self.fronts, self.centre)

    def discard(self) -> None:
        chosen = [self.decide(seat, "discard").get("cards", []) for seat in range(self.seats)]
        for seat, cards in enumerate(chosen):
            if cards:
                self.happen("discarded", seat=seat, count=len(cards), cards=in_order(cards))
                self.hands[seat].subtract(cards)
                self.discards.update(cards)
