/** All SQL of the server in one object. The rules that use it are in `server/rules`. */

import { createConversationStore } from './conversations.ts';
import { createSql, type Database } from './database.ts';
import { createIdempotencyStore } from './idempotency.ts';
import { createMarkStore } from './marks.ts';
import { createMessageStore } from './messages.ts';
import { createPeopleStore } from './people.ts';
import { prepareDatabase } from './schema.ts';

export function createStore(database: Database) {
  prepareDatabase(database);
  const sql = createSql(database);
  return {
    people: createPeopleStore(sql),
    conversations: createConversationStore(sql),
    messages: createMessageStore(sql),
    marks: createMarkStore(sql),
    idempotency: createIdempotencyStore(sql),
    transaction: sql.transaction,
    afterCommit: sql.afterCommit,
    close: sql.close,
  };
}

export type Store = ReturnType<typeof createStore>;
