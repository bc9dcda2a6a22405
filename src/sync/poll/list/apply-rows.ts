/** Applies rows of the conversation list to the state and the cache. */
import type { Conversation, ConversationId } from '../../../protocol/types.ts';
import { applyConversations, setEmpty } from '../../../state/cache/conversations.ts';
import { sameValue } from '../../../state/collections/equal.ts';
import { resetReplaced } from '../../quirks/recipient-guard.ts';
import { learnCapability } from '../../services/server-policy.ts';
import { type Services, stateOf, update } from '../../services/services.ts';

export interface AppliedRows {
  /** Conversations whose `last_active_at` moved, and new ones. */
  readonly moved: readonly ConversationId[];
  /** Conversations whose messages were never read. */
  readonly neverRead: readonly ConversationId[];
  /** The last row is new or changed, so the next page may bring news too. */
  readonly endsInNews: boolean;
  /** Some row was older than a write of ours. */
  readonly isBehind: boolean;
}

/** Applies rows of a list, which may lag behind writes of ours. `mark`: from the write tracker, before the request. */
export function applyRows(context: Services, listed: readonly Conversation[], mark: number): AppliedRows {
  const rows = listed.map(context.writes.conversations.overList);
  return { ...applyFullList(context, rows, mark), isBehind: rows.some((row, index) => row !== listed[index]) };
}

/** Applies the rows that no write of ours overlapped since the mark. */
export function applyFullList(context: Services, items: readonly Conversation[], mark: number): AppliedRows {
  const { conversations, lastMessages } = stateOf(context).cache;
  const rows = items.filter(
    (item) => !context.writes.overlapsSince(mark, `conversation ${item.id}`) && !context.writes.hasTombstone(item.id),
  );
  const changed = rows.filter((row) => !sameValue(conversations.get(row.id), row));
  for (const row of changed) resetReplaced(context, row);
  if (changed.length > 0) context.cache.saveConversations(changed);
  learnTimeFormat(context, changed.length > 0 ? changed : rows);
  const { foundEmpty } = stateOf(context).cache;
  const isMoved = ({ id, lastActiveAt }: Conversation): boolean =>
    lastActiveAt !== null && lastActiveAt !== conversations.get(id)?.lastActiveAt;
  const isUnread = ({ id, lastActiveAt }: Conversation): boolean =>
    !lastMessages.has(id) && (lastActiveAt !== null || !foundEmpty.has(id));
  const unread = rows.filter((row) => isUnread(row) && !isMoved(row));
  const empty = unread.filter((row) => row.lastActiveAt === null && isReadToItsEnd(context, row)).map(idOf);
  update(context, (state) => setEmpty(empty, true)(applyConversations(changed, { complete: false })(state)));
  const last = items.at(-1);
  return {
    moved: rows.filter(isMoved).map(idOf),
    neverRead: unread.map(idOf).filter((id) => !empty.includes(id)),
    endsInNews: last !== undefined && changed.includes(last),
    isBehind: false,
  };
}

/** Its history was read to its end, perhaps in an earlier run, and no message of it is known. */
const isReadToItsEnd = (context: Services, { id }: Conversation): boolean => context.cache.reach(id).older === 'end';

const idOf = ({ id }: Conversation): ConversationId => id;

/** Learns how the server writes times, where all rows agree. */
function learnTimeFormat(context: Services, rows: readonly Conversation[]): void {
  const [first, ...rest] = rows.flatMap(({ timeFormat }) => timeFormat ?? []);
  if (first === undefined || !rest.every((format) => sameValue(format, first))) return;
  learnCapability(context, 'timeFormat', first, 'GET /v1/conversations');
}
