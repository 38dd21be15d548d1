"""Turns the events of a deal of the board game into the steps of a scene, tick by tick."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from arena.drawing.scene import (
    Arrow,
    Banner,
    Bond,
    CardColor,
    Chip,
    Closing,
    Item,
    Mark,
    MarkKind,
    ScenePart,
    Step,
    Token,
)
from arena.drawing.spans import all_items, fault_mark, seen_lines
from arena.games.board import events
from arena.games.board.cards import FAMILIES, Family
from arena.games.board.moves import Agreement, Offer, Recruit, TakeOver, Travel
from arena.games.board.rules import Rules
from arena.games.contract import Event
from arena.replay.lines import Answered, Faulted

CLOSE_HOOK, INTERRUPT_HOOK = "close", "interrupt"
SHOWN_LETTERS = 3
"""The most letters of a family's name shown on a card."""


def family_chips(rules: Rules) -> dict[Family, Chip]:
    """A card for each family, with the fewest first letters of its name in the edition that distinguish it from the
    others; if three letters are too few, with the first letter of its colour."""
    for length in range(1, SHOWN_LETTERS + 1):
        said = {family: rules.names[family][:length].capitalize() for family in FAMILIES}
        if len(set(said.values())) == len(FAMILIES) and all(map(str.isalnum, said.values())):
            break
    else:
        said = {family: family[0].upper() for family in FAMILIES}
    return {family: Chip(said[family], CardColor(family.value)) for family in FAMILIES}


def price_text(price: int) -> str:
    """An amount of money as text."""
    return f"${price}M"


class BoardSteps:
    """Follows a deal's lines and collects the items to draw.

    ``buckets`` are the moments of the current tick, by kind: all offers of a tick are one moment, and so on. ``hook``
    is that of the current phase: cards laid and agreements made by a named closing are drawn as parts of it.
    """

    def __init__(self, rules: Rules, names: Sequence[str], seat: int | None, lines: Sequence[Event]) -> None:
        self.rules, self.names, self.viewer = rules, names, seat
        self.lines = seen_lines(lines, seat)
        self.chips = family_chips(rules)
        self.boss = 0
        self.offered: set[tuple[int, Offer]] = set()
        self.said: dict[int, str] = {}
        self.hook = ""
        self.steps: list[Step] = []
        self.label = "opening"
        self.buckets: dict[str, list[Item]] = {}

    def all_steps(self) -> tuple[Step, ...]:
        """All steps of the deal."""
        for index in range(len(self.lines)):
            self.take_line(index)
        self._end_step("")
        return _without_quiet(self.steps)

    def items(self) -> list[Item]:
        """All items of the lines that were taken so far."""
        return [*all_items(self.steps), *(item for bucket in self.buckets.values() for item in bucket)]

    def take_line(self, index: int) -> None:
        """Collect the items of the line at ``index``, which comes after those that were taken before."""
        match line := self.lines[index]:
            case None:
                return
            case Answered() | Faulted():
                self._decision(line)
            case events.Opened(seat):
                self.boss = seat
                self._add("opens", Mark(seat, MarkKind.BOSS, ("opens the deal",), boss=True))
            case events.TickBegan(tick):
                self._end_step(f"tick {tick}")
            case events.Offered(seat, offers):
                self._offers(index, seat, offers)
            case events.Laid() | events.Agreed() if self.hook == CLOSE_HOOK:
                return  # a part of the closing
            case events.Laid(seat, clans):
                self._lays(seat, clans)
            case events.Agreed(agreement):
                self._bond(agreement)
            case _:
                self._play(index, line)

    # A tick

    def _add(self, bucket: str, item: Item) -> None:
        self.buckets.setdefault(bucket, []).append(item)

    def _then(self, item: Item) -> None:
        """Add an item with a moment of its own."""
        self.buckets[f"then {len(self.buckets)}"] = [item]

    def _end_step(self, label: str) -> None:
        if self.label != "opening" or self.buckets:
            self.steps.append(Step(self.label, tuple(map(tuple, self.buckets.values()))))
        self.label, self.buckets, self.hook = label, {}, ""

    def _decision(self, line: Answered | Faulted) -> None:
        self.hook = line.hook
        if isinstance(line, Faulted):
            self._then(fault_mark(line, self.names))
        elif line.say and self.said.get(line.seat) != line.say:
            self.said[line.seat] = line.say
            self._add(
                f"says {line.hook}", Mark(line.seat, MarkKind.SAY, (line.say,), f"{self.names[line.seat]}: {line.say}")
            )

    # Offers

    def cards(self, placards: Iterable[Family], clans: Iterable[Family]) -> tuple[Chip, ...]:
        """Drawn cards for placards and clan cards."""
        return (
            *(self.chips[family] for family in placards),
            *(replace(self.chips[family], outlined=True) for family in clans),
        )

    def _terms(self, terms: Offer | Agreement) -> tuple[ScenePart, ...]:
        cards = self.cards(terms.placards, terms.clans)
        return (*cards, price_text(terms.price)) if cards else (f"goodwill {price_text(terms.price)}",)

    def _said(self, terms: Offer | Agreement) -> str:
        cards = [self.rules.names[family] for family in terms.placards]
        cards += [f"{self.rules.names[family]} clan" for family in terms.clans]
        return f"{' + '.join(cards) or 'goodwill'} for {price_text(terms.price)}"

    def _offers(self, index: int, seat: int, offers: tuple[Offer, ...]) -> None:
        """Add the offers that are new under this Boss: an arrow for each addressee."""
        new = [offer for offer in offers if (seat, offer) not in self.offered]
        self.offered.update((seat, offer) for offer in new)
        for to in sorted({offer.to for offer in new}):
            mine = [offer for offer in new if offer.to == to]
            tokens = tuple(Token(self._terms(offer), self._agreed(index, seat, offer)) for offer in mine)
            tokens = tuple(sorted(tokens, key=lambda token: not token.agreed))
            hint = f"{self.names[seat]} to {self.names[to]}: {'; '.join(map(self._said, mine))}"
            self._add("offers", Arrow(seat, to, tokens, hint))

    def _agreed(self, index: int, seat: int, offer: Offer) -> bool:
        """Whether the offer is agreed while it is open. The Boss's offers end before the next tick; those of others
        stay open until their seat sends a list without them (B4.5)."""
        terms = Agreement(offer.to if seat == self.boss else seat, offer.price, offer.placards, offer.clans)
        is_open = True
        for line in self.lines[index + 1 :]:
            match line:
                case events.Agreed(made) if is_open and made == terms:
                    return True
                case events.Offered(by, offers) if by == seat:
                    is_open = offer in offers
                case events.TickBegan() if seat == self.boss:
                    return False
                case events.NewBoss():
                    return False
        return False

    def _bond(self, made: Agreement) -> None:
        bucket = self.buckets.setdefault("agreed", [])
        token = Token(self._terms(made), True)
        for place, bond in enumerate(bucket):
            if isinstance(bond, Bond) and bond.partner == made.partner:
                bucket[place] = replace(bond, tokens=(*bond.tokens, token), hint=f"{bond.hint}; {self._said(made)}")
                return
        hint = f"{self.names[made.partner]} and {self.names[self.boss]} agree: {self._said(made)}"
        bucket.append(Bond(made.partner, self.boss, (token,), hint))

    # Plays

    def _lays(self, seat: int, clans: tuple[Family, ...]) -> None:
        parts: tuple[ScenePart, ...] = ("lays", *self.cards((), clans))
        bucket = f"lays {self.hook}" if self.hook == INTERRUPT_HOOK else "lays"
        mine = self.buckets.setdefault(bucket, [])
        for place, mark in enumerate(mine):
            if isinstance(mark, Mark) and mark.seat == seat:
                mine[place] = replace(mark, parts=(*mark.parts, *self.cards((), clans)))
                return
        mine.append(Mark(seat, MarkKind.LAY, parts))

    def _play(self, index: int, line: Event | None) -> None:
        match line:
            case events.Played(seat, play):
                self._then(Mark(seat, MarkKind.PLAY, self._played(play)))
            case events.Stopped(seat):
                self._change_last(stopped_by=seat)
            case events.NewBoss(seat):
                self.boss, self.offered = seat, set()
                self._change_last(kind=MarkKind.BOSS, parts=("new Boss",), boss=True)
            case events.AgreementFell(made):
                self._then(Mark(made.partner, MarkKind.FELL, ("falls:", *self._terms(made))))
            case events.Named(boss, placards, clans, partners):
                self.hook = CLOSE_HOOK
                self._then(self._named(boss, placards, clans, partners, self._goes_through(index)))
            case events.Failed(boss, gave_up):
                said = f"{self.names[boss]} gives up: the deal fails" if gave_up else "time runs out: the deal fails"
                self._then(Banner(said))

    def _goes_through(self, index: int) -> bool:
        """Whether the closing named at ``index`` is the one that closes the deal."""
        for line in self.lines[index + 1 :]:
            if isinstance(line, events.Closed | events.Failed | events.TickBegan):
                return isinstance(line, events.Closed)
        return False

    def _change_last(self, **fields: object) -> None:
        """Change fields of the mark of the latest play."""
        for bucket in reversed(self.buckets.values()):
            if isinstance(mark := bucket[-1], Mark) and mark.kind is MarkKind.PLAY:
                bucket[-1] = replace(mark, **fields)
                return

    def _played(self, play: Travel | TakeOver | Recruit) -> tuple[ScenePart, ...]:
        match play:
            case Travel(family, None):
                return "travel", *self.cards((family,), ())
            case Travel(family, int(owner)):
                return "travel", *self.cards((), (family,)), f"of {self.names[owner]}"
            case Recruit(placard):
                return "recruits", *self.cards((placard,), ())
            case _:
                return ("boss card",)

    def _named(
        self,
        boss: int,
        placards: tuple[Family, ...],
        clans: tuple[Family, ...],
        partners: tuple[Agreement, ...],
        through: bool,
    ) -> Closing:
        """The closing to draw: by seat, what it brings in. Several agreements of a partner stand side by side."""
        own = self.cards(placards, clans)
        shares: dict[int, tuple[ScenePart, ...]] = {boss: ("closes", *own)}
        for terms in partners:
            shares[terms.partner] = (*shares.get(terms.partner, ()), *self._terms(terms))
        return Closing(boss, tuple(shares.items()), foiled=not through)


def _without_quiet(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps, with each run of steps in which nothing happened merged into one."""
    found: list[Step] = []
    quiet: list[str] = []
    for step in (*steps, None):
        if step is not None and not step.moments:
            quiet.append(step.label)
            continue
        if quiet:
            label = quiet[0] if len(quiet) == 1 else f"ticks {quiet[0].split()[1]}–{quiet[-1].split()[1]}"
            found.append(Step(label, ((Banner("nothing new"),),)))
            quiet = []
        if step is not None:
            found.append(step)
    return tuple(found)
