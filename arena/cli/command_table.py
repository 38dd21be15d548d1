"""Every command of ``arena``: where it lies, and its line in ``arena --help``. A command's module is loaded when the
command is called, so that ``arena --version``, ``--help`` and completion start at once."""

from __future__ import annotations

from arena.cli.command_classes import CommandEntry

COMMANDS = {
    "run": CommandEntry("arena.commands.run.command", "Play a tournament from a YAML file, or a round robin."),
    "merge": CommandEntry("arena.commands.merge.command", "Make one run of shares or copies of it."),
    "match": CommandEntry("arena.commands.match.command", "Play one match."),
    "play": CommandEntry("arena.commands.play.command", "Play a match yourself, against bots."),
    "gauntlet": CommandEntry("arena.commands.gauntlet.command", "How good is a bot at a table with others?"),
    "null": CommandEntry(
        "arena.commands.gauntlet.null_command", "Play a bot against copies of itself: do the numbers hold?"
    ),
    "compare": CommandEntry("arena.commands.compare.command", "Is a bot better in the place of another one?"),
    "plan": CommandEntry("arena.commands.plan.command", "Tell how many blocks make numbers sure enough."),
    "verify": CommandEntry("arena.commands.verify.command", "Check replays against the rules, without the bots."),
    "rerun": CommandEntry("arena.commands.rerun.command", "Replay a match with its bots and compare."),
    "refeed": CommandEntry(
        "arena.commands.refeed.command", "Put recorded asks to a bot: where does it answer otherwise?"
    ),
    "branch": CommandEntry("arena.commands.branch.command", "What was a decision worth? Change it and play on."),
    "losses": CommandEntry("arena.commands.losses.command", "Find the matches and single deals that cost a bot most."),
    "audit": CommandEntry("arena.commands.audit.command", "Play a sample of a run's matches again and compare."),
    "show": CommandEntry("arena.commands.show.command", "Narrate a replay."),
    "view": CommandEntry("arena.web.viewer.command", "Look at a match in the browser."),
    "picture": CommandEntry("arena.web.picture.command", "Draw a negotiation of a replay."),
    "report": CommandEntry(
        "arena.web.report.command", "Write the report of a run: one page in HTML that works offline."
    ),
    "standings": CommandEntry("arena.commands.standings.command", "Recompute a run's standings."),
    "collusion": CommandEntry(
        "arena.commands.collusion.command", "Show who favours whom, and whose answers are alike."
    ),
    "ratings": CommandEntry(
        "arena.commands.ratings.command", "Rate the entrants of runs by order of finish and in money."
    ),
    "status": CommandEntry("arena.commands.status.command", "How a run stands, while it is played or afterwards."),
    "serve": CommandEntry("arena.web.serve.command", "Runs, ladders and matches in the browser, live."),
    "luck": CommandEntry("arena.commands.luck.command", "Take the luck of cards and dice out of a run's money."),
    "ladder": CommandEntry("arena.ladder.command", "A league that plays night after night."),
    "ledger": CommandEntry(
        "arena.commands.ledger.command", "Show how bots bargain: offers, prices, concessions, who pays whom …"
    ),
    "export": CommandEntry(
        "arena.commands.export.command", "Write a run's deals, offers, payments … as CSV or Parquet."
    ),
    "unpack": CommandEntry("arena.commands.unpack.command", "Write a run's replays as files of their own."),
    "study": CommandEntry("arena.commands.study.command", "Answer a question about the games by many matches."),
    "rules": CommandEntry("arena.commands.rules.command", "List, show, check and compare editions."),
    "bots": CommandEntry("arena.commands.bots.command", "List, make and check bots."),
    "bench": CommandEntry("arena.commands.bench.command", "Measure how fast this machine plays."),
    "doctor": CommandEntry("arena.commands.doctor.command", "Check which sandbox layers work on this machine."),
    "docs": CommandEntry("arena.commands.docs.command", "Print the documentation."),
}
