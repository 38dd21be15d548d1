"""The verbs that answer the asks of the card game, and the functions that read the words after them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.games.cards import moves
from arena.games.cards.cards import Card
from arena.games.cards.moves import Want
from arena.games.cards.presenting.human.names import COLOR_WORDS, read_card, read_cards, split_signs
from arena.games.cards.views import AcceptView, CardsView, LeadView, OfferView, PlayView
from arena.games.contract import NO, YES, Move
from arena.human.lexicon import Unclear, choose_meaning, quote_word, read_seat, seat_words
from arena.human.question import Draft, TypedAnswer, Verb

AWAY_WORDS = ("away", "discard", "pile", "out")
CENTRE_WORDS = ("centre", "center", "middle")


class CardsVerbs:
    """The verbs of one ask, and methods that read the words after each. ``entrants`` are the names by seat."""

    def __init__(self, view: CardsView, entrants: Sequence[str]) -> None:
        self.view = view
        self.seats = seat_words(entrants, view.seat, view.boss)

    def verbs(self) -> tuple[Verb, ...]:
        """The verbs that answer this ask."""
        match self.view:
            case LeadView():
                return (
                    Verb("lead", "lead CARD", "lead a positive or negative card, such as: lead red +3", self.lead),
                    Verb(
                        "color", "color COLOUR", "name a colour if no card can be led", self.color, ("colour", "name")
                    ),
                )
            case OfferView() if self.view.seat == self.view.boss:
                wanted = "+N, -N, pota, reverse, pass or gift"
                return (
                    Verb(
                        "request", "request KIND", f"offer a Cousin token for {wanted}", self.request, ("ask", "offer")
                    ),
                    Verb("nothing", "nothing", "offer nothing", verb_alone(moves.NO_BARGAIN), ("no",)),
                )
            case OfferView():
                return (
                    Verb(
                        "propose",
                        "propose ACTION",
                        "offer the Boss an action for a Cousin token",
                        self.propose,
                        ("offer",),
                    ),
                    Verb(
                        "nothing", "nothing", "propose nothing; you act freely", verb_alone(moves.NO_BARGAIN), ("no",)
                    ),
                )
            case AcceptView():
                return (
                    Verb("yes", "yes", "agree", verb_alone(YES), ("accept",)),
                    Verb("no", "no", "do not agree", verb_alone(NO), ("refuse",)),
                )
            case PlayView() if self.view.moving is not None:
                usage = "move CARD [from SEAT] [to SEAT]"
                return (
                    Verb("move", usage, "from the centre, or from a seat to another or away", self.move),
                    Verb("enough", "enough", "make no further move", verb_alone(moves.ENOUGH_MOVES), ("done",)),
                )
            case PlayView():
                return (
                    Verb("play", "play CARD [to SEAT]", "play a card, such as: play +3, or play pota to 2", self.play),
                    Verb("pass", "pass [twice]", "turn one of your disks, or both", self.read_passes),
                    Verb("drop", "drop CARD", "discard a card, if a bargain says so", self.read_drop),
                )
            case _:
                return (
                    Verb("discard", "discard CARDS", "exchange cards, such as: red +1, wild pota", self.discard),
                    Verb("keep", "keep", "keep all cards", verb_alone(moves.KEEP_ALL), ("nothing", "no")),
                )

    def card(self, words: Sequence[str]) -> tuple[Card, list[str]]:
        """Read a card, by default of the round's colour; return it and the words left."""
        left = split_signs(words)
        card, used = read_card(left, self.view.color, self.view.hand)
        return card, left[used:]

    def only_card(self, words: Sequence[str]) -> Card:
        """Read a card that nothing may follow."""
        card, rest = self.card(words)
        _nothing_after(rest)
        return card

    def lead(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``lead red +3``."""
        return TypedAnswer(moves.Lead(self.only_card(words)))

    def color(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``color red``."""
        if len(words) != 1:
            raise Unclear("expected a colour: color blue, color green or color red")
        return TypedAnswer(moves.NameColor(choose_meaning(words[0], COLOR_WORDS, "colour")))

    def play(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``play pota to 2``."""
        return TypedAnswer(self.read_play(words))

    def read_play(self, words: Sequence[str]) -> moves.Play:
        """Read a card, where it goes, and after a colon what it moves."""
        left = split_signs(words)
        parts = _split_words(left, ":")
        card, rest = self.card(parts[0])
        to: int | None = None
        if rest:
            rest = rest[1:] if rest[0] in ("to", "for", "on") else rest
            if len(rest) != 1:
                raise Unclear("expected one seat: play CARD to SEAT")
            to = read_seat(rest[0], self.seats)
        shifts = [self.read_shift(each) for part in parts[1:] for each in _split_words(part, ",", ";", "and") if each]
        return moves.Play(card, to, tuple(shifts))

    def read_drop(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``drop reverse``."""
        return TypedAnswer(moves.Drop(self.only_card(words)))

    def read_passes(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``pass`` or ``pass twice``."""
        return TypedAnswer(self.read_pass(words))

    def read_pass(self, words: Sequence[str]) -> moves.Pass:
        """Read whether to pass once or twice."""
        if not words or list(words) in (["once"], ["1"]):
            return moves.PASS
        if len(words) == 1 and (words[0] in ("2", "both", "double") or "twice".startswith(words[0])):
            return moves.PASS_TWICE
        raise Unclear(f"{quote_word(words[0])} is too much here: pass, or pass twice")

    def move(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``move pota from 1 to 2``."""
        return TypedAnswer(self.read_shift(words))

    def read_shift(self, words: Sequence[str]) -> moves.Shift:
        """Read one move of a move card."""
        card, rest = self.card(words)
        source: int | None = None
        to: int | None = None
        while rest:
            if rest[0] in AWAY_WORDS and len(rest) == 1:
                break
            if rest[0] not in ("from", "of", "to") or len(rest) < 2:
                raise Unclear(
                    "expected: CARD from SEAT to SEAT; a card of the centre: CARD; off the table: CARD from SEAT"
                )
            if rest[0] == "to":
                to = None if rest[1] in AWAY_WORDS else read_seat(rest[1], self.seats)
            else:
                source = None if rest[1] in CENTRE_WORDS else read_seat(rest[1], self.seats)
            rest = rest[2:]
        return moves.Shift(card, source, to)

    def propose(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``propose play +3``, ``propose pass twice`` or ``propose drop reverse``."""
        if not words:
            raise Unclear("expected an action: propose +3, propose pota to 0, propose pass, propose drop reverse")
        verb, rest = words[0], words[1:]
        if len(verb) > 1 and "pass".startswith(verb):
            return TypedAnswer(moves.Propose(self.read_pass(rest)))
        if len(verb) > 1 and "drop".startswith(verb):
            return TypedAnswer(moves.Propose(moves.Drop(self.only_card(rest))))
        return TypedAnswer(moves.Propose(self.read_play(rest if len(verb) > 1 and "play".startswith(verb) else words)))

    def request(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``request +3`` or ``request pota``."""
        left = [word for word in words if word not in ("a", "least", "at")]
        usage = "request +2 (or more), -3 (or lower), pota, reverse, pass or gift"
        if len(left) == 1 and left[0][0] in "+-" and left[0][1:].isdecimal() and left[0].isascii():
            want = Want.POSITIVE if left[0][0] == "+" else Want.NEGATIVE
            return TypedAnswer(moves.Request(want, int(left[0][1:3])))
        if not left:
            raise Unclear(f"expected a kind of action: {usage}")
        want = choose_meaning(left[0], {str(each): each for each in Want}, f"kind of action ({usage})")
        if len(left) == 2 and left[1].isdecimal() and left[1].isascii():
            return TypedAnswer(moves.Request(want, int(left[1][:2])))
        _nothing_after(left[1:])
        return TypedAnswer(moves.Request(want))

    def discard(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``discard red +3, wild pota``."""
        return TypedAnswer(moves.Discard(read_cards(words, self.view.hand)))


def verb_alone(move: Move) -> Callable[[Sequence[str], Draft], TypedAnswer]:
    """A reader for a verb that is typed alone, and means ``move``."""

    def read(words: Sequence[str], draft: Draft) -> TypedAnswer:
        _nothing_after(words)
        return TypedAnswer(move)

    return read


def _nothing_after(words: Sequence[str]) -> None:
    if words:
        raise Unclear(f"{quote_word(words[0])} is too much here")


def _split_words(words: Sequence[str], *marks: str) -> list[list[str]]:
    """The words, split at these marks."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word in marks:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts
