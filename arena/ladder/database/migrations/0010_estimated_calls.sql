-- How many of the calls of language models count as the most that they may have taken, because nobody says what they
-- took. The author and the bot "" pay for the calls by which the ladder tries its models.
ALTER TABLE model_spending ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;
