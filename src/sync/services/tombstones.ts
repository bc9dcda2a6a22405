/** Tombstones: which ids a write of ours has deleted, so that a list that lags behind does not bring them back. */
import { isOfAnotherTime } from '../../protocol/time.ts';
import type { ConversationId, MessageId, Millis } from '../../protocol/types.ts';
import { dropOldest } from '../../state/collections/drop-oldest.ts';
import { lagWindowMs } from './lag-window.ts';

const remembered = 500;

interface Tombstone {
  readonly at: Millis;
  readonly createdAt: Millis | null;
}

export class Tombstones {
  readonly #monotonic: () => number;
  readonly #byId = new Map<string, Tombstone>();

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** To be called when a write of ours has deleted it: lists that lag behind may show it for a while. */
  add(id: MessageId | ConversationId, createdAt: Millis | null = null): void {
    this.#byId.delete(id);
    this.#byId.set(id, { at: this.#monotonic(), createdAt });
    dropOldest(this.#byId, remembered);
  }

  /** To be called when it was created again. */
  remove(id: MessageId | ConversationId): void {
    this.#byId.delete(id);
  }

  /** True for what was deleted by a write of ours. What was created at another time only has the same id. */
  has(id: MessageId | ConversationId, createdAt: Millis | null = null): boolean {
    const one = this.#byId.get(id);
    return one !== undefined && this.#monotonic() - one.at < lagWindowMs && !isOfAnotherTime(one.createdAt, createdAt);
  }

  /** True when a write of ours deleted a message with this id that was created at another time. */
  isRecycledId(id: MessageId, createdAt: Millis | null): boolean {
    return isOfAnotherTime(this.#byId.get(id)?.createdAt ?? null, createdAt);
  }
}
