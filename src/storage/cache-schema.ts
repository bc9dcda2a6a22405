/** The tables of cache.db: everything that the server said and that can be asked for again. */
import type { Migrations } from './migrate.ts';

// `sort_at` is the creation time, or `noTime` for messages without one, as NULL has no place in a comparison of keys.
// A head is the newest message of a conversation, kept so that a start does not search for it.
export const cacheMigrations: Migrations = [
  `CREATE TABLE conversations (id TEXT PRIMARY KEY, contact_id TEXT, body TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE contacts (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE messages (
     key INTEGER PRIMARY KEY,
     conversation_id TEXT NOT NULL,
     id TEXT NOT NULL,
     sort_at REAL NOT NULL,
     rank REAL NOT NULL,
     contact_id TEXT,
     text TEXT NOT NULL,
     details TEXT NOT NULL,
     UNIQUE (conversation_id, id)
   );
   CREATE INDEX messages_in_order ON messages (conversation_id, sort_at, rank, id, contact_id);
   CREATE TABLE heads (
     conversation_id TEXT PRIMARY KEY,
     message_key INTEGER NOT NULL,
     id TEXT NOT NULL,
     sort_at REAL NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE reach (conversation_id TEXT PRIMARY KEY, older TEXT NOT NULL, gaps TEXT NOT NULL) WITHOUT ROWID;`,
];

/** Before every time that a JavaScript date can be. */
export const noTime = -1e18;
