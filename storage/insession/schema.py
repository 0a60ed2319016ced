"""Schema of the in-session store. Each element of `SCHEMA` takes the file from one version to the next."""

from __future__ import annotations

VERSION_1 = (
    "CREATE TABLE sequence (value INTEGER NOT NULL)",
    "INSERT INTO sequence VALUES (0)",
    """CREATE TABLE sessions (
        key TEXT PRIMARY KEY, agent TEXT NOT NULL, session_id TEXT NOT NULL, project_id TEXT NOT NULL,
        user_id TEXT NOT NULL, cwd TEXT NOT NULL DEFAULT '', transcript TEXT NOT NULL DEFAULT '',
        epoch INTEGER NOT NULL DEFAULT 0, turn INTEGER NOT NULL DEFAULT 0, tokens INTEGER NOT NULL DEFAULT 0,
        window_tokens INTEGER, recap_hash TEXT NOT NULL DEFAULT '', recap_epoch INTEGER NOT NULL DEFAULT -1,
        recap_at INTEGER NOT NULL DEFAULT 0,
        recap_turn INTEGER NOT NULL DEFAULT 0, question TEXT NOT NULL DEFAULT '', reply_tail TEXT NOT NULL DEFAULT '',
        cursor INTEGER NOT NULL DEFAULT 0, summary TEXT NOT NULL DEFAULT '', snapshot TEXT NOT NULL DEFAULT '',
        snapshot_epoch INTEGER NOT NULL DEFAULT -1, compactions INTEGER NOT NULL DEFAULT 0,
        compacting INTEGER NOT NULL DEFAULT 0,
        ended TEXT NOT NULL DEFAULT '', started_at REAL NOT NULL, last_at REAL NOT NULL
    ) WITHOUT ROWID""",
    "CREATE INDEX sessions_by_activity ON sessions (last_at)",
    """CREATE TABLE turns (
        session TEXT NOT NULL, turn INTEGER NOT NULL, prompt_id TEXT NOT NULL DEFAULT '', prompt TEXT NOT NULL,
        tokens INTEGER NOT NULL, at REAL NOT NULL, PRIMARY KEY (session, turn)
    ) WITHOUT ROWID""",
    """CREATE TABLE pins (
        id INTEGER PRIMARY KEY, session TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, quote TEXT NOT NULL,
        question TEXT NOT NULL DEFAULT '', turn INTEGER NOT NULL, task INTEGER NOT NULL DEFAULT 0,
        status TEXT NOT NULL DEFAULT 'active', reason TEXT NOT NULL DEFAULT '', supersedes INTEGER,
        created_at REAL NOT NULL, seq INTEGER NOT NULL
    )""",
    "CREATE INDEX pins_by_session ON pins (session, status)",
    """CREATE TABLE decisions (
        id INTEGER PRIMARY KEY, session TEXT NOT NULL, turn INTEGER NOT NULL, layer TEXT NOT NULL,
        reason TEXT NOT NULL, detail TEXT NOT NULL DEFAULT '', tokens INTEGER NOT NULL DEFAULT 0, at REAL NOT NULL
    )""",
    "CREATE INDEX decisions_by_turn ON decisions (session, turn)",
    """CREATE TABLE events (
        id INTEGER PRIMARY KEY, session TEXT NOT NULL, project_id TEXT NOT NULL, turn INTEGER NOT NULL,
        type TEXT NOT NULL, quote TEXT NOT NULL DEFAULT '', detail TEXT NOT NULL DEFAULT '{}',
        seq INTEGER NOT NULL, at REAL NOT NULL
    )""",
    "CREATE INDEX events_by_session ON events (session)",
    "CREATE INDEX events_by_project ON events (project_id, seq)",
    # `terms` holds the words that the pure policy cut from the text (CJK as pairs, identifiers in parts): the word
    # index works on them, the trigram index on the text itself.
    """CREATE TABLE facts (
        id INTEGER PRIMARY KEY, user_id TEXT NOT NULL, project_id TEXT NOT NULL, agent TEXT NOT NULL,
        origin_project TEXT NOT NULL, slot TEXT NOT NULL DEFAULT '', text TEXT NOT NULL, terms TEXT NOT NULL,
        hash TEXT NOT NULL, quote TEXT NOT NULL, session TEXT NOT NULL, turn INTEGER NOT NULL,
        status TEXT NOT NULL DEFAULT 'active', superseded_by INTEGER, source TEXT NOT NULL DEFAULT 'rule',
        injected INTEGER NOT NULL DEFAULT 0, confirmed INTEGER NOT NULL DEFAULT 0,
        contradicted INTEGER NOT NULL DEFAULT 0, created_at REAL NOT NULL, confirmed_at REAL NOT NULL,
        injected_at REAL, seq INTEGER NOT NULL
    )""",
    "CREATE INDEX facts_by_scope ON facts (user_id, agent, project_id, status)",
    "CREATE INDEX facts_by_hash ON facts (hash)",
    "CREATE VIRTUAL TABLE fact_words USING fts5(terms, content='facts', content_rowid='id', tokenize='unicode61')",
    "CREATE VIRTUAL TABLE fact_trigrams USING fts5(text, content='facts', content_rowid='id', tokenize='trigram')",
    """CREATE TRIGGER facts_inserted AFTER INSERT ON facts BEGIN
        INSERT INTO fact_words (rowid, terms) VALUES (new.id, new.terms);
        INSERT INTO fact_trigrams (rowid, text) VALUES (new.id, new.text);
    END""",
    """CREATE TRIGGER facts_deleted AFTER DELETE ON facts BEGIN
        INSERT INTO fact_words (fact_words, rowid, terms) VALUES ('delete', old.id, old.terms);
        INSERT INTO fact_trigrams (fact_trigrams, rowid, text) VALUES ('delete', old.id, old.text);
    END""",
    """CREATE TABLE fact_tombstones (
        user_id TEXT NOT NULL, hash TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (user_id, hash)
    ) WITHOUT ROWID""",
    """CREATE TABLE fact_evidence (
        fact INTEGER NOT NULL, session TEXT NOT NULL, turn INTEGER NOT NULL, quote TEXT NOT NULL, at REAL NOT NULL,
        PRIMARY KEY (fact, session)
    ) WITHOUT ROWID""",
    """CREATE TABLE fact_injections (
        session TEXT NOT NULL, epoch INTEGER NOT NULL, fact INTEGER NOT NULL, turn INTEGER NOT NULL,
        PRIMARY KEY (session, epoch, fact)
    ) WITHOUT ROWID""",
    """CREATE TABLE flushes (
        session TEXT NOT NULL, epoch INTEGER NOT NULL, cursor_from INTEGER NOT NULL, cursor_to INTEGER NOT NULL,
        cause TEXT NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '', token TEXT, lease_until REAL,
        attempts INTEGER NOT NULL DEFAULT 0, saved INTEGER NOT NULL DEFAULT 0, claimed_at REAL NOT NULL, ended_at REAL,
        PRIMARY KEY (session, epoch, cursor_from)
    ) WITHOUT ROWID""",
    """CREATE TABLE shard_lines (
        id INTEGER PRIMARY KEY, project_id TEXT NOT NULL, session TEXT NOT NULL, turn INTEGER NOT NULL,
        path TEXT NOT NULL, line TEXT NOT NULL, quote TEXT NOT NULL DEFAULT '', standing TEXT NOT NULL,
        seq INTEGER NOT NULL, at REAL NOT NULL
    )""",
    "CREATE INDEX shard_lines_by_project ON shard_lines (project_id, seq)",
    """CREATE TABLE handles (
        handle TEXT PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, channel TEXT NOT NULL,
        thread TEXT NOT NULL, host_session TEXT NOT NULL DEFAULT '', state TEXT NOT NULL DEFAULT 'new',
        reason TEXT NOT NULL DEFAULT '', resumes INTEGER NOT NULL DEFAULT 0, created_at REAL NOT NULL,
        used_at REAL NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE model_work (
        id INTEGER PRIMARY KEY, session TEXT NOT NULL, turn INTEGER NOT NULL, prompt TEXT NOT NULL, reply TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'waiting', reason TEXT NOT NULL DEFAULT '', token TEXT, lease_until REAL,
        attempts INTEGER NOT NULL DEFAULT 0, at REAL NOT NULL, UNIQUE (session, turn)
    )""",
)

VERSION_2 = ("ALTER TABLE sessions ADD COLUMN summarised_to INTEGER NOT NULL DEFAULT 0",)

SCHEMA = (VERSION_1, VERSION_2)
SCHEMA_VERSION = len(SCHEMA)
