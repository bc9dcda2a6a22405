/** The service without HTTP in one object: its rules, its administration and the listeners for messages and changes. */
import type { Caller, PersonRow } from '../store/people.ts';
import { digestOf, type RandomBytes, secureRandom } from '../store/secrets.ts';
import type { DatabaseEngine } from '../store/sql.ts';
import { createStore, inTransaction } from '../store/store.ts';
import { createAdmin } from './admin.ts';
import { createConversationOperations } from './conversations.ts';
import { createMessageOperations } from './messages.ts';
import type { SentMessage, ServiceContext } from './service-context.ts';

export interface ServiceOptions {
  /** An open database, which `close` closes. */
  readonly engine: DatabaseEngine;
  /** Integer Unix seconds. */
  readonly now?: () => number;
  readonly random?: RandomBytes;
  /** Retrieving a conversation sets `last_opened_at` and the `read_at` of what others wrote in it. Default true. */
  readonly readOnOpen?: boolean;
}

/** The rules, either outside of a transaction (each one that writes then begins one) or all in one transaction. */
export type Rules = ReturnType<typeof rulesOf>;

export type Service = ReturnType<typeof createService>;

export function createService(options: ServiceOptions) {
  const { engine } = options;
  const sentListeners = new Set<(sent: SentMessage) => void>();
  const changeListeners = new Set<(by: PersonRow) => void>();
  const context = createContext(options, (events) => {
    for (const sent of events.sent) for (const listener of sentListeners) listener(sent);
    for (const by of events.changes) for (const listener of changeListeners) listener(by);
  });

  return {
    ...rulesOf(context),
    /** Runs several rules in one transaction, which may be run again from the start. */
    transaction: <T>(work: (rules: Rules) => Promise<T>): Promise<T> =>
      context.transaction((inside) => work(rulesOf(inside))),
    /** Resolves to the owner of the token; null when it is not valid. */
    authenticate: (token: string): Promise<Caller | null> => context.store.people.ownerOfToken(digestOf(token)),
    /** Calls back after every committed message, until the returned function is called. */
    onSent: (listener: (sent: SentMessage) => void) => {
      sentListeners.add(listener);
      return () => void sentListeners.delete(listener);
    },
    /**
     * Calls back after each message that a person has sent, and each message or conversation that they have updated,
     * until the returned function is called. It is not called for what they create or delete otherwise.
     */
    onChanged: (listener: (by: PersonRow) => void) => {
      changeListeners.add(listener);
      return () => void changeListeners.delete(listener);
    },
    /** Calls back after each commit with those who can see a change (see `DatabaseEngine.onChange`). */
    onVisible: engine.onChange,
    close: () => engine.close(),
  };
}

const rulesOf = (context: ServiceContext) => ({
  messages: createMessageOperations(context),
  conversations: createConversationOperations(context),
  admin: createAdmin(context),
  /** For imports, which write messages of the past as no operation can. */
  store: context.store,
  now: context.now,
  random: context.random,
});

/** What was announced in one transaction. */
interface Events {
  readonly sent: SentMessage[];
  readonly changes: PersonRow[];
}

function createContext(options: ServiceOptions, emit: (events: Events) => void): ServiceContext {
  const { engine } = options;
  const outside = (): never => {
    throw new Error('announced outside a transaction');
  };
  const base = {
    now: options.now ?? (() => Math.floor(Date.now() / 1000)),
    random: options.random ?? secureRandom,
    readOnOpen: options.readOnOpen ?? true,
  };
  return {
    ...base,
    store: createStore(engine),
    announce: outside,
    changed: outside,
    transaction: async (work) => {
      const { result, events } = await inTransaction(engine, async (store) => {
        const events: Events = { sent: [], changes: [] };
        const inside: ServiceContext = {
          ...base,
          store,
          announce: (sent) => void events.sent.push(sent),
          changed: (by) => void events.changes.push(by),
          transaction: (nested) => nested(inside),
        };
        return { result: await work(inside), events };
      });
      emit(events);
      return result;
    },
  };
}
