/** Asks for the newest page of one conversation and takes it in; the same request settles sends of unknown outcome. */
import { isAddressable } from '../../../protocol/id.ts';
import type { ConversationId, Message, MessageId } from '../../../protocol/types.ts';
import { setNewLine } from '../../../state/cache/threads.ts';
import { learnTraits, markRead, newLineFor } from '../../../state/local/local.ts';
import type { AppState } from '../../../state/model/app-state.ts';
import type { Transition } from '../../../state/store.ts';
import { setFailure, setLoading } from '../../../state/view/connection.ts';
import { type KnownTail, knownNewest } from '../../merge/known-tail.ts';
import { mergePage, missingFrom, removeDeleted } from '../../merge/merge-page.ts';
import { withTexts, writeAhead } from '../../merge/sliced-texts.ts';
import { findDuplicates } from '../../outbox/send/duplicate-watch.ts';
import { isWithheld, reconcile, unsureSends } from '../../outbox/send/reconcile.ts';
import { confirmLateEdits } from '../../outbox/update/late-edit-confirmation.ts';
import { type Aliases, applyAliases, findAliases } from '../../quirks/message-alias.ts';
import { isWithinLagWindowOfSend } from '../../read/lag-window.ts';
import { lookFor } from '../../read/read-message.ts';
import { apiError, isNotShown, request, type Services, stateOf, update } from '../../services/services.ts';
import { fillGap } from './backfill.ts';
import { cutOff } from './unreachable-end.ts';

/** What is remembered of conversations from one request to the next; mutable, owned by the poller. */
export interface ThreadMemory {
  /** With how many rows the page had. */
  readonly etags: Map<ConversationId, { readonly etag: string; readonly rows: number }>;
  /** Messages that a page lacked and that were still there when asked for; when, on the monotonic clock. */
  readonly confirmed: Map<MessageId, number>;
  /** The last read of a conversation that ended well, on the monotonic clock. */
  readonly readAt: Map<ConversationId, number>;
}

export interface ThreadResult {
  readonly hasNews: boolean;
  /** A write overlapped: ask again at once. */
  readonly isStale: boolean;
  /** Requests that it took. */
  readonly pages: number;
}

const pageLimit = 50;
const joinIds = 100;
const askedAtOnce = 5;
const confirmedForMs = 60_000;

export const emptyThreadMemory = (): ThreadMemory => ({ etags: new Map(), confirmed: new Map(), readAt: new Map() });

/** Rejects with ApiError. */
export async function pullThread(
  context: Services,
  memory: ThreadMemory,
  id: ConversationId,
  isFocused: boolean,
): Promise<ThreadResult> {
  const startedAt = context.clock.monotonic();
  const mark = context.writes.mark();
  const outline = knownNewest(context, id);
  // Who does not send leaves the judgement to the one who does.
  const waiting = context.isSender() ? unsureSends(stateOf(context), id) : [];
  const baseline = waiting.find((op) => op.baseline !== null)?.baseline ?? null;
  // A scan has to reach what was known before the attempt, whatever is known by now.
  const joins = baseline?.newest ?? joinsOf(context, outline);
  const { traits } = stateOf(context).local;
  const validator = memory.etags.get(id);
  // Who has lost all rows since has none that could be unchanged.
  const isHeld = outline.messages.length > 0 || validator?.rows === 0;
  const etag = waiting.length > 0 || !isHeld ? undefined : validator?.etag;
  const result = await request(context, () =>
    context.paging.fetchNewest({
      client: context.client(),
      conversationId: id,
      knownNewest: joins,
      traits,
      limit: pageLimit,
      ...(etag === undefined ? {} : { ifNoneMatch: etag }),
      signal: context.signal,
    }),
  );
  memory.readAt.set(id, startedAt);
  if ('notModified' in result) {
    update(context, succeeded(id));
    settleFromHistory(context, id, [], outline.messages);
    return { hasNews: false, isStale: false, pages: 1 };
  }
  if (isByAnotherName(stateOf(context), result)) {
    memory.etags.delete(id);
    update(context, (state) => setFailure(id, byAnotherName)(setLoading(id, false)(state)));
    return { hasNews: false, isStale: false, pages: result.pages ?? 1 };
  }
  const all = await withTexts(context, id, outline, result.messages);
  const missing = missingFrom(result.messages, all.messages, result.complete);
  const renamings = await findAliases(context, id, result.messages, missing);
  const known = without(all, renamings);
  // A gap that is not on the disk yet would be forgotten with the process.
  const isJoined = result.connected || result.complete || known.messages.length === 0;
  const isRenamed = (row: Message): boolean => renamings.done.some(({ to }) => to.id === row.id);
  const isKept = (row: Message): boolean =>
    !isOverlapped(context, row, mark) && (isRenamed(row) || !isWithheld(stateOf(context), id, row));
  const written = await writeAhead(context, id, known, result.messages, (row) => isJoined && isKept(row));
  const kept = result.messages.filter(isKept);
  const rows = kept.map(context.writes.messages.overList);
  // While the write is under way asking again would only drop the row again; its end asks.
  const isPartial = kept.length < result.messages.length || rows.some((row, index) => row !== kept[index]);
  const isStale = result.messages.some((message) => context.writes.settledSince(mark, `message ${message.id}`));
  const renamed = applyAliases(context, id, renamings);
  const free = rows.filter((row) => !renamings.open.has(row.id));
  const isWhole = (result.connected || result.complete) && renamings.open.size === 0;
  const found = reconcile(context, id, free, waiting, isWhole);
  const isNews = mergePage(
    context,
    {
      conversationId: id,
      messages: rows,
      side: 'newest',
      connected: result.connected || result.complete,
      written,
      ...(result.complete
        ? { older: 'end' as const }
        : known.messages.length === 0
          ? { older: 'server' as const }
          : {}),
    },
    known,
    (state) => {
      const learned = found(renamed(learnTraits(traits, result.traits)(state)));
      const failure = result.unreachable === true ? cutOff : null;
      const lined = known.messages.length === 0 ? firstNewLine(id)(learned) : learned;
      return followReading(id, isFocused)(setFailure(id, failure)(setLoading(id, false)(lined)));
    },
  );
  for (const message of rows) context.unlistedSends.delete(message.id);
  settleFromHistory(context, id, rows, knownNewest(context, id).messages);
  if (isPartial || result.etag === null) memory.etags.delete(id);
  else memory.etags.set(id, { etag: result.etag, rows: result.messages.length });
  const gone = missing.filter((message) => !renamings.done.some(({ from }) => from === message.id));
  await removeAbsent(context, memory, id, gone, mark);
  if (stateOf(context).view.openId === id) await fillGap(context, id);
  return { hasNews: isNews, isStale, pages: result.pages ?? 1 };
}

function settleFromHistory(
  context: Services,
  id: ConversationId,
  rows: readonly Message[],
  known: readonly Message[],
): void {
  if (!context.isSender()) return;
  findDuplicates(context, id, rows, known);
  confirmLateEdits(context, id);
}

/** Own messages known from answers to sends alone prove nothing about what lies before them. */
const joinsOf = (context: Services, known: KnownTail): readonly MessageId[] =>
  known.messages
    .map((message) => message.id)
    .filter((id) => !context.unlistedSends.has(id))
    .slice(-joinIds);

const succeeded =
  (id: ConversationId) =>
  (state: AppState): AppState =>
    setLoading(id, false)(setFailure(id, null)(state));

const byAnotherName =
  'This server names another conversation, which it does not list, in every message of this one: they are not shown.';

/** A server that passes over `conversation_id` lists those of others, and an empty conversation is empty there. */
const isByAnotherName = ({ cache }: AppState, { elsewhere }: { readonly elsewhere?: ConversationId }): boolean =>
  elsewhere !== undefined && !cache.conversations.has(elsewhere);

/** Rows that may be older than a write of ours. */
const isOverlapped = ({ writes: overlaps }: Services, { id, createdAt }: Message, mark: number): boolean =>
  overlaps.overlapsSince(mark, `message ${id}`) || overlaps.hasTombstone(id, createdAt);

/** What stands in the page by another id is not looked for by the old one. */
function without(known: KnownTail, { done }: Aliases): KnownTail {
  if (done.length === 0) return known;
  return { ...known, messages: known.messages.filter((message) => !done.some(({ from }) => from === message.id)) };
}

/** A thread that was opened before anything was known of it could not tell yet where unread begins. */
function firstNewLine(id: ConversationId): Transition {
  return (state) => {
    const thread = state.cache.threads.get(id);
    if (thread === undefined || thread.newLineAfter !== null) return state;
    return setNewLine(id, newLineFor(thread.messages, state.local.readLines.get(id), state))(state);
  };
}

/** Whoever looks at the end of the open thread has read it. */
function followReading(id: ConversationId, isFocused: boolean): (state: AppState) => AppState {
  return (state) => {
    const { view, cache } = state;
    const isAtEnd = (view.places.get(id)?.scroll.at ?? 'bottom') === 'bottom' && cache.threads.get(id)?.newer === 'end';
    const isReading = isFocused && view.openId === id && view.isPeeking !== true;
    return isReading && isAtEnd && cache.unread.has(id) ? markRead(id)(state) : state;
  };
}

/**
 * A page that lacks a message is a hint; only the server's word on the message itself takes it away. One whose id stands in
 * no address cannot be asked for: there the page's word has to do. One that was sent just now is not looked for: reads lag.
 */
async function removeAbsent(
  context: Services,
  memory: ThreadMemory,
  id: ConversationId,
  missing: readonly Message[],
  mark: number,
): Promise<void> {
  const now = context.clock.monotonic();
  const suspects = missing.filter(
    (message) =>
      !context.writes.overlapsSince(mark, `message ${message.id}`) &&
      !isWithinLagWindowOfSend(context, message) &&
      now - (memory.confirmed.get(message.id) ?? Number.NEGATIVE_INFINITY) >= confirmedForMs,
  );
  const gone: MessageId[] = suspects.filter((message) => !isAddressable(message.id)).map((message) => message.id);
  for (const message of suspects.filter((one) => isAddressable(one.id)).slice(-askedAtOnce)) {
    if (await isGone(context, message.id)) gone.push(message.id);
    else memory.confirmed.set(message.id, now);
  }
  if (gone.length > 0) removeDeleted(context, id, gone);
  // What became of the others is still to be seen, also where the page stays as it is.
  if (gone.length < missing.length) memory.etags.delete(id);
}

/**
 * Also where the server has another message, or the same by another name, to show for that id. One that it hides stays as it
 * is, and so does the word on all others.
 */
async function isGone(context: Services, id: MessageId): Promise<boolean> {
  try {
    return (await lookFor(context, id)) === null;
  } catch (error) {
    if (apiError(error).isOther) return true;
    if (isNotShown(error)) return false;
    throw error;
  }
}
