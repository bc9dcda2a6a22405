/** Takes messages of the server into the cache: rank, disk, then one transition; what is known already costs nothing. */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { contactsIn, setEmpty, setUnread } from '../../state/cache/conversations.ts';
import { rankPage } from '../../state/cache/thread-order.ts';
import { applyThreadPage, mergeMessages, removeMessages, type ThreadPage } from '../../state/cache/threads.ts';
import { sameValue } from '../../state/collections/equal.ts';
import { inferIdentity } from '../../state/local/identity.ts';
import { countUnread, firstReadLine, setReadLine } from '../../state/local/read-lines.ts';
import type { AppState, Edge, ReadLine } from '../../state/model/app-state.ts';
import type { Transition } from '../../state/store.ts';
import { type Services, stateOf, update } from '../services/services.ts';
import { countBackdated, noteBackdated } from './backdated-messages.ts';
import { type KnownTail, knownLimit } from './known-tail.ts';

export interface ServerPage {
  readonly conversationId: ConversationId;
  /** Oldest first, in the server's order. */
  readonly messages: readonly Message[];
  readonly side: 'newest' | 'older';
  readonly connected: boolean;
  /** What lies before the oldest message known, as far as the answer tells. */
  readonly older?: Exclude<Edge, 'disk'>;
  /** What is on the disk by now (`writeAhead`). */
  readonly written?: readonly Message[];
}

/** True when the page brought something new. `also` enters the state in the same update. */
export function mergePage(context: Services, page: ServerPage, known: KnownTail, also?: Transition): boolean {
  const { conversationId: id } = page;
  const owned = page.messages.map((message) =>
    message.conversationId === id ? message : { ...message, conversationId: id },
  );
  const ranked = rankPage(known.messages, owned, page.side === 'newest' ? 'after' : 'before');
  const held = new Map(known.messages.map((message) => [message.id, message]));
  const changed = ranked.filter((message) => !sameValue(held.get(message.id), message));
  if (changed.length > 0) save(context, id, changed, page.written ?? []);
  const line = page.side === 'newest' ? readLine(context, id, ranked, known) : undefined;
  if (page.side === 'newest' && page.connected)
    noteBackdated(
      context,
      id,
      changed.filter((message) => !held.has(message.id)),
      known,
    );
  saveReach(context, page, known, ranked);
  const before = stateOf(context);
  update(context, (state) => {
    const merged = mergeMessages(known.messages, ranked);
    const lined = line === undefined ? state : setReadLine(id, line)(state);
    const late = countBackdated(context, lined, id, merged);
    const unread = page.side === 'newest' ? unreadCount(lined, id, merged, known, changed) + late : undefined;
    const { messages: _, written: __, ...rest } = page;
    const threadPage: ThreadPage = { ...rest, messages: ranked, ...(unread === undefined ? {} : { unread }) };
    const isEmpty = page.older === 'end' && merged.length === 0;
    const applied = setEmpty([id], isEmpty)(inferIdentity(id, ranked)(applyThreadPage(threadPage)(lined)));
    return also === undefined ? applied : also(applied);
  });
  return changed.length > 0 || stateOf(context) !== before;
}

function save(context: Services, id: ConversationId, changed: readonly Message[], written: readonly Message[]): void {
  const rest = changed.filter((message) => !written.some((one) => sameValue(one, message)));
  if (rest.length > 0) context.cache.saveMessages(id, rest);
  const book = stateOf(context).cache.contacts;
  const contacts = contactsIn(changed).filter((contact) => !sameValue(book.get(contact.id), contact));
  if (contacts.length > 0) context.cache.saveContacts(contacts);
}

/** A conversation met for the first time gets its line from what the server knows of reading. */
function readLine(
  context: Services,
  id: ConversationId,
  page: readonly Message[],
  known: KnownTail,
): ReadLine | undefined {
  const state = stateOf(context);
  if (state.local.readLines.has(id) || known.messages.length > 0 || page.length === 0) return undefined;
  return firstReadLine(page, state.cache.conversations.get(id)?.lastOpenedAt ?? null, state);
}

function unreadCount(
  state: AppState,
  id: ConversationId,
  messages: readonly Message[],
  known: KnownTail,
  changed: readonly Message[],
): number {
  const line = state.local.readLines.get(id);
  const counted = countUnread(messages, line, state);
  const oldest = messages[0];
  const reachesLine = known.isAll || (line !== undefined && oldest !== undefined && (oldest.createdAt ?? 0) <= line.at);
  if (reachesLine) return counted;
  const held = new Set(known.messages.map((message) => message.id));
  const fresh = changed.filter((message) => !held.has(message.id));
  return Math.max(counted, (state.cache.unread.get(id) ?? 0) + countUnread(fresh, line, state));
}

/** Keeps on disk what is missing: before the oldest row, and before a page that does not join what was known. */
function saveReach(context: Services, page: ServerPage, known: KnownTail, ranked: readonly Message[]): void {
  const { conversationId: id } = page;
  const oldest = ranked[0];
  const isGap =
    page.side === 'newest' &&
    !page.connected &&
    known.messages.length > 0 &&
    oldest !== undefined &&
    !known.messages.some((message) => message.id === oldest.id);
  if (!isGap && page.older === undefined) return;
  const reach = context.cache.reach(id);
  const older = page.older ?? reach.older;
  const gaps = isGap && !reach.gaps.includes(oldest.id) ? [...reach.gaps, oldest.id] : reach.gaps;
  if (older !== reach.older || gaps !== reach.gaps) context.cache.saveReach(id, older, gaps);
}

/** Known messages that a page should have shown and did not. */
export function missingFrom(
  page: readonly Message[],
  known: readonly Message[],
  isComplete: boolean,
): readonly Message[] {
  const oldest = page[0];
  const present = new Set(page.map((message) => message.id));
  return known.filter((message) => {
    if (present.has(message.id)) return false;
    return isComplete || (oldest !== undefined && (message.createdAt ?? 0) > (oldest.createdAt ?? 0));
  });
}

/** The messages are gone on the server; `also` enters the state in the same update. */
export function removeDeleted(
  context: Services,
  id: ConversationId,
  ids: readonly MessageId[],
  also?: Transition,
): void {
  if (ids.length > 0) context.cache.removeMessages(id, ids);
  const left = context.cache.outline(id, knownLimit).messages;
  const newest = left.at(-1);
  const last = newest === undefined ? null : context.cache.message(id, newest.id);
  update(context, (state) => {
    const held = state.cache.unread.get(id) ?? 0;
    const counted = countUnread(left, state.local.readLines.get(id), state) + countBackdated(context, state, id, left);
    const count = Math.min(held, counted);
    const next = setUnread(id, count)(removeMessages(id, ids, last)(state));
    return also === undefined ? next : also(next);
  });
}
