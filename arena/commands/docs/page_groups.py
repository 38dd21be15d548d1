"""The contents of the documentation: its groups of pages in reading order, and what one can do after each page.

`arena docs`, the web site and its search read this list; a new page is a file in ``arena/docs`` and an entry here."""

from __future__ import annotations

from typing import NamedTuple


class PageGroup(NamedTuple):
    """A group of pages: its title, and for each page, by name and in reading order, what its readers can do then."""

    title: str
    pages: dict[str, str]


PAGE_GROUPS = (
    PageGroup(
        "First steps",
        {
            "bargaining": "Follow a negotiation: who is asked what, and when, in both games.",
            "playing": "Play a match against bots yourself, in the terminal.",
            "first-bot": "Write a bot that beats `greedy`, and prove it.",
            "installing": "Install arena with uv or pipx, in a container, on macOS or Windows.",
        },
    ),
    PageGroup(
        "Writing bots",
        {
            "bots": "Write, name, test and check a bot, whatever it plays.",
            "board-bots": "Look up every hook, move and view of the board game.",
            "cards-bots": "Look up every hook, move and view of the card game.",
            "bundled-bots": "Know your opponents: how each bundled bot plays, and how strong it is.",
            "other-languages": "Copy a small bot in Python without arena, JavaScript, shell or jq.",
            "protocol": "Write a bot in any language, from the messages alone.",
            "debugging": "Find out why a bot misbehaves, and fix it.",
            "searching": "Write a bot that tries its moves in imagined matches.",
            "slow-bots": "Find out what makes a bot slow, and keep to the time limits.",
            "environments": "Train an agent by reinforcement learning, in Gymnasium or PettingZoo.",
            "learning": "Train a policy or clone a bot, and let it play in tournaments.",
            "gauntlet": "Measure how good a bot is at a table with certain others.",
            "comparing": "Decide whether a new version of a bot is better than the old one.",
            "tuning": "Find better values for the options of a bot, and prove that they are.",
        },
    ),
    PageGroup(
        "Looking and understanding",
        {
            "viewing": "Look at a match in the browser, event by event.",
            "drawn-tables": "Read the drawing of the table on the page of a match.",
            "pictures": "Draw one negotiation as a picture.",
            "refeeding": "Ask another version of a bot the questions of a recorded match.",
            "branching": "Measure what a decision was worth, and find the most costly ones.",
            "report": "Write the report of a run, and read it.",
            "ledger": "See how bots bargain: offers, prices, payments, failed deals.",
            "serving": "Follow runs and ladders in the browser, and take bots from authors over the web.",
        },
    ),
    PageGroup(
        "Tournaments",
        {
            "tournaments": "Write a tournament file and run it.",
            "running": "Watch, stop and resume a run, and know what survives a crash.",
            "models": "Let bots consult language models, and set what that may cost.",
            "planning": "Choose how many matches a tournament needs.",
            "isolation": "Let bots of strangers play safely, and know what remains open.",
            "auditing": "Verify a run, and have its matches played again.",
            "sharding": "Split a run over machines without a network, and reuse matches.",
            "cluster": "Play a run on many machines at once, with Dask, Slurm or Kubernetes.",
        },
    ),
    PageGroup(
        "Leagues",
        {
            "ladders": "Set up a league that plays every night, enter bots, and keep it running.",
            "ladder-standings": "Read the table of a league, and know how it pairs bots next.",
            "ladder-evidence": "Defend a result of a league, and query its database.",
        },
    ),
    PageGroup(
        "Numbers",
        {
            "numbers": "Find the command that answers your question, and trust its answer.",
            "ratings": "Rate entrants that met different opponents.",
            "meta": "Find out whether one bot is best against everybody, and who can invade whom.",
            "sequential": "Understand the test behind `arena compare`.",
            "experiments": "Vary options, rules, opponents and seats together, and see what each changes.",
            "registering": "Write down what a run is to decide before it is played, and prove it.",
            "luck": "Take the luck of cards and dice out of money.",
            "collusion": "Find out whether two bots help each other, or are copies.",
            "talking": "Find out what the words of a bot are worth, on a board that nobody has read of.",
            "study": "Know what thousands of matches say about the games.",
        },
    ),
    PageGroup(
        "Reference",
        {
            "glossary": "Look up any word that arena uses.",
            "rules": "Look up a rule of the board game by its number, and write editions.",
            "card-rules": "Look up a rule of the card game by its number, and write editions.",
            "results": "Read every file that a run leaves.",
            "tables": "Load deals, offers and payments into a notebook or database.",
            "replay": "Read, check and replay a recorded match in a program of your own.",
            "replay-schema": "Validate a replay's lines.",
            "show-schema": "Validate what `arena show --jsonl` prints.",
            "protocol-schema": "Validate the messages between arena and a bot.",
            "changes": "Upgrade, and find new names of renamed things.",
        },
    ),
    PageGroup(
        "How arena is made",
        {
            "files": "Find your way in the source, and add a rule, a command or a measure.",
            "plugins": "Add executors, pairing policies and measures from outside arena.",
            "new-game": "Add a game of your own.",
            "measured": "Know how fast and how accurate arena is, and measure it yourself.",
        },
    ),
)
"""All groups, in reading order. Each page is in exactly one of them."""
PAGE_NAMES = tuple(name for group in PAGE_GROUPS for name in group.pages)
"""The names of all pages, in reading order."""
START_PAGE = PAGE_NAMES[0]
"""The page to start with: the first of all."""
