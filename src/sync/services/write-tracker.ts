/** Knows which parts of an answer may be older than a write of ours; those parts are dropped and asked for again. */
import type { Conversation, ConversationId, Message, MessageId, Millis } from '../../protocol/types.ts';
import { PendingValues } from './pending-values.ts';

export type Target = `message ${MessageId}` | `conversation ${ConversationId}` | 'list';

const remembered = 500;
/** No list is believed to lag longer. */
const tombstoneMs = 120_000;

interface Tombstone {
  readonly at: Millis;
  readonly createdAt: Millis | null;
}

export class WriteTracker {
  readonly conversations: PendingValues<Conversation>;
  readonly messages: PendingValues<Message>;
  readonly #monotonic: () => number;
  readonly #underWay = new Map<Target, number>();
  /** The sequence number of the last write to each target that has ended. */
  readonly #ended = new Map<Target, number>();
  readonly #tombstones = new Map<string, Tombstone>();
  #sequence = 0;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
    this.conversations = new PendingValues(monotonic, ['isPinned', 'isMuted', 'pinnedMessageId', 'archivedAt']);
    this.messages = new PendingValues(monotonic, ['text', 'reactions', 'attachments', 'updatedAt']);
  }

  /** Take one before a poll leaves. */
  mark(): number {
    return this.#sequence;
  }

  /** A write to these targets begins; the returned function ends it. */
  begin(targets: readonly Target[]): () => void {
    for (const target of targets) this.#underWay.set(target, (this.#underWay.get(target) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#sequence += 1;
      for (const target of targets) this.#end(target);
    };
  }

  /** A write to the target was under way at some time since the mark. */
  overlapsSince(mark: number, target: Target): boolean {
    return this.#underWay.has(target) || (this.#ended.get(target) ?? -1) > mark;
  }

  /** Every target written to at some time since the mark. */
  targetsSince(mark: number): readonly Target[] {
    const done = [...this.#ended].filter(([target, at]) => at > mark && !this.#underWay.has(target));
    return [...this.#underWay.keys(), ...done.map(([target]) => target)];
  }

  /** A write ended since the mark and none is under way: worth asking again at once, as nothing will overlap again. */
  settledSince(mark: number, target: Target): boolean {
    return !this.#underWay.has(target) && (this.#ended.get(target) ?? -1) > mark;
  }

  /** A write of ours has deleted it: lists that lag behind may show it for a while. */
  addTombstone(id: MessageId | ConversationId, createdAt: Millis | null = null): void {
    this.#tombstones.delete(id);
    this.#tombstones.set(id, { at: this.#monotonic(), createdAt });
    dropOldest(this.#tombstones);
  }

  /** It was created again. */
  removeTombstone(id: MessageId | ConversationId): void {
    this.#tombstones.delete(id);
  }

  /** True for what was deleted by a write of ours. What was created at another time only has the same id. */
  hasTombstone(id: MessageId | ConversationId, createdAt: Millis | null = null): boolean {
    const one = this.#tombstones.get(id);
    return one !== undefined && this.#monotonic() - one.at < tombstoneMs && !isOfAnotherTime(one.createdAt, createdAt);
  }

  /** True when a write of ours deleted a message with this id that was created at another time. */
  isRecycledId(id: MessageId, createdAt: Millis | null): boolean {
    return isOfAnotherTime(this.#tombstones.get(id)?.createdAt ?? null, createdAt);
  }

  #end(target: Target): void {
    const left = (this.#underWay.get(target) ?? 1) - 1;
    if (left === 0) this.#underWay.delete(target);
    else this.#underWay.set(target, left);
    this.#ended.delete(target);
    this.#ended.set(target, this.#sequence);
    dropOldest(this.#ended);
  }
}

function dropOldest(map: Map<string, unknown>): void {
  const oldest = map.keys().next();
  if (map.size > remembered && oldest.done !== true) map.delete(oldest.value);
}

/** Two answers may round the same time differently. */
const roundedMs = 2_000;

/** True when both times are known and cannot be the same message's. */
export const isOfAnotherTime = (one: Millis | null, other: Millis | null): boolean =>
  one !== null && other !== null && Math.abs(one - other) > roundedMs;
