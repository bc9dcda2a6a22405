/** Which parts of an answer to a poll may be older than a write of ours: those are dropped and asked for again. */
import type { Conversation, ConversationId, Message, MessageId } from '../protocol/types.ts';
import { createOwnWrites, type OwnWrites } from './own-writes.ts';

export type Target = `message ${MessageId}` | `conversation ${ConversationId}` | 'list';

export interface Overlaps {
  /** Take one before a poll leaves. */
  mark(): number;
  /** A write to these targets begins; the returned function ends it. */
  begin(targets: readonly Target[]): () => void;
  /** A write to the target was under way at some time since the mark. */
  since(mark: number, target: Target): boolean;
  /** Every target written to at some time since the mark. */
  targetsSince(mark: number): readonly Target[];
  /** One ended since the mark and none is under way: worth asking again at once, as nothing will overlap again. */
  over(mark: number, target: Target): boolean;
  /** A write of ours has deleted it: lists that lag behind may show it for a while. */
  bury(id: MessageId | ConversationId): void;
  /** It was created again. */
  raise(id: ConversationId): void;
  isBuried(id: MessageId | ConversationId): boolean;
  readonly conversations: OwnWrites<Conversation>;
  readonly messages: OwnWrites<Message>;
}

const remembered = 500;
/** No list is believed to lag longer. */
const buriedForMs = 120_000;

export function createOverlaps(monotonic: () => number): Overlaps {
  let sequence = 0;
  const underWay = new Map<Target, number>();
  const ended = new Map<Target, number>();

  const buried = new Map<string, number>();

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
    conversations: createOwnWrites(monotonic, ['isPinned', 'isMuted', 'pinnedMessageId', 'archivedAt']),
    messages: createOwnWrites(monotonic, ['text', 'reactions', 'attachments', 'updatedAt']),
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
    since: (mark, target) => underWay.has(target) || (ended.get(target) ?? -1) > mark,
    targetsSince: (mark) => {
      const done = [...ended].filter(([target, at]) => at > mark && !underWay.has(target));
      return [...underWay.keys(), ...done.map(([target]) => target)];
    },
    over: (mark, target) => !underWay.has(target) && (ended.get(target) ?? -1) > mark,
    bury: (id) => {
      const now = monotonic();
      for (const [other, at] of buried) if (now - at >= buriedForMs) buried.delete(other);
      buried.set(id, now);
    },
    raise: (id) => void buried.delete(id),
    isBuried: (id) => monotonic() - (buried.get(id) ?? Number.NEGATIVE_INFINITY) < buriedForMs,
  };
}
