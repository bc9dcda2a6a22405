/** The tables of cache.db, which holds what the server said: all of it but `versions` can be fetched again. */
import type { Migrations } from '../sqlite/migrate.ts';

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
  // The position of a conversation in the list, so that a start reads only what the screen shows: 0 pinned, 1 the
  // others, 2 archived; then the negated time of its last activity.
  `CREATE TEMP TABLE before AS SELECT id, contact_id, body FROM conversations;
   DROP TABLE conversations;
   CREATE TABLE conversations (
     id TEXT PRIMARY KEY,
     contact_id TEXT,
     body TEXT NOT NULL,
     shelf INTEGER NOT NULL,
     age REAL NOT NULL
   ) WITHOUT ROWID;
   INSERT INTO conversations SELECT id, contact_id, body,
     CASE WHEN json_extract(body, '$.archivedAt') IS NOT NULL THEN 2
       WHEN json_extract(body, '$.isPinned') THEN 0 ELSE 1 END,
     -coalesce(json_extract(body, '$.lastActiveAt'),
       (SELECT nullif(sort_at, -1e18) FROM heads WHERE conversation_id = before.id),
       json_extract(body, '$.createdAt'), 0)
     FROM before WHERE json_valid(body);
   DROP TABLE before;
   CREATE INDEX conversations_in_order ON conversations (shelf, age, id);`,
  // One row: when the list was last read to its end.
  'CREATE TABLE list_walk (one INTEGER PRIMARY KEY CHECK (one = 1), body TEXT NOT NULL);',
  // Texts that a message had before another one came for it: the one thing here that the server cannot give again.
  `CREATE TABLE versions (
     key INTEGER PRIMARY KEY,
     conversation_id TEXT NOT NULL,
     message_id TEXT NOT NULL,
     until REAL NOT NULL,
     text TEXT NOT NULL
   );
   CREATE INDEX versions_of_message ON versions (conversation_id, message_id);`,
  // What the parser of formatted messages made of the messages that a conversation showed last. The newest page has the
  // highest key.
  `CREATE TABLE formatted_pages (
     key INTEGER PRIMARY KEY,
     conversation_id TEXT NOT NULL UNIQUE,
     body TEXT NOT NULL
   );`,
  // What the server has to confirm for stored rows to be current: of the list ('list'), and of conversations.
  'CREATE TABLE page_validators (page TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;',
];

/** Before every time that a JavaScript date can be. */
export const noTime = -1e18;
