"""The README of an exported ladder: what its files are, how to check them, and what is not public."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.ladder.database.ladders import Ladder, Season
from arena.ladder.database.publishing import cassettes_public, replays_public, seeds_public
from arena.storage.root_digest import RootDigest
from arena.tournament.tables.table_text import as_written

FILE_MEANINGS = {
    "ladder.json": "the ladder: its keys, its edition with every rule; a later export recognises this folder by it",
    "versions.csv": "every version that was ever in the ladder, with the digests of its files",
    "changes.csv": "the history of versions: admitted, replaced, retired, disabled, suspended, with reasons",
    "quarantines.csv": "versions taken out with a proof: how many matches failed with them, and how many without",
    "seasons.html": "all seasons: champion, commitment, and the seed once it is public",
    "results.atom": "a feed of closed rounds and seasons",
    "viewer.html": "a page that shows any match of the seasons' folders `matches`, dropped on it or by a link",
    "seasons.csv": "the seasons, each with the root digest of its matches and the digest of its seed",
    "SHA256SUMS": "the digest of every other file",
}
OF_SEASON = {
    "rounds.csv": "the rounds that are closed",
    "tables.csv": "the tables of rounds, and why they were chosen",
    "matches.csv": "every match; `sha256` is that of its replay up to the last line",
    "seats.csv": "the seats of each match: version, money, rank, how the seat ended, faults by kind, numbers that "
    "the game counts",
    "left_out.csv": "matches that were not played, and why",
    "ratings.csv": "the ratings after each round",
    "pages/": "a page for every version, with its rating over time, whom it beats and its matches; and for every "
    "author",
    "matches/": "the last 200 matches, if replays are public, each a file that `viewer.html` opens",
    "replays/": "the replays, if they are public; `arena unpack season-1` writes them as separate files",
}
CASSETTES_MEANING = {"cassettes/": "what bots asked language models and what these answered, if that is public"}
ROOT_COMMAND = "cut -d, -f2 season-1/matches.csv | tail -n +2 | grep . | LC_ALL=C sort | sha256sum"


def export_readme(
    ladder: Ladder, seasons: Sequence[Season], roots: Sequence[RootDigest], standings: Mapping[str, str]
) -> str:
    """Return the README, in Markdown."""
    of_season = {**standings, **OF_SEASON, **(CASSETTES_MEANING if ladder.config.models else {})}
    return "\n".join(
        [
            f"# {as_written(ladder.name)}",
            "",
            f"Results of a ladder of {as_written(ladder.edition.label)}, at tables of {ladder.seats}.",
            "`index.html` shows the standings; everything here can be read without a network or a server.",
            "",
            *_markdown_table("file", FILE_MEANINGS),
            "",
            "In the folder of each season, `season-1` and so on:",
            "",
            *_markdown_table("file", of_season),
            "",
            "CSV files follow RFC 4180, but lines end in one line feed; unknown values are empty; times are UTC. Only",
            "rounds that are closed are included: an open round is still being played.",
            "",
            "## Checking",
            "",
            "`sha256sum -c SHA256SUMS` checks all files. The root digest of a season is the SHA-256 of the digests",
            "of its matches, sorted, one a line; once you have noted it, you see whether any of these matches was",
            "changed or taken away:",
            "",
            f"    {ROOT_COMMAND}",
            "",
            "| season | matches | root digest |",
            "| ---: | ---: | :--- |",
            *(
                f"| {season.number} | {root.matches} | {f'`{root.digest}`' if root.matches else 'no match yet'} |"
                for season, root in zip(seasons, roots, strict=True)
            ),
            "",
            "`seed_sha256` in `seasons.csv` is the SHA-256 of the season's seed, from which all deals follow. It stood",
            "there from the first day; the seed itself is published when the season has ended, if at all.",
            "",
            "## What is public",
            "",
            *(_public_line(ladder, season) for season in seasons),
            "",
            "A replay holds the seed of its match, so replays are published no earlier than seeds. It also holds the",
            "notes that bots made in private. Submissions that were refused, the files of bots, and the machines that",
            "played the matches are not included.",
            "",
        ]
    )


def _markdown_table(head: str, rows: Mapping[str, str]) -> list[str]:
    return [f"| {head} | what it is |", "| :--- | :--- |", *(f"| `{name}` | {what} |" for name, what in rows.items())]


def _public_line(ladder: Ladder, season: Season) -> str:
    seeds = "are public" if seeds_public(ladder.config, season) else "are not public"
    replays = "are" if replays_public(ladder.config, season) else "are not"
    line = f"- season {season.number}: seeds of matches {seeds}, replays {replays}"
    if not ladder.config.models:
        return line
    return f"{line}, cassettes {'are' if cassettes_public(ladder.config, season) else 'are not'}"
