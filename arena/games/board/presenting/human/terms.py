"""Reads and writes offers as typed words: ``offer blue 5``, ``ask red from 2 for 6``, ``pay 3 4``, ``goodwill 2``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.games.board.cards import Family
from arena.games.board.moves import Agreement, Offer
from arena.games.board.presenting.human.names import CLAN_WORD, FILLER_WORDS, KIND_WORDS, PLACARD_WORD, BoardNames
from arena.games.board.views import BoardView
from arena.human.lexicon import Unclear, find_meanings, parse_money, quote_word, read_seat

FROM_WORDS = ("from", "of", "to")
FOR_WORDS = ("for", "at")
NOTHING_WORDS = ("nothing", "goodwill")
ALSO_WORD = "also"


class Terms:
    """The words of an offer, sorted by what they are: families with the kind of card typed for each (empty: none
    typed), seats, amounts, and whether the offer is to stand beside others of the same cards (``also``)."""

    def __init__(self, words: Sequence[str], names: BoardNames, seats: Mapping[str, int], usage: str) -> None:
        """``usage`` shows how to type such an offer; it is part of error messages. Raises Unclear."""
        self.families: list[tuple[Family, str]] = []
        self.seats: list[int] = []
        self.amounts: list[int] = []
        self.nothing = self.also = False
        self._names, self._seat_words, self._usage = names, seats, usage
        self._kind = ""
        left = list(words)
        while left:
            left = self._take(left[0], left[1:])

    def _take(self, word: str, rest: list[str]) -> list[str]:
        """Read one word, and those that belong to it; return the words left."""
        if word in FROM_WORDS:
            if not rest:
                raise Unclear(f"expected a seat after {quote_word(word)}")
            self.seats.append(read_seat(rest[0], self._seat_words))
            return rest[1:]
        if word in FOR_WORDS or word in FILLER_WORDS:
            self._kind = ""
        elif (amount := parse_money(word)) is not None:
            self.amounts.append(amount)
        elif word in NOTHING_WORDS or word == ALSO_WORD:
            self.nothing, self.also = self.nothing or word in NOTHING_WORDS, self.also or word == ALSO_WORD
        elif word == PLACARD_WORD or KIND_WORDS.get(word) == CLAN_WORD:
            self._called(PLACARD_WORD if word == PLACARD_WORD else CLAN_WORD)
        else:
            self._named(word)
        return rest

    def _named(self, word: str) -> None:
        """Read a family, in ``red@2`` with its seat, or the name of a seat."""
        name, _, seat = word.partition("@")
        if not seat and self._is_seat(name):
            self.seats.append(read_seat(name, self._seat_words))
            return
        if any(letter.isdigit() for letter in name):
            raise Unclear(
                f"{quote_word(word)} is not a price and not a family; prices are whole $M from 0: {self._usage}"
            )
        try:
            family = self._names.family(name)
        except Unclear as problem:
            raise Unclear(f"{problem}; say: {self._usage}") from None
        self.families.append((family, self._kind))
        self._kind = ""
        if seat:
            self.seats.append(read_seat(seat, self._seat_words))

    def _is_seat(self, word: str) -> bool:
        """Whether a word names a seat, or unambiguously begins a seat's name, and does not name a family."""
        if word in self._names.families:
            return False
        return word in self._seat_words or (
            not find_meanings(word, self._names.families) and len(find_meanings(word, self._seat_words)) == 1
        )

    def _called(self, kind: str) -> None:
        """Assign the typed ``kind`` of card to the family before it, or if that has one to the next family."""
        if self.families and not self.families[-1][1]:
            self.families[-1] = (self.families[-1][0], kind)
        else:
            self._kind = kind

    def price(self, usage: str) -> int:
        """The only amount typed. Raises Unclear if there is not exactly one."""
        if len(self.amounts) != 1:
            raise Unclear(f"expected one price, got {len(self.amounts)}: {usage}")
        return self.amounts[0]

    def seat(self, usage: str) -> int | None:
        """The only seat typed, or None. Raises Unclear if there are several."""
        if len(set(self.seats)) > 1:
            raise Unclear(f"expected one seat: {usage}")
        return self.seats[0] if self.seats else None


def placard_owner(view: BoardView, family: Family) -> int | None:
    """The owner of a family's placard; None if it lies aside."""
    return next(placard.owner for placard in view.placards if placard.family == family)


def cards_of(
    view: BoardView, partner: int, families: Sequence[tuple[Family, str]]
) -> tuple[tuple[Family, ...], tuple[Family, ...]]:
    """Placards and clan cards typed; a family without a kind means its placard if ``partner`` owns that."""
    placards: list[Family] = []
    clans: list[Family] = []
    for family, kind in families:
        is_placard = kind == PLACARD_WORD or (not kind and placard_owner(view, family) == partner)
        (placards if is_placard else clans).append(family)
    return tuple(sorted(placards, key=_family_order)), tuple(sorted(clans, key=_family_order))


def _family_order(family: Family) -> int:
    return list(Family).index(family)


def read_offer(
    words: Sequence[str], view: BoardView, names: BoardNames, seats: Mapping[str, int]
) -> tuple[Offer, bool]:
    """A seat's offer to the Boss, such as ``blue 5``, and whether it stands beside others. Raises Unclear."""
    usage = "offer FAMILY... PRICE, such as: offer blue 5"
    terms = Terms(words, names, seats, usage)
    assert view.boss is not None
    _needs_cards(terms, usage)
    to = terms.seat(usage)
    placards, clans = cards_of(view, view.seat, terms.families)
    return Offer(view.boss if to is None else to, terms.price(usage), placards, clans), terms.also


def read_demand(
    words: Sequence[str], view: BoardView, names: BoardNames, seats: Mapping[str, int]
) -> tuple[Offer, bool]:
    """The Boss's offer to a seat, such as ``red from 2 for 6``, and whether it stands beside others. Without a seat it
    goes to the owner of the placard. Raises Unclear."""
    usage = "ask FAMILY... from SEAT for PRICE, such as: ask red from 2 for 6"
    terms = Terms(words, names, seats, usage)
    _needs_cards(terms, usage)
    partner = terms.seat(usage)
    if partner is None:
        owners = {placard_owner(view, family) for family, kind in terms.families if kind != CLAN_WORD} - {
            None,
            view.seat,
        }
        if len(owners) != 1:
            raise Unclear(f"name the seat: {usage}")
        partner = owners.pop()
        assert partner is not None
    price = terms.price(usage)
    placards, clans = cards_of(view, partner, terms.families)
    return Offer(partner, price, placards, clans), terms.also


def _needs_cards(terms: Terms, usage: str) -> None:
    if not terms.families and not terms.nothing:
        raise Unclear(f"expected a family: {usage}")
    if terms.families and terms.nothing:
        raise Unclear("goodwill is an offer without cards; name a family or goodwill, not both")


def read_payment(
    words: Sequence[str], view: BoardView, names: BoardNames, seats: Mapping[str, int]
) -> tuple[Offer, bool]:
    """A side promise of the Boss, and whether it stands beside others: ``3 4`` pays seat 3 $4M. Raises Unclear."""
    usage = "pay SEAT PRICE, such as: pay 3 4"
    also = ALSO_WORD in words
    left = [word for word in words if word not in (*FOR_WORDS, *FILLER_WORDS, ALSO_WORD)]
    if len(left) == 3 and left[1] in FROM_WORDS:
        left = [left[2], left[0]]  # pay 4 to 3
    if len(left) != 2 or (price := parse_money(left[1])) is None:
        raise Unclear(f"expected a seat and a price: {usage}")
    return Offer(read_seat(left[0], seats), price), also


def read_goodwill(
    words: Sequence[str], view: BoardView, names: BoardNames, seats: Mapping[str, int]
) -> tuple[Offer, bool]:
    """A side promise that a seat asks of the Boss, such as ``goodwill 2``; as :func:`read_offer`. Raises Unclear."""
    return read_offer([NOTHING_WORDS[0], *words], view, names, seats)


def offer_words(offer: Offer, view: BoardView, names: BoardNames) -> str:
    """The line to type for this offer."""
    boss = view.boss == view.seat
    partner = offer.to if boss else view.seat
    if not offer.placards and not offer.clans:
        return f"pay {offer.to} {offer.price}" if boss else f"goodwill {offer.price}"
    cards = card_words(offer.placards, offer.clans, partner, view, names)
    return f"ask {cards} from {offer.to} for {offer.price}" if boss else f"offer {cards} {offer.price}"


def card_words(
    placards: Sequence[Family], clans: Sequence[Family], partner: int, view: BoardView, names: BoardNames
) -> str:
    """The words to type for cards of a partner."""
    said = [names.word(f) if placard_owner(view, f) == partner else f"{names.word(f)} {PLACARD_WORD}" for f in placards]
    said += [f"{names.word(family)} {CLAN_WORD}" for family in clans]
    return " ".join(said)


def agreement_words(terms: Agreement, view: BoardView, names: BoardNames) -> str:
    """The words to type for a partner's cards in a closing."""
    cards = card_words(terms.placards, terms.clans, terms.partner, view, names)
    return f"{cards} from {terms.partner} for {terms.price}"
