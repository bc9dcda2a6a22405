/**
 * Knows which parts of an answer may be older than a write of ours, because lists and other reads may lag behind: which
 * writes are under way, and what was changed and deleted (`pending-values.ts`).
 */
import type { Conversation, ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { dropOldest, PendingValues, Tombstones } from './pending-values.ts';

/** What a write changes, as far as reads can lag behind it. */
export type Resource = `message ${MessageId}` | `conversation ${ConversationId}` | 'list';

const remembered = 500;

export class WriteTracker {
  readonly conversations: PendingValues<Conversation>;
  readonly messages: PendingValues<Message>;
  /** Separate, as servers number messages and conversations from one each. */
  readonly tombstones: Readonly<Record<'messages' | 'conversations', Tombstones>>;
  readonly #underWay = new Map<Resource, number>();
  /** The sequence number of the last write to each resource that has ended. */
  readonly #ended = new Map<Resource, number>();
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

  /** A write to these resources begins; the returned function ends it. */
  begin(resources: readonly Resource[]): () => void {
    for (const resource of resources) this.#underWay.set(resource, (this.#underWay.get(resource) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#sequence += 1;
      for (const resource of resources) this.#end(resource);
    };
  }

  /** Whether a write to the resource was under way at some time since the mark. */
  overlapsSince(mark: number, resource: Resource): boolean {
    return this.#underWay.has(resource) || (this.#ended.get(resource) ?? -1) > mark;
  }

  /** Every resource written to at some time since the mark. */
  resourcesSince(mark: number): readonly Resource[] {
    const done = [...this.#ended].filter(([resource, at]) => at > mark && !this.#underWay.has(resource));
    return [...this.#underWay.keys(), ...done.map(([resource]) => resource)];
  }

  /** Whether a write to the resource ended since the mark and none is under way, so that a new read would not overlap. */
  endedSince(mark: number, resource: Resource): boolean {
    return !this.#underWay.has(resource) && (this.#ended.get(resource) ?? -1) > mark;
  }

  #end(resource: Resource): void {
    const left = (this.#underWay.get(resource) ?? 1) - 1;
    if (left === 0) this.#underWay.delete(resource);
    else this.#underWay.set(resource, left);
    this.#ended.delete(resource);
    this.#ended.set(resource, this.#sequence);
    dropOldest(this.#ended, remembered);
  }
}
