-- A ladder: one edition at tables of one size. Its keys are those of its file, spelled out, as JSON.
CREATE TABLE ladders (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  game TEXT NOT NULL,
  edition TEXT NOT NULL,
  edition_sha256 TEXT NOT NULL,
  edition_rules TEXT NOT NULL CHECK (json_valid(edition_rules)),
  seats INTEGER NOT NULL CHECK (seats > 1),
  keys TEXT NOT NULL CHECK (json_valid(keys)),
  began TEXT NOT NULL
) STRICT;

-- Seasons of a ladder: ratings start anew with each. seed_sha256 commits to the seed, which stands here once it is over.
CREATE TABLE seasons (
  id INTEGER PRIMARY KEY,
  ladder INTEGER NOT NULL REFERENCES ladders (id),
  number INTEGER NOT NULL,
  seed_sha256 TEXT NOT NULL,
  seed TEXT,
  began TEXT NOT NULL,
  ended TEXT,
  UNIQUE (ladder, number)
) STRICT;

-- Who submits bots. Without a token only the operator submits in this name.
CREATE TABLE authors (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  token_sha256 TEXT,
  began TEXT NOT NULL
) STRICT;

CREATE TABLE bots (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  author INTEGER NOT NULL REFERENCES authors (id),
  began TEXT NOT NULL
) STRICT;

-- What was submitted. sha256 is the digest of the submitted files, options, class, command and build step; files that of
-- the files that play, which lie in versions/FILES. Where these were made by the command build, source is the digest of
-- the submitted files, which lie in versions/SOURCE. reference is how the bot is loaded, report that of the check: JSON.
CREATE TABLE versions (
  id INTEGER PRIMARY KEY,
  bot INTEGER NOT NULL REFERENCES bots (id),
  number INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  files TEXT NOT NULL,
  source TEXT NOT NULL DEFAULT '',
  build TEXT NOT NULL DEFAULT '',
  options TEXT NOT NULL CHECK (json_valid(options)),
  reference TEXT NOT NULL CHECK (json_valid(reference)),
  report TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(report)),
  submitted TEXT NOT NULL,
  UNIQUE (bot, number),
  UNIQUE (bot, sha256)
) STRICT;

-- Which versions are in which ladder, and how they stand there. anchor: 1 for the first, and so on; 0 for no anchor.
-- label says whether it repeats itself ('': not known), evidence what shows that. Matches below counted_from do not count
-- for being suspended.
CREATE TABLE entries (
  ladder INTEGER NOT NULL REFERENCES ladders (id),
  version INTEGER NOT NULL REFERENCES versions (id),
  state TEXT NOT NULL CHECK (state IN ('active', 'replaced', 'retired', 'disabled', 'suspended')),
  anchor INTEGER NOT NULL DEFAULT 0,
  label TEXT NOT NULL DEFAULT '',
  evidence TEXT NOT NULL DEFAULT '',
  counted_from INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (ladder, version)
) STRICT, WITHOUT ROWID;

-- Every change of such a state, with its reason; also refused submissions, which have no version.
CREATE TABLE changes (
  id INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  ladder INTEGER REFERENCES ladders (id),
  version INTEGER REFERENCES versions (id),
  what TEXT NOT NULL,
  why TEXT NOT NULL DEFAULT ''
) STRICT;

-- A round: tables that are chosen together, when all before them are played. Matches are numbered from first_match,
-- blocks from first_block, on through all rounds. facts are what a run's manifest holds, as JSON.
CREATE TABLE rounds (
  id INTEGER PRIMARY KEY,
  season INTEGER NOT NULL REFERENCES seasons (id),
  number INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'closed')),
  first_block INTEGER NOT NULL,
  first_match INTEGER NOT NULL,
  matches INTEGER NOT NULL,
  facts TEXT CHECK (facts IS NULL OR json_valid(facts)),
  told TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(told)),
  began TEXT NOT NULL,
  ended TEXT,
  UNIQUE (season, number)
) STRICT;

-- Each time that play began: after_round is the last round that was closed then (0: none).
CREATE TABLE plays (
  id INTEGER PRIMARY KEY,
  season INTEGER NOT NULL REFERENCES seasons (id),
  began TEXT NOT NULL,
  after_round INTEGER NOT NULL
) STRICT;

-- The tables of a round, a block each: the versions, as a JSON array, and why these.
CREATE TABLE tables (
  round INTEGER NOT NULL REFERENCES rounds (id),
  block INTEGER NOT NULL,
  versions TEXT NOT NULL CHECK (json_valid(versions)),
  why TEXT NOT NULL,
  PRIMARY KEY (round, block)
) STRICT, WITHOUT ROWID;

-- Finished matches. name is what a match is called in its replay; void ones do not count. replay: whether it was kept.
CREATE TABLE matches (
  id INTEGER PRIMARY KEY,
  round INTEGER NOT NULL REFERENCES rounds (id),
  name TEXT NOT NULL,
  block INTEGER NOT NULL,
  seed TEXT NOT NULL,
  termination TEXT NOT NULL,
  asks INTEGER NOT NULL,
  void INTEGER NOT NULL CHECK (void IN (0, 1)),
  replay INTEGER NOT NULL CHECK (replay IN (0, 1)),
  sha256 TEXT NOT NULL,
  host TEXT NOT NULL,
  seconds REAL NOT NULL,
  timing TEXT NOT NULL CHECK (json_valid(timing)),
  played TEXT NOT NULL
) STRICT;
CREATE INDEX matches_round ON matches (round);
CREATE INDEX matches_void ON matches (round) WHERE void = 1;

-- The seats of matches, from 0. faults are counts by kind, as JSON; null for none.
CREATE TABLE seats (
  match INTEGER NOT NULL REFERENCES matches (id),
  seat INTEGER NOT NULL,
  version INTEGER NOT NULL REFERENCES versions (id),
  money INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  ended TEXT NOT NULL,
  faults TEXT CHECK (faults IS NULL OR json_valid(faults)),
  PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seats_version ON seats (version, match);
CREATE INDEX seats_faults ON seats (version, match) WHERE faults IS NOT NULL OR ended <> 'played';

-- Matches of a round that are not played: somebody at the table was disabled, or they could not be played.
CREATE TABLE left_out (
  match INTEGER PRIMARY KEY,
  round INTEGER NOT NULL REFERENCES rounds (id),
  name TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  final INTEGER NOT NULL CHECK (final IN (0, 1)),
  why TEXT NOT NULL
) STRICT;

-- The ratings after each round: value (null: unrated) with its 95 % interval, in points or money; place from 1; tier
-- from 1 is the first group of the order that cannot be told apart in which the version stands.
CREATE TABLE ratings (
  round INTEGER NOT NULL REFERENCES rounds (id),
  version INTEGER NOT NULL REFERENCES versions (id),
  place INTEGER NOT NULL,
  tier INTEGER NOT NULL,
  value REAL,
  low REAL,
  high REAL,
  matches INTEGER NOT NULL,
  blocks INTEGER NOT NULL,
  PRIMARY KEY (round, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX ratings_version ON ratings (version, round);

-- Audits: of so many matches of a season that were played again so many came out identical. found is all that was found.
CREATE TABLE audits (
  id INTEGER PRIMARY KEY,
  season INTEGER NOT NULL REFERENCES seasons (id),
  at TEXT NOT NULL,
  played INTEGER NOT NULL,
  identical INTEGER NOT NULL,
  found TEXT NOT NULL CHECK (json_valid(found))
) STRICT;
