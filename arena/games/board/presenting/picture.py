"""The picture of a deal of the board game: makes a scene from a replay's lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.drawing.deal_pictures import DealPictures
from arena.drawing.scene import Item, Lane, Scene, ScenePart
from arena.drawing.spans import Span, decided_from, items_by_line, whose_knowledge
from arena.games.board import events
from arena.games.board.log.fold import BoardFold
from arena.games.board.log.fold_table import BoardTable
from arena.games.board.presenting.picture_steps import BoardSteps, family_chips, price_text
from arena.games.board.rules import Rules
from arena.games.contract import Event
from arena.replay.lines import Header

Ended = events.Closed | events.Failed


def find_deals(lines: Sequence[Event], names: Sequence[str]) -> list[Span]:
    """Where every deal stands in a replay, in the order of opening."""
    found: list[Span] = []
    opened, first = None, 0
    for index, line in enumerate(lines):
        if isinstance(line, events.Opened):
            opened, first = line, decided_from(lines, index)
        elif isinstance(line, Ended) and opened is not None:
            said = f"space {opened.space}: {deal_end_sentence(opened, line, names)}"
            paid = line.proceeds if isinstance(line, events.Closed) else 0
            found.append(Span(len(found) + 1, first, index + 1, said, paid))
            opened = None
    return found


def deal_end_sentence(opened: events.Opened, end: Ended, names: Sequence[str]) -> str:
    """How a deal ended, in words."""
    match end:
        case events.Closed():
            return f"{names[end.boss]} closes for ${end.proceeds}M and keeps ${end.kept}M"
        case events.Failed(boss, True):
            return f"{names[boss]} gives up, and nobody gets the ${opened.proceeds}M"
        case _:
            return f"time runs out, and nobody gets the ${opened.proceeds}M"


def board_scene(
    header: Header, rules: Rules, lines: Sequence[Event], span: Span, names: Sequence[str], seat: int | None
) -> Scene:
    """The scene of the deal at ``span``; ``names`` are by seat; with ``seat`` it has only what that seat knew."""
    fold = BoardFold(rules, len(names), seat)
    for line in lines[: span.first]:
        fold.follow(line)
    deal = lines[span.first : span.last]
    opened = next(line for line in deal if isinstance(line, events.Opened))
    steps = BoardSteps(rules, names, seat, deal)
    end = deal[-1]
    assert isinstance(end, Ended)
    return Scene(
        title=f"Deal {span.number} on space {opened.space}: {deal_end_sentence(opened, end, names)}",
        facts=_deal_facts(header, rules, fold.table, opened, seat, names),
        lanes=tuple(_lane(rules, fold.table, each, name, end) for each, name in enumerate(names)),
        steps=steps.all_steps(),
        boss=end.boss,
        unit="$M",
        key=tuple((chip, rules.names[family]) for family, chip in family_chips(rules).items()),
        filled="placard",
        outlined="clan card",
        offer="$2M",
        agreement="$2M",
    )


def _deal_facts(
    header: Header, rules: Rules, table: BoardTable, opened: events.Opened, seat: int | None, names: Sequence[str]
) -> tuple[tuple[ScenePart, ...], ...]:
    """Lines about the needs of the space, what it pays, and the deal's place in the match."""
    space, chips = rules.spaces[opened.space], family_chips(rules)
    needs: list[ScenePart] = ["Needs", *(chips[family] for family in space.required)]
    for group in space.groups:
        needs += ["and" if len(needs) > 1 else "", f"{group.choose} of", *(chips[family] for family in group.families)]
    aside: list[ScenePart] = [chips[placard.family] for placard in table.placards if placard.owner is None]
    if aside:
        needs += ["·", "aside", *aside]
    worth = rules.deals[table.deal] if table.deal is not None else 0
    needs += [
        "·",
        f"pays {space.dividends} dividends of ${worth}M (deal card {table.deal}): {price_text(opened.proceeds)}",
    ]
    match_ = (header.edition, f"turn {table.turn}", *whose_knowledge(header, names, seat))
    return tuple(filter(None, needs)), (" · ".join(match_),)


def _lane(rules: Rules, table: BoardTable, seat: int, name: str, end: Ended) -> Lane:
    about = (seat_holds(rules, table, seat),)
    if isinstance(end, events.Failed):
        return Lane(name, about)
    return Lane(name, about, end.amounts[seat], "keeps" if seat == end.boss else "is paid")


def seat_holds(rules: Rules, table: BoardTable, seat: int) -> tuple[ScenePart, ...]:
    """The placards of a seat, and how many cards are in its hand."""
    chips = family_chips(rules)
    holds: list[ScenePart] = [chips[placard.family] for placard in table.placards if placard.owner == seat]
    hand = table.hand_sizes[seat]
    cards = f"{hand} card" if hand == 1 else f"{hand} cards"
    return (*holds, f"and {cards}") if holds else (cards,)


def deal_items(
    rules: Rules, lines: Sequence[Event], names: Sequence[str], seat: int | None
) -> Iterator[tuple[Item, ...]]:
    """With each line of a deal, what is drawn of it."""
    return items_by_line(BoardSteps(rules, names, seat, lines))


BOARD_PICTURES = DealPictures("deal", find_deals, board_scene, deal_items, seat_holds)
