/** All SQL of the server in one object. The rules that use it are in `server/rules`. */

import { createAttachmentStore } from './attachments.ts';
import { createConversationStore } from './conversations.ts';
import { createIdempotencyStore } from './idempotency.ts';
import { createMessageStore } from './messages.ts';
import { createPeopleStore } from './people.ts';
import { createReactionStore } from './reactions.ts';
import { createRemovalStore } from './removal.ts';
import type { Engine, Sql } from './sql.ts';
import { createVersionStore } from './versions.ts';

/** The statements of one transaction, or of none. Each part is made when it is first used, as a transaction uses few of them. */
export class Store {
  readonly #engine: Engine;
  readonly #sql: Sql;
  #people: ReturnType<typeof createPeopleStore> | undefined;
  #conversations: ReturnType<typeof createConversationStore> | undefined;
  #messages: ReturnType<typeof createMessageStore> | undefined;
  #reactions: ReturnType<typeof createReactionStore> | undefined;
  #attachments: ReturnType<typeof createAttachmentStore> | undefined;
  #idempotency: ReturnType<typeof createIdempotencyStore> | undefined;
  #removal: ReturnType<typeof createRemovalStore> | undefined;
  #versions: ReturnType<typeof createVersionStore> | undefined;

  constructor(engine: Engine, sql: Sql) {
    this.#engine = engine;
    this.#sql = sql;
  }

  get people() {
    this.#people ??= createPeopleStore(this.#sql);
    return this.#people;
  }

  get conversations() {
    this.#conversations ??= createConversationStore(this.#sql, this.#engine.emptyLogSoon);
    return this.#conversations;
  }

  get messages() {
    this.#messages ??= createMessageStore(this.#sql, this.#engine.emptyLogSoon);
    return this.#messages;
  }

  get reactions() {
    this.#reactions ??= createReactionStore(this.#sql);
    return this.#reactions;
  }

  get attachments() {
    this.#attachments ??= createAttachmentStore(this.#sql);
    return this.#attachments;
  }

  get idempotency() {
    this.#idempotency ??= createIdempotencyStore(this.#sql);
    return this.#idempotency;
  }

  get removal() {
    this.#removal ??= createRemovalStore(this.#sql, this.#engine.emptyLogSoon);
    return this.#removal;
  }

  get versions() {
    this.#versions ??= createVersionStore(this.#sql, this.#engine);
    return this.#versions;
  }
}

/** The statements outside transactions; they are for reading. */
export const createStore = (engine: Engine): Store => new Store(engine, engine.sql);

/** Runs `work` on a store within a transaction, as `Engine.transaction` does. */
export const inTransaction = <T>(engine: Engine, work: (store: Store) => Promise<T>): Promise<T> =>
  engine.transaction((sql) => work(new Store(engine, sql)));
