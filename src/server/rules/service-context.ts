/**
 * What every rule is given: the store, the clock, random bytes, transactions and the announcements of what was done.
 */
import type { PersonRow } from '../store/people.ts';
import type { RandomBytes } from '../store/secrets.ts';
import type { Store } from '../store/store.ts';

/** Announced within the process after the commit, for the demo. The API itself has no events (API document §6). */
export interface SentMessage {
  readonly by: PersonRow;
  readonly threadSeq: number;
  readonly messageId: string;
}

export interface ServiceContext {
  readonly store: Store;
  /** Integer Unix seconds. */
  readonly now: () => number;
  readonly random: RandomBytes;
  /** Retrieving a conversation sets `last_opened_at` and the `read_at` of what others wrote in it. */
  readonly readOnOpen: boolean;
  /** To be called in a transaction; the listeners are called after its commit. */
  readonly announce: (sent: SentMessage) => void;
  /** Works like `announce`: the person has sent or updated a message, or updated a conversation. */
  readonly changed: (by: PersonRow) => void;
  /**
   * Runs `work` with the context of a transaction. A context that is of a transaction already runs it there. The
   * transaction may be run again from the start, so `work` has no effect but through its context.
   */
  readonly transaction: <T>(work: (inside: ServiceContext) => Promise<T>) => Promise<T>;
}
