/** The service without HTTP: its rules, its administration and its change events in one object. */
import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../store/database.ts';
import type { PersonRow } from '../store/people.ts';
import { digestOf, type RandomBytes, secureRandom } from '../store/secrets.ts';
import { createStore, type Store } from '../store/store.ts';
import { type Admin, createAdmin } from './admin.ts';
import { type ConversationOperations, createConversationOperations } from './conversations.ts';
import { createMessageOperations, type MessageOperations } from './messages.ts';
import type { ServiceContext, ServiceEvent } from './service-context.ts';

export interface ServiceOptions {
  /** An open database, which `close` closes. */
  readonly database: Database;
  /** Integer Unix seconds. */
  readonly now?: () => number;
  readonly random?: RandomBytes;
  /** Retrieving a conversation sets `last_opened_at` and the `read_at` of what others wrote in it. Default true. */
  readonly readOnOpen?: boolean;
}

export interface Service {
  readonly messages: MessageOperations;
  readonly conversations: ConversationOperations;
  readonly admin: Admin;
  /** For imports, which write messages of the past as no operation can. */
  readonly store: Store;
  readonly now: () => number;
  readonly random: RandomBytes;
  /** The owner of the token; null when it is not valid. */
  authenticate(token: string): PersonRow | null;
  /** Calls back after every committed change, until the returned function is called. */
  onEvent(listener: (event: ServiceEvent) => void): () => void;
  close(): void;
}

export function createService(options: ServiceOptions): Service {
  const listeners = new Set<(event: ServiceEvent) => void>();
  const store = createStore(options.database);
  const context: ServiceContext = {
    store,
    now: options.now ?? (() => Math.floor(Date.now() / 1000)),
    random: options.random ?? secureRandom,
    readOnOpen: options.readOnOpen ?? true,
    announce: (event) =>
      store.afterCommit(() => {
        for (const listener of listeners) listener(event);
      }),
  };

  return {
    messages: createMessageOperations(context),
    conversations: createConversationOperations(context),
    admin: createAdmin(context),
    store,
    now: context.now,
    random: context.random,
    authenticate: (token) => {
      const digest = digestOf(token);
      const row = store.people.tokenByDigest(digest);
      if (row === undefined || !timingSafeEqual(row.digest, digest)) return null;
      return store.people.bySeq(row.person_seq) ?? null;
    },
    onEvent: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => store.close(),
  };
}
