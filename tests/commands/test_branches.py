"""What a decision of a recorded match was worth: other answers under chance in common, in both games and a third."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.config.editions import load_edition
from arena.finding.reference import find_file, refer_file
from arena.match.refereeing.minutes import Minutes
from arena.match.runner import play_here
from arena.match.walk.timeline import Timeline, TimelineAsk, whole_timeline
from arena.match.walk.verifier import Verifier
from arena.match.walk.verify import verify_replay
from arena.replay.formats import FORMAT_1, encode_as_written
from arena.replay.lines import Answered
from arena.replay.read import read_replay_lines
from tests.conftest import small, spec_of, write_player
from tests.thirdgame.pie import Pie

PIE = Path(__file__).parents[1] / "thirdgame"
GAME = "tests.thirdgame.pie"
SEATS = ("dealmaker", "greedy", "fair")
PLAYERS = ("miser", "closer", "fair")
FORGETFUL = "def turn(self, view): return Reply(self.play_on(view), say=os.urandom(8).hex())"
DEADLY = "def turn(self, view): os._exit(1)"
EARLY = ("--at", "ask6", "--repeat", 1, "--trust", "-q", "-j", 1)


@pytest.fixture(scope="module")
def replays(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Matches of bundled bots: ``board.jsonl`` ends with a deal that greedy closes, ``cards.jsonl``, and ``pie.jsonl``,
    which ends in its only round."""
    folder = tmp_path_factory.mktemp("replays")
    for name, edition, seats in (("board", small(turns=6), SEATS), ("cards", load_edition("card-game"), PLAYERS)):
        refs = tuple(map(find_file, seats))
        (folder / f"{name}.jsonl").write_bytes(play_here(spec_of(refs, edition, seed="s0"), refs).replay)
    even = tuple(refer_file(str(PIE / "bots" / "even.py"), None) for _ in range(3))
    pie = load_edition(str(PIE / "pie.yaml"), changes={"rounds": 1})
    (folder / "pie.jsonl").write_bytes(play_here(spec_of(even, pie, seed="3"), even).replay)
    return folder


def asked(path: Path, hook: str, nth: int = -1) -> TimelineAsk:
    """The first, or another ``nth``, ask of this hook that was answered by a line."""
    lines = [
        line for line in read_replay_lines(path.read_bytes())[1] if isinstance(line, Answered) and line.hook == hook
    ]
    found = Timeline(path.read_bytes()).ask(lines[nth].ask)
    assert found is not None
    return found


def data(arena: Any, *words: object, code: int = 0) -> Any:
    """What ``arena branch --json`` prints."""
    ran = arena("branch", *words, "--json")
    assert ran.code == code, ran.err
    return json.loads(ran.out)


def test_refusing_the_last_deal_costs_exactly_what_it_paid(arena: Any, replays: Path) -> None:
    board = replays / "board.jsonl"
    closed = next(line for line in read_replay_lines(board.read_bytes())[1][::-1] if type(line).__name__ == "Closed")
    assert (closed.boss, closed.proceeds, closed.paid) == (1, 15, (5, 0, 0))  # type: ignore[attr-defined]
    last = asked(board, "close")
    words = (board, "--at", f"#{last.at}", "--move", "give up", "--repeat", 5, "--trust", "-q", "-j", 1)
    ran = arena("branch", *words)
    assert ran.code == 0, ran.err
    assert f"Ask {last.number} (#{last.at}): greedy#1 (1) is asked: close." in ran.out
    assert "gives up: exactly $10M less for greedy#1 in all 5 repetitions; what comes in 45 % of" in ran.out
    recorded, changed = data(arena, *words)["variants"]
    assert [(each["mean"], each["alike"]) for each in changed["differences"]] == [(-5, True), (-10, True), (0, True)]
    assert (changed["matchpoints"]["mean"], changed["pairs"], changed["left_out"]) == (0, 5, 0)
    assert [each - 10 for each in recorded["own_chance"][1:2]] == changed["own_chance"][1:2]


def test_refusing_the_last_split_of_a_third_game_is_worth_what_walking_away_is(arena: Any, replays: Path) -> None:
    pie = replays / "pie.jsonl"
    lines = read_replay_lines(pie.read_bytes())[1]
    worths = [line.worth for line in lines if type(line).__name__ == "Valued"]  # type: ignore[attr-defined]
    shares = next(line.shares for line in lines if type(line).__name__ == "Proposed")  # type: ignore[attr-defined]
    found = data(arena, pie, "--at", "ask2", "--trust", "-q", "-j", 1, "--repeat", 3, "--game", GAME, *bots_of_pie())
    recorded, refused = found["variants"]
    assert [each["mean"] for each in refused["differences"]] == [
        worth - share for worth, share in zip(worths, shares, strict=True)
    ]
    assert recorded["own_chance"] == list(shares)
    assert found["others"] == [{"told": '{"move":"no"}', "move": '{"move":"no"}'}]


def bots_of_pie() -> list[str]:
    even = PIE / "bots" / "even.py"
    return [word for seat in range(3) for word in ("--bot-of", f"even.py#{seat}={even}")]


def test_a_game_that_cannot_draw_anew_is_branched_as_chance_fell(
    arena: Any, replays: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(Pie, "draw_anew")
    words = (replays / "pie.jsonl", "--at", "ask2", "--trust", "-q", "-j", 1, "--game", GAME, *bots_of_pie())
    ran = arena("branch", *words, "--repeat", 3)
    assert ran.code == 2
    assert "this game does not define how to draw chance anew (draw_anew); use the match's own dice" in ran.err
    assert "with --repeat 0" in ran.err
    ran = arena("branch", *words, "--repeat", 0)
    assert ran.code == 0
    assert "what would have happened, not what to expect (--repeat 100)" in " ".join(ran.out.split())


@pytest.mark.slow
@pytest.mark.parametrize(("game", "bot"), [("board", "hard"), ("cards", "counter")])
def test_equal_commands_give_equal_bytes_in_any_number_of_processes(
    game: str, bot: str, arena: Any, replays: Path, tmp_path: Path
) -> None:
    path = replays / f"{game}.jsonl"
    words = ("branch", path, "--at", "ask12", "--bot", bot, "--repeat", 1, "--csv", "b.csv", "-q")
    told = set()
    for more in (("-j", 1, "--trust"), ("-j", 2)):
        ran = arena(*words, *more)
        assert ran.code == 0, ran.err
        told.add((ran.out, (tmp_path / "b.csv").read_bytes()))
    ((text, table),) = told
    assert f"{bot} takes over" in text
    rows = table.decode().splitlines()
    assert rows[0] == "variant,repetition,chance,seat,entrant,money"
    assert len(rows) == 1 + 2 * 2 * len(SEATS)


def test_as_recorded_in_its_own_chance_is_the_match_and_both_replays_verify(
    arena: Any, replays: Path, tmp_path: Path
) -> None:
    board = replays / "board.jsonl"
    words = ("--move", "roll", "--out", "kept", "--csv", tmp_path / "b.csv")
    ran = arena("branch", board, *EARLY[2:], "--at", f"ask{asked(board, 'turn').number}", *words)
    assert ran.code == 0, ran.err
    assert ran.out.endswith("replay  kept/recorded.jsonl\nreplay  kept/changed.jsonl\n")
    recorded, changed = ((tmp_path / "kept" / f"{name}.jsonl").read_bytes() for name in ("recorded", "changed"))
    assert recorded.split(b"\n")[1:-2] == board.read_bytes().split(b"\n")[1:-2]
    assert verify_replay(recorded).header.id == f"match/branch/ask-{asked(board, 'turn').number}/0/0"
    assert changed.count(b'"move":"roll"') != recorded.count(b'"move":"roll"')
    assert verify_replay(changed).header.id != verify_replay(recorded).header.id
    money = {line.split(",")[1]: line for line in (tmp_path / "b.csv").read_text().splitlines()[1:]}
    assert set(money) == {"0", "1"}


def test_a_replay_of_an_old_format_is_branched(arena: Any, replays: Path, tmp_path: Path) -> None:
    header, lines = read_replay_lines((replays / "board.jsonl").read_bytes())
    old = msgspec.structs.replace(header, format=FORMAT_1)
    (tmp_path / "old.jsonl").write_bytes(encode_as_written([old, *lines[1:]], old))
    ran = arena("branch", "old.jsonl", *EARLY, "--bot", "hard", "--strict")
    assert ran.code == 0, ran.err


def test_without_a_move_all_other_answers_are_tried_where_they_are_few(arena: Any, replays: Path) -> None:
    board = replays / "board.jsonl"
    turn = asked(board, "turn", 1)
    ran = arena("branch", board, "--at", f"ask{turn.number}", "--repeat", 3, "--trust", "-q", "-j", 1)
    assert ran.code == 0, ran.err
    assert len(turn.legal) > 2
    for number in range(1, len(turn.legal)):
        assert f"\n{number}: " in ran.out
    assert f"\n{len(turn.legal)}: " not in ran.out


@pytest.mark.parametrize(
    ("hook", "nth", "words", "message"),
    [
        ("turn", 0, ("--move", "fly"), "--move fly: not an answer to turn: 'fly' is no answer to this ask"),
        ("turn", 0, ("--move", '{"move":"place","space":3}'), "not an answer to turn: "),
        ("turn", 0, ("--move", '{"move":'), "not an answer to turn: "),
        ("close", -1, ("--move", '{"move":"close"}'), "required and not named (B4.2); legal at ask "),
        ("close", -1, ("--move", "go on", "--bot", "fair"), "--move and --bot are two ways to change a decision"),
        ("offer", 0, (), "had more than 6 other legal answers; name one, such as --move "),
        ("close", -1, ("--bot", "fairy"), "no bundled bot 'fairy'"),
        ("close", -1, ("--bot-of", "nobody=fair"), "no entrant 'nobody'"),
        ("close", -1, ("--bot", "tycoon"), "bot tycoon does not play the game board; it plays cards"),
        ("close", -1, ("--bot-of", "fair#2=tycoon"), "does not play the game board; it plays cards"),
        ("turn", 0, ("--move", "\udcff\udcfe"), r"--move \udcff\udcfe: not an answer to turn: "),
        ("turn", 0, ("--move", '{"\udcff'), "not an answer to turn: it is not valid UTF-8; legal at ask "),
    ],
)
def test_a_mistake_is_told_before_anything_is_played(
    hook: str, nth: int, words: tuple[str, ...], message: str, arena: Any, replays: Path
) -> None:
    board = replays / "board.jsonl"
    ran = arena("branch", board, "--at", f"ask{asked(board, hook, nth).number}", "--trust", *words)
    assert (ran.code, ran.out) == (2, "")
    *level, told = ran.err.splitlines()
    assert message in told
    assert [line for line in level if "isolation" not in line] == []
    assert "branches at" not in ran.err


@pytest.mark.parametrize(
    ("damage", "code", "message"),
    [
        (lambda content: content[: content.index(b"\n", 9000) + 1], 2, "cut off: the result is missing"),
        (
            lambda content: content.replace(b'"rules_sha256":"', b'"rules_sha256":"00', 1),
            2,
            "line 1: rules_sha256 is 00",
        ),
        (lambda content: b"", 2, "the file is empty"),
        (lambda content: content.replace(b'"answer"', b'"fault"', 1), 3, "line "),
        (lambda content: content + content.split(b"\n")[-2] + b"\n", 3, "expected the end of the file"),
    ],
)
def test_a_damaged_replay_is_named_before_anything_is_played(
    damage: Callable[[bytes], bytes], code: int, message: str, arena: Any, replays: Path, tmp_path: Path
) -> None:
    (tmp_path / "damaged.jsonl").write_bytes(damage((replays / "board.jsonl").read_bytes()))
    for words in (("--at", "ask6"), ("--at", "#30"), ("--scan", 0)):
        ran = arena("branch", "damaged.jsonl", *words, "--trust")
        assert (ran.code, ran.out) == (code, ""), ran.err
        assert ran.err.startswith("arena: damaged.jsonl: ")
        assert message in ran.err


def test_the_recorded_answer_is_no_other_and_an_ask_must_be_named(arena: Any, replays: Path) -> None:
    board = replays / "board.jsonl"
    last = asked(board, "close")
    told = arena(
        "branch", board, "--at", f"ask{last.number}", "--move", last.line and bytes(last.line.move).decode()
    ).err
    assert "that is what greedy#1 answered; name one, such as --move 'go on', --move 'give up'" in told
    assert "expected an event or an ask (--at), got neither" in arena("branch", board).err
    assert "there is no ask 999; the asks of the replay are 1 to" in arena("branch", board, "--at", "ask999").err


def test_moves_are_named_in_words_as_json_and_by_their_name(arena: Any, replays: Path) -> None:
    board = replays / "board.jsonl"
    for hook, moves in (("turn", ("roll", '{"move":"roll"}')), ("offer", ("goodwill 2 also; done", "offers"))):
        found = asked(board, hook, 0)
        for move in moves:
            ran = arena(
                "branch", board, "--at", f"ask{found.number}", "--move", move, "--repeat", 0, "--trust", "-q", "-j", 1
            )
            assert ran.code == 0 or "that is what" in ran.err, ran.err


def played(folder: Path, *bots: str | Path, **more: Any) -> Path:
    """A match of bots, bundled ones and files beside it."""
    refs = tuple(refer_file(str(bot), None) if isinstance(bot, Path) else find_file(bot) for bot in bots)
    path = folder / "match.jsonl"
    path.write_bytes(play_here(spec_of(refs, small(turns=5), **more), refs).replay)
    return path


def test_a_bot_that_does_not_repeat_itself_is_named_and_strictness_fails(arena: Any, tmp_path: Path) -> None:
    path = played(tmp_path, write_player(tmp_path, FORGETFUL, "forgetful"), "greedy", "fair")
    lines = [line for line in read_replay_lines(path.read_bytes())[1] if isinstance(line, Answered) and line.say]
    said = [line.ask for line in lines if line.seat == 0]
    words = (path, "--at", f"ask{said[-1] - 1}", "--repeat", 3, "--trust", "-q", "-j", 1, "--bot", "hard")
    ran = arena("branch", *words)
    assert ran.code == 0
    assert "forgetful.py#0 (seat 0) answers differently when re-asked, first at ask" in ran.err
    assert "the match ends differently: forgetful.py#0 (seat 0) does not repeat itself, first at ask " in " ".join(
        ran.err.split()
    )
    found = data(arena, *words, "--strict", code=1)
    assert found["unrepeated"] == [{"seat": 0, "entrant": "forgetful.py#0", "ask": said[0]}]
    assert found["parted"]["seat"] == 0
    assert found["parted"]["ask"] == said[-1]


@pytest.mark.slow
def test_a_bot_that_dies_costs_its_own_outcome_alone(arena: Any, tmp_path: Path) -> None:
    path = played(tmp_path, "greedy", "hard", "fair")
    write_player(tmp_path, DEADLY, "deadly")
    turn = asked(path, "turn", 1)
    words = (path, "--at", f"ask{turn.number}", "--repeat", 1, "-q", "-j", 1, "--bot", "./deadly.py")
    ran = arena("branch", *words, "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert found["played"] == found["planned"] == 4
    assert found["faults"] == [{"name": "./deadly.py takes over", "seat": turn.ask.seat, "kind": "dead", "times": 2}]
    assert found["unrepeated"] == [], "nobody else is asked otherwise"
    assert found["variants"][1]["pairs"] == 1
    assert "faults in the branches, ./deadly.py takes over: 2 × dead of " in ran.err


@pytest.mark.slow
def test_a_void_branch_does_not_count(arena: Any, tmp_path: Path) -> None:
    path = played(tmp_path, "greedy", "hard", "fair", policy="void")
    write_player(tmp_path, DEADLY, "deadly")
    turn = asked(path, "turn", 1)
    words = ("--at", f"ask{turn.number}", "--seat", turn.ask.seat, "--repeat", 1, "-q", "-j", 1, "--bot", "./deadly.py")
    ran = arena("branch", path, *words)
    assert ran.code == 0, ran.err
    assert "branches that do not count: 2; the match is void, because bots failed" in ran.err
    assert "./deadly.py takes over: no repetition counts." in ran.out


def test_a_human_needs_a_bot_that_plays_on(arena: Any, replays: Path, tmp_path: Path) -> None:
    header, lines = read_replay_lines((replays / "board.jsonl").read_bytes())
    seats = (msgspec.structs.replace(header.seats[0], entrant="human", bot="human", sha256=""), *header.seats[1:])
    human = msgspec.structs.replace(header, seats=seats)
    result = lines[-1]
    named = (msgspec.structs.replace(result.seats[0], entrant="human"), *result.seats[1:])  # type: ignore[attr-defined]
    lines[0], lines[-1] = human, msgspec.structs.replace(result, seats=named)
    (tmp_path / "human.jsonl").write_bytes(encode_as_written(lines, human))
    ran = arena("branch", "human.jsonl", *EARLY, "--bot", "hard")
    assert ran.code == 2
    assert "human was a human; name a bot to ask instead: --bot-of human=" in ran.err
    assert arena("branch", "human.jsonl", *EARLY, "--bot", "hard", "--bot-of", "human=dealmaker").code == 0


def test_ctrl_c_leaves_what_is_known(arena: Any, replays: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.commands.branch import command

    whole = command.branch_outcomes

    def stopped(*given: Any) -> Any:
        for number, outcome in enumerate(whole(*given)):
            if number == 9:
                raise KeyboardInterrupt
            yield outcome

    monkeypatch.setattr(command, "branch_outcomes", stopped)
    monkeypatch.setattr(command, "ignore_all", lambda: None)
    board = replays / "board.jsonl"
    found = data(
        arena, board, "--at", f"ask{asked(board, 'close').number}", "--move", "give up", "-j", 1, "--trust", code=130
    )
    assert (found["played"], found["planned"]) == (9, 202)
    assert found["variants"][1]["pairs"] == 3
    assert found["variants"][1]["differences"][1]["mean"] == -10


def test_names_in_a_strangers_replay_do_nothing_to_the_terminal(arena: Any, replays: Path, tmp_path: Path) -> None:
    content = (replays / "board.jsonl").read_bytes().replace(b'"greedy#1"', b'"greedy\\u001b[2J"')
    header, lines = read_replay_lines(content)
    (tmp_path / "odd.jsonl").write_bytes(encode_as_written(lines, header))
    for more in ((), ("--json",)):
        ran = arena("branch", "odd.jsonl", *EARLY, "--bot", "hard", *more)
        assert ran.code == 0, ran.err
        assert "\x1b" not in ran.out + ran.err


def test_text_fits_a_narrow_terminal(arena: Any, replays: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    board = replays / "board.jsonl"
    for hook, moves in (("turn", ()), ("close", ("--move", "go on", "--move", "give up"))):
        ran = arena(
            "branch", board, "--at", f"ask{asked(board, hook).number}", *moves, "--repeat", 3, "--trust", "-q", "-j", 1
        )
        assert ran.code == 0, ran.err
        assert all(len(line) <= 80 for line in ran.out.splitlines()), ran.out


def test_a_match_of_a_run_is_branched_with_the_bots_of_its_configuration(arena: Any, copied_run: Any) -> None:
    config = "name: tiny\nseed: 5\nentrants: [greedy, {bot: greedy, name: eager, options: {greed: 0.9}}, fair]\n"
    config += "editions: [{rules: eagle-gryphon, changes: {max_turns: 4}}]\nisolation: none\n"
    copied_run(config, "out")
    ids = [line["id"] for line in map(json.loads, (Path("out") / "matches.jsonl").read_text().splitlines())]
    ran = arena(
        "branch", "out", ids[0], "--at", "ask3", "--bot", "hard", "--repeat", 3, "--trust", "-q", "-j", 1, "--strict"
    )
    assert ran.code == 0, ran.err


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> list[Verifier]:
    """Every time that a match is played again from its replay in this process."""
    found: list[Verifier] = []
    set_up = Verifier.set_up

    def counted(verifier: Verifier) -> Minutes:
        found.append(verifier)
        return set_up(verifier)

    monkeypatch.setattr(Verifier, "set_up", counted)
    whole_timeline.cache_clear()
    return found


@pytest.mark.parametrize("at_its_answer", [True, False])
def test_a_match_is_verified_once_for_a_command(
    at_its_answer: bool, arena: Any, replays: Path, walks: list[Verifier], tmp_path: Path
) -> None:
    """However the ask is named, however many look at it, and though branches are played from it in this process."""
    path = tmp_path / "match.jsonl"
    path.write_bytes((replays / "board.jsonl").read_bytes())
    turn = asked(path, "turn", 3)
    at = turn.at if at_its_answer else turn.phase.events.start
    walks.clear()
    ran = arena("branch", path, "--at", at, "--seat", turn.ask.seat, "--bot", "hard", *EARLY[2:])
    assert ran.code == 0, ran.err
    assert len(walks) == 1
    for kept in range(2):  # then its asks are on the user's shelf, and only one is looked at
        walks.clear()
        ran = arena("refeed", path, "--at", at, "--seat", turn.ask.seat, "--bot", "hard", "--trust")
        assert ran.code in (0, 1), ran.err
        assert len(walks) == 1, kept
