/** Transitions of `cache.threads`: bounded, contiguous windows onto the history of conversations in use. */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { sameValue } from '../collections/equal.ts';
import { withEntry, withoutEntry } from '../collections/sharded-map.ts';
import type { Edge, Thread } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import type { HistoryPage } from './cached-history.ts';
import {
  applyContacts,
  applyLastMessage,
  contactsIn,
  patchCache,
  replaceLastMessage,
  setUnread,
} from './conversations.ts';
import { forgetPinned, refreshPinned } from './pinned.ts';
import { compareMessages } from './thread-order.ts';

/** In messages. A longer window is cut at the end that is not being read; the rest stays in the cache on disk. */
export const windowLimit = 600;

/** Messages just read from the server, oldest first and ranked (`rankPage`), already in the cache on disk. */
export interface ThreadPage {
  readonly conversationId: ConversationId;
  readonly messages: readonly Message[];
  readonly side: 'newest' | 'older';
  /** The page overlaps known messages or reaches the start of history, so that nothing is missing in between. */
  readonly connected: boolean;
  /** What comes before the oldest known message; absent: unchanged. */
  readonly older?: Exclude<Edge, 'disk'>;
  /** The end at which a window is cut that has become too long; absent: `newer` for a page of older messages, else `older`. */
  readonly cutAt?: 'older' | 'newer';
  /** Incoming messages after the read line; absent: unchanged. */
  readonly unread?: number;
}

/** Merges a page into the thread. Applying the same page twice changes nothing. */
export function applyThreadPage(page: ThreadPage): Transition {
  return (state) => {
    const { conversationId: id, messages } = page;
    let next = applyContacts(contactsIn(messages))(state);
    if (next.cache.pinned.has(id)) next = refreshPinned(id, messages)(next);
    const newest = messages.at(-1);
    if (newest !== undefined) next = applyLastMessage(id, newest)(next);
    if (page.unread !== undefined) next = setUnread(id, page.unread)(next);
    const thread = next.cache.threads.get(id);
    return thread === undefined ? next : putThread(id, threadWithPage(thread, page))(next);
  };
}

function threadWithPage(thread: Thread, page: ThreadPage): Thread {
  const held = new Set(thread.messages.map((message) => message.id));
  const messages = mergeMessages(
    thread.messages,
    page.messages.filter((message) => held.has(message.id) || isContiguous(thread, page, message)),
  );
  const grown: Thread = {
    ...thread,
    messages,
    older: page.older === undefined || thread.older === 'disk' ? thread.older : page.older,
    gaps: gapsAfter(thread, page, held),
  };
  return trim(unlessSame(thread, grown), page.cutAt ?? (page.side === 'older' ? 'newer' : 'older'));
}

/** Whether a message may join the window: only without a hole between. Others are read from disk when scrolled to. */
function isContiguous(thread: Thread, page: ThreadPage, message: Message): boolean {
  const first = thread.messages[0];
  const last = thread.messages.at(-1);
  if (first === undefined || last === undefined) return thread.newer === 'end';
  if (compareMessages(message, last) > 0) return thread.newer === 'end';
  if (compareMessages(message, first) > 0) return true;
  return thread.older !== 'disk' && (page.side === 'older' || page.connected);
}

function gapsAfter(thread: Thread, page: ThreadPage, held: ReadonlySet<MessageId>): readonly MessageId[] {
  const oldest = page.messages[0];
  if (oldest === undefined || page.side === 'older' || page.connected || thread.messages.length === 0)
    return thread.gaps;
  return held.has(oldest.id) || thread.newer === 'disk' ? thread.gaps : [...thread.gaps, oldest.id];
}

/** Sets which messages of an open thread have earlier versions in the cache on disk. */
export const setEdited = (id: ConversationId, edited: readonly MessageId[]): Transition =>
  changeThread(id, (thread) => (sameValue(thread.edited ?? [], edited) ? thread : { ...thread, edited }));

/** Closes the gap before `messageId`; with `instead`, the gap moves to before that message. */
export const closeGap = (id: ConversationId, messageId: MessageId, instead: MessageId | null): Transition =>
  changeThread(id, (thread) => {
    if (!thread.gaps.includes(messageId) || messageId === instead) return thread;
    const others = thread.gaps.filter((gap) => gap !== messageId);
    return { ...thread, gaps: instead === null ? others : [...others, instead] };
  });

/** Merges by id into the order of the thread; the same array when nothing is new. */
export function mergeMessages(held: readonly Message[], incoming: readonly Message[]): readonly Message[] {
  if (incoming.length === 0) return held;
  const index = new Map(held.map((message, at) => [message.id, at]));
  let merged: Message[] | null = null;
  for (const message of incoming) {
    const at = index.get(message.id);
    const known = at === undefined ? undefined : held[at];
    if (known !== undefined && sameValue(known, message)) continue;
    merged ??= [...held];
    if (at === undefined) {
      index.set(message.id, merged.length);
      merged.push(message);
    } else merged[at] = message;
  }
  return merged === null ? held : merged.sort(compareMessages);
}

function unlessSame(before: Thread, after: Thread): Thread {
  const isSame =
    before.messages === after.messages &&
    before.older === after.older &&
    before.newer === after.newer &&
    before.gaps === after.gaps;
  return isSame ? before : after;
}

function trim(thread: Thread, from: 'older' | 'newer'): Thread {
  if (thread.messages.length <= windowLimit) return thread;
  return from === 'older'
    ? { ...thread, messages: thread.messages.slice(-windowLimit), older: 'disk' }
    : { ...thread, messages: thread.messages.slice(0, windowLimit), newer: 'disk' };
}

const putThread =
  (id: ConversationId, thread: Thread): Transition =>
  (state) =>
    patchCache(state, { threads: withEntry(state.cache.threads, id, thread) });

/** Changes the window of a thread that is open; does nothing where `change` returns the same object. */
const changeThread =
  (id: ConversationId, change: (thread: Thread) => Thread): Transition =>
  (state) => {
    const thread = state.cache.threads.get(id);
    const changed = thread === undefined ? undefined : change(thread);
    return changed === undefined || changed === thread ? state : putThread(id, changed)(state);
  };

/** Removes deleted messages, on complete evidence only (R-PAGE). The preview falls back to `newest`. */
export function removeMessages(
  conversationId: ConversationId,
  ids: readonly MessageId[],
  newest: Message | null,
): Transition {
  return (state) => {
    const last = state.cache.lastMessages.get(conversationId);
    const next =
      last !== undefined && ids.includes(last.id) ? replaceLastMessage(conversationId, newest)(state) : state;
    const rest = forgetPinned(conversationId, ids)(next);
    const thread = rest.cache.threads.get(conversationId);
    if (thread === undefined || !thread.messages.some((message) => ids.includes(message.id))) return rest;
    return putThread(conversationId, withoutMessages(thread, ids))(rest);
  };
}

function withoutMessages(thread: Thread, ids: readonly MessageId[]): Thread {
  const messages = thread.messages.filter((message) => !ids.includes(message.id));
  const gaps = thread.gaps
    .map((gap) => (ids.includes(gap) ? following(thread, gap, ids) : gap))
    .filter((gap): gap is MessageId => gap !== null);
  const line = thread.newLineAfter;
  const newLineAfter = line !== null && ids.includes(line) ? preceding(thread, line, ids) : line;
  return { ...thread, messages, gaps, newLineAfter };
}

/** A gap before a removed message becomes a gap before the next message that stays. */
function following(thread: Thread, gap: MessageId, gone: readonly MessageId[]): MessageId | null {
  const at = thread.messages.findIndex((message) => message.id === gap);
  if (at < 0) return null;
  return thread.messages.slice(at).find((message) => !gone.includes(message.id))?.id ?? null;
}

/** The "new" line after a removed message is shown after the last message before it that stays. */
function preceding(thread: Thread, line: MessageId, gone: readonly MessageId[]): MessageId | null {
  const at = thread.messages.findIndex((message) => message.id === line);
  return thread.messages.slice(0, Math.max(0, at)).findLast((message) => !gone.includes(message.id))?.id ?? null;
}

/** Sets before which messages of an open thread history is missing. */
export const setGaps = (id: ConversationId, gaps: readonly MessageId[]): Transition =>
  changeThread(id, (thread) => (sameValue(thread.gaps, gaps) ? thread : { ...thread, gaps }));

/** Opens a window on the newest cached messages, without a "new" line. A thread that is open already stays as it is. */
export function openThread(
  id: ConversationId,
  page: HistoryPage,
  reach: { readonly older: Exclude<Edge, 'disk'>; readonly gaps: readonly MessageId[] },
): Transition {
  return (state) => {
    if (state.cache.threads.has(id)) return state;
    const thread: Thread = {
      messages: page.messages,
      older: page.hasMore ? 'disk' : reach.older,
      newer: 'end',
      gaps: reach.gaps,
      newLineAfter: null,
    };
    return putThread(id, thread)(state);
  };
}

/** Sets the message after which an open thread shows its "new" line. */
export const setNewLine = (id: ConversationId, newLineAfter: MessageId | null): Transition =>
  changeThread(id, (thread) => (thread.newLineAfter === newLineAfter ? thread : { ...thread, newLineAfter }));

export const closeThread =
  (id: ConversationId): Transition =>
  (state) =>
    patchCache(state, { threads: withoutEntry(state.cache.threads, id) });

/** Adds a page from disk before the window. `reach`: what comes before its oldest row when the disk has no more. */
export const extendOlder = (id: ConversationId, page: HistoryPage, reach: Exclude<Edge, 'disk'>): Transition =>
  changeThread(id, (thread) => {
    const messages = mergeMessages(thread.messages, page.messages);
    const grown: Thread = { ...thread, messages, older: page.hasMore ? 'disk' : reach };
    return trim(unlessSame(thread, grown), 'newer');
  });

/** Adds a page from disk after the window. */
export const extendNewer = (id: ConversationId, page: HistoryPage): Transition =>
  changeThread(id, (thread) => {
    const messages = mergeMessages(thread.messages, page.messages);
    const grown: Thread = { ...thread, messages, newer: page.hasMore ? 'disk' : 'end' };
    return trim(unlessSame(thread, grown), 'older');
  });

/** Moves the window to the newest messages; a window that ends there already stays as it is. */
export const moveToNewest = (id: ConversationId, page: HistoryPage, reach: Exclude<Edge, 'disk'>): Transition =>
  changeThread(id, (thread) =>
    thread.newer === 'end'
      ? thread
      : { ...thread, messages: page.messages, older: page.hasMore ? 'disk' : reach, newer: 'end' },
  );

/** Moves the window to a place far from the newest messages, with the two pages that meet there. */
export function moveTo(
  id: ConversationId,
  before: HistoryPage,
  after: HistoryPage,
  reach: Exclude<Edge, 'disk'>,
): Transition {
  const older = before.hasMore ? 'disk' : reach;
  const newer = after.hasMore ? 'disk' : 'end';
  const messages = [...before.messages, ...after.messages];
  return changeThread(id, (thread) => ({ ...thread, messages, older, newer }));
}

/** To be called before older messages are saved that do not join the window: it reads them from the disk when it is scrolled. */
export const leaveOlderOnDisk = (id: ConversationId): Transition =>
  changeThread(id, (thread) =>
    thread.older === 'disk' || thread.messages.length === 0 ? thread : { ...thread, older: 'disk' },
  );

/** Sets what comes before the oldest known message; ignored while the disk has older rows. */
export const setOlder = (id: ConversationId, older: Exclude<Edge, 'disk'>): Transition =>
  changeThread(id, (thread) => (thread.older === 'disk' || thread.older === older ? thread : { ...thread, older }));
