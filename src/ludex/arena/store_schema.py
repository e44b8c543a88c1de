"""The tables of a store. A change of them moves SCHEMA, and `store` learns to read the old ones.

What was measured by a clock lies in tables of its own (`times`, `runs`): all others are the same
whenever, wherever and in how many pieces a study with call or iteration budgets is played.
"""

from __future__ import annotations

APPLICATION = 0x4C754478  # "LuDx", in the header of the file
SCHEMA = 1

TABLES = """
CREATE TABLE facts (            -- the study, and what made the store
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE agents (
    number INTEGER PRIMARY KEY, -- the place among all entrants of the study
    label TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,        -- the text that makes it
    version TEXT NOT NULL,      -- of the package, or a hash of its file
    is_opponent INTEGER NOT NULL
);
CREATE TABLE worlds (
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    level INTEGER,
    world TEXT NOT NULL,        -- the text that makes it
    version INTEGER NOT NULL,
    seats INTEGER NOT NULL
);
CREATE TABLE matches (          -- all that are scheduled; the last columns are empty until played
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    round INTEGER NOT NULL,
    world INTEGER NOT NULL REFERENCES worlds,
    budget TEXT NOT NULL,
    repetition INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    agents TEXT NOT NULL,       -- numbers of agents by seat, as JSON
    ticks INTEGER,
    reason TEXT,                -- how it ended
    truncated INTEGER,          -- by a limit or a fault, not by the rules
    repeatable INTEGER,
    record BLOB                 -- packed; `Store.record` reads it
);
CREATE TABLE seats (            -- what each seat of each played match got
    match INTEGER NOT NULL REFERENCES matches,
    seat INTEGER NOT NULL,
    agent INTEGER NOT NULL REFERENCES agents,
    won INTEGER NOT NULL,
    tied INTEGER NOT NULL,      -- in a game of several seats that nobody won
    gain REAL NOT NULL,         -- the return of the world
    score REAL NOT NULL,
    decisions INTEGER NOT NULL,
    calls INTEGER NOT NULL,     -- of the model, in all decisions
    most_calls INTEGER NOT NULL,
    iterations INTEGER NOT NULL,
    most_iterations INTEGER NOT NULL,
    depth REAL NOT NULL,        -- mean of all decisions
    course TEXT NOT NULL,       -- scores over time: [[tick, score], ...] as JSON
    PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE TABLE faults (
    match INTEGER NOT NULL REFERENCES matches,
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    kind TEXT NOT NULL,
    tick INTEGER NOT NULL,
    message TEXT NOT NULL,
    trace TEXT NOT NULL,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
CREATE TABLE times (            -- measured: differs from run to run
    match INTEGER NOT NULL REFERENCES matches,
    seat INTEGER NOT NULL,
    cpu_ms REAL NOT NULL,       -- in all decisions
    most_cpu_ms REAL NOT NULL,
    wall_ms REAL NOT NULL,
    most_wall_ms REAL NOT NULL,
    PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE TABLE abandoned (        -- matches whose workers died again and again; a resume tries again
    match INTEGER PRIMARY KEY REFERENCES matches,
    reason TEXT NOT NULL
);
CREATE TABLE runs (
    number INTEGER PRIMARY KEY,
    began TEXT NOT NULL,
    ended TEXT,
    workers INTEGER NOT NULL,
    package TEXT NOT NULL,
    python TEXT NOT NULL,
    machine TEXT NOT NULL,
    played INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX matches_by_round ON matches (round);
"""

MEASURED = ("times", "runs", "abandoned")
"""the tables in which two runs of the same study differ"""
