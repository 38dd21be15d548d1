-- Who was looked at when a season of another ladder of the folder, season, promoted its best versions to this one, in the
-- order of their places. outcome: entered, stayed (it was there already), or passed over, with the reason.
CREATE TABLE promotions (
  ladder INTEGER NOT NULL REFERENCES ladders (id),
  season INTEGER NOT NULL REFERENCES seasons (id),
  version INTEGER NOT NULL REFERENCES versions (id),
  place INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('entered', 'stayed', 'passed over')),
  why TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (ladder, season, version)
) STRICT, WITHOUT ROWID;

-- Bots that were handed from one author to another, in the order in which that happened.
CREATE TABLE hand_overs (
  id INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  bot INTEGER NOT NULL REFERENCES bots (id),
  giver INTEGER NOT NULL REFERENCES authors (id),
  receiver INTEGER NOT NULL REFERENCES authors (id)
) STRICT;
