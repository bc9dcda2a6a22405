/** All SQL of the server in one object. The rules that use it are in `server/rules`. */

import { createConversationStore } from './conversations.ts';
import { createIdempotencyStore } from './idempotency.ts';
import { createAttachmentStore, createReactionStore } from './message-parts.ts';
import { createMessageStore } from './messages.ts';
import { createPeopleStore } from './people.ts';
import { createRemovalStore } from './removal.ts';
import type { DatabaseEngine, Sql } from './sql.ts';
import { createVersionStore } from './versions.ts';

export type Store = ReturnType<typeof createStoreOn>;

/** The store outside of transactions; it is for reading. */
export const createStore = (engine: DatabaseEngine): Store => createStoreOn(engine, engine.sql);

/** Runs `work` on a store within a transaction, as `DatabaseEngine.transaction` does. */
export const inTransaction = <T>(engine: DatabaseEngine, work: (store: Store) => Promise<T>): Promise<T> =>
  engine.transaction((sql) => work(createStoreOn(engine, sql)));

function createStoreOn(engine: DatabaseEngine, sql: Sql) {
  return {
    people: createPeopleStore(sql),
    conversations: createConversationStore(sql, engine.emptyLogSoon),
    messages: createMessageStore(sql, engine.emptyLogSoon),
    reactions: createReactionStore(sql, engine.emptyLogSoon),
    attachments: createAttachmentStore(sql, engine.emptyLogSoon),
    idempotency: createIdempotencyStore(sql),
    removal: createRemovalStore(sql, engine.emptyLogSoon),
    versions: createVersionStore(sql, engine),
  };
}
