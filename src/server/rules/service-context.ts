/** What every rule is given: the store, the clock, random bytes and the listeners for changes. */

import type { PersonRow } from '../store/people.ts';
import type { RandomBytes } from '../store/secrets.ts';
import type { Store } from '../store/store.ts';

/** A change, announced within the process after the commit. The API itself has no events (API document §6). */
export interface ServiceEvent {
  readonly kind: 'message.sent' | 'message.updated' | 'message.deleted' | 'conversation.opened';
  readonly by: PersonRow;
  readonly threadSeq: number;
  /** null for `conversation.opened`. */
  readonly messageId: string | null;
}

export interface ServiceContext {
  readonly store: Store;
  /** Integer Unix seconds. */
  readonly now: () => number;
  readonly random: RandomBytes;
  readonly readOnOpen: boolean;
  readonly announce: (event: ServiceEvent) => void;
}
