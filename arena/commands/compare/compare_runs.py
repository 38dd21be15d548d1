"""A new version compared with an old one by matches that were played already, in one run or in two."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from arena.commands.compare.comparison import UNDECIDED_EXIT, ComparisonQuestion, ComparisonResult
from arena.commands.compare.outlook import look_ahead
from arena.errors import UserError, unknown_entrant
from arena.storage.layout import read_records
from arena.storage.run_facts.facts import Facts
from arena.storage.run_facts.registration import StoppingRule
from arena.storage.run_facts.registration_check import EXPLORATORY, standing_of_test
from arena.storage.run_folder import FolderStore
from arena.tournament.inference.paired import PairedMeasure, PairFinder
from arena.tournament.records.match_record import MatchRecord


def compare_runs(folders: Sequence[Path], asked: ComparisonQuestion) -> ComparisonResult:
    """The verdict from the matches in these folders in which both versions sat at the same tables: in the same edition,
    block, deal and seat, with the same bots in the other seats. Blocks are judged in their order, up to the verdict. If
    both versions have the same name, the first folder has the new one, and the second the old one.

    Raises UserError for more than two folders, or the same one twice, if an entrant is missing, if a name stands for
    different bots in the two folders, or if there is no such pair of matches."""
    from arena.sequential.sequential_test import SequentialTest  # numpy is slow to load

    _check_folders(folders)
    facts = [FolderStore(folder).facts() for folder in folders]
    own = asked.new if asked.new == asked.old else ""
    if own:
        if len(folders) != 2:
            raise UserError(f"both versions are {own!r}: expected two folders with --from, got {len(folders)}")
        asked = msgspec.structs.replace(asked, new=f"{own} in {folders[0]}", old=f"{own} in {folders[1]}")
    _check_entrants(folders, facts, asked, own)
    pairs, labels, games = PairFinder(asked.new, asked.old), dict[str, None](), dict[str, None]()
    for folder in folders:
        for record in read_records(folder):
            pairs.add(_rename_entrant(record, own, f"{own} in {folder}") if own else record)
            games[record.game] = labels[record.edition] = None
    blocks = pairs.blocks()
    if len(games) > 1 and asked.measure is PairedMeasure.MONEY:
        raise UserError(f"money of several games ({', '.join(sorted(games))}) cannot be added up: use --measure beaten")
    if not blocks:
        raise UserError(_no_pairs(folders, asked, pairs.alone))
    asked = asked.of_game(next(iter(games)), min(block.pairs + block.void for block in blocks))
    test = SequentialTest(asked.settings)
    used = []
    for block in blocks:
        if test.state.has_verdict:
            break
        used.append(block)
        test.add(asked.difference_of(block))
    names = {name for each in facts for name in each.entrants} - {asked.new, asked.old, own}
    return ComparisonResult(
        outlook=look_ahead(test.state, asked.settings, 0),
        asked=asked,
        state=test.state,
        blocks=used,
        labels=tuple(sorted(labels)),
        field=tuple(sorted(names)),
        games=tuple(sorted(games)),
        exit_code=0 if test.state.has_verdict else UNDECIDED_EXIT,
        matches=2 * sum(block.pairs + block.void for block in used),
        alone=pairs.alone,
        unread=len(blocks) - len(used),
        standing=_standing(folders, facts, asked),
    )


def _standing(folders: Sequence[Path], facts: Sequence[Facts], asked: ComparisonQuestion) -> str:
    """Whether this test of these runs was registered; of two runs together none is."""
    if len(folders) > 1:
        return EXPLORATORY
    rule = StoppingRule(blocks=facts[0].blocks, alpha=asked.alpha, beta=asked.beta, null=asked.null)
    state = FolderStore(folders[0]).state()
    return standing_of_test(facts[0], state, (asked.new, asked.old), asked.measure, asked.difference, rule)


def _check_folders(folders: Sequence[Path]) -> None:
    """Raise UserError for more than two folders, and for one that is given twice."""
    if len(folders) > 2:
        raise UserError(f"--from: expected at most two folders, got {len(folders)}")
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise UserError(f"--from: expected two folders, got {folders[0]} twice")


def _rename_entrant(record: MatchRecord, name: str, new: str) -> MatchRecord:
    """The record with the entrant ``name`` renamed to ``new``."""
    if all(seat.entrant != name for seat in record.seats):
        return record
    seats = tuple(msgspec.structs.replace(seat, entrant=new) if seat.entrant == name else seat for seat in record.seats)
    return msgspec.structs.replace(record, seats=seats)


def _check_entrants(folders: Sequence[Path], facts: Sequence[Facts], asked: ComparisonQuestion, own: str) -> None:
    """Raise UserError for a version that did not play, and for a name under which two different bots played."""
    known: dict[str, tuple[Path, object]] = {}
    for folder, each in zip(folders, facts, strict=True):
        for entered, entrant in each.entrants.items():
            name = f"{entered} in {folder}" if entered == own else entered
            bot = (entrant.get("sha256"), entrant.get("options"))
            there, other = known.setdefault(name, (folder, bot))
            if other != bot:
                raise UserError(f"{name} is another bot in {folder} than in {there}: their tables cannot be compared")
    for name in (asked.new, asked.old):
        if name not in known:
            name, where = own or name, " or ".join(map(str, folders))
            raise unknown_entrant(name, known, where)


def _no_pairs(folders: Sequence[Path], asked: ComparisonQuestion, alone: int) -> str:
    where = " and ".join(map(str, folders))
    why = "expected matches in which both sat in the same seat of the same deal, with the same others"
    why += f"; in {where} there are none"
    if alone:
        why += f" among the {alone} that one of them played without the other"
    place = f"{asked.new} in {asked.old}'s place"
    return f"{why}. Such matches come from a gauntlet with both as challengers, or with {place}"
