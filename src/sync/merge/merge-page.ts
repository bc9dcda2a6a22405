/**
 * Merges messages of the server into the cache, on disk and in the state, and removes deleted ones. Rows that did not
 * change are not written.
 */
import type { ConversationId, Message, MessageId, Millis } from '../../protocol/types.ts';
import type { PageValidator } from '../../state/cache/cached-history.ts';
import { contactsIn, setEmpty, setUnread } from '../../state/cache/conversations.ts';
import { rankPage } from '../../state/cache/thread-order.ts';
import {
  applyThreadPage,
  mergeMessages,
  removeMessages,
  setEdited,
  setGaps,
  type ThreadPage,
} from '../../state/cache/threads.ts';
import { sameValue } from '../../state/collections/equal.ts';
import { inferIdentity, isOwn } from '../../state/local/identity.ts';
import { isReactedOnly, noteReactedOnly } from '../../state/local/reacted-only.ts';
import { firstReadLine, lineAfterOlderPage, setReadLine } from '../../state/local/read-lines.ts';
import {
  type Backdated,
  messagesAfter,
  unreadAfterOlderPage,
  unreadAfterPage,
  unreadAfterRemoval,
} from '../../state/local/unread.ts';
import type { AppState, Edge, ReadLine } from '../../state/model/app-state.ts';
import type { Transition } from '../../state/store.ts';
import { dropNotice } from '../../state/view/notices.ts';
import { isSelected, leaveRemoved } from '../../state/view/thread-place.ts';
import { markChangedByItself } from '../../state/view/view.ts';
import { aboutLoss, notice } from '../services/notices.ts';
import { type Services, stateOf, update } from '../services/services.ts';
import { type KnownTail, knownFrom, knownLimit } from './known-newest.ts';
import { reportIncoming } from './report-incoming.ts';

export interface ServerPage {
  readonly conversationId: ConversationId;
  /** Oldest first, in the server's order. */
  readonly messages: readonly Message[];
  readonly side: 'newest' | 'older';
  /** No message is missing between the page and what was known. */
  readonly connected: boolean;
  /** What comes before the oldest known message, as far as the answer shows. */
  readonly older?: Exclude<Edge, 'disk'>;
  /** The end at which a window is cut that has become too long; absent: the end that the page is not at. */
  readonly cutAt?: 'older';
  /** Rows that are on the disk already (`writeAhead`). */
  readonly written?: readonly Message[];
  /** The validator of the page, to be saved with it. It is given only when `messages` has all rows of the page. */
  readonly validator?: PageValidator | null;
  /** When the server gave the page, by its own clock; null or absent: it does not say. */
  readonly serverDate?: Millis | null;
}

/**
 * Merges a page with what is known: gives the rows their ranks, writes the changed ones to the disk, and brings them
 * into the state in one update, together with `also`.
 *
 * @param known the newest messages that were known before the page
 * @returns true when the page brought something new
 */
export function mergePage(context: Services, page: ServerPage, known: KnownTail, also?: Transition): boolean {
  const changes = compare(page, known);
  const { conversationId: id } = page;
  const uncounted = page.side === 'older' ? notOnDisk(context, id, changes.fresh) : [];
  save(context, page, changes.changed);
  const line = readLine(context, page, changes.ranked, known);
  const recounted = page.side === 'older' ? countIfMoved(context, id, line) : null;
  if (page.side === 'newest' && page.connected) noteBackdated(context, id, changes, known);
  saveReach(context, page, known, changes.ranked);
  // A window that is scrolled back does not hold the message after the gap yet.
  const marked = page.side === 'newest' && !page.connected ? setGaps(id, context.cache.reach(id).gaps) : unchanged;
  const edited = changes.hasEdits ? setEdited(id, context.cache.editedMessages(id)) : unchanged;
  const before = stateOf(context);
  const backdated = context.backdated.get(id) ?? new Set();
  update(context, (state) => {
    const lined = line === undefined ? state : setReadLine(id, line)(state);
    const noted = noteReactedOnly(id, changes.reactedOnly)(lined);
    const applied = marked(edited(applyPage(page, known, changes, { backdated, uncounted, recounted })(noted)));
    return also === undefined ? applied : also(applied);
  });
  const hasNews = changes.changed.length > 0 || stateOf(context) !== before;
  if (page.side === 'newest') {
    // The state knows by now whose messages they are.
    const incoming = arrivedSince(before, page, changes).filter((message) => !isOwn(message, stateOf(context)));
    const lineBefore = line ?? before.local.readLines.get(id);
    if (incoming.length > 0) reportIncoming(context, page, incoming, messagesAfter(changes.merged, lineBefore));
    context.onPage?.({ conversationId: id, messages: changes.ranked, removed: [] });
  }
  return hasNews;
}

const unchanged: Transition = (state) => state;

/**
 * The rows that are new to this process. Another one on the same cache, such as `tail`, may have stored them first: those are
 * known from the disk, and newer than the newest message that this process has shown.
 */
function arrivedSince(
  before: AppState,
  { conversationId }: ServerPage,
  { ranked, fresh }: Changes,
): readonly Message[] {
  const shownTo = before.cache.lastMessages.get(conversationId)?.createdAt ?? null;
  if (shownTo === null) return fresh;
  const rows = new Set(fresh);
  return ranked.filter((message) => rows.has(message) || (message.createdAt ?? 0) > shownTo);
}

interface Changes {
  /** What was known with the rows of the page in it, oldest first. */
  readonly merged: readonly Message[];
  /** All rows of the page with their ranks. */
  readonly ranked: readonly Message[];
  /** Rows that are new or differ from what was known. */
  readonly changed: readonly Message[];
  /** Rows that were not known. */
  readonly fresh: readonly Message[];
  /** The text of a known row has changed, or may have. */
  readonly hasEdits: boolean;
  /** Known rows that are marked as updated, with the text as it was. */
  readonly reactedOnly: readonly MessageId[];
}

function compare({ conversationId: id, messages, side }: ServerPage, known: KnownTail): Changes {
  const owned = messages.map((message) =>
    message.conversationId === id ? message : { ...message, conversationId: id },
  );
  const ranked = rankPage(known.messages, owned, side === 'newest' ? 'after' : 'before');
  const held = new Map(known.messages.map((message) => [message.id, message]));
  const changed = ranked.filter((message) => !sameValue(held.get(message.id), message));
  const fresh = changed.filter((message) => !held.has(message.id));
  const hasEdits = changed.some(({ id, text }) => (held.get(id)?.text ?? text) !== text);
  const reactedOnly = changed
    .filter((message) => isReactedOnly(held.get(message.id) ?? message, message))
    .map((message) => message.id);
  const merged = mergeMessages(known.messages, ranked);
  return { merged, ranked, changed, fresh, hasEdits, reactedOnly };
}

/** The rows that no count of unread messages can hold yet. A page may reach to rows on the disk that are out of the window. */
const notOnDisk = (context: Services, id: ConversationId, rows: readonly Message[]): readonly Message[] =>
  rows.filter((row) => context.cache.message(id, row.id) === null);

/**
 * The unread count of what is cached, where a page of older messages moves the read line: messages before it were counted that
 * are read. Null where the line stays.
 */
function countIfMoved(context: Services, id: ConversationId, line: ReadLine | undefined): number | null {
  const { me, readLines } = stateOf(context).local;
  if (line === undefined || line === readLines.get(id)) return null;
  const [counted] = context.cache.listOf([id], new Map([[id, line]]), me).unread;
  const late = [...(context.backdated.get(id) ?? [])].filter((one) => context.cache.message(id, one) !== null);
  return (counted?.[1] ?? 0) + late.length;
}

interface Counted {
  readonly backdated: Backdated;
  /** For a page of older messages: the rows that may add to the unread count. */
  readonly uncounted: readonly Message[];
  /** For a page of older messages that moves the read line: the whole count. */
  readonly recounted: number | null;
}

function applyPage(
  page: ServerPage,
  known: KnownTail,
  { merged: messages, ranked, fresh }: Changes,
  { backdated, uncounted, recounted }: Counted,
): Transition {
  const { messages: _, written: __, validator: ___, serverDate: ____, ...rest } = page;
  const { conversationId: id } = page;
  return (held) => {
    // The page may show for the first time who the user is, and so whose messages count as unread.
    const state = inferIdentity(id, messages)(held);
    const merged = { messages, fresh, isAll: known.isAll, backdated };
    const isNewest = page.side === 'newest';
    const unread = isNewest
      ? unreadAfterPage(state, id, merged)
      : (recounted ?? unreadAfterOlderPage(state, id, uncounted));
    const threadPage: ThreadPage = { ...rest, messages: ranked, unread };
    const isEmpty = page.older === 'end' && messages.length === 0;
    return setEmpty([id], isEmpty)(applyThreadPage(threadPage)(state));
  };
}

function save(context: Services, page: ServerPage, changed: readonly Message[]): void {
  const { conversationId: id, written = [], validator = null } = page;
  const book = stateOf(context).cache.contacts;
  const contacts = contactsIn(changed).filter((contact) => !sameValue(book.get(contact.id), contact));
  const rest = changed.filter((message) => !written.some((one) => sameValue(one, message)));
  if (rest.length > 0 || validator !== null || contacts.length > 0)
    context.cache.saveMessages(id, rest, validator, contacts);
}

/** The read line that the page shows, from what the server says about reading; undefined where the line stays as it is. */
function readLine(
  context: Services,
  { conversationId: id, side }: ServerPage,
  page: readonly Message[],
  known: KnownTail,
): ReadLine | undefined {
  const state = inferIdentity(id, page)(stateOf(context));
  const held = state.local.readLines.get(id);
  if (side === 'older') return held === undefined ? undefined : lineAfterOlderPage(held, page, state);
  if (held !== undefined || known.messages.length > 0 || page.length === 0) return undefined;
  return firstReadLine(page, state.cache.conversations.get(id)?.lastOpenedAt ?? null, state);
}

/** Notes on the disk where history is missing: before the oldest row, and before a page that does not join what was known. */
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

const selectionGone = 'The message that was selected has been deleted';

/** Removes messages that are gone on the server. `also` enters the state in the same update. */
export function removeDeleted(
  context: Services,
  id: ConversationId,
  ids: readonly MessageId[],
  also?: Transition,
): void {
  if (ids.length > 0) context.cache.removeMessages(id, ids);
  const kept = context.cache.outline(id, knownLimit).messages;
  const newest = kept.at(-1);
  const last = newest === undefined ? null : context.cache.message(id, newest.id);
  const backdated = context.backdated.get(id) ?? new Set();
  const { gaps } = context.cache.reach(id);
  update(context, (state) => {
    const count = unreadAfterRemoval(state, id, kept, backdated);
    // A gap may be beyond the window, where only the disk knows which message follows.
    const removed = setGaps(id, gaps)(setUnread(id, count)(removeMessages(id, ids, last)(state)));
    const left = ids.reduce((held, one) => dropNotice(aboutLoss(one))(held), leaveRemoved(id, ids)(removed));
    const next = isSelected(state, id, ids) ? withoutSelected(context)(left) : left;
    return also === undefined ? next : also(next);
  });
  if (ids.length > 0) context.onPage?.({ conversationId: id, messages: [], removed: ids });
}

/** The composer has the keys now: an Enter just pressed was meant for the message, and must not send what is written there. */
function withoutSelected(context: Services): Transition {
  const marked = markChangedByItself(context.clock.now());
  const noticed = notice(context, 'info', 'selection', selectionGone);
  return (state) => marked(noticed(state));
}

/**
 * Finds backdated messages among the new rows of a newest page, before they enter the state. By the read line alone, which
 * is a time, they would count as read: a replica of the server lagged behind, or its clock was set back.
 *
 * @param known the page joins it
 */
function noteBackdated(
  context: Pick<Services, 'store' | 'cache' | 'backdated'>,
  id: ConversationId,
  { merged, fresh }: Changes,
  known: KnownTail,
): void {
  const state = stateOf(context);
  const all = context.backdated;
  if (!state.cache.unread.has(id)) all.delete(id);
  const line = state.local.readLines.get(id);
  if (fresh.length === 0 || line === undefined || known.messages.length === 0) return;
  const unread = new Set(messagesAfter(merged, line));
  const before = fresh.filter((message) => !unread.has(message) && !isOwn(message, state));
  if (before.length === 0) return;
  const from = knownFrom(context, id, known);
  if (from === null) return;
  const late = before.filter((message) => (message.createdAt ?? 0) > from);
  if (late.length > 0) all.set(id, new Set([...(all.get(id) ?? []), ...late.map((message) => message.id)]));
}
