-- Bots that authors have uploaded over HTTP, in the order in which they came; each is checked as a submission. address is
-- the part of its report's address that nobody can guess. bot and request are what was asked, the latter as JSON, content
-- the uploaded bytes until the check has ended. tries counts how often the check was begun, result is its report, as JSON.
CREATE TABLE uploads (
  id INTEGER PRIMARY KEY,
  address TEXT NOT NULL UNIQUE,
  ladder INTEGER NOT NULL REFERENCES ladders (id),
  author INTEGER NOT NULL REFERENCES authors (id),
  at TEXT NOT NULL,
  bot TEXT NOT NULL,
  request TEXT NOT NULL CHECK (json_valid(request)),
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  content BLOB,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'checking', 'admitted', 'known', 'refused', 'failed')),
  tries INTEGER NOT NULL DEFAULT 0,
  ended TEXT,
  result TEXT CHECK (result IS NULL OR json_valid(result)),
  CHECK ((content IS NULL) = (ended IS NOT NULL)),
  CHECK ((content IS NULL) = (state NOT IN ('waiting', 'checking')))
) STRICT;

CREATE INDEX uploads_by_state ON uploads (state);

CREATE INDEX uploads_by_author ON uploads (author, at);
