"""Words for the cards of the card game: ``+3``, ``red -2``, ``pota``, ``wild pota``, ``reverse``, ``move 2``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arena.games.cards.cards import Card, Color
from arena.human.lexicon import Unclear, choose_meaning, either_words, quote_word

_VALUE_WORD = re.compile(r"[+-]?[1-5]")
_COLORED_VALUE = re.compile(r"(blue|green|red)([+-][1-5])")
JOINING_WORDS = (",", ";", "and", "card")
COLOR_WORDS: dict[str, Color] = {str(color): color for color in Color}
KIND_NAMES: dict[str, str] = {"reverse": "reverse", "pota": "pota", "move": "move", "wild": "wild"}


def card_words(card: Card) -> str:
    """The words to type for a card, which are its name."""
    return str(card)


def split_signs(words: Sequence[str]) -> list[str]:
    """The words, with a word such as ``red+3`` split in two."""
    found: list[str] = []
    for word in words:
        together = _COLORED_VALUE.fullmatch(word)
        found += [together[1], together[2]] if together else [word]
    return found


def read_card(words: Sequence[str], color: Color | None, hand: Sequence[Card]) -> tuple[Card, int]:
    """The card that the first words name, and the number of words that name it. Without a typed colour the card is of
    ``color``, or if that is None of the only colour in which ``hand`` has such a card. Raises Unclear."""
    if not words:
        raise Unclear("expected a card, such as +3, -2, pota, reverse, move 2 or wild pota")
    colour, used = None, 0
    if colours := [each for word, each in COLOR_WORDS.items() if word.startswith(words[0])]:
        if words[0] == "r" and len(words) == 1:
            raise Unclear("'r' could be red or reverse; type more letters")
        if len(words) > 1 or words[0] != "re":
            colour, used = colours[0], 1
    if used == len(words):
        raise Unclear(f"expected a card after {quote_word(words[0])}, such as {words[0]} +3")
    word, after = words[used], words[used + 1] if len(words) > used + 1 else ""
    if _VALUE_WORD.fullmatch(word):
        return _named_card(word if word[0] in "+-" else f"+{word}", colour or color, hand), used + 1
    kind = choose_meaning(word, KIND_NAMES, "card")
    if kind == "wild":
        return Card.WILD_POTA, used + (2 if after == "pota" else 1)
    if kind == "move":
        if after not in ("1", "2", "3"):
            raise Unclear("expected the number of a move card: move 1, move 2 or move 3")
        return _named_card(f"move {after}", colour or color, hand), used + 2
    return _named_card(kind, colour or color, hand), used + 1


def _named_card(name: str, color: Color | None, hand: Sequence[Card]) -> Card:
    """The card with this name (without colour) in ``color``. Raises Unclear if its colour is not clear."""
    known = {str(card): card for card in Card}
    if color is not None:
        found = known.get(f"{color} {name}")
        if found is None:
            raise Unclear(f"there is no card {quote_word(f'{color} {name}')}; values are +1 to +4 and -2 to -5")
        return found
    mine = list(dict.fromkeys(card for card in hand if str(card).partition(" ")[2] == name))
    if len(mine) == 1:
        return mine[0]
    if mine:
        raise Unclear(f"{quote_word(name)} could be {either_words([str(card) for card in mine])}; type its colour")
    if f"red {name}" not in known:
        raise Unclear(f"there is no card {quote_word(name)}; values are +1 to +4 and -2 to -5")
    raise Unclear(f"there is no {name} card in your hand")


def read_cards(words: Sequence[str], hand: Sequence[Card]) -> tuple[Card, ...]:
    """The cards that were typed, such as ``red +3, wild pota``. Raises Unclear."""
    left, found = [word for word in split_signs(words) if word not in JOINING_WORDS], []
    while left:
        card, used = read_card(left, None, hand)
        found.append(card)
        left = left[used:]
    return tuple(found)
