-- What the bots of a ladder have spent on language models in a season, in matches and in the checks of submissions: a row
-- for each author and bot. What a call may take at most is added before it is made, by every process that plays or checks
-- here, and what it took put in its place afterwards; so a call that a kill broke off counts at its worst. bot is the
-- name of a bot, or the name under which it was submitted; money is in dollars.
CREATE TABLE model_spending (
  season INTEGER NOT NULL REFERENCES seasons (id),
  author TEXT NOT NULL,
  bot TEXT NOT NULL,
  calls INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  money REAL NOT NULL,
  PRIMARY KEY (season, author, bot)
) STRICT, WITHOUT ROWID;
INSERT INTO model_spending
  SELECT season, author, bot, sum(calls), sum(tokens), sum(money) FROM check_calls GROUP BY season, author, bot;
DROP TABLE check_calls;
