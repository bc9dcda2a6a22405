/** Distinguishes new messages and changes from what was there when a command began to follow conversations. */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { sameValue } from '../../state/collections/equal.ts';
import type { Cache } from '../../state/model/app-state.ts';
import type { MergedPage } from '../../state/model/incoming.ts';

export type ChangeType = 'message' | 'edited' | 'reactions' | 'read' | 'changed';

export type Followed =
  | { readonly type: ChangeType; readonly message: Message }
  | { readonly type: 'deleted'; readonly conversationId: ConversationId; readonly messageId: MessageId };

/** The most messages of a conversation that are remembered; a change of an older one is not on a newest page any more. */
const mostRemembered = 500;

type Known = Pick<Cache, 'conversations' | 'lastMessages'>;

/**
 * Remembers the messages that it has been given, and for other conversations their newest message at the beginning. The
 * cache cannot say what is new, as another process may have written a message there.
 */
export class Follower {
  readonly #start: Known;
  /** When it began: the last activity that was known, by the server's clock, or the time here where none was known. */
  readonly #startedAt: number;
  readonly #seen = new Map<ConversationId, Map<MessageId, Message>>();

  /**
   * @param start the list as the server had it just before
   * @param now in milliseconds
   */
  constructor(start: Known, now: number) {
    this.#start = start;
    let activeAt = 0;
    for (const { lastActiveAt } of start.conversations.values()) activeAt = Math.max(activeAt, lastActiveAt ?? 0);
    for (const { createdAt } of start.lastMessages.values()) activeAt = Math.max(activeAt, createdAt ?? 0);
    this.#startedAt = activeAt === 0 && start.conversations.size > 0 ? now : activeAt;
  }

  /** Returns the new and changed messages of the page, oldest first. */
  take({ conversationId, messages, removed }: MergedPage): readonly Followed[] {
    const seen = this.#seen.get(conversationId);
    const memory = seen ?? new Map<MessageId, Message>();
    const isLater = seen === undefined ? null : laterThan(seen, messages);
    const found = messages.flatMap((message, index): readonly Followed[] => {
      const before = memory.get(message.id);
      if (before !== undefined) return changeOf(before, message);
      const isNew = isLater?.(message, index) ?? this.#isAfterStart(conversationId, message, messages);
      return isNew ? [{ type: 'message', message: { ...message, conversationId } }] : [];
    });
    if (messages.length > 0) this.#seen.set(conversationId, remembered(memory, messages));
    return [...found, ...this.#deletions(conversationId, removed)];
  }

  /** Messages that were printed already are not new. */
  skip(conversationId: ConversationId, messages: readonly Message[]): void {
    if (messages.length > 0) this.#seen.set(conversationId, remembered(new Map(), messages));
  }

  #deletions(conversationId: ConversationId, removed: readonly MessageId[]): readonly Followed[] {
    const memory = this.#seen.get(conversationId);
    for (const id of removed) memory?.delete(id);
    return removed.map((messageId) => ({ type: 'deleted', conversationId, messageId }));
  }

  /** Whether a message on the first page of a conversation came after the start. */
  #isAfterStart(id: ConversationId, { id: messageId, createdAt }: Message, page: readonly Message[]): boolean {
    const last = this.#start.lastMessages.get(id);
    // A conversation that was not there may have a history: one joins a group, for example.
    const activeAt = this.#start.conversations.get(id)?.lastActiveAt ?? null;
    const isCurrent = last !== undefined && (activeAt === null || (last.createdAt ?? 0) >= activeAt);
    if (!isCurrent) return activeAt === null ? (createdAt ?? 0) >= this.#startedAt : (createdAt ?? 0) > activeAt;
    const at = page.findIndex((one) => one.id === last.id);
    return at < 0 ? (createdAt ?? 0) > (last.createdAt ?? 0) : page.findIndex((one) => one.id === messageId) > at;
  }
}

/**
 * Finds the unknown messages of a page that are new: those after a known one. Others are older, and on the page because it
 * reaches further back than the one before. Where no known message is left on the page, the times decide.
 */
function laterThan(memory: ReadonlyMap<MessageId, Message>, page: readonly Message[]) {
  const known = page.findIndex(({ id }) => memory.has(id));
  const newest = Math.max(...Array.from(memory.values(), ({ createdAt }) => createdAt ?? 0));
  return ({ createdAt }: Message, index: number): boolean => (known < 0 ? (createdAt ?? 0) >= newest : index > known);
}

function changeOf(before: Message, message: Message): readonly Followed[] {
  const of = (type: ChangeType): readonly Followed[] => [{ type, message }];
  if (before.text !== message.text) return of('edited');
  if (!sameValue(before.reactions, message.reactions)) return of('reactions');
  if (!sameValue(before.attachments, message.attachments)) return of('changed');
  return before.readAt === null && message.readAt !== null ? of('read') : [];
}

function remembered(memory: Map<MessageId, Message>, messages: readonly Message[]): Map<MessageId, Message> {
  for (const message of messages) memory.set(message.id, message);
  for (const id of memory.keys()) {
    if (memory.size <= mostRemembered) break;
    memory.delete(id);
  }
  return memory;
}
