"""Invents names of families: two syllables, so that no text about the printed game mentions them."""

from __future__ import annotations

from arena.games.board.cards import FAMILIES, Family
from arena.games.chance import Chance

BEGINNINGS = (
    *("Bal", "Cor", "Dun", "Fen", "Gar", "Hol", "Jas", "Kem", "Lor", "Mar", "Nev", "Ost", "Pel", "Quin", "Rav", "Sel"),
    *("Tam", "Ul", "Ver", "Wex", "Yar", "Zan"),
)
"""First syllables; each begins with another letter, so that the six names of a board do too."""
ENDINGS = (
    *("bury", "cott", "dale", "field", "gard", "holm", "ister", "kin", "low", "mont", "nell", "over", "pole", "rick"),
    *("sted", "ton", "vane", "wick", "worth", "yer"),
)


def invent_names(chance: Chance) -> dict[Family, str]:
    """A name for each family, such as *Corwick*; no two begin with the same letter or have the same ending."""
    beginnings = chance.permutation(len(BEGINNINGS), "family beginning")
    endings = chance.permutation(len(ENDINGS), "family ending")
    return {
        family: BEGINNINGS[first] + ENDINGS[last]
        for family, first, last in zip(FAMILIES, beginnings, endings, strict=False)
    }
