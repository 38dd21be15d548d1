"""Words for families and influence cards: by an edition's names and by colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from arena.games.board.cards import CARD_ID, CLAN_CARDS, TRAVEL_CARDS, Card, Family
from arena.games.board.rules import Rules
from arena.human.lexicon import Unclear, choose_meaning, either_words, find_meanings, quote_word, split_words


class Filler(StrEnum):
    """Words that are ignored, because they only join others."""

    AND = "and"
    COMMA = ","
    SEMICOLON = ";"
    PLUS = "+"


FILLER_WORDS = frozenset(Filler)
CLAN_WORD, TRAVEL_WORD, WILD_WORD, PLACARD_WORD = "clan", "travel", "wild", "placard"
KIND_WORDS: dict[str, str] = {
    CLAN_WORD: CLAN_WORD,
    TRAVEL_WORD: TRAVEL_WORD,
    WILD_WORD: WILD_WORD,
    "card": CLAN_WORD,
    "clans": CLAN_WORD,
    "cards": CLAN_WORD,
}
SINGLE_CARDS: dict[str, Card] = {"recruitment": Card.RECRUITMENT, "boss": Card.BOSS, "stop": Card.STOP}


class BoardNames:
    """The words for one edition's families. Each family is understood by its name in the edition and by its colour,
    unless the colour is another family's name."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.families: dict[str, Family] = {str(family): family for family in Family}
        self.families |= {
            name.casefold(): family for family, name in rules.names.items() if len(split_words(name)) == 1
        }

    def word(self, family: Family) -> str:
        """The word to type for a family."""
        name = self.rules.names[family].casefold()
        return name if self.families.get(name) is family else str(family)

    def family(self, word: str) -> Family:
        """The family that a word means. Raises Unclear."""
        return choose_meaning(word, self.families, "family")

    def is_family(self, word: str) -> bool:
        """Whether a word means exactly one family."""
        return len(find_meanings(word, self.families)) == 1

    def card(self, card: Card) -> str:
        """The words to type for an influence card."""
        if card.family is None:
            return WILD_WORD if card is Card.TRAVEL_WILD else str(card)
        return f"{self.word(card.family)} {CLAN_WORD if CARD_ID[card] < 6 else TRAVEL_WORD}"

    def clans(self, words: Sequence[str]) -> tuple[Family, ...]:
        """The families of typed clan cards, such as ``red red blue``. Raises Unclear."""
        left = [word for word in words if word not in FILLER_WORDS and KIND_WORDS.get(word) != CLAN_WORD]
        return tuple(map(self.family, left))

    def cards(self, words: Sequence[str], hand: Sequence[Card]) -> tuple[Card, ...]:
        """The influence cards that were typed, such as ``red clan, travel blue, wild, stop``. A family alone means its
        card in ``hand``, if only one kind of it is there. Raises Unclear."""
        left, found = [word for word in words if word not in FILLER_WORDS], []
        while left:
            card, used = self._first(left, hand)
            found.append(card)
            left = left[used:]
        return tuple(found)

    def _first(self, words: Sequence[str], hand: Sequence[Card]) -> tuple[Card, int]:
        """The card that the first words name, and the number of words that name it."""
        word, after = words[0], words[1] if len(words) > 1 else ""
        if word in (WILD_WORD, TRAVEL_WORD) and after in (WILD_WORD, TRAVEL_WORD) and word != after:
            return Card.TRAVEL_WILD, 2
        if word in KIND_WORDS and KIND_WORDS[word] != WILD_WORD:
            if not after:
                raise Unclear(f"name the family of the {word} card: {word} FAMILY")
            return self._of(self.family(after), KIND_WORDS[word]), 2
        if word == WILD_WORD:
            return Card.TRAVEL_WILD, 1
        if len(cards := find_meanings(word, SINGLE_CARDS)) == 1 and not self.is_family(word):
            return cards[0], 1
        family = self._family_or_card(word)
        if after in KIND_WORDS and KIND_WORDS[after] != WILD_WORD:
            return self._of(family, KIND_WORDS[after]), 2
        return self._in_hand(family, hand), 1

    def _family_or_card(self, word: str) -> Family:
        known: Mapping[str, Family | Card] = {**self.families, **SINGLE_CARDS}
        meant = choose_meaning(word, known, "family or card")
        if not isinstance(meant, Family):
            raise Unclear(f"{quote_word(word)} could be a family or a card; type more letters")
        return meant

    def _of(self, family: Family, kind: str) -> Card:
        return (CLAN_CARDS if kind == CLAN_WORD else TRAVEL_CARDS)[family]

    def _in_hand(self, family: Family, hand: Sequence[Card]) -> Card:
        mine = [card for card in (CLAN_CARDS[family], TRAVEL_CARDS[family]) if card in hand]
        if len(mine) == 1:
            return mine[0]
        word = self.word(family)
        if mine:
            raise Unclear(
                f"{quote_word(word)} could be {either_words([self.card(card) for card in mine])}; type both words"
            )
        raise Unclear(f"there is no card of {self.rules.names[family]} in your hand")
