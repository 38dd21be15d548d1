-- Versions that the operator took out of a ladder with a proof: their state is disabled until released. proof, as JSON,
-- counts the matches that failed with the version at the table, and without it.
CREATE TABLE quarantines (
  id INTEGER PRIMARY KEY,
  ladder INTEGER NOT NULL REFERENCES ladders (id),
  version INTEGER NOT NULL REFERENCES versions (id),
  at TEXT NOT NULL,
  because TEXT NOT NULL,
  proof TEXT NOT NULL CHECK (json_valid(proof)),
  released TEXT
) STRICT;

-- What was looked at after rounds, for the operator: two versions that may answer alike, or one that may give another
-- more than is usual, or both each other. stands: whether it was found when it was last looked at, after the round. proof,
-- as JSON, has what shows it. Nothing else depends on these rows.
CREATE TABLE suspicions (
  ladder INTEGER NOT NULL REFERENCES ladders (id),
  kind TEXT NOT NULL CHECK (kind IN ('alike', 'gift', 'mutual gift')),
  one INTEGER NOT NULL REFERENCES versions (id),
  two INTEGER NOT NULL REFERENCES versions (id),
  round INTEGER NOT NULL REFERENCES rounds (id),
  at TEXT NOT NULL,
  stands INTEGER NOT NULL CHECK (stands IN (0, 1)),
  proof TEXT NOT NULL CHECK (json_valid(proof)),
  PRIMARY KEY (ladder, kind, one, two)
) STRICT, WITHOUT ROWID;
