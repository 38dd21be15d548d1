-- What the game counts of a seat in a match, such as deals that it closed: JSON, number by name; null for a match that
-- was played before this column, and of a game that counts nothing.
ALTER TABLE seats ADD COLUMN counts TEXT CHECK (counts IS NULL OR json_valid(counts));
