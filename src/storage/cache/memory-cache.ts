/**
 * The cache in memory, for when cache.db cannot be used. It lies over a file that can still be read: what is written
 * now replaces what the file has. docs/decisions/2026-11-cache-in-memory.md says why it is a class of its own.
 */
import type { Contact, Conversation, ConversationId, Message, MessageId } from '../../protocol/types.ts';
import type { ListWalk } from '../../state/cache/cached-list.ts';
import { compareMessages } from '../../state/cache/thread-order.ts';
import { messagesAfter } from '../../state/local/unread.ts';
import type { Me, ReadLine } from '../../state/model/app-state.ts';
import type { DiskCache, MessagePage, Outline, PageFrom, PageKey } from './disk-cache.ts';
import type { ListPart } from './list-pages.ts';
import { type HistoryReach, unknownReach } from './rows.ts';
import type { LookAt, LookedThrough } from './scan-texts.ts';

export type ReadableCache = Pick<
  DiskCache,
  'conversations' | 'contacts' | 'lastMessages' | 'unread' | 'history' | 'outline' | 'message' | 'lookThrough' | 'reach'
>;

/** @param base is read and never written; where reading fails it counts as empty */
export function memoryCache(base?: ReadableCache): MemoryCache {
  return new MemoryCache(base ?? null);
}

class MemoryCache {
  readonly #base: ReadableCache | null;
  readonly #conversations: Map<ConversationId, Conversation>;
  readonly #contacts: Map<string, Contact>;
  /** Threads copied from the base at the first write to them; oldest message first. */
  readonly #threads = new Map<ConversationId, Message[]>();
  readonly #reach = new Map<ConversationId, HistoryReach>();
  #walk: ListWalk | null = null;

  constructor(base: ReadableCache | null) {
    this.#base = base;
    this.#conversations = byId(this.#read((cache) => cache.conversations(), []));
    this.#contacts = byId(this.#read((cache) => cache.contacts(), []));
  }

  contactsAfter(id: string | null): readonly Contact[] {
    const after = [...this.#contacts.values()].filter((contact) => id === null || contact.id > id);
    return after.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  listTop(_limit: number, lines: ReadonlyMap<ConversationId, ReadLine>, me: Me | null): ListPart {
    return this.listOf([...this.#conversations.keys()], lines, me);
  }

  /** Returns everything as one part. */
  listAfter(_id: unknown, limit: number, lines: ReadonlyMap<ConversationId, ReadLine>, me: Me | null): ListPart {
    return this.listTop(limit, lines, me);
  }

  listOf(ids: readonly ConversationId[], lines: ReadonlyMap<ConversationId, ReadLine>, me: Me | null): ListPart {
    const conversations = ids.flatMap((id) => this.#conversations.get(id) ?? []);
    const among = new Set(conversations.map(({ id }) => id));
    return {
      conversations,
      contacts: conversations.flatMap(({ contactId }) => this.#contacts.get(contactId ?? '') ?? []),
      lastMessages: [...this.#lastMessages()].filter(([id]) => among.has(id)),
      unread: [...this.#unread(lines, me)].filter(([id]) => among.has(id)),
      hasMore: false,
    };
  }

  #lastMessages(): ReadonlyMap<ConversationId, Message> {
    const last = new Map(this.#read((cache) => cache.lastMessages(), new Map<ConversationId, Message>()));
    for (const [id, messages] of this.#threads) {
      const newest = messages.at(-1);
      if (newest === undefined) last.delete(id);
      else last.set(id, newest);
    }
    return last;
  }

  #unread(lines: ReadonlyMap<ConversationId, ReadLine>, me: Me | null): ReadonlyMap<ConversationId, number> {
    const counts = new Map(this.#read((cache) => cache.unread(lines, me), new Map<ConversationId, number>()));
    for (const [id, messages] of this.#threads) {
      const other = this.#conversations.get(id)?.contactId ?? null;
      const isIncoming = ({ contact }: Message) =>
        contact === null || (me === null ? other === null || contact.id === other : contact.id !== me.contactId);
      const count = messagesAfter(messages, lines.get(id)).filter(isIncoming).length;
      if (count === 0) counts.delete(id);
      else counts.set(id, count);
    }
    return counts;
  }

  saveConversations(conversations: readonly Conversation[]): void {
    for (const conversation of conversations) this.#conversations.set(conversation.id, conversation);
  }

  saveContacts(contacts: readonly Contact[]): void {
    for (const contact of contacts) this.#contacts.set(contact.id, contact);
  }

  removeConversation(id: ConversationId): void {
    this.#conversations.delete(id);
    this.#threads.set(id, []);
    this.#reach.set(id, unknownReach);
  }

  saveMessages(conversationId: ConversationId, messages: readonly Message[]): void {
    const thread = this.#thread(conversationId);
    remove(thread, new Set(messages.map(({ id }) => id)));
    for (const message of messages) thread.splice(placeOf(thread, message), 0, message);
  }

  removeMessages(conversationId: ConversationId, ids: readonly MessageId[]): void {
    remove(this.#thread(conversationId), new Set(ids));
  }

  history(conversationId: ConversationId, from: PageFrom, limit: number, held?: Message): MessagePage {
    const thread = this.#threads.get(conversationId);
    if (thread === undefined) {
      return this.#read((cache) => cache.history(conversationId, from, limit, held), { messages: [], hasMore: false });
    }
    if (from !== 'newest' && 'after' in from) {
      const at = placeOf(thread, from.after);
      const start = thread[at]?.id === from.after.id ? at + 1 : at;
      return { messages: thread.slice(start, start + limit), hasMore: start + limit < thread.length };
    }
    const end = from === 'newest' ? thread.length : placeOf(thread, from.before);
    const start = Math.max(0, end - limit);
    return { messages: thread.slice(start, end), hasMore: start > 0 };
  }

  outline(conversationId: ConversationId, limit: number): Outline {
    const thread = this.#threads.get(conversationId);
    if (thread !== undefined) return { ...this.history(conversationId, 'newest', limit), cut: new Set() };
    const none = { messages: [], cut: new Set<MessageId>(), hasMore: false };
    return this.#read((cache) => cache.outline(conversationId, limit), none);
  }

  message(conversationId: ConversationId, id: MessageId): Message | null {
    const thread = this.#threads.get(conversationId);
    if (thread !== undefined) return thread.find((message) => message.id === id) ?? null;
    return this.#read((cache) => cache.message(conversationId, id), null);
  }

  lookThrough(conversationId: ConversationId, before: PageKey | null, look: LookAt): LookedThrough {
    const thread = this.#threads.get(conversationId);
    if (thread === undefined) return this.#read((cache) => cache.lookThrough(conversationId, before, look), nothing);
    const messages: Message[] = [];
    let end: PageKey | null = null;
    for (let at = (before === null ? thread.length : placeOf(thread, before)) - 1; at >= 0; at--) {
      const message = thread[at];
      if (message === undefined) continue;
      const verdict = look(message.createdAt, message.text);
      if (verdict === 'stop') return { messages, end, hasMore: true };
      if (verdict === 'keep') messages.push(message);
      end = { createdAt: message.createdAt, rank: message.rank, id: message.id };
    }
    return { messages, end, hasMore: false };
  }

  reach(conversationId: ConversationId): HistoryReach {
    return this.#reach.get(conversationId) ?? this.#read((cache) => cache.reach(conversationId), unknownReach);
  }

  saveReach(conversationId: ConversationId, older: HistoryReach['older'], gaps: readonly MessageId[]): void {
    this.#reach.set(conversationId, { older, gaps });
  }

  /** The base is not asked: its record is of its own list, which is not updated from now on. */
  listWalk(): ListWalk | null {
    return this.#walk;
  }

  saveListWalk(walk: ListWalk): void {
    this.#walk = walk;
  }

  foldLog(): void {}

  close(): void {}

  #thread(id: ConversationId): Message[] {
    const known = this.#threads.get(id);
    if (known !== undefined) return known;
    const thread = this.#read((cache) => allOf(cache, id), []);
    this.#threads.set(id, thread);
    return thread;
  }

  #read<T>(work: (cache: ReadableCache) => T, otherwise: T): T {
    if (this.#base === null) return otherwise;
    try {
      return work(this.#base);
    } catch {
      return otherwise;
    }
  }
}

const nothing: LookedThrough = { messages: [], end: null, hasMore: false };

/** Oldest first. */
function allOf(cache: ReadableCache, id: ConversationId): Message[] {
  const pages: (readonly Message[])[] = [];
  for (let from: PageFrom = 'newest'; ; ) {
    const { messages, hasMore } = cache.history(id, from, 1_000);
    pages.unshift(messages);
    const [oldest] = messages;
    if (!hasMore || oldest === undefined) return pages.flat();
    from = { before: oldest };
  }
}

/** The first index whose message does not stand before the key. */
function placeOf(thread: readonly Message[], key: PageKey): number {
  let low = 0;
  let high = thread.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const message = thread[middle];
    if (message !== undefined && compareMessages(message, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function remove(thread: Message[], ids: ReadonlySet<MessageId>): void {
  for (let i = thread.length - 1, left = ids.size; i >= 0 && left > 0; i--) {
    if (!ids.has(thread[i]?.id ?? '')) continue;
    thread.splice(i, 1);
    left--;
  }
}

function byId<T extends { readonly id: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}
