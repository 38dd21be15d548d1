"""Every command of ``arena``, in the groups of ``arena --help``, most used first: where it lies, and its line there. A
command's module is loaded when the command is called, so that ``arena --version``, ``--help`` and completion start at
once."""

from __future__ import annotations

from arena.cli.command_classes import CommandEntry

COMMAND_GROUPS = {
    "First steps": {
        "run": CommandEntry("arena.commands.run.command", "Play a tournament from a file, or a round robin of bots."),
        "match": CommandEntry("arena.commands.match.command", "Play one match, and print the result."),
        "play": CommandEntry("arena.commands.play.command", "Play a match yourself, against bots."),
        "docs": CommandEntry("arena.commands.docs.command", "Read the documentation."),
    },
    "Writing bots": {
        "bots": CommandEntry("arena.commands.bots.command", "List, make and check bots."),
        "gauntlet": CommandEntry(
            "arena.commands.gauntlet.command", "How good is a bot at a table with others? Play it on many deals."
        ),
        "compare": CommandEntry("arena.commands.compare.command", "Is a bot better in the place of another one?"),
        "tune": CommandEntry(
            "arena.commands.compare.tuning.command", "Find better values for a bot's options, and prove them."
        ),
    },
    "Looking and understanding": {
        "show": CommandEntry("arena.commands.show.command", "Print a recorded match as sentences."),
        "view": CommandEntry("arena.web.viewer.command", "Look at a recorded match in the browser."),
        "branch": CommandEntry("arena.commands.branch.command", "What was a decision worth? Change it and play on."),
        "losses": CommandEntry(
            "arena.commands.losses.command", "Find the matches and single deals that cost a bot most."
        ),
        "refeed": CommandEntry(
            "arena.commands.refeed.command", "Ask another version of a bot the questions of a recorded match."
        ),
        "picture": CommandEntry("arena.web.picture.command", "Draw one negotiation of a recorded match."),
        "report": CommandEntry(
            "arena.web.report.command", "Write the report of a run: one web page that works offline."
        ),
        "ledger": CommandEntry(
            "arena.commands.ledger.command", "Show how bots bargain: offers, prices, payments, failed deals."
        ),
        "serve": CommandEntry(
            "arena.web.serve.command", "Show runs and ladders in the browser, while they are played."
        ),
    },
    "Tournaments": {
        "status": CommandEntry("arena.commands.status.command", "Show how far a run is."),
        "standings": CommandEntry("arena.commands.standings.command", "Print the standings of a run."),
        "plan": CommandEntry(
            "arena.commands.plan.command", "Compute how many blocks a tournament needs for precise results."
        ),
        "register": CommandEntry(
            "arena.commands.register.command", "Write down what a tournament is to decide, before it is played."
        ),
        "verify": CommandEntry(
            "arena.commands.verify.command", "Check recorded matches against the rules, without the bots."
        ),
        "audit": CommandEntry("arena.commands.audit.command", "Play a sample of a run's matches again, and compare."),
        "rerun": CommandEntry(
            "arena.commands.rerun.command", "Play one recorded match again with its bots, and compare."
        ),
        "export": CommandEntry(
            "arena.commands.export.command", "Write a run's deals, offers and payments as CSV or Parquet."
        ),
        "merge": CommandEntry(
            "arena.commands.merge.command", "Join shares of a run that were played on several machines."
        ),
        "unpack": CommandEntry("arena.commands.unpack.command", "Write a run's recorded matches as single files."),
    },
    "Leagues": {
        "ladder": CommandEntry("arena.ladder.command", "Run a league that plays night after night."),
    },
    "Numbers": {
        "ratings": CommandEntry(
            "arena.commands.ratings.command", "Rate bots that met different opponents, by rank and by money."
        ),
        "meta": CommandEntry(
            "arena.commands.meta.command", "Find who can invade whom, and populations in which nobody gains."
        ),
        "luck": CommandEntry("arena.commands.luck.command", "Take the luck of cards and dice out of a run's money."),
        "collusion": CommandEntry(
            "arena.commands.collusion.command", "Find bots that favour each other, and bots that are copies."
        ),
        "talk": CommandEntry("arena.commands.talk.command", "What are a bot's words worth? Play matches without them."),
        "null": CommandEntry(
            "arena.commands.gauntlet.null_command", "Play a bot against copies of itself, to test the intervals."
        ),
        "study": CommandEntry("arena.commands.study.command", "Answer a question about the games with many matches."),
    },
    "Rules and this machine": {
        "rules": CommandEntry(
            "arena.commands.rules.command", "List, show, check, compare and draw editions of the games."
        ),
        "models": CommandEntry(
            "arena.commands.models.command", "Try the language models of a tournament file, and compare them."
        ),
        "doctor": CommandEntry("arena.commands.doctor.command", "Check how well this machine can isolate bots."),
        "bench": CommandEntry("arena.commands.bench.command", "Measure how fast this machine plays."),
    },
}
