PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
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
INSERT INTO ladders VALUES(1,'league','board','outline','18d04fc2db7ba95df2dbb9a954beeac1499ddcde1457cc8ff21d6ec0b6f9d137','{"active_to_be_paid":false,"deals":{"1":2,"10":5,"11":5,"12":5,"13":5,"14":5,"15":5,"2":2,"3":2,"4":3,"5":3,"6":3,"7":4,"8":4,"9":4},"deck":{"boss":10,"clan":4,"recruitment":33,"stop":10,"travel":3,"wild_travel":3},"draw":3,"draw_by_placards":null,"end_rolls":{"10":[1],"11":[1,2],"12":[1,2,3],"13":[1,2,3,4],"14":[1,2,3,4,5]},"end_sum":null,"fair_share":false,"former_boss_is_active":true,"game":"board","hand_limit":12,"last_call":false,"late_hand_limit":10,"late_limit_from":null,"marker_by":"right","max_offers":12,"max_ticks":16,"max_turns":300,"min_cards_to_deal":0,"must_deal_with":null,"name":"outline","names":{"blue":"Sacks","green":"Liebgeld","magenta":"Dougherty","orange":"Goldman","red":"Cashman","yellow":"Wadsworth"},"pay_all_agreements":false,"placards":{"2":3,"3":2,"4":1,"5":1,"6":1},"players":[3,6],"prices":"dividends","quiet_ticks":2,"reopen_failed":true,"self_sufficient_close":true,"side_promises":true,"skip_deals":[],"source":"English rules outline","spaces":[{"choose":2,"dividends":6,"from":["magenta","orange","green"],"required":["red","yellow","blue"]},{"dividends":3,"required":["orange","green"]},{"choose":1,"dividends":3,"from":["red","blue"],"required":["yellow"]},{"choose":2,"dividends":4,"from":["yellow","magenta","green"],"required":["orange"]},{"choose":1,"dividends":4,"from":["yellow","orange"],"required":["red","blue"]},{"choose":2,"dividends":5,"from":["red","yellow","blue","orange"],"required":["magenta","green"]},{"dividends":3,"required":["magenta","green"]},{"choose":4,"dividends":6,"from":["red","yellow","magenta","orange","green"],"required":["blue"]},{"dividends":4,"required":["yellow","blue","magenta"]},{"choose":2,"dividends":4,"from":["red","blue","magenta","orange"],"required":["yellow"]},{"choose":1,"dividends":5,"from":["magenta","green"],"required":["red","yellow","blue"]},{"choose":1,"dividends":4,"from":["yellow","blue","green"],"required":["red","orange"]},{"choose":3,"dividends":5,"from":["red","blue","orange","green"],"required":["magenta"]},{"choose":2,"dividends":6,"from":["red","yellow","blue"],"required":["magenta","orange","green"]},{"choose":2,"dividends":5,"from":["red","blue","magenta"],"required":["orange","green"]},{"choose":3,"dividends":5,"from":["yellow","blue","magenta","orange","green"],"required":["red"]}],"start":"alphabetical","start_hand":5,"title":"I''m the Boss! (rules outline)","triple_at_limit":"no","turn_order":"boss"}',3,'{"name":"league","rules":"outline","variants":[],"changes":{},"seats":3,"anchors":[{"bot":"greedy","cmd":[],"name":"greedy","options":{},"files":[],"team":""},{"bot":"random-legal","cmd":[],"name":"random-legal","options":{},"files":[],"team":""}],"rated_by":"order","round_tables":null,"newcomer_tables":24,"indifference":0.02,"seat_orders":"rotations","fault_policy":"substitute","strikes":3,"suspend_after":20,"retries":2,"limits":{"start":10.0,"ask":1.0,"bank":10.0,"match":60.0},"isolation":"process","require":"none","sandbox":{"memory":512,"threads":32,"files":64,"cpu":3600,"preload":[]},"replays":"all","entry":{"versions_a_day":null,"bots":null,"one_team":true,"versions":1,"check_matches":8,"must_repeat":false,"build_seconds":300,"build_memory":2048,"tokens":false},"publish":{"seeds":"round","replays":"round"}}','2026-11-24T13:02:03+00:00');
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
INSERT INTO seasons VALUES(1,1,1,'7c6771cba4a74b780fb39725ba7be2ebe9e8a41f8f489b09d95cb6733510cafb',NULL,'2026-11-24T13:02:03+00:00',NULL);
CREATE TABLE authors (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  token_sha256 TEXT,
  began TEXT NOT NULL
) STRICT;
INSERT INTO authors VALUES(1,'operator',NULL,'2026-11-24T13:02:03+00:00');
CREATE TABLE bots (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  author INTEGER NOT NULL REFERENCES authors (id),
  began TEXT NOT NULL
) STRICT;
INSERT INTO bots VALUES(1,'greedy',1,'2026-11-24T13:02:03+00:00');
INSERT INTO bots VALUES(2,'random-legal',1,'2026-11-24T13:02:03+00:00');
INSERT INTO bots VALUES(3,'modest',1,'2026-11-24T13:02:12+00:00');
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
INSERT INTO versions VALUES(1,1,1,'35dab9fd5ef9ad74d0fca0b645a952c1fe953534fa89dcb2b38feeede89f7676','2cb07191d1d5eaa9be20ac0f1aaf755e6dae76855d6251697cf4760177219bcd','','','{}','{"name":"greedy.py","sha256":"48d5b9b28314a55ed474dcd2ee19da6deefff330f0604822f9821f660cc4aa08","file":"greedy.py","module":"","cls":"","options":{},"command":[],"files":[],"folder":"","origin":"","bundled":false}','{}','2026-11-24T13:02:03+00:00');
INSERT INTO versions VALUES(2,2,1,'62714c4bfc7b9fca95884016453e2f489a0fb64d319c11d9f57af1c65523455b','f80f6f3667b4b3b2b1aa3ddde57c71787a93acc382584b0224b36d28f42a78fb','','','{}','{"name":"random_legal.py","sha256":"b84d943d07d29c6e35cb2c1163b9e4d4e06f4bd18b5ea63d65b5990f3e944ab3","file":"random_legal.py","module":"","cls":"","options":{},"command":[],"files":[],"folder":"","origin":"","bundled":false}','{}','2026-11-24T13:02:03+00:00');
INSERT INTO versions VALUES(3,3,1,'c56bf95931676e0224caacc5eb9331eee249237f7d576312e509cc66b57d12cf','6f58dd5c2d858bef9d0ae7d714b0d2862f12598a3180b3f5f03a0464ea69862d','','','{}','{"name":"modest.py","sha256":"9217cf563b9b6300eaafcd34acd3d8a05b71d7024517be3a6c3e3c1c066c83e3","file":"modest.py","module":"","cls":"","options":{},"command":[],"files":[],"folder":"","origin":"","bundled":false}','{"league":{"bot":"modest.py","ladder":"league","edition":"outline","seats":3,"level":"sealed","refused":[],"told":[],"label":"repeats itself","evidence":"with another seed the same 300 answers","seed":"6373cbf4d6c3134dd8e2d3e31f80a29c","played":{"bot":"modest.py","level":"sealed","matches":16,"asks":{"turn":154,"accept":171,"close":26},"faults":[],"start":0.002244,"mean":0.001854,"median":0.001097,"worst":0.00798,"cpu":0.076385,"memory":22495232,"sent":896.5,"received":54.0,"repeats":true,"differs":"","put_out":[],"cpu_mean":0.000125,"cpu_median":0.000122,"cpu_worst":0.000553,"longest":0.229387,"slowest_start":0.007548},"build":null,"alike":[]}}','2026-11-24T13:02:12+00:00');
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
INSERT INTO entries VALUES(1,1,'active',1,'','',0);
INSERT INTO entries VALUES(1,2,'active',2,'','',0);
INSERT INTO entries VALUES(1,3,'active',0,'repeats itself','with another seed the same 300 answers',0);
CREATE TABLE changes (
  id INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  ladder INTEGER REFERENCES ladders (id),
  version INTEGER REFERENCES versions (id),
  what TEXT NOT NULL,
  why TEXT NOT NULL DEFAULT ''
) STRICT;
INSERT INTO changes VALUES(1,'2026-11-24T13:02:03+00:00',1,1,'active','submitted');
INSERT INTO changes VALUES(2,'2026-11-24T13:02:03+00:00',1,2,'active','submitted');
INSERT INTO changes VALUES(3,'2026-11-24T13:02:12+00:00',1,3,'active','submitted');
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
INSERT INTO rounds VALUES(1,1,1,'open',0,1,72,'{"tournament":"league.1","seed":"","command":"arena ladder play league --matches 4 -q","matches":72,"arena":"0.1.0","python":"3.11.7","platform":"Linux-6.18.44-x86_64-with-glibc2.36","replay_format":"arena-replay/2","chance":"sha256-1","isolation":{"level":"sealed","layers":["session","limits","parent","privileges","landlock","seccomp","bubblewrap"],"memory":512,"threads":32,"files":64,"cpu":3600,"preload":[]},"editions":{"outline-3p":"18d04fc2db7ba95df2dbb9a954beeac1499ddcde1457cc8ff21d6ec0b6f9d137"},"entrants":{"greedy:1":{"bot":"greedy.py","sha256":"48d5b9b28314a55ed474dcd2ee19da6deefff330f0604822f9821f660cc4aa08","options":{}},"random-legal:1":{"bot":"random_legal.py","sha256":"b84d943d07d29c6e35cb2c1163b9e4d4e06f4bd18b5ea63d65b5990f3e944ab3","options":{}},"modest:1":{"bot":"modest.py","sha256":"9217cf563b9b6300eaafcd34acd3d8a05b71d7024517be3a6c3e3c1c066c83e3","options":{}}},"settings":{"editions":[{"rules":"outline","variants":[],"changes":{},"seats":null}],"seats":[3],"blocks":24,"deals":"table","seat_orders":"rotations","fault_policy":"substitute","strikes":3,"suspend_after":null,"limits":{"start":10.0,"ask":1.0,"bank":10.0,"match":60.0},"replays":"all","isolation":"process","skip_broken":false,"sandbox":{"memory":512,"threads":32,"files":64,"cpu":3600,"preload":[]},"format":"list","challengers":[],"tables":null,"balance":"pairs","rounds":null,"fixtures":["0,modest:1,random-legal:1,greedy:1","1,greedy:1,modest:1,random-legal:1","2,modest:1,random-legal:1,greedy:1","3,random-legal:1,greedy:1,modest:1","4,random-legal:1,modest:1,greedy:1","5,greedy:1,modest:1,random-legal:1","6,modest:1,greedy:1,random-legal:1","7,greedy:1,modest:1,random-legal:1","8,random-legal:1,modest:1,greedy:1","9,random-legal:1,greedy:1,modest:1","10,modest:1,random-legal:1,greedy:1","11,greedy:1,random-legal:1,modest:1","12,greedy:1,modest:1,random-legal:1","13,random-legal:1,greedy:1,modest:1","14,modest:1,greedy:1,random-legal:1","15,greedy:1,modest:1,random-legal:1","16,modest:1,random-legal:1,greedy:1","17,random-legal:1,greedy:1,modest:1","18,greedy:1,modest:1,random-legal:1","19,greedy:1,modest:1,random-legal:1","20,greedy:1,random-legal:1,modest:1","21,modest:1,random-legal:1,greedy:1","22,modest:1,greedy:1,random-legal:1","23,random-legal:1,greedy:1,modest:1"],"measures":{}},"config_sha256":"febaf29e99ff609618fc284b938aa63026bd1b04be59a79ed3f23d782b2d0c53","skipped":{},"share":"","config":{"name":"league.1","entrants":[{"bot":"greedy.py","name":"greedy:1","options":{},"files":[],"team":""},{"bot":"random_legal.py","name":"random-legal:1","options":{},"files":[],"team":""},{"bot":"modest.py","name":"modest:1","options":{},"files":[],"team":""}],"editions":[{"rules":"outline","variants":[],"changes":{},"seats":null}],"seed":"","seats":[3],"blocks":24,"deals":"table","seat_orders":"rotations","fault_policy":"substitute","strikes":3,"suspend_after":null,"limits":{"start":10.0,"ask":1.0,"bank":10.0,"match":60.0},"time_limit":null,"max_fault_rate":null,"jobs":null,"executor":"pool","scheduler":null,"replays":"all","isolation":"process","require":"none","skip_broken":false,"sandbox":{"memory":512,"threads":32,"files":64,"cpu":3600,"preload":[]},"format":"list","challengers":[],"tables":null,"balance":"pairs","rounds":null,"fixtures":["0,modest:1,random-legal:1,greedy:1","1,greedy:1,modest:1,random-legal:1","2,modest:1,random-legal:1,greedy:1","3,random-legal:1,greedy:1,modest:1","4,random-legal:1,modest:1,greedy:1","5,greedy:1,modest:1,random-legal:1","6,modest:1,greedy:1,random-legal:1","7,greedy:1,modest:1,random-legal:1","8,random-legal:1,modest:1,greedy:1","9,random-legal:1,greedy:1,modest:1","10,modest:1,random-legal:1,greedy:1","11,greedy:1,random-legal:1,modest:1","12,greedy:1,modest:1,random-legal:1","13,random-legal:1,greedy:1,modest:1","14,modest:1,greedy:1,random-legal:1","15,greedy:1,modest:1,random-legal:1","16,modest:1,random-legal:1,greedy:1","17,random-legal:1,greedy:1,modest:1","18,greedy:1,modest:1,random-legal:1","19,greedy:1,modest:1,random-legal:1","20,greedy:1,random-legal:1,modest:1","21,modest:1,random-legal:1,greedy:1","22,modest:1,greedy:1,random-legal:1","23,random-legal:1,greedy:1,modest:1"],"measures":{}}}','{"machines":[{"host":"vm","cpu":"AMD EPYC","cores":2,"python":"3.11.7","factor":1.179,"workload":"python-1"}],"state":"stopped","finished":4}','2026-11-24T13:02:13+00:00',NULL);
CREATE TABLE plays (
  id INTEGER PRIMARY KEY,
  season INTEGER NOT NULL REFERENCES seasons (id),
  began TEXT NOT NULL,
  after_round INTEGER NOT NULL
) STRICT;
INSERT INTO plays VALUES(1,1,'2026-11-24T13:02:13+00:00',0);
CREATE TABLE tables (
  round INTEGER NOT NULL REFERENCES rounds (id),
  block INTEGER NOT NULL,
  versions TEXT NOT NULL CHECK (json_valid(versions)),
  why TEXT NOT NULL,
  PRIMARY KEY (round, block)
) STRICT, WITHOUT ROWID;
INSERT INTO tables VALUES(1,0,'[3,2,1]','greedy:1 is new (table 1 of its first 24)');
INSERT INTO tables VALUES(1,1,'[1,3,2]','random-legal:1 is new (table 2 of its first 24)');
INSERT INTO tables VALUES(1,2,'[3,2,1]','modest:1 is new (table 3 of its first 24)');
INSERT INTO tables VALUES(1,3,'[2,1,3]','modest:1 is new (table 4 of its first 24)');
INSERT INTO tables VALUES(1,4,'[2,3,1]','modest:1 is new (table 5 of its first 24)');
INSERT INTO tables VALUES(1,5,'[1,3,2]','greedy:1 is new (table 6 of its first 24)');
INSERT INTO tables VALUES(1,6,'[3,1,2]','greedy:1 is new (table 7 of its first 24)');
INSERT INTO tables VALUES(1,7,'[1,3,2]','greedy:1 is new (table 8 of its first 24)');
INSERT INTO tables VALUES(1,8,'[2,3,1]','modest:1 is new (table 9 of its first 24)');
INSERT INTO tables VALUES(1,9,'[2,1,3]','random-legal:1 is new (table 10 of its first 24)');
INSERT INTO tables VALUES(1,10,'[3,2,1]','random-legal:1 is new (table 11 of its first 24)');
INSERT INTO tables VALUES(1,11,'[1,2,3]','modest:1 is new (table 12 of its first 24)');
INSERT INTO tables VALUES(1,12,'[1,3,2]','random-legal:1 is new (table 13 of its first 24)');
INSERT INTO tables VALUES(1,13,'[2,1,3]','greedy:1 is new (table 14 of its first 24)');
INSERT INTO tables VALUES(1,14,'[3,1,2]','random-legal:1 is new (table 15 of its first 24)');
INSERT INTO tables VALUES(1,15,'[1,3,2]','modest:1 is new (table 16 of its first 24)');
INSERT INTO tables VALUES(1,16,'[3,2,1]','random-legal:1 is new (table 17 of its first 24)');
INSERT INTO tables VALUES(1,17,'[2,1,3]','greedy:1 is new (table 18 of its first 24)');
INSERT INTO tables VALUES(1,18,'[1,3,2]','random-legal:1 is new (table 19 of its first 24)');
INSERT INTO tables VALUES(1,19,'[1,3,2]','random-legal:1 is new (table 20 of its first 24)');
INSERT INTO tables VALUES(1,20,'[1,2,3]','modest:1 is new (table 21 of its first 24)');
INSERT INTO tables VALUES(1,21,'[3,2,1]','everybody plays on');
INSERT INTO tables VALUES(1,22,'[3,1,2]','everybody plays on');
INSERT INTO tables VALUES(1,23,'[2,1,3]','everybody plays on');
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
INSERT INTO matches VALUES(1,1,'outline-3p/b0000/2-1-0',0,'7257919cd85b9bf1e79a4bdfe0436d78','end roll',313,0,1,'bc628a646c0c95d671da5e7540bc90d03004c46182b64f58b6a75f3476cee5dc','vm',0.57577699999999998325,'{"id":"outline-3p/b0000/2-1-0","seconds":0.575777,"seats":[{"entrant":"modest:1","asks":36,"total":0.00456,"worst":0.002143,"hooks":{"turn":15,"accept":17,"close":4},"start":0.005695,"median":0.000045,"memory":22380544,"sent":29607,"received":2175,"cpu":0.00605,"late":[]},{"entrant":"random-legal:1","asks":106,"total":0.013799,"worst":0.002361,"hooks":{"turn":14,"offer":31,"accept":16,"interrupt":31,"close":14},"start":0.001111,"median":0.000063,"memory":22196224,"sent":41034,"received":7092,"cpu":0.00826,"late":[]},{"entrant":"greedy:1","asks":104,"total":0.012318,"worst":0.00233,"hooks":{"offer":31,"accept":14,"interrupt":32,"turn":14,"close":13},"start":0.001156,"median":0.000049,"memory":22507520,"sent":40767,"received":6408,"cpu":0.007563,"late":[]}],"clock":"referee","host":"vm"}','2026-11-24T13:02:14+00:00');
INSERT INTO matches VALUES(2,1,'outline-3p/b0000/1-0-2',0,'7257919cd85b9bf1e79a4bdfe0436d78','end roll',313,0,1,'191ad185b05990b09622082b084f0442f513f2971721151823066306142721e6','vm',0.72843700000000000116,'{"id":"outline-3p/b0000/1-0-2","seconds":0.728437,"seats":[{"entrant":"random-legal:1","asks":106,"total":0.043291,"worst":0.006343,"hooks":{"place_marker":1,"offer":29,"interrupt":30,"turn":13,"accept":25,"close":8},"start":0.003439,"median":0.000093,"memory":22712320,"sent":45690,"received":6776,"cpu":0.009564,"late":[]},{"entrant":"greedy:1","asks":109,"total":0.054896,"worst":0.012756,"hooks":{"turn":13,"offer":29,"accept":17,"interrupt":33,"close":17},"start":0.008457,"median":0.000081,"memory":22753280,"sent":45373,"received":7614,"cpu":0.009054,"late":[]},{"entrant":"modest:1","asks":32,"total":0.006348,"worst":0.002591,"hooks":{"accept":15,"turn":13,"close":4},"start":0.001328,"median":0.000088,"memory":22577152,"sent":30575,"received":1785,"cpu":0.006469,"late":[]}],"clock":"referee","host":"vm"}','2026-11-24T13:02:14+00:00');
INSERT INTO matches VALUES(3,1,'outline-3p/b0000/0-2-1',0,'7257919cd85b9bf1e79a4bdfe0436d78','end roll',265,0,1,'ed5e9fb642d8530f33911548255fdcfbc63b1603fdcc12c89b8866ad38b605b4','vm',0.059367000000000003101,'{"id":"outline-3p/b0000/0-2-1","seconds":0.059367,"seats":[{"entrant":"greedy:1","asks":78,"total":0.017141,"worst":0.005073,"hooks":{"offer":23,"interrupt":28,"accept":8,"close":5,"turn":14},"start":0.004283,"median":0.000083,"memory":22573056,"sent":39279,"received":5351,"cpu":0.006539,"late":[]},{"entrant":"modest:1","asks":51,"total":0.011093,"worst":0.0031,"hooks":{"turn":16,"accept":28,"close":7},"start":0.000858,"median":0.000043,"memory":22269952,"sent":34341,"received":2847,"cpu":0.005829,"late":[]},{"entrant":"random-legal:1","asks":82,"total":0.018402,"worst":0.005063,"hooks":{"offer":23,"interrupt":25,"turn":12,"accept":12,"close":10},"start":0.000864,"median":0.000063,"memory":22269952,"sent":38528,"received":5261,"cpu":0.007113,"late":[]}],"clock":"referee","host":"vm"}','2026-11-24T13:02:14+00:00');
INSERT INTO matches VALUES(4,1,'outline-3p/b0001/0-2-1',1,'0f574a3cfa35ff4b24ec5bcc5d84fcfd','end roll',314,0,1,'79b55b9af05f7895ce968fb1f5c70320717205fe0b6c3ad49892b261c9f45b9e','vm',0.073234999999999994546,'{"id":"outline-3p/b0001/0-2-1","seconds":0.073235,"seats":[{"entrant":"greedy:1","asks":101,"total":0.01616,"worst":0.003581,"hooks":{"offer":28,"interrupt":35,"accept":15,"turn":15,"close":8},"start":0.001214,"median":0.000061,"memory":22573056,"sent":46059,"received":6466,"cpu":0.007628,"late":[]},{"entrant":"modest:1","asks":43,"total":0.003021,"worst":0.000631,"hooks":{"accept":21,"turn":14,"close":8},"start":0.000906,"median":0.000043,"memory":22269952,"sent":34678,"received":2233,"cpu":0.005603,"late":[]},{"entrant":"random-legal:1","asks":104,"total":0.01684,"worst":0.003569,"hooks":{"turn":14,"offer":28,"accept":21,"interrupt":29,"close":12},"start":0.000994,"median":0.000059,"memory":22269952,"sent":46723,"received":6852,"cpu":0.00756,"late":[]}],"clock":"referee","host":"vm"}','2026-11-24T13:02:14+00:00');
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
INSERT INTO seats VALUES(1,0,3,29,3,'played',NULL);
INSERT INTO seats VALUES(1,1,2,42,2,'played',NULL);
INSERT INTO seats VALUES(1,2,1,71,1,'played',NULL);
INSERT INTO seats VALUES(2,0,2,26,3,'played',NULL);
INSERT INTO seats VALUES(2,1,1,74,1,'played',NULL);
INSERT INTO seats VALUES(2,2,3,38,2,'played',NULL);
INSERT INTO seats VALUES(3,0,1,56,1,'played',NULL);
INSERT INTO seats VALUES(3,1,3,48,2,'played',NULL);
INSERT INTO seats VALUES(3,2,2,26,3,'played',NULL);
INSERT INTO seats VALUES(4,0,1,98,1,'played',NULL);
INSERT INTO seats VALUES(4,1,3,27,3,'played',NULL);
INSERT INTO seats VALUES(4,2,2,37,2,'played',NULL);
CREATE TABLE left_out (
  match INTEGER PRIMARY KEY,
  round INTEGER NOT NULL REFERENCES rounds (id),
  name TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  final INTEGER NOT NULL CHECK (final IN (0, 1)),
  why TEXT NOT NULL
) STRICT;
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
CREATE TABLE audits (
  id INTEGER PRIMARY KEY,
  season INTEGER NOT NULL REFERENCES seasons (id),
  at TEXT NOT NULL,
  played INTEGER NOT NULL,
  identical INTEGER NOT NULL,
  found TEXT NOT NULL CHECK (json_valid(found))
) STRICT;
CREATE INDEX matches_round ON matches (round);
CREATE INDEX matches_void ON matches (round) WHERE void = 1;
CREATE INDEX seats_version ON seats (version, match);
CREATE INDEX seats_faults ON seats (version, match) WHERE faults IS NOT NULL OR ended <> 'played';
CREATE INDEX ratings_version ON ratings (version, round);
CREATE VIEW version_list AS
SELECT v.id, b.name || ':' || v.number AS version, b.name AS bot, v.number, a.name AS author, v.submitted, v.sha256
FROM versions v
JOIN bots b ON b.id = v.bot
JOIN authors a ON a.id = b.author;
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
COMMIT;
