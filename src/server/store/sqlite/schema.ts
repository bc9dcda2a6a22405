/** The tables of the server's database, and the migration of older files. */

import { emptiedAnswer } from '../idempotency.ts';
import type { Database } from './driver.ts';
import { rollBack } from './group-commit.ts';

/** The columns of a kept answer, the same in every version. */
const answerColumns = `
  person_seq INTEGER NOT NULL,
  key TEXT NOT NULL,
  request_digest BLOB NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (person_seq, key)
`;

/**
 * people ─┬─ tokens            a person who may sign in has is_user = 1
 *         ├─ group_members ── chat_groups
 *         └─ conversations ── threads      one thread for a pair or a group, one conversation per person who takes part
 *              └─ deliveries ── messages   who got which message, and when it was read there
 *
 * Deleting a conversation deletes one person's deliveries; a message is deleted from the disk with its last delivery.
 * deleted_* keep the place (not the content) of deleted items, so that their ids still work as cursors.
 */
const version1 = `
CREATE TABLE people (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  username TEXT NOT NULL UNIQUE COLLATE NOCASE,
  phone_number TEXT NOT NULL DEFAULT '',
  avatar_url TEXT NOT NULL DEFAULT '',
  is_user INTEGER NOT NULL DEFAULT 0,
  last_active_at INTEGER,
  created_at INTEGER NOT NULL
);
CREATE TABLE tokens (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  digest BLOB NOT NULL UNIQUE,
  person_seq INTEGER NOT NULL REFERENCES people(seq),
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE TABLE chat_groups (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
);
CREATE TABLE group_members (
  group_seq INTEGER NOT NULL REFERENCES chat_groups(seq),
  person_seq INTEGER NOT NULL REFERENCES people(seq),
  PRIMARY KEY (group_seq, person_seq)
) WITHOUT ROWID;
CREATE TABLE threads (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  low_seq INTEGER REFERENCES people(seq),
  high_seq INTEGER REFERENCES people(seq),
  group_seq INTEGER UNIQUE REFERENCES chat_groups(seq),
  UNIQUE (low_seq, high_seq),
  CHECK ((group_seq IS NULL AND low_seq < high_seq) OR (group_seq IS NOT NULL AND low_seq IS NULL AND high_seq IS NULL))
);
CREATE TABLE messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  thread_seq INTEGER NOT NULL REFERENCES threads(seq),
  author_seq INTEGER NOT NULL REFERENCES people(seq),
  text TEXT NOT NULL,
  read_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER
);
CREATE TABLE conversations (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  thread_seq INTEGER NOT NULL REFERENCES threads(seq),
  person_seq INTEGER NOT NULL REFERENCES people(seq),
  pinned_message_seq INTEGER REFERENCES messages(seq) ON DELETE SET NULL,
  is_pinned INTEGER NOT NULL DEFAULT 0,
  is_muted INTEGER NOT NULL DEFAULT 0,
  last_active_at INTEGER,
  last_opened_at INTEGER,
  created_at INTEGER NOT NULL,
  archived_at INTEGER,
  active_at INTEGER NOT NULL GENERATED ALWAYS AS (coalesce(last_active_at, created_at)) VIRTUAL,
  UNIQUE (thread_seq, person_seq)
);
CREATE INDEX conversations_by_activity ON conversations(person_seq, active_at, seq);
CREATE INDEX conversations_muted ON conversations(person_seq, active_at, seq) WHERE is_muted = 1;
CREATE INDEX conversations_pinned ON conversations(person_seq, active_at, seq) WHERE is_pinned = 1;
CREATE INDEX conversations_archived ON conversations(person_seq, active_at, seq) WHERE archived_at IS NOT NULL;
CREATE INDEX conversations_by_pinned_message ON conversations(pinned_message_seq) WHERE pinned_message_seq IS NOT NULL;
CREATE TABLE deliveries (
  conversation_seq INTEGER NOT NULL REFERENCES conversations(seq) ON DELETE CASCADE,
  message_seq INTEGER NOT NULL REFERENCES messages(seq) ON DELETE CASCADE,
  person_seq INTEGER NOT NULL REFERENCES people(seq),
  is_own INTEGER NOT NULL,
  read_at INTEGER,
  PRIMARY KEY (conversation_seq, message_seq)
) WITHOUT ROWID;
CREATE INDEX deliveries_by_message ON deliveries(message_seq, person_seq);
CREATE INDEX deliveries_by_person ON deliveries(person_seq, message_seq);
CREATE INDEX deliveries_unread ON deliveries(conversation_seq, message_seq) WHERE read_at IS NULL AND is_own = 0;
CREATE TABLE reactions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  message_seq INTEGER NOT NULL REFERENCES messages(seq) ON DELETE CASCADE,
  name TEXT NOT NULL,
  person_seq INTEGER NOT NULL REFERENCES people(seq),
  UNIQUE (message_seq, name, person_seq)
);
CREATE TABLE attachments (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  message_seq INTEGER NOT NULL REFERENCES messages(seq) ON DELETE CASCADE,
  filename TEXT NOT NULL,
  file_url TEXT NOT NULL,
  file_type TEXT,
  file_size INTEGER,
  created_at INTEGER NOT NULL
);
CREATE INDEX attachments_by_message ON attachments(message_seq);
CREATE TABLE deleted_messages (
  id TEXT NOT NULL,
  person_seq INTEGER NOT NULL,
  conversation_seq INTEGER NOT NULL,
  message_seq INTEGER NOT NULL,
  PRIMARY KEY (id, person_seq)
) WITHOUT ROWID;
CREATE TABLE deleted_conversations (
  id TEXT NOT NULL PRIMARY KEY,
  person_seq INTEGER NOT NULL,
  active_at INTEGER NOT NULL,
  conversation_seq INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE idempotency (${answerColumns}) WITHOUT ROWID;
CREATE INDEX idempotency_by_age ON idempotency(created_at);
`;

/**
 * The answer kept for an `Idempotency-Key` holds the text of the message, so it is emptied when the message is deleted.
 * The row stays: the same request must not post the message again. The table has a rowid because SQLite leaves copies
 * behind when it makes room between rows, and rows of such a table are only ever added at its end.
 */
const version2 = `
CREATE TABLE kept_answers (${answerColumns});
INSERT INTO kept_answers SELECT * FROM idempotency;
DROP TABLE idempotency;
ALTER TABLE kept_answers RENAME TO idempotency;
CREATE INDEX idempotency_by_age ON idempotency(created_at);
CREATE INDEX idempotency_by_item ON idempotency(json_extract(body, '$.id'));
CREATE TRIGGER empty_kept_answer AFTER DELETE ON messages BEGIN
  UPDATE idempotency SET body = '${emptiedAnswer}' WHERE json_extract(body, '$.id') = old.id;
END;
`;

/**
 * `versions` counts the changes of what each person can see. Usernames are compared by `lower` in the statements, as
 * every engine can.
 */
const version3 = `
CREATE TABLE versions (
  person_seq INTEGER PRIMARY KEY REFERENCES people(seq),
  version INTEGER NOT NULL DEFAULT 0
);
INSERT INTO versions (person_seq) SELECT seq FROM people;
CREATE UNIQUE INDEX people_by_name ON people(lower(username));
`;

/**
 * `has_extras` is 1 once a message has had a reaction or an attachment. The others, which are most, are read without
 * looking into those tables.
 */
const version4 = `
ALTER TABLE messages ADD COLUMN has_extras INTEGER NOT NULL DEFAULT 0;
UPDATE messages SET has_extras = 1
  WHERE seq IN (SELECT message_seq FROM reactions UNION SELECT message_seq FROM attachments);
CREATE TRIGGER reaction_is_extra AFTER INSERT ON reactions BEGIN
  UPDATE messages SET has_extras = 1 WHERE seq = new.message_seq AND has_extras = 0;
END;
CREATE TRIGGER attachment_is_extra AFTER INSERT ON attachments BEGIN
  UPDATE messages SET has_extras = 1 WHERE seq = new.message_seq AND has_extras = 0;
END;
`;

const migrations: readonly string[] = [version1, version2, version3, version4];

/** The version of the tables after all migrations. */
export const tableVersion = migrations.length;

/**
 * Brings the tables up to date, one transaction a step. Throws for a file of a newer version, and leaves it as it is.
 * Tables that are up to date are not locked: another process may be writing for longer than this one waits.
 */
export function migrate(database: Database): void {
  while (versionOf(database) < migrations.length) migrateOnce(database);
}

/** Throws for a version that is newer than this program. */
function versionOf(database: Database): number {
  const { user_version: found } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (found > migrations.length) throw new Error(`the data file has version ${found}, newer than this program knows`);
  return found;
}

/** The version is read again under the lock: another process may have done the same. */
function migrateOnce(database: Database): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    const found = versionOf(database);
    const step = migrations[found];
    if (step !== undefined) database.exec(`${step}; PRAGMA user_version = ${found + 1}`);
    database.exec('COMMIT');
  } catch (error) {
    rollBack(database);
    throw error;
  }
}
