/** Applies rows of the conversation list to the state and the cache. */
import type { Conversation, ConversationId } from '../../../protocol/types.ts';
import type { PageValidator } from '../../../state/cache/cached-history.ts';
import { applyConversations, setEmpty } from '../../../state/cache/conversations.ts';
import { sameValue } from '../../../state/collections/equal.ts';
import { selectListOrder } from '../../../state/select/selectors.ts';
import type { Transition } from '../../../state/store.ts';
import { holdFirstRow } from '../../../state/view/list-place.ts';
import { resetReplaced } from '../../quirks/recipient-guard.ts';
import { learnCapability } from '../../services/server-policy.ts';
import { type Services, stateOf, update } from '../../services/services.ts';

export interface AppliedRows {
  /** Conversations whose `last_active_at` moved, and new ones. */
  readonly moved: readonly ConversationId[];
  /** Other conversations that were active after the newest message that is known of them. */
  readonly outdated: readonly ConversationId[];
  /** Conversations whose messages were never read. */
  readonly neverRead: readonly ConversationId[];
  /** The last row is new or changed, so the next page may bring news too. */
  readonly endsInNews: boolean;
  /** Some row was older than a write of ours. */
  readonly isBehind: boolean;
}

/**
 * Applies rows of a list, which may lag behind writes of ours. `mark`: from the write tracker, before the request.
 * `validator`: of the page that the rows are, kept with them if they are stored as they are.
 */
export function applyRows(
  context: Services,
  listed: readonly Conversation[],
  mark: number,
  validator: PageValidator | null = null,
): AppliedRows {
  const rows = listed.map(context.writes.conversations.overList);
  const isBehind = rows.some((row, index) => row !== listed[index]);
  return { ...applyGivenRows(context, rows, mark, isBehind ? null : validator), isBehind };
}

/** Applies the rows that no write of ours overlapped since the mark. */
function applyGivenRows(
  context: Services,
  items: readonly Conversation[],
  mark: number,
  validator: PageValidator | null,
): Omit<AppliedRows, 'isBehind'> {
  const { conversations } = stateOf(context).cache;
  const rows = items.filter(
    (item) =>
      !context.writes.overlapsSince(mark, `conversation ${item.id}`) &&
      !context.writes.tombstones.conversations.has(item.id),
  );
  const changed = rows.filter((row) => !sameValue(conversations.get(row.id), row));
  for (const row of changed) resetReplaced(context, row);
  const last = items.at(-1);
  const endsInNews = last !== undefined && changed.includes(last);
  // There may be news below this page. With its validator saved, nothing would look for them after a restart.
  const mayHideNews = endsInNews && validator?.isWhole !== true;
  const kept = rows.length === items.length && !mayHideNews ? validator : null;
  if (changed.length > 0 || kept !== null) context.cache.saveConversations(changed, kept);
  learnTimeFormat(context, changed.length > 0 ? changed : rows);
  const isMoved = ({ id, lastActiveAt }: Conversation): boolean =>
    lastActiveAt !== null && lastActiveAt !== conversations.get(id)?.lastActiveAt;
  const moved = rows.filter(isMoved).map(idOf);
  const still = rows.filter((row) => !isMoved(row));
  const hold = holdFirstRow(selectListOrder);
  const neverRead = findNeverRead(context, still, (state) => applyConversations(changed)(hold(state)));
  // A conversation that was asked for here may have been made by another process.
  if (stateOf(context).view.starting != null)
    for (const { id } of changed) if (!conversations.has(id)) context.onCreated?.(id);
  return { moved, outdated: findOutdated(context, still), neverRead, endsInNews };
}

/** The conversations of which no message is known. `also` enters the state in the same update. */
export function findNeverRead(
  context: Services,
  rows: readonly Conversation[],
  also: Transition = (state) => state,
): readonly ConversationId[] {
  const { lastMessages, foundEmpty } = stateOf(context).cache;
  const unread = rows.filter(
    ({ id, lastActiveAt }) => !lastMessages.has(id) && (lastActiveAt !== null || !foundEmpty.has(id)),
  );
  const empty = unread.filter((row) => row.lastActiveAt === null && isReadToItsEnd(context, row)).map(idOf);
  update(context, (state) => setEmpty(empty, true)(also(state)));
  return unread.map(idOf).filter((id) => !empty.includes(id));
}

/** Whether its history was read to its end, perhaps in an earlier run. */
const isReadToItsEnd = (context: Services, { id }: Conversation): boolean => context.cache.reach(id).older === 'end';

/**
 * The conversations that were active after the newest message that is known of them, by a second at least, as times may be
 * rounded to seconds. What happened there may be no message, so this alone is no reason to ask for a page again and again.
 */
export function findOutdated(context: Services, rows: readonly Conversation[]): readonly ConversationId[] {
  const { lastMessages } = stateOf(context).cache;
  const isOutdated = ({ id, lastActiveAt }: Conversation): boolean => {
    const newestAt = lastMessages.get(id)?.createdAt ?? null;
    return lastActiveAt !== null && newestAt !== null && lastActiveAt >= newestAt + 1_000;
  };
  return rows.filter(isOutdated).map(idOf);
}

const idOf = ({ id }: Conversation): ConversationId => id;

/** Learns how the server writes times, where all rows agree. */
function learnTimeFormat(context: Services, rows: readonly Conversation[]): void {
  const [first, ...rest] = rows.flatMap(({ timeFormat }) => timeFormat ?? []);
  if (first === undefined || !rest.every((format) => sameValue(format, first))) return;
  learnCapability(context, 'timeFormat', first, 'GET /v1/conversations');
}
