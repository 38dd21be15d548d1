"""Ladders, matches and versions as text for ``arena ladder show``, one line for each fact."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.cli.output.terminal import fold_to_terminal, format_table, terminal_width
from arena.ladder.models.season_spending import SpentOnModels
from arena.ladder.show.ladder_detail import LadderDetail, SeasonDetail, keys_text
from arena.ladder.show.match_detail import MatchDetail, PlayState
from arena.ladder.show.version_detail import PlaceDetail, VersionDetail

SUBJECT_COLUMNS = 12
"""Width of the subject column, in characters."""
LISTED_NAMES = 12
"""How many names of each kind are listed at most."""
LISTED_WAITING = 5
"""How many waiting matches are listed one by one at most."""
DIGEST_DIGITS = 16
"""How many digits of a digest a table shows."""
SECRET_TEXT = "a secret until the season is closed"


def ladder_text(found: LadderDetail) -> str:
    """A ladder as a whole."""
    season = found.season
    lines = [
        ("ladder", f"{found.name}: {found.label}, begun {_day_text(found.began)}, in {found.folder}"),
        ("rules", f"{found.edition}, digest {found.edition_sha256}"),
        *_season_lines(found, season),
        *_open_lines(found),
        *((f"{state}", _names_text(names)) for state, names in found.versions.items()),
        *([("anchors", ", ".join(found.anchors))] if found.anchors else []),
        *(("quarantine", f"{each.version} {each.in_words()}") for each in found.quarantines),
        *(("look at", each.in_words()) for each in found.suspicions),
        *(("models" if not each.author else "", _spent_text(each)) for each in found.spent),
        ("playing", _playing_text(found)),
        *(
            (f"waits #{each.number}", f"{each.name}, tried {each.tries} times: {each.why}")
            for each in found.waits[:LISTED_WAITING]
        ),
        *([("", f"and {len(found.waits) - LISTED_WAITING} more")] if len(found.waits) > LISTED_WAITING else []),
        *([("others", ", ".join(found.others) + " (--ladder NAME)")] if found.others else []),
    ]
    return f"{_join_lines(lines)}\n\nkeys\n{_indent_text(keys_text(found.keys))}\n"


def _season_lines(found: LadderDetail, season: SeasonDetail) -> Iterable[tuple[str, str]]:
    ended = f"closed {_day_text(season.ended)}" if season.ended else "goes on"
    yield "season", f"{season.number} of {found.seasons}, begun {_day_text(season.began)}, {ended}"
    yield "commitment", f"{season.seed_sha256} (SHA-256 of the season's seed)"
    yield "seed", season.seed or SECRET_TEXT
    more = [f"{season.void} void"] if season.void else []
    more += [f"{season.left_out} left out"] if season.left_out else []
    yield "matches", f"{season.matches}{' (' + ', '.join(more) + ')' if more else ''}; closed rounds: {season.rounds}"
    for each in season.mixed:
        yield f"round {each.round}", f"{each.matches} matches{_conditions(each.arena, each.isolation)}"
    if season.exempt:
        yield "not isolated", _exempt_text(season.exempt)
    public = found.keys["publish"]
    yield "public", _public_sentence("seeds", season.seeds_public, public["seeds"])
    yield (
        "",
        _public_sentence(
            "replays", season.replays_public, max(public["replays"], public["seeds"], key=_PUBLISHING_WORDS.index)
        ),
    )
    if found.audit is not None:
        yield "audit", f"{found.audit.identical} of {found.audit.played} identical, {_day_text(found.audit.at)}"


def _spent_text(spent: SpentOnModels) -> str:
    """What was spent on language models."""
    whose = spent.author or "this season"
    most = f" ({spent.estimated:,} calls at their worst)" if spent.estimated else ""
    return f"{whose}: {spent.calls:,} calls, {spent.tokens:,} tokens, ${spent.money:.2f}{most}"


def _conditions(arena: str, isolation: str) -> str:
    """The version of arena and the isolation level with which matches were played."""
    return f" by arena {arena}, isolation {isolation}" if arena else ""


def _exempt_text(versions: Iterable[str]) -> str:
    """The versions that were exempt from isolation, and why."""
    return f"{', '.join(versions)} (bundled bots, in arena's own process)"


_PUBLISHING_WORDS = ("round", "season", "never")


def _public_sentence(what: str, now: bool, when: str) -> str:
    if now:
        return f"{what} of closed rounds are public"
    return f"{what} are not public" + ("" if when == "never" else f" until the {when} is closed")


def _open_lines(found: LadderDetail) -> Iterable[tuple[str, str]]:
    if found.open is not None:
        left_out = f", {found.open.left_out} left out" if found.open.left_out else ""
        told = f"{found.open.number}: {found.open.finished} of {found.open.matches} matches finished{left_out}"
        yield "open round", told


def _playing_text(found: LadderDetail) -> str:
    if found.playing is None:
        return "nobody"
    told = f"process {found.playing}" if found.playing else "another process"
    if (far := found.progress) is None:
        return told
    return f"{told} on {far.host}, {far.jobs} jobs: {far.finished} of {far.total} matches of this round"


def match_text(found: MatchDetail) -> str:
    """A match."""
    state = {
        PlayState.FINISHED: f"{found.termination}, {found.asks} asks, {found.seconds:.1f} s",
        PlayState.WAITING: "not played yet" + (f": {found.why_not}" if found.why_not else ""),
        PlayState.LEFT_OUT: f"left out: {found.why_not}",
    }[found.state]
    lines = [
        ("match", f"{found.number}, {found.name}"),
        ("ladder", f"{found.ladder}, season {found.season}, round {found.round}{'' if found.closed else ' (open)'}"),
        ("table", f"block {found.block}: {found.why}"),
        ("result", state + (", void: it does not count" if found.void else "")),
    ]
    if found.state is PlayState.FINISHED:
        exempt = [each.version for each in found.seats if each.exempt]
        lines += [
            ("played", f"{found.played} on {found.host}{_conditions(found.arena, found.isolation)}"),
            *([("not isolated", _exempt_text(exempt))] if exempt else []),
            ("seed", f"{found.seed} ({'public' if found.public else 'not public yet'})"),
            ("replay", _replay_text(found)),
        ]
    lines += [("problem", found.problem)] if found.problem else []
    lines += found.commands.items()
    return f"{_join_lines(lines)}\n\n{_seat_table(found)}\n"


def _replay_text(found: MatchDetail) -> str:
    if found.replay is None:
        return f"was not kept; closing hash {found.sha256}"
    where = ""
    if found.replay.pack:
        where = f" in {found.replay.pack}, {found.replay.bytes} bytes from {found.replay.offset} on"
    public = "public" if found.replay_public else "not public yet"
    return f"closing hash {found.sha256}{where} ({public})"


def _seat_table(found: MatchDetail) -> str:
    unit = found.unit
    rows = [
        [
            each.seat,
            each.version,
            each.author,
            "–" if each.money is None else f"{unit[0]}{each.money}{unit[1:]}",
            each.rank or "–",
            _faults_text(each.faults, each.ended),
            each.bot_sha256[:DIGEST_DIGITS],
        ]
        for each in found.seats
    ]
    return format_table(rows, ["seat", "version", "author", "money", "rank", "faults", "bot's digest"], wrap=(1, 2, 5))


def _faults_text(faults: dict[str, int], ended: str | None) -> str:
    told = ", ".join(f"{count} {kind}" for kind, count in faults.items())
    out = "" if ended in (None, "played") else str(ended)
    return "; ".join(filter(None, (told, out))) or "–"


def version_text(found: VersionDetail) -> str:
    """A version."""
    state = found.state or f"not in ladder {found.ladder}"
    lines = [
        ("version", f"{found.name} by {found.author}, submitted {found.submitted}"),
        (
            "ladder",
            f"{found.ladder}, season {found.season}: {state}{f', anchor {found.anchor}' if found.anchor else ''}",
        ),
        ("place", _place_text(found.place)),
        ("matches", _matches_text(found)),
        (
            "faults",
            _faults_text(found.faults, None) + (f"; put out in {found.put_out} matches" if found.put_out else ""),
        ),
        ("label", f"{found.label}: {found.evidence}" if found.label else "unknown: no audit has tested it"),
        ("digest", f"{found.sha256} (files, options, class, command, build)"),
        ("in replays", f"{found.bot_sha256} (the bot's own files)"),
        ("loaded", found.loaded + (f" with {_options_text(found)}" if found.options else "")),
        *([("built by", f"{found.build}, from {found.source}")] if found.build else []),
        ("files", found.problem or found.folder),
        *(("quarantine", each.in_words()) for each in found.quarantines),
        *(("look at", each.in_words()) for each in found.suspicions),
    ]
    files = [[each.path, each.bytes, each.sha256] for each in found.files]
    changes = [[each.at, each.what, each.why] for each in found.changes]
    parts = [_join_lines(lines)]
    parts += [format_table(files, ["file", "bytes", "SHA-256"], wrap=(0, 2))] if files else []
    source = [[each.path, each.bytes, each.sha256] for each in found.source_files]
    parts += [format_table(source, ["submitted file", "bytes", "SHA-256"], wrap=(0, 2))] if source else []
    parts += [format_table(changes, ["when", "what", "why"], wrap=(2,))] if changes else []
    if found.report:
        parts.append(f"report of the check\n{_indent_text(keys_text(found.report))}")
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def versions_text(found: Sequence[VersionDetail]) -> str:
    """All versions of a bot."""
    rows = [
        [
            each.name,
            each.submitted[:10],
            each.state or "–",
            each.place.place if each.place else "–",
            each.matches,
            sum(each.faults.values()) or "–",
            each.label or "–",
        ]
        for each in found
    ]
    headers = ["version", "submitted", "state", "place", "matches", "faults", "label"]
    return f"{format_table(rows, headers, wrap=(0, 6))}\n"


def _place_text(place: PlaceDetail | None) -> str:
    if place is None:
        return "not rated yet"
    value = ", without a rating"
    if place.value is not None:
        value = f", {place.value:+.1f}"
        value += f" ({place.low:+.1f} to {place.high:+.1f})" if place.low is not None and place.high is not None else ""
    return f"{place.place}{value}, after round {place.round}"


def _matches_text(found: VersionDetail) -> str:
    if not found.matches:
        return "none in this season"
    return f"{found.matches} in this season, from {found.first_match} to {found.last_match}"


def _options_text(found: VersionDetail) -> str:
    return ", ".join(f"{name}={value}" for name, value in found.options.items())


def _names_text(names: Sequence[str]) -> str:
    more = f" and {len(names) - LISTED_NAMES} more" if len(names) > LISTED_NAMES else ""
    return f"{len(names)}: {', '.join(names[:LISTED_NAMES])}{more}"


def _day_text(at: str | None) -> str:
    return (at or "")[:10]


def _join_lines(lines: Iterable[tuple[str, str]]) -> str:
    return "\n".join(_subject_line(subject, told) for subject, told in lines)


def _subject_line(subject: str, told: str) -> str:
    """Format a line from its subject and its text; what exceeds the terminal's width goes on indented lines below."""
    whole = f"{subject:{SUBJECT_COLUMNS}} {told}"
    return whole if len(whole) <= terminal_width() or told.startswith("arena ") else fold_to_terminal(whole)


def _indent_text(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.rstrip("\n").split("\n"))
