/** The tables of outbox.db, which holds everything that exists only on this machine. */
import type { Migrations } from '../sqlite/migrate.ts';
import { moveEarlierTables } from './earlier-tables.ts';

// All are rowid tables, so that salvage can read the rows around a damaged page by number. AUTOINCREMENT never reuses a
// `seq`.
export const outboxMigrations: Migrations = [
  `CREATE TABLE ops (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     uuid TEXT NOT NULL UNIQUE,
     state TEXT NOT NULL,
     action TEXT NOT NULL,
     created REAL NOT NULL,
     not_before REAL NOT NULL,
     reason TEXT,
     attempts TEXT NOT NULL,
     baseline TEXT,
     scans INTEGER NOT NULL,
     last_scan REAL
   );
   CREATE TABLE claims (
     message_id TEXT NOT NULL UNIQUE,
     conversation_id TEXT NOT NULL,
     uuid TEXT NOT NULL
   );
   CREATE INDEX claims_by_conversation ON claims (conversation_id, message_id);
   CREATE TABLE drafts (conversation_id TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
   CREATE TABLE read_lines (conversation_id TEXT NOT NULL UNIQUE, message_id TEXT, at REAL NOT NULL);
   CREATE TABLE names (id TEXT NOT NULL UNIQUE, name TEXT NOT NULL);
   CREATE TABLE facts (name TEXT NOT NULL UNIQUE, value TEXT NOT NULL);
   CREATE TABLE set_aside (source TEXT NOT NULL, record TEXT NOT NULL, at REAL NOT NULL);`,
  'CREATE TABLE resent (uuid TEXT NOT NULL UNIQUE, body TEXT NOT NULL);',
  {
    sql: 'CREATE TABLE records (kind TEXT NOT NULL, key TEXT NOT NULL, json TEXT NOT NULL, UNIQUE (kind, key));',
    changeRows: moveEarlierTables,
  },
];

/** In the order in which salvage copies them: texts of the user first. */
export const outboxTables = ['ops', 'records', 'set_aside', 'claims'] as const;
