/** Reads older and newer messages for a window that is scrolled: from the disk while it has rows, else by request. */
import type { ConversationId, Message, MessageId } from '../../../protocol/types.ts';
import type { HistoryKey } from '../../../state/cache/cached-history.ts';
import {
  closeGap,
  extendNewer,
  extendOlder,
  leaveOlderOnDisk,
  moveTo,
  moveToNewest,
  setOlder,
} from '../../../state/cache/threads.ts';
import { learnCapabilities } from '../../../state/local/capabilities.ts';
import { placeNewLine } from '../../../state/local/read-lines.ts';
import type { AppState, Edge } from '../../../state/model/app-state.ts';
import { selectPlace } from '../../../state/select/selectors.ts';
import { setFailure, setLoading } from '../../../state/view/connection.ts';
import { mergePage } from '../../merge/merge-page.ts';
import { apiError, request, waitOutLimit } from '../../services/request.ts';
import { type Services, stateOf, update } from '../../services/services.ts';

const diskPage = 200;
/** How many pages are read in a row to close a gap; the rest waits for the next poll. */
const gapPages = 10;

/** Extends the window at its newer end. Synchronous, because the disk holds everything newer. */
export function readNewer(context: Services, id: ConversationId): void {
  const thread = stateOf(context).cache.threads.get(id);
  const last = thread?.messages.at(-1);
  if (thread?.newer !== 'disk' || last === undefined) return;
  const page = context.cache.history(id, { after: historyKeyOf(last) }, diskPage);
  update(context, extendNewer(id, page));
}

/** Moves the window to the newest messages, for a jump to the end of a thread that was scrolled away from it. */
export function readNewest(context: Services, id: ConversationId): void {
  if (stateOf(context).cache.threads.get(id)?.newer !== 'disk') return;
  const page = context.cache.history(id, 'newest', diskPage);
  update(context, moveToNewest(id, page, context.cache.reach(id).older));
}

/** Moves the window to this message, wherever it is in the cache. Returns false when the cache no longer has it. */
export function readAround(context: Services, id: ConversationId, key: HistoryKey): boolean {
  const thread = stateOf(context).cache.threads.get(id);
  if (thread === undefined) return false;
  if (thread.messages.some((message) => message.id === key.id)) return true;
  const edge: HistoryKey = { ...key, id: '' };
  const after = context.cache.history(id, { after: edge }, diskPage);
  if (!after.messages.some((message) => message.id === key.id)) return false;
  const before = context.cache.history(id, { before: edge }, diskPage);
  update(context, moveTo(id, before, after, context.cache.reach(id).older));
  return true;
}

/** Extends the window at its older end. False when the disk has nothing older: the server must be asked. */
export function readOlder(context: Services, id: ConversationId): boolean {
  const thread = stateOf(context).cache.threads.get(id);
  const first = thread?.messages[0];
  if (thread === undefined || first === undefined) return true;
  if (thread.older !== 'disk') return thread.older === 'end' || thread.older === 'unreachable';
  const page = context.cache.history(id, { before: historyKeyOf(first) }, diskPage);
  update(context, extendOlder(id, page, context.cache.reach(id).older));
  return page.messages.length > 0;
}

/** Asks the server for the page before the window. Never rejects with ApiError: the failure is reported in the state. */
export async function fetchHistory(context: Services, id: ConversationId): Promise<void> {
  const thread = stateOf(context).cache.threads.get(id);
  if (thread === undefined) return;
  update(context, setLoading(id, true));
  try {
    await fetchBefore(context, id, thread.messages);
    update(context, (state) => (lacksNewest(state, id) ? state : setFailure(id, null)(state)));
  } catch (error) {
    const { kind, message } = apiError(error);
    if (kind !== 'aborted') update(context, setFailure(id, message));
  } finally {
    update(context, setLoading(id, false));
  }
}

/**
 * The newest gap that the window shows: the message before which others are missing. One at the beginning of the window is not
 * shown while the disk has what comes before it.
 */
export function gapInWindow(context: Services, id: ConversationId): MessageId | undefined {
  const thread = stateOf(context).cache.threads.get(id);
  if (thread === undefined) return undefined;
  const from = thread.older === 'disk' ? 1 : 0;
  return thread.gaps.findLast((gap) => thread.messages.findIndex(({ id: one }) => one === gap) >= from);
}

/** Closes the newest gap that the window shows, or makes it smaller by `gapPages` pages. Rejects with ApiError. */
export async function fillGap(context: Services, id: ConversationId): Promise<void> {
  for (let pages = 0; pages < gapPages; pages++) {
    const thread = stateOf(context).cache.threads.get(id);
    const gap = gapInWindow(context, id);
    if (thread === undefined || gap === undefined || context.circuitBreaker.nextAllowedAt('poll') === null) return;
    const at = thread.messages.findIndex((message) => message.id === gap);
    const beyond = new Set(thread.messages.slice(0, at).map((message) => message.id));
    const { older, rows } = await fetchBefore(context, id, thread.messages.slice(at), { isGap: true });
    const joins = older === 'end' || rows.some((message) => beyond.has(message.id));
    const oldest = rows[0]?.id ?? gap;
    moveGap(context, id, gap, joins ? null : oldest);
    if (joins || older === 'unreachable' || oldest === gap) return;
  }
}

/**
 * Fetches the page before the oldest of `known`. `isGap`: older messages are known too, and what is known of the beginning
 * of the history stays as it is. `toDisk`: the page goes to the disk alone, so that what is read in the window does not
 * move.
 */
export async function fetchBefore(
  context: Services,
  id: ConversationId,
  known: readonly Message[],
  { isGap = false, toDisk = false, signal = context.signal }: FetchOptions = {},
): Promise<{ readonly rows: readonly Message[]; readonly older: Exclude<Edge, 'disk'> }> {
  const { capabilities } = stateOf(context).local;
  const result = await request(context, () =>
    context.paging.fetchOlder({
      client: context.client(),
      conversationId: id,
      known,
      capabilities,
      signal,
      waitOut: waitOutLimit({ ...context, signal }),
    }),
  );
  if (toDisk && result.messages.length > 0) update(context, leaveOlderOnDisk(id));
  const window = toDisk ? known : (stateOf(context).cache.threads.get(id)?.messages ?? known);
  const older: Exclude<Edge, 'disk'> = result.reachedStart ? 'end' : result.unreachable ? 'unreachable' : 'server';
  // Whoever reads at the end must go on seeing it when a gap before that is filled.
  const isReadAtEnd = isGap && selectPlace(stateOf(context), id).scroll.at === 'bottom';
  const ends = { ...(isGap ? {} : { older }), ...(isReadAtEnd && { cutAt: 'older' as const }) };
  mergePage(
    context,
    { conversationId: id, messages: result.messages, side: 'older', connected: true, ...ends },
    { messages: window, isAll: false, withoutText: new Set() },
    (state) => {
      const learned = learnCapabilities(capabilities, result.capabilities)(state);
      return isGap ? learned : placeNewLine(id)(setOlder(id, older)(learned));
    },
  );
  return { rows: result.messages, older };
}

interface FetchOptions {
  readonly isGap?: boolean;
  readonly toDisk?: boolean;
  readonly signal?: AbortSignal;
}

/** Moves a gap: messages are missing before `instead` and no longer before `gap`. Null: the gap is closed. */
export function moveGap(context: Services, id: ConversationId, gap: MessageId, instead: MessageId | null): void {
  if (gap === instead) return;
  const reach = context.cache.reach(id);
  const others = reach.gaps.filter((other) => other !== gap);
  context.cache.saveReach(id, reach.older, instead === null ? others : [...others, instead]);
  update(context, closeGap(id, gap, instead));
}

export const historyKeyOf = ({ createdAt, rank, id }: Message): HistoryKey => ({ createdAt, rank, id });

export const newestUnreachable =
  'This server lists the oldest messages first and gives no way to the rest: the newest ones cannot be shown.';

/**
 * Whether the newest messages are out of reach, or the last reading of them failed. Reading older messages does not end that,
 * as it does not fetch the newest ones.
 */
const lacksNewest = ({ view: { connection } }: AppState, id: ConversationId): boolean =>
  connection.failures.get(id) === newestUnreachable || connection.lastReads?.has(id) === true;
