/** Applies rows of the conversation list to the state and the cache. */
import type { Conversation, ConversationId } from '../../../protocol/types.ts';
import { applyConversations, setEmpty } from '../../../state/cache/conversations.ts';
import { sameValue } from '../../../state/collections/equal.ts';
import { resetReplaced } from '../../quirks/recipient-guard.ts';
import { learnCapability } from '../../services/observed-capabilities.ts';
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
  const isBehind = rows.some((row, index) => row !== listed[index]);
  return { ...applyFullList(context, rows, mark), isBehind };
}

/** Applies the rows that no write of ours overlapped since the mark. */
export function applyFullList(
  context: Services,
  items: readonly Conversation[],
  mark: number,
): Omit<AppliedRows, 'isBehind'> {
  const { conversations, lastMessages } = stateOf(context).cache;
  const rows = items.filter(
    (item) => !context.writes.overlapsSince(mark, `conversation ${item.id}`) && !context.writes.hasTombstone(item.id),
  );
  const changed = rows.filter((row) => !sameValue(conversations.get(row.id), row));
  for (const row of changed) resetReplaced(context, row);
  if (changed.length > 0) context.cache.saveConversations(changed);
  learnTimeFormat(context, changed.length > 0 ? changed : rows);
  const active = rows.filter((row) => row.lastActiveAt !== null);
  const isMoved = (row: Conversation): boolean => conversations.get(row.id)?.lastActiveAt !== row.lastActiveAt;
  const moved = active.filter(isMoved);
  const unseen = rows.filter((row) => !lastMessages.has(row.id) && (row.lastActiveAt === null || !isMoved(row)));
  const empty = emptyAmong(context, unseen, active.length > 0);
  update(context, (state) => setEmpty(empty, true)(applyConversations(changed, { complete: false })(state)));
  const { foundEmpty } = stateOf(context).cache;
  const neverRead = unseen.filter((row) => row.lastActiveAt !== null || !foundEmpty.has(row.id));
  const last = items.at(-1);
  return {
    moved: moved.map(idOf),
    neverRead: neverRead.map(idOf),
    endsInNews: last !== undefined && changed.includes(last),
  };
}

/**
 * Conversations without activity, on a server that names the activity of others, whose history was read to its end
 * before.
 */
function emptyAmong(
  context: Services,
  unseen: readonly Conversation[],
  tellsActivity: boolean,
): readonly ConversationId[] {
  if (!tellsActivity) return [];
  const { foundEmpty } = stateOf(context).cache;
  return unseen
    .filter(({ id, lastActiveAt }) => lastActiveAt === null && !foundEmpty.has(id))
    .map(idOf)
    .filter((id) => context.cache.reach(id).older === 'end');
}

const idOf = ({ id }: Conversation): ConversationId => id;

/** Learns how the server writes times, where all rows agree. */
function learnTimeFormat(context: Services, rows: readonly Conversation[]): void {
  const [first, ...rest] = rows.flatMap(({ timeFormat }) => timeFormat ?? []);
  if (first === undefined || !rest.every((format) => sameValue(format, first))) return;
  learnCapability(context, 'timeFormat', first, 'GET /v1/conversations');
}
