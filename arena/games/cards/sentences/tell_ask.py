"""What a seat saw and what it answered in the card game, in words, for ``arena show --at``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from arena.games.cards import moves
from arena.games.cards.answers.judge import request_text
from arena.games.cards.cards import Card
from arena.games.cards.rules import Rules
from arena.games.cards.sentences.tell import Teller
from arena.games.cards.views import CardsView, DiscardView
from arena.games.contract import Move, No, Yes
from arena.games.sentence_names import ViewSentence

CARDS_NONE_WORD = "none"


class AskTeller(Teller):
    """Puts views and moves into words. ``names`` are the seats' bots, in seat order."""

    def move(self, move: Move) -> str:
        """A seat's answer in words, such as "leads red +3"."""
        match move:
            case moves.Lead(card):
                return f"leads {card}"
            case moves.NameColor(color):
                return f"names {color}"
            case moves.Propose(action):
                return f"offers to {self.action(action)} for a Cousin token"
            case moves.Request():
                return f"offers a Cousin token for {request_text(move)}"
            case moves.NoBargain():
                return "offers nothing"
            case Yes() | No():
                return "says yes" if isinstance(move, Yes) else "says no"
            case moves.Play() | moves.Drop() | moves.Pass():
                verb, space, rest = self.action(move).partition(" ")
                return f"{verb}{'es' if verb.endswith('s') else 's'}{space}{rest}"
            case moves.Shift():
                return f"moves {self.shift(move)}"
            case moves.Enough():
                return "moves no more"
            case moves.Discard(cards):
                return f"discards {_list_cards(cards)}" if cards else "keeps all cards"
            case _:
                raise TypeError(f"no move of the card game: {move!r}")

    def view(self, view: CardsView) -> Iterator[ViewSentence]:
        """What the seat saw, part by part, without the news."""
        color = "" if view.color is None else f"; the colour is {view.color}"
        yield ViewSentence("round", f"{view.round} of {view.rounds}{color}")
        yield ViewSentence("Boss", f"{self.seat(view.boss)}; on turn {self.seat(view.on_turn)}")
        share = f"${view.value}" if view.value >= 0 else f"-${-view.value}"
        yield ViewSentence("a share", f"{share} as things stand, with multiplier {view.multiplier}")
        yield ViewSentence("own hand", _list_cards(view.hand))
        yield ViewSentence("own money", f"${view.money}")
        yield ViewSentence("hand sizes", self.by_seat(map(str, view.hand_sizes)))
        yield ViewSentence("centre", _list_cards(view.centre))
        fronts = [f"{self.seat(seat)} {_list_cards(cards)}" for seat, cards in enumerate(view.fronts) if cards]
        yield ViewSentence("in front", "; ".join(fronts) or CARDS_NONE_WORD)
        yield ViewSentence("passed", self.by_seat("out" if disks == 2 else str(disks) for disks in view.passes))
        cousins = ", ".join(map(self.seat, view.cousins)) or CARDS_NONE_WORD
        yield ViewSentence("Cousins", f"{cousins}; {view.tokens} tokens left")
        third = "; the third X lies under the disk" if view.third_x else ""
        yield ViewSentence("piles", f"{view.deck} cards to draw, {view.discard_pile} discarded{third}")
        yield from self.topic_sentences(view)

    def topic_sentences(self, view: CardsView) -> Iterator[ViewSentence]:
        """What the ask is about, part by part."""
        if view.bargain is not None:
            yield ViewSentence("asked about", f"{self.seat(view.bargain.by)} {self.move(view.bargain.offer)}")
        if view.bound is not None:
            yield ViewSentence("bound to", request_text(view.bound))
        if view.moving is not None:
            done = f", moved {'; '.join(map(self.shift, view.moved))}" if view.moved else ""
            yield ViewSentence("move card", f"{view.moving}: {view.moves_left} moves left{done}")
        if isinstance(view, DiscardView):
            yield ViewSentence("may discard", f"at most {view.most}")

    def by_seat(self, said: Iterable[str]) -> str:
        """The texts, one for each seat, joined with the seats' names."""
        return ", ".join(f"{self.seat(seat)} {each}" for seat, each in enumerate(said))


def _list_cards(cards: Iterable[Card]) -> str:
    return ", ".join(cards) or CARDS_NONE_WORD


def tell_move(move: Move, view: CardsView, rules: Rules, names: Sequence[str]) -> str:
    """The answer of a view's seat in words, such as "leads red +3"."""
    return AskTeller(names).move(move)


def tell_view(view: CardsView, rules: Rules, names: Sequence[str]) -> list[ViewSentence]:
    """What a seat saw, part by part, without the news."""
    return list(AskTeller(names).view(view))
