/**
 * Messages of others that turn up before where reading stands: a copy of the server lagged behind, or its clock was set
 * back. By the read line, which is a time, nobody would hear of them.
 */
import type { ConversationId, Message } from '../../protocol/types.ts';
import { mergeMessages } from '../../state/cache/threads.ts';
import { isOwn } from '../../state/local/outbox.ts';
import { messagesAfter } from '../../state/local/read-lines.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { type Services, stateOf } from '../services/services.ts';
import type { KnownTail } from './known-tail.ts';

/** `fresh`: rows of a newest page that joins what was known. To be called before they enter the state. */
export function noteBackdated(
  context: Services,
  id: ConversationId,
  fresh: readonly Message[],
  known: KnownTail,
): void {
  const state = stateOf(context);
  const { backdated: all } = context;
  if (!state.cache.unread.has(id)) all.delete(id);
  const line = state.local.readLines.get(id);
  if (fresh.length === 0 || line === undefined) return;
  const from = knownFrom(context, id, known);
  if (from === null) return;
  const unread = new Set(messagesAfter(mergeMessages(known.messages, fresh), line));
  const late = fresh.filter(
    (message) => (message.createdAt ?? 0) > from && !unread.has(message) && !isOwn(message, state),
  );
  if (late.length > 0) all.set(id, new Set([...(all.get(id) ?? []), ...late.map((message) => message.id)]));
}

/** Everything since then was known; null where that cannot be said. */
function knownFrom(context: Services, id: ConversationId, { messages, isAll }: KnownTail): number | null {
  if (messages.length === 0) return null;
  const { older, gaps } = context.cache.reach(id);
  const gap = messages.findLastIndex((message) => gaps.includes(message.id));
  if (gap < 0 && isAll && older === 'end') return 0;
  return messages[Math.max(0, gap)]?.createdAt ?? null;
}

/** How many of these are still to be read, besides what comes after the line. */
export function countBackdated(
  { backdated: all }: Pick<Services, 'backdated'>,
  state: AppState,
  id: ConversationId,
  messages: readonly Message[],
): number {
  const late = all.get(id);
  if (late === undefined || late.size === 0) return 0;
  const after = new Set(messagesAfter(messages, state.local.readLines.get(id)));
  return messages.filter((message) => late.has(message.id) && !after.has(message)).length;
}
