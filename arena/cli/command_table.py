"""Every command of ``arena``: where it lies, and its line in ``arena --help``. A command's module is loaded when the
command is called, so that ``arena --version``, ``--help`` and completion start at once."""

from __future__ import annotations

from arena.cli.command_classes import Entry

COMMANDS = {
    "run": Entry("arena.commands.run.command", "Play a tournament from a YAML file."),
    "merge": Entry("arena.commands.merge.command", "Make one run of shares or copies of it."),
    "match": Entry("arena.commands.match.command", "Play one match."),
    "play": Entry("arena.commands.play.command", "Play a match yourself, against bots."),
    "gauntlet": Entry("arena.commands.gauntlet.command", "Play one bot against others on many deals."),
    "null": Entry("arena.commands.gauntlet.null_command", "Play a bot against copies of itself: do the numbers hold?"),
    "compare": Entry(
        "arena.commands.compare.command", "Tell whether a new version of a bot is better than the old one."
    ),
    "plan": Entry("arena.commands.plan.command", "Tell how many blocks make numbers sure enough."),
    "verify": Entry("arena.commands.verify.command", "Check replays against the rules, without the bots."),
    "rerun": Entry("arena.commands.rerun.command", "Replay a match with its bots and compare."),
    "refeed": Entry("arena.commands.refeed.command", "Put recorded asks to a bot: where does it answer otherwise?"),
    "branch": Entry("arena.commands.branch.command", "What was a decision worth? Change it and play on."),
    "audit": Entry("arena.commands.audit.command", "Play a sample of a run's matches again and compare."),
    "show": Entry("arena.commands.show.command", "Narrate a replay."),
    "view": Entry("arena.web.viewer.command", "Look at a match in the browser."),
    "picture": Entry("arena.web.picture.command", "Draw a negotiation of a replay."),
    "report": Entry("arena.web.report.command", "Write the report of a run: one page in HTML that works offline."),
    "standings": Entry("arena.commands.standings.command", "Recompute a run's standings."),
    "collusion": Entry("arena.commands.collusion.command", "Show who favours whom, and whose answers are alike."),
    "ratings": Entry("arena.commands.ratings.command", "Rate the entrants of runs by order of finish and in money."),
    "status": Entry("arena.commands.status.command", "How a run stands, while it is played or afterwards."),
    "serve": Entry("arena.web.serve.command", "Runs, ladders and matches in the browser, live."),
    "luck": Entry("arena.commands.luck.command", "Take the luck of cards and dice out of a run's money."),
    "ladder": Entry("arena.ladder.command", "A league that plays night after night."),
    "ledger": Entry(
        "arena.commands.ledger.command", "Show how bots bargain: offers, prices, concessions, who pays whom …"
    ),
    "export": Entry("arena.commands.export.command", "Write a run's deals, offers, payments … as CSV or Parquet."),
    "unpack": Entry("arena.commands.unpack.command", "Write a run's replays as files of their own."),
    "study": Entry("arena.commands.study.command", "Answer a question about the games by many matches."),
    "rules": Entry("arena.commands.rules.command", "List, show, check and compare editions."),
    "bots": Entry("arena.commands.bots.command", "List, make and check bots."),
    "bench": Entry("arena.commands.bench.command", "Measure how fast this machine plays."),
    "doctor": Entry("arena.commands.doctor.command", "Check which sandbox layers work on this machine."),
    "docs": Entry("arena.commands.docs.command", "Print the documentation."),
}
