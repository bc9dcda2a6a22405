/**
 * Knows which parts of an answer may be older than a write of ours, because lists and other reads may lag behind: which
 * writes are under way, and what was changed and deleted (`pending-values.ts`).
 */
import type { Conversation, ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { dropOldest } from '../../state/collections/drop-oldest.ts';
import { PendingValues, Tombstones } from './pending-values.ts';

/** What a write changes, as far as reads can lag behind it. */
export type WriteTarget = `message ${MessageId}` | `conversation ${ConversationId}` | 'list';

const remembered = 500;

export class WriteTracker {
  readonly conversations: PendingValues<Conversation>;
  readonly messages: PendingValues<Message>;
  /** Separate, as servers number messages and conversations from one each. */
  readonly tombstones: Readonly<Record<'messages' | 'conversations', Tombstones>>;
  readonly #underWay = new Map<WriteTarget, number>();
  /** The sequence number of the last write to each target that has ended. */
  readonly #ended = new Map<WriteTarget, number>();
  #sequence = 0;

  constructor(monotonic: () => number) {
    this.tombstones = { messages: new Tombstones(monotonic), conversations: new Tombstones(monotonic) };
    this.conversations = new PendingValues(monotonic, ['isPinned', 'isMuted', 'pinnedMessageId', 'archivedAt']);
    this.messages = new PendingValues(monotonic, ['text', 'reactions', 'attachments', 'updatedAt']);
  }

  /** The mark for the other methods, to be taken before a poll leaves. */
  mark(): number {
    return this.#sequence;
  }

  /** A write to these targets begins; the returned function ends it. */
  begin(targets: readonly WriteTarget[]): () => void {
    for (const target of targets) this.#underWay.set(target, (this.#underWay.get(target) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#sequence += 1;
      for (const target of targets) this.#end(target);
    };
  }

  /** Whether a write to the target was under way at some time since the mark. */
  overlapsSince(mark: number, target: WriteTarget): boolean {
    return this.#underWay.has(target) || (this.#ended.get(target) ?? -1) > mark;
  }

  /** Every target written to at some time since the mark. */
  targetsSince(mark: number): readonly WriteTarget[] {
    const done = [...this.#ended].filter(([target, at]) => at > mark && !this.#underWay.has(target));
    return [...this.#underWay.keys(), ...done.map(([target]) => target)];
  }

  /** Whether a write to the target ended since the mark and none is under way, so that a new read would not overlap. */
  endedSince(mark: number, target: WriteTarget): boolean {
    return !this.#underWay.has(target) && (this.#ended.get(target) ?? -1) > mark;
  }

  #end(target: WriteTarget): void {
    const left = (this.#underWay.get(target) ?? 1) - 1;
    if (left === 0) this.#underWay.delete(target);
    else this.#underWay.set(target, left);
    this.#ended.delete(target);
    this.#ended.set(target, this.#sequence);
    dropOldest(this.#ended, remembered);
  }
}
