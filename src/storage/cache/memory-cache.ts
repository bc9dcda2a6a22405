/**
 * The cache in memory, for when cache.db cannot be used. When the file can still be read, rows that are
 * written now replace those of the file. docs/decisions/2026-11-cache-in-memory.md says why it is a separate class.
 */
import type { Contact, ContactId, Conversation, ConversationId, Message, MessageId } from '../../protocol/types.ts';
import type {
  HistoryKey,
  HistoryPage,
  HistoryReach,
  Outline,
  PageFrom,
  PageValidator,
  VisitText,
} from '../../state/cache/cached-history.ts';
import type { CachedPart, ListReadingRecord } from '../../state/cache/cached-list.ts';
import type { Me } from '../../state/model/app-state.ts';
import type { MessageVersion } from '../../state/model/details.ts';
import type { DiskCache } from './disk-cache.ts';
import { moveGaps } from './gaps.ts';
import { allOf, indexFrom, remove, unreadIn } from './memory-threads.ts';
import { MemoryVersions } from './memory-versions.ts';
import { unknownReach } from './rows.ts';
import type { ReadLines } from './unread.ts';

/** What every cache can do. */
export type CacheStore = Pick<DiskCache, keyof DiskCache>;

/** @param base is read and never written; where reading fails it counts as empty */
export const memoryCache = (base: CacheStore | null = null): CacheStore => new MemoryCache(base);

/** A limit for lists that are read whole. */
const everything = Number.MAX_SAFE_INTEGER;

class MemoryCache implements CacheStore {
  readonly #base: CacheStore | null;
  /** What was saved over the base; null: removed. */
  readonly #conversations = new Map<ConversationId, Conversation | null>();
  readonly #contacts = new Map<ContactId, Contact>();
  /** Threads copied from the base at the first write to them; oldest message first. */
  readonly #threads = new Map<ConversationId, Message[]>();
  readonly #reach = new Map<ConversationId, HistoryReach>();
  /** The earlier texts of messages that were edited since. */
  readonly #versions = new MemoryVersions();
  /** Conversations whose formatted page in the file may hold the texts of messages that were removed since. */
  readonly #forgottenPages = new Set<ConversationId>();
  #listReading: ListReadingRecord | null = null;
  /** Validators by conversation; null: of the list. Those of the base are not used, as they belong to the rows of its file. */
  readonly #validators = new Map<ConversationId | null, PageValidator>();

  constructor(base: CacheStore | null) {
    this.#base = base;
  }

  /** Returns everything after the id. */
  contactsAfter(id: ContactId | null): readonly Contact[] {
    const contacts = byId(this.#read((cache) => cache.contactsAfter(id, everything), []));
    for (const contact of this.#contacts.values())
      if (id === null || contact.id > id) contacts.set(contact.id, contact);
    return [...contacts.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Returns everything as one part. */
  listTop(_limit: number, lines: ReadLines, me: Me | null): CachedPart {
    const base = this.#read((cache) => cache.listAfter(null, everything, lines, me), nothing);
    return this.#over(base, [...this.#conversations.keys()], lines, me);
  }

  /** Returns everything as one part. */
  listAfter(_id: unknown, limit: number, lines: ReadLines, me: Me | null): CachedPart {
    return this.listTop(limit, lines, me);
  }

  listOf(ids: readonly ConversationId[], lines: ReadLines, me: Me | null): CachedPart {
    return this.#over(
      this.#read((cache) => cache.listOf(ids, lines, me), nothing),
      ids,
      lines,
      me,
    );
  }

  /** A part of the base with what was saved since, and with these conversations. */
  #over(base: CachedPart, ids: readonly ConversationId[], lines: ReadLines, me: Me | null): CachedPart {
    const conversations = byId(base.conversations);
    const contacts = byId(base.contacts);
    const last = new Map(base.lastMessages);
    const unread = new Map(base.unread);
    for (const id of new Set([...conversations.keys(), ...ids])) {
      const saved = this.#conversations.get(id);
      if (saved !== undefined) setOrDelete(conversations, id, saved);
      const contactId = conversations.get(id)?.contactId ?? null;
      const contact = this.#contacts.get(contactId ?? '');
      if (contact !== undefined) contacts.set(contact.id, contact);
      const thread = this.#threads.get(id);
      if (thread === undefined) continue;
      setOrDelete(last, id, thread.at(-1));
      setOrDelete(unread, id, unreadIn(thread, lines.get(id), contactId, me) || null);
    }
    const lists = { conversations: [...conversations.values()], contacts: [...contacts.values()] };
    return { ...lists, lastMessages: [...last], unread: [...unread], hasMore: false };
  }

  saveConversations(conversations: readonly Conversation[], validator: PageValidator | null = null): void {
    setOrDelete(this.#validators, null, validator);
    for (const conversation of conversations) this.#conversations.set(conversation.id, conversation);
  }

  saveContacts(contacts: readonly Contact[]): void {
    for (const contact of contacts) this.#contacts.set(contact.id, contact);
  }

  removeConversation(id: ConversationId): void {
    this.#conversations.set(id, null);
    this.#validators.delete(null);
    this.#validators.delete(id);
    this.#threads.set(id, []);
    this.#versions.forget(id);
    this.#forgottenPages.add(id);
    this.#reach.set(id, unknownReach);
  }

  saveMessages(
    conversationId: ConversationId,
    messages: readonly Message[],
    validator: PageValidator | null = null,
    contacts: readonly Contact[] = [],
  ): void {
    this.saveContacts(contacts);
    setOrDelete(this.#validators, conversationId, validator);
    const thread = this.#thread(conversationId);
    const ids = new Set(messages.map(({ id }) => id));
    const held = byId(thread.filter(({ id }) => ids.has(id)));
    for (const message of messages) this.#versions.save(conversationId, held.get(message.id), message);
    remove(thread, ids);
    for (const message of messages) thread.splice(indexFrom(thread, message), 0, message);
  }

  removeMessages(conversationId: ConversationId, ids: readonly MessageId[]): void {
    const thread = this.#thread(conversationId);
    moveGaps(this, conversationId, ids, () => remove(thread, new Set(ids)));
    this.#validators.delete(conversationId);
    this.#versions.forget(conversationId, ids);
    this.#forgottenPages.add(conversationId);
  }

  versions(conversationId: ConversationId, id: MessageId): readonly MessageVersion[] {
    if (this.message(conversationId, id) === null) return [];
    const base = this.#read((cache) => cache.versions(conversationId, id), []);
    return [...this.#versions.of(conversationId, id), ...base];
  }

  moveVersions(conversationId: ConversationId, from: MessageId, to: MessageId): void {
    const base = this.#read((cache) => cache.versions(conversationId, from), []);
    this.#versions.move(conversationId, from, to, base);
  }

  editedMessages(conversationId: ConversationId): readonly MessageId[] {
    const base = this.#read((cache) => cache.editedMessages(conversationId), []);
    return [...new Set([...this.#versions.editedIn(conversationId), ...base])];
  }

  history(conversationId: ConversationId, from: PageFrom, limit: number, held?: Message): HistoryPage {
    const thread = this.#threads.get(conversationId);
    if (thread === undefined) {
      return this.#read((cache) => cache.history(conversationId, from, limit, held), { messages: [], hasMore: false });
    }
    if (from !== 'newest' && 'after' in from) {
      const at = indexFrom(thread, from.after);
      const start = thread[at]?.id === from.after.id ? at + 1 : at;
      return { messages: thread.slice(start, start + limit), hasMore: start + limit < thread.length };
    }
    const end = from === 'newest' ? thread.length : indexFrom(thread, from.before);
    const start = Math.max(0, end - limit);
    return { messages: thread.slice(start, end), hasMore: start > 0 };
  }

  outline(conversationId: ConversationId, limit: number): Outline {
    const thread = this.#threads.get(conversationId);
    if (thread !== undefined) return { ...this.history(conversationId, 'newest', limit), withoutText: new Set() };
    const none = { messages: [], withoutText: new Set<MessageId>(), hasMore: false };
    return this.#read((cache) => cache.outline(conversationId, limit), none);
  }

  message(conversationId: ConversationId, id: MessageId): Message | null {
    const thread = this.#threads.get(conversationId);
    if (thread !== undefined) return thread.find((message) => message.id === id) ?? null;
    return this.#read((cache) => cache.message(conversationId, id), null);
  }

  scanTexts(conversationId: ConversationId, before: HistoryKey | null, visit: VisitText): boolean {
    const thread = this.#threads.get(conversationId);
    if (thread === undefined) return this.#read((cache) => cache.scanTexts(conversationId, before, visit), true);
    const end = before === null ? thread.length : indexFrom(thread, before);
    return thread
      .slice(0, end)
      .reverse()
      .every((message) => visit(message, message.text));
  }

  reach(conversationId: ConversationId): HistoryReach {
    return this.#reach.get(conversationId) ?? this.#read((cache) => cache.reach(conversationId), unknownReach);
  }

  saveReach(conversationId: ConversationId, older: HistoryReach['older'], gaps: readonly MessageId[]): void {
    this.#reach.set(conversationId, { older, gaps });
  }

  validator(id: ConversationId | null): PageValidator | null {
    return this.#validators.get(id) ?? null;
  }

  /** The base is not asked: its record is about the list in the file, which is not updated from now on. */
  listReading(): ListReadingRecord | null {
    return this.#listReading;
  }

  saveListReading(reading: ListReadingRecord): void {
    this.#listReading = reading;
  }

  formattedPage(conversationId: ConversationId): string {
    if (this.#forgottenPages.has(conversationId)) return '';
    return this.#read((cache) => cache.formattedPage(conversationId), '');
  }

  /** There is no next start that could read it. */
  saveFormattedPage(): void {}

  checkpoint(): void {}

  close(): void {}

  #thread(id: ConversationId): Message[] {
    const known = this.#threads.get(id);
    if (known !== undefined) return known;
    const thread = this.#read((cache) => allOf(cache, id), []);
    this.#threads.set(id, thread);
    return thread;
  }

  #read<T>(work: (cache: CacheStore) => T, otherwise: T): T {
    if (this.#base === null) return otherwise;
    try {
      return work(this.#base);
    } catch {
      return otherwise;
    }
  }
}

const nothing: CachedPart = { conversations: [], contacts: [], lastMessages: [], unread: [], hasMore: false };

function setOrDelete<K, V>(map: Map<K, V>, key: K, value: V | null | undefined): void {
  if (value == null) map.delete(key);
  else map.set(key, value);
}

function byId<T extends { readonly id: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}
