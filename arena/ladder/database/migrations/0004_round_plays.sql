-- With what the matches of a round were played: a row for each play of it that had other facts than the one before.
-- isolation is the level; facts are what a run's manifest says of arena, Python and the isolation, as JSON.
CREATE TABLE round_plays (
  id INTEGER PRIMARY KEY,
  round INTEGER NOT NULL REFERENCES rounds (id),
  began TEXT NOT NULL,
  arena TEXT NOT NULL,
  isolation TEXT NOT NULL,
  facts TEXT NOT NULL CHECK (json_valid(facts))
) STRICT;
CREATE INDEX round_plays_round ON round_plays (round);

-- Null for matches that were played before these rows were kept: of them only the last play of their round is known.
ALTER TABLE matches ADD COLUMN round_play INTEGER REFERENCES round_plays (id);

-- By which version of arena, by which code of it (digests of its parts), and at which isolation level each match was
-- played.
CREATE VIEW match_conditions AS
SELECT
  m.id AS match, m.round, coalesce(p.arena, json_extract(r.facts, '$.arena'), '') AS arena,
  coalesce(json_extract(p.facts, '$.code'), json_extract(r.facts, '$.code'), '{}') AS code,
  coalesce(p.isolation, json_extract(r.facts, '$.isolation.level'), '') AS isolation
FROM matches m
JOIN rounds r ON r.id = m.round
LEFT JOIN round_plays p ON p.id = m.round_play;
