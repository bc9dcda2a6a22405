/** Makes the entries of an archive from what the cache holds: each person before the first entry that names them. */
import type { Contact, ContactId, Conversation, ConversationId, Message, Millis } from '../../protocol/types.ts';
import type { HistoryKey } from '../../state/cache/cached-history.ts';
import { textAbout } from '../../state/local/own-names.ts';
import type { Me } from '../../state/model/app-state.ts';
import type { CacheStore } from '../../storage/cache/memory-cache.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import type { Entry, HistoryEntry, ListRest, Newest } from './entry.ts';

/** The data that is exported. */
export interface ArchiveSource {
  readonly server: string;
  readonly me: Me | null;
  /** The names that the user gave to people and groups, as in `Local`. */
  readonly names: ReadonlyMap<string, string>;
  readonly cache: Pick<CacheStore, 'listAfter' | 'contactsAfter' | 'history' | 'reach' | 'versions' | 'editedMessages'>;
  /** What the server may have beyond the cache; where it is left out, nothing. */
  readonly missing?: Missing;
}

export interface Missing {
  /** What is missing of the conversation list. */
  readonly list: ListRest;
  /** Whether the newest messages of the conversation are cached. */
  newestOf(id: ConversationId): Newest;
}

export interface Selection {
  /** null for all, with everybody in the contact book. */
  readonly conversations: readonly ConversationId[] | null;
  /** Only messages from this time on. */
  readonly since: Millis | null;
  /** Everybody in the contact book, and whether the list is complete, also where not all conversations are chosen. */
  readonly hasEverybody?: boolean;
}

export function* entriesOf(source: ArchiveSource, selection: Selection): Generator<Entry> {
  const { me, cache } = source;
  const { conversations, since, hasEverybody = conversations === null } = selection;
  const contacts = allContacts(cache);
  const people = new People(source, contacts);
  yield { type: 'header', server: source.server };
  if (me !== null) yield* people.named(me.contactId);
  for (const conversation of listed(source, conversations)) {
    if (conversation.contactId !== null) yield* people.named(conversation.contactId);
    const localName =
      conversation.groupId === null ? null : (textAbout(source.names, 'group', conversation.groupId) ?? null);
    yield { type: 'conversation', conversation, localName };
    yield* messagesOf(source, conversation.id, since, people);
  }
  if (!hasEverybody) return;
  for (const id of [...contacts.keys()].sort(byCodeUnits)) yield* people.named(id);
  yield { type: 'list', rest: source.missing?.list ?? 'none' };
}

/** Yields the entry of each person once. */
class People {
  readonly #source: ArchiveSource;
  readonly #contacts: ReadonlyMap<ContactId, Contact>;
  readonly #done = new Set<ContactId>();

  constructor(source: ArchiveSource, contacts: ReadonlyMap<ContactId, Contact>) {
    this.#source = source;
    this.#contacts = contacts;
  }

  *named(id: ContactId): Generator<Entry> {
    if (this.#done.has(id)) return;
    this.#done.add(id);
    const { me, names } = this.#source;
    const localName = textAbout(names, 'contact', id) ?? null;
    const isMe = me?.contactId === id;
    const held = this.#contacts.get(id);
    if (held === undefined && localName === null && !isMe) return;
    yield { type: 'person', contact: held ?? unknownContact(id, isMe ? me.username : null), localName, isMe };
  }
}

const unknownContact = (id: ContactId, username: string | null): Contact => ({
  id,
  username,
  phoneNumber: null,
  avatarUrl: null,
  lastActiveAt: null,
  createdAt: null,
});

/** The place before every message of a conversation. */
export const beforeAll: HistoryKey = { createdAt: null, rank: Number.MIN_SAFE_INTEGER, id: '' };
const pageRows = 500;

function* messagesOf(
  { cache, missing }: ArchiveSource,
  id: ConversationId,
  since: Millis | null,
  people: People,
): Generator<Entry> {
  const edited = new Set(cache.editedMessages(id));
  const reach = cache.reach(id);
  const written = new Set<string>();
  let hasEarlier = false;
  for (const message of historyOf(cache, id)) {
    if (since !== null && (message.createdAt === null || message.createdAt < since)) {
      hasEarlier = true;
      continue;
    }
    written.add(message.id);
    if (message.contact !== null) yield* people.named(message.contact.id);
    const versions = edited.has(message.id) ? cache.versions(id, message.id) : [];
    yield { type: 'message', conversationId: id, message, versions };
  }
  const gaps = reach.gaps.filter((gap) => written.has(gap)).sort(byCodeUnits);
  const older: HistoryEntry['older'] = hasEarlier ? 'server' : reach.older;
  const newest = missing?.newestOf(id) ?? 'reached';
  yield {
    type: 'history',
    conversationId: id,
    messages: written.size,
    older,
    newest,
    gaps,
    isLimitedBySince: hasEarlier,
  };
}

/** Yields the messages of the conversation, oldest first. */
function* historyOf(cache: ArchiveSource['cache'], id: ConversationId): Generator<Message> {
  for (let after: HistoryKey = beforeAll; ; ) {
    const { messages, hasMore } = cache.history(id, { after }, pageRows);
    yield* messages;
    const last = messages.at(-1);
    if (!hasMore) return;
    if (last === undefined)
      throw new ExitError(exitCodes.failure, 'the message cache is damaged; msg-tui doctor says what to do');
    after = last;
  }
}

/** The conversations or contacts that are read at once. */
const pageRecords = 400;

/**
 * The conversations that are exported, by their ids, which do not change as the order of the list does.
 * @param wanted null for all
 */
export function listed({ cache }: ArchiveSource, wanted: readonly ConversationId[] | null): readonly Conversation[] {
  const all = new Map<ConversationId, Conversation>();
  for (let after: ConversationId | null = null; ; ) {
    const part = cache.listAfter(after, pageRecords, new Map(), null);
    for (const conversation of part.conversations) all.set(conversation.id, conversation);
    const last = part.conversations.at(-1)?.id;
    if (!part.hasMore || last === undefined) break;
    after = last;
  }
  const ids = wanted === null ? null : new Set(wanted);
  return [...all.values()].filter(({ id }) => ids?.has(id) !== false).sort((a, b) => byCodeUnits(a.id, b.id));
}

function allContacts(cache: ArchiveSource['cache']): ReadonlyMap<ContactId, Contact> {
  const all = new Map<ContactId, Contact>();
  for (let after: ContactId | null = null; ; ) {
    const part = cache.contactsAfter(after, pageRecords);
    const size = all.size;
    for (const contact of part) all.set(contact.id, contact);
    const last = part.at(-1)?.id;
    if (last === undefined || all.size === size) return all;
    after = last;
  }
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
