-- Versions by the names that they have in tables and replays.
CREATE VIEW version_list AS
SELECT v.id, b.name || ':' || v.number AS version, b.name AS bot, v.number, a.name AS author, v.submitted, v.sha256
FROM versions v
JOIN bots b ON b.id = v.bot
JOIN authors a ON a.id = b.author;

-- Finished matches with who sat there, in the order of seats, and what each made.
CREATE VIEW match_list AS
SELECT
  m.id AS match, l.name AS ladder, s.number AS season, r.number AS round, m.block, m.name,
  (
    SELECT group_concat(version || ' ' || money, ', ')
    FROM (
      SELECT v.version, t.money FROM seats t JOIN version_list v ON v.id = t.version
      WHERE t.match = m.id ORDER BY t.seat
    )
  ) AS result,
  m.termination, m.void, m.played
FROM matches m
JOIN rounds r ON r.id = m.round
JOIN seasons s ON s.id = r.season
JOIN ladders l ON l.id = s.ladder;

-- The ratings after the last closed round of every ladder, with how each version stands now.
CREATE VIEW current_standings AS
SELECT
  l.name AS ladder, s.number AS season, r.number AS round, t.place, t.tier, v.version, v.author, t.value, t.low, t.high,
  t.matches, t.blocks, e.state, e.label
FROM ladders l
JOIN rounds r ON r.id = (
  SELECT max(r.id) FROM rounds r JOIN seasons s ON s.id = r.season WHERE s.ladder = l.id AND r.state = 'closed'
)
JOIN seasons s ON s.id = r.season
JOIN ratings t ON t.round = r.id
JOIN version_list v ON v.id = t.version
JOIN entries e ON e.ladder = l.id AND e.version = t.version
ORDER BY l.name, t.place;
