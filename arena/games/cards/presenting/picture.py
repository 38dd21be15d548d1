"""The picture of a round of the card game: makes a scene from a replay's lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.drawing.deal_pictures import DealPictures
from arena.drawing.scene import CardColor, Chip, Item, Lane, Scene, ScenePart
from arena.drawing.spans import Span, decided_from, items_by_line, whose_knowledge
from arena.games.cards import events
from arena.games.cards.cards import Color
from arena.games.cards.log.fold import CardsFold
from arena.games.cards.log.fold_table import CardsTable
from arena.games.cards.presenting.picture_steps import CardsSteps, card_chip
from arena.games.cards.rules import Rules
from arena.games.contract import Event
from arena.replay.lines import Header


def find_rounds(lines: Sequence[Event], names: Sequence[str]) -> list[Span]:
    """Where every round stands in a replay, in order."""
    found: list[Span] = []
    first = 0
    for index, line in enumerate(lines):
        if isinstance(line, events.RoundBegan):
            first = decided_from(lines, index)
        elif isinstance(line, events.Settled):
            paid = sum(amount for amount in line.amounts if amount > 0)
            found.append(Span(line.round, first, index + 1, round_end_sentence(line, names), paid))
    return found


def owed_money(dollars: int) -> str:
    """An amount in $ as text; it may be negative."""
    return f"−${-dollars}" if dollars < 0 else f"${dollars}"


def round_end_sentence(end: events.Settled, names: Sequence[str]) -> str:
    """How a round ended, in words."""
    amount = end.amounts[end.boss]
    did = f"receives {owed_money(amount)}" if amount >= 0 else f"pays ${-amount}"
    return f"{names[end.boss]} is the Boss and {did}, at {owed_money(end.value)} a share"


def cards_scene(
    header: Header, rules: Rules, lines: Sequence[Event], span: Span, names: Sequence[str], seat: int | None
) -> Scene:
    """The scene of the round at ``span``; ``names`` are by seat; with ``seat`` it has only what that seat knew."""
    fold = CardsFold(rules, len(names), seat)
    round_ = lines[span.first : span.last]
    for line in (*lines[: span.first], *round_[:-1]):
        fold.follow(line)
        if isinstance(line, events.RoundBegan):
            sizes, money = fold.table.hand_sizes, fold.table.money
    table, end = fold.table, round_[-1]
    assert isinstance(end, events.Settled)
    facts: tuple[ScenePart, ...] = (
        "In the centre",
        *(map(card_chip, table.centre) if table.centre else ("nothing",)),
        f"· multiplier {table.multiplier} · a share is worth {owed_money(end.value)}",
    )
    match_ = " · ".join((header.edition, *whose_knowledge(header, names, seat)))
    return Scene(
        title=f"Round {span.number}: {round_end_sentence(end, names)}",
        facts=(facts, (match_,)),
        lanes=tuple(
            Lane(name, ((f"${money[each]}, {sizes[each]} cards",),), amount, "receives" if amount > 0 else "pays")
            for each, (name, amount) in enumerate(zip(names, end.amounts, strict=True))
        ),
        steps=CardsSteps(names, seat, round_, end.boss).all_steps(),
        boss=end.boss,
        unit="$",
        key=tuple((Chip(color[0].upper(), CardColor(color.value)), color.value) for color in Color),
        offer="pass",
        agreement="Cousin",
    )


def seat_holds(rules: Rules, table: CardsTable, seat: int) -> tuple[ScenePart, ...]:
    """How many cards are in a seat's hand."""
    hand = table.hand_sizes[seat]
    return (f"{hand} card" if hand == 1 else f"{hand} cards",)


def round_items(
    rules: Rules, lines: Sequence[Event], names: Sequence[str], seat: int | None
) -> Iterator[tuple[Item, ...]]:
    """With each line of a round, what is drawn of it."""
    boss = next(line.boss for line in lines if isinstance(line, events.Settled))
    return items_by_line(CardsSteps(names, seat, lines, boss))


CARDS_PICTURES = DealPictures("round", find_rounds, cards_scene, round_items, seat_holds)
