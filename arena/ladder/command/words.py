"""Ladders, matches and versions as ``arena ladder show`` tells of them: a line for each thing, its subject in front."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.cli.output.terminal import columns, folded, table
from arena.ladder.show.ladder_detail import LadderDetail, SeasonDetail, keys_text
from arena.ladder.show.match_detail import MatchDetail, PlayState
from arena.ladder.show.version_detail import PlaceDetail, VersionDetail

SUBJECT = 12
"""Columns of the subject in front of a line."""
NAMED = 12
"""Names that are listed of each kind."""
WAITING = 5
"""Matches that wait that are shown one by one."""
SHORT = 16
"""Digits of a digest in a table."""
SECRET = "a secret until the season is closed"


def ladder_text(found: LadderDetail) -> str:
    """A ladder as a whole."""
    season = found.season
    lines = [
        ("ladder", f"{found.name}: {found.label}, begun {_day(found.began)}, in {found.folder}"),
        ("rules", f"{found.edition}, digest {found.edition_sha256}"),
        *_season_lines(found, season),
        *_open_lines(found),
        *((f"{state}", _names(names)) for state, names in found.versions.items()),
        *([("anchors", ", ".join(found.anchors))] if found.anchors else []),
        ("playing", _playing(found)),
        *(
            (f"waits #{each.number}", f"{each.name}, tried {each.tries} times: {each.why}")
            for each in found.waits[:WAITING]
        ),
        *([("", f"and {len(found.waits) - WAITING} more")] if len(found.waits) > WAITING else []),
        *([("others", ", ".join(found.others) + " (--ladder NAME)")] if found.others else []),
    ]
    return f"{_lines(lines)}\n\nkeys\n{_indented(keys_text(found.keys))}\n"


def _season_lines(found: LadderDetail, season: SeasonDetail) -> Iterable[tuple[str, str]]:
    ended = f"closed {_day(season.ended)}" if season.ended else "goes on"
    yield "season", f"{season.number} of {found.seasons}, begun {_day(season.began)}, {ended}"
    yield "commitment", f"{season.seed_sha256} (SHA-256 of the season's seed)"
    yield "seed", season.seed or SECRET
    more = [f"{season.void} void"] if season.void else []
    more += [f"{season.left_out} left out"] if season.left_out else []
    yield "matches", f"{season.matches}{' (' + ', '.join(more) + ')' if more else ''}; closed rounds: {season.rounds}"
    public = found.keys["publish"]
    yield "public", _public("seeds", season.seeds_public, public["seeds"])
    yield "", _public("replays", season.replays_public, max(public["replays"], public["seeds"], key=_WHEN.index))
    if found.audit is not None:
        yield "audit", f"{found.audit.identical} of {found.audit.played} identical, {_day(found.audit.at)}"


_WHEN = ("round", "season", "never")


def _public(what: str, now: bool, when: str) -> str:
    if now:
        return f"{what} of closed rounds are public"
    return f"{what} are not public" + ("" if when == "never" else f" until the {when} is closed")


def _open_lines(found: LadderDetail) -> Iterable[tuple[str, str]]:
    if found.open is not None:
        left_out = f", {found.open.left_out} left out" if found.open.left_out else ""
        told = f"{found.open.number}: {found.open.finished} of {found.open.matches} matches finished{left_out}"
        yield "open round", told


def _playing(found: LadderDetail) -> str:
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
        lines += [
            ("played", f"{found.played} on {found.host}"),
            ("seed", f"{found.seed} ({'public' if found.public else 'not public yet'})"),
            ("replay", _replay(found)),
        ]
    lines += [("problem", found.problem)] if found.problem else []
    lines += found.commands.items()
    return f"{_lines(lines)}\n\n{_seats(found)}\n"


def _replay(found: MatchDetail) -> str:
    if found.replay is None:
        return f"was not kept; closing hash {found.sha256}"
    where = ""
    if found.replay.pack:
        where = f" in {found.replay.pack}, {found.replay.bytes} bytes from {found.replay.offset} on"
    public = "public" if found.replay_public else "not public yet"
    return f"closing hash {found.sha256}{where} ({public})"


def _seats(found: MatchDetail) -> str:
    unit = found.unit
    rows = [
        [
            each.seat,
            each.version,
            each.author,
            "–" if each.money is None else f"{unit[0]}{each.money}{unit[1:]}",
            each.rank or "–",
            _faults(each.faults, each.ended),
            each.bot_sha256[:SHORT],
        ]
        for each in found.seats
    ]
    return table(rows, ["seat", "version", "author", "money", "rank", "faults", "bot's digest"], wrap=(1, 2, 5))


def _faults(faults: dict[str, int], ended: str | None) -> str:
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
        ("place", _place(found.place)),
        ("matches", _matches(found)),
        ("faults", _faults(found.faults, None) + (f"; put out in {found.put_out} matches" if found.put_out else "")),
        ("label", f"{found.label}: {found.evidence}" if found.label else "not known: no audit has played it again"),
        ("digest", f"{found.sha256} (files, options, class, command, build)"),
        ("in replays", f"{found.bot_sha256} (the bot's own files)"),
        ("loaded", found.loaded + (f" with {_options(found)}" if found.options else "")),
        *([("built by", f"{found.build}, from {found.source}")] if found.build else []),
        ("files", found.problem or found.folder),
    ]
    files = [[each.path, each.bytes, each.sha256] for each in found.files]
    changes = [[each.at, each.what, each.why] for each in found.changes]
    parts = [_lines(lines)]
    parts += [table(files, ["file", "bytes", "SHA-256"], wrap=(0, 2))] if files else []
    source = [[each.path, each.bytes, each.sha256] for each in found.source_files]
    parts += [table(source, ["submitted file", "bytes", "SHA-256"], wrap=(0, 2))] if source else []
    parts += [table(changes, ["when", "what", "why"], wrap=(2,))] if changes else []
    if found.report:
        parts.append(f"report of the check\n{_indented(keys_text(found.report))}")
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
    return f"{table(rows, headers, wrap=(0, 6))}\n"


def _place(place: PlaceDetail | None) -> str:
    if place is None:
        return "not rated yet"
    value = ", without a rating"
    if place.value is not None:
        value = f", {place.value:+.1f}"
        value += f" ({place.low:+.1f} to {place.high:+.1f})" if place.low is not None and place.high is not None else ""
    return f"{place.place}{value}, after round {place.round}"


def _matches(found: VersionDetail) -> str:
    if not found.matches:
        return "none in this season"
    return f"{found.matches} in this season, from {found.first_match} to {found.last_match}"


def _options(found: VersionDetail) -> str:
    return ", ".join(f"{name}={value}" for name, value in found.options.items())


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{len(names)}: {', '.join(names[:NAMED])}{more}"


def _day(at: str | None) -> str:
    return (at or "")[:10]


def _lines(lines: Iterable[tuple[str, str]]) -> str:
    return "\n".join(_line(subject, told) for subject, told in lines)


def _line(subject: str, told: str) -> str:
    """A line; what does not fit stands below it, moved in."""
    whole = f"{subject:{SUBJECT}} {told}"
    return whole if len(whole) <= columns() or told.startswith("arena ") else folded(whole)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.rstrip("\n").split("\n"))
