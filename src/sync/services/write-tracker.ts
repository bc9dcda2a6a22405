/** Which parts of an answer to a poll may be older than a write of ours: those are dropped and asked for again. */
import type { Conversation, ConversationId, Message, MessageId, Millis } from '../../protocol/types.ts';
import { createPendingValues, type PendingValues } from './pending-values.ts';

export type Target = `message ${MessageId}` | `conversation ${ConversationId}` | 'list';

export interface WriteTracker {
  /** Take one before a poll leaves. */
  mark(): number;
  /** A write to these targets begins; the returned function ends it. */
  begin(targets: readonly Target[]): () => void;
  /** A write to the target was under way at some time since the mark. */
  overlapsSince(mark: number, target: Target): boolean;
  /** Every target written to at some time since the mark. */
  targetsSince(mark: number): readonly Target[];
  /** One ended since the mark and none is under way: worth asking again at once, as nothing will overlap again. */
  settledSince(mark: number, target: Target): boolean;
  /** A write of ours has deleted it: lists that lag behind may show it for a while. */
  addTombstone(id: MessageId | ConversationId, createdAt?: Millis | null): void;
  /** It was created again. */
  removeTombstone(id: MessageId | ConversationId): void;
  /** One of another time than what was deleted has only got its id. */
  hasTombstone(id: MessageId | ConversationId, createdAt?: Millis | null): boolean;
  /** What a write of ours has deleted by this id was of another time. */
  isRecycledId(id: MessageId, createdAt: Millis | null): boolean;
  readonly conversations: PendingValues<Conversation>;
  readonly messages: PendingValues<Message>;
}

const remembered = 500;
/** No list is believed to lag longer. */
const buriedForMs = 120_000;

export function createWriteTracker(monotonic: () => number): WriteTracker {
  let sequence = 0;
  const underWay = new Map<Target, number>();
  const ended = new Map<Target, number>();

  const buried = new Map<string, { readonly at: Millis; readonly createdAt: Millis | null }>();

  const end = (target: Target): void => {
    const left = (underWay.get(target) ?? 1) - 1;
    if (left === 0) underWay.delete(target);
    else underWay.set(target, left);
    ended.delete(target);
    ended.set(target, sequence);
    const oldest = ended.keys().next();
    if (ended.size > remembered && oldest.done !== true) ended.delete(oldest.value);
  };

  return {
    conversations: createPendingValues(monotonic, ['isPinned', 'isMuted', 'pinnedMessageId', 'archivedAt']),
    messages: createPendingValues(monotonic, ['text', 'reactions', 'attachments', 'updatedAt']),
    mark: () => sequence,
    begin: (targets) => {
      for (const target of targets) underWay.set(target, (underWay.get(target) ?? 0) + 1);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        sequence += 1;
        for (const target of targets) end(target);
      };
    },
    overlapsSince: (mark, target) => underWay.has(target) || (ended.get(target) ?? -1) > mark,
    targetsSince: (mark) => {
      const done = [...ended].filter(([target, at]) => at > mark && !underWay.has(target));
      return [...underWay.keys(), ...done.map(([target]) => target)];
    },
    settledSince: (mark, target) => !underWay.has(target) && (ended.get(target) ?? -1) > mark,
    addTombstone: (id, createdAt = null) => {
      buried.delete(id);
      buried.set(id, { at: monotonic(), createdAt });
      const oldest = buried.keys().next();
      if (buried.size > remembered && oldest.done !== true) buried.delete(oldest.value);
    },
    removeTombstone: (id) => void buried.delete(id),
    hasTombstone: (id, createdAt = null) => {
      const one = buried.get(id);
      return one !== undefined && monotonic() - one.at < buriedForMs && !isOfAnotherTime(one.createdAt, createdAt);
    },
    isRecycledId: (id, createdAt) => isOfAnotherTime(buried.get(id)?.createdAt ?? null, createdAt),
  };
}

/** What is read twice may be rounded in another way. */
const roundedMs = 2_000;

/** Both are known, and no one message has both. */
export const isOfAnotherTime = (one: Millis | null, other: Millis | null): boolean =>
  one !== null && other !== null && Math.abs(one - other) > roundedMs;
