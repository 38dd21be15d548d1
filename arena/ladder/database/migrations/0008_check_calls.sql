-- What the check of a submission has spent on language models, whether the bot was admitted or not; it counts towards the
-- budgets of the season. bot is the name under which it was submitted; money is in dollars.
CREATE TABLE check_calls (
  id INTEGER PRIMARY KEY,
  season INTEGER NOT NULL REFERENCES seasons (id),
  author TEXT NOT NULL,
  bot TEXT NOT NULL,
  at TEXT NOT NULL,
  calls INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  money REAL NOT NULL
) STRICT;
CREATE INDEX check_calls_by_season ON check_calls (season);
