/** The service without HTTP: its rules, its administration and the listeners for sent messages in one object. */
import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../store/database.ts';
import type { PersonRow } from '../store/people.ts';
import { digestOf, type RandomBytes, secureRandom } from '../store/secrets.ts';
import { createStore } from '../store/store.ts';
import { createAdmin } from './admin.ts';
import { createConversationOperations } from './conversations.ts';
import { createMessageOperations } from './messages.ts';
import type { SentMessage, ServiceContext } from './service-context.ts';

export interface ServiceOptions {
  /** An open database, which `close` closes. */
  readonly database: Database;
  /** Integer Unix seconds. */
  readonly now?: () => number;
  readonly random?: RandomBytes;
  /** Retrieving a conversation sets `last_opened_at` and the `read_at` of what others wrote in it. Default true. */
  readonly readOnOpen?: boolean;
}

export type Service = ReturnType<typeof createService>;

export function createService(options: ServiceOptions) {
  const listeners = new Set<(sent: SentMessage) => void>();
  const changeListeners = new Set<(by: PersonRow) => void>();
  const store = createStore(options.database);
  const context: ServiceContext = {
    store,
    now: options.now ?? (() => Math.floor(Date.now() / 1000)),
    random: options.random ?? secureRandom,
    readOnOpen: options.readOnOpen ?? true,
    announce: (sent) =>
      store.afterCommit(() => {
        for (const listener of listeners) listener(sent);
      }),
    changed: (by) =>
      store.afterCommit(() => {
        for (const listener of changeListeners) listener(by);
      }),
  };

  return {
    messages: createMessageOperations(context),
    conversations: createConversationOperations(context),
    admin: createAdmin(context),
    /** For imports, which write messages of the past as no operation can. */
    store,
    now: context.now,
    random: context.random,
    /** Returns the owner of the token; null when it is not valid. */
    authenticate: (token: string): PersonRow | null => {
      const digest = digestOf(token);
      const row = store.people.tokenByDigest(digest);
      if (row === undefined || !timingSafeEqual(row.digest, digest)) return null;
      return store.people.bySeq(row.person_seq) ?? null;
    },
    /** Calls back after every committed message, until the returned function is called. */
    onSent: (listener: (sent: SentMessage) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Calls back after everything that a person has written or changed, until the returned function is called. */
    onChanged: (listener: (by: PersonRow) => void) => {
      changeListeners.add(listener);
      return () => void changeListeners.delete(listener);
    },
    close: () => store.close(),
  };
}
