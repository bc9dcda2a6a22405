/** Reads messages from the server, and takes into account that reads may lag behind. */
import { isOfAnotherTime } from '../../protocol/time.ts';
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { sameValue } from '../../state/collections/equal.ts';
import { apiError, request, requestOptions } from '../services/request.ts';
import type { Services } from '../services/services.ts';
import { rereadWhileStale, shortRetriesMs } from './reread-while-stale.ts';
import { isWithinLagWindow } from './within-lag-window.ts';

/** True when both have the same text, reactions and attachments. */
export const isUnchanged = (before: Message, after: Message): boolean =>
  before.text === after.text &&
  sameValue(before.reactions, after.reactions) &&
  sameValue(before.attachments, after.attachments);

/** The message as the server has it now; null when it is gone. Rejects with ApiError. */
export async function retrieve(context: Services, id: MessageId): Promise<Message | null> {
  try {
    const answer = await request(context, () => context.client().retrieveMessage(id, requestOptions(context)));
    return answer.value;
  } catch (error) {
    if (apiError(error).kind === 'not-found') return null;
    throw error;
  }
}

/**
 * Whether the answer is older than a change that the cache has: one of an earlier run or of another program, which
 * `context.writes` does not know. After the lag window the server is believed: it may have been restored from a backup.
 *
 * @param corrected gives the answer as `context.writes` corrects it
 */
function isOlder(
  context: Services,
  known: Message | null,
  answer: Message,
  corrected: (answer: Message) => Message,
): known is Message {
  const changedAt = known?.updatedAt ?? null;
  if (known === null || changedAt === null || known.isTruncated || !isWithinLagWindow(context, changedAt)) return false;
  const seen = corrected(answer);
  const seenAt = seen.updatedAt ?? 0;
  // A change that dropped the text may have been followed in the same second by the one that put it back.
  const isBefore = seenAt < changedAt || (seenAt === changedAt && seen.text === '' && known.text !== '');
  return isBefore && !isOfAnotherTime(known.createdAt, seen.createdAt) && !isUnchanged(known, seen);
}

/** Has `context.writes` correct this answer, and later ones, where it is older than what the cache has. */
function recordIfOlder(
  context: Services,
  known: Message | null,
  answer: Message,
  corrected: (answer: Message) => Message,
): void {
  if (!isOlder(context, known, answer, corrected)) return;
  const agoMs = Math.max(0, context.clock.now() - (known.updatedAt ?? 0));
  context.writes.messages.recordWrite(answer, known, agoMs);
}

/** The rows of a list, corrected where they are older than a write of this run, or than what is known of the messages. */
export function currentRows(
  context: Services,
  known: readonly Message[],
  rows: readonly Message[],
): readonly Message[] {
  const held = new Map(known.map((message) => [message.id, message]));
  const { overList, overUnlistedRead } = context.writes.messages;
  return rows.map((row) => {
    // A list that was answered by another replica may have shown the change already.
    recordIfOlder(context, held.get(row.id) ?? null, row, overUnlistedRead);
    return overList(row);
  });
}

/** How long an older answer is asked for again: commands have to be done with everything in ten seconds. */
const olderRetriesMs = shortRetriesMs.slice(0, 2);

/**
 * Reads the message with the changes that the server has confirmed and reads may not show yet. A message that was sent
 * a moment ago, or that an earlier run has changed, is asked for again, as reads may lag behind.
 */
export async function retrieveWritten(
  context: Services,
  { conversationId, messageId: id }: { readonly conversationId: ConversationId; readonly messageId: MessageId },
): Promise<Message | null> {
  const { overRead } = context.writes.messages;
  const known = () => context.cache.message(conversationId, id);
  const mayLag = context.unlisted.hasSend(id) || isWithinLagWindow(context, known()?.createdAt ?? null);
  const isMissing = (seen: Message | null): boolean => seen === null && mayLag;
  const isBehind = (seen: Message | null): boolean => seen !== null && isOlder(context, known(), seen, overRead);
  const read = () => retrieve(context, id);
  const found = await rereadWhileStale(context, await read(), isMissing, read);
  const seen = await rereadWhileStale(context, found, isBehind, read, olderRetriesMs);
  const shown = known();
  // A list has shown the same content: it is current, perhaps by a later change of somebody else.
  if (seen === null || (shown !== null && isUnchanged(shown, seen))) return seen;
  recordIfOlder(context, shown, seen, overRead);
  return overRead(seen);
}

/** The message; null when it is gone, which some servers say by a 200 with a "no" in the body. Rejects with ApiError. */
export async function findMessage(context: Services, id: MessageId): Promise<Message | null> {
  try {
    return await retrieve(context, id);
  } catch (error) {
    const failure = apiError(error);
    if (failure.bodySaysNo) return null;
    throw failure;
  }
}
