/**
 * Messages whose id in the server's lists differs from the id in its answer to the POST. Such a message must not be
 * shown twice in the thread, and its row must not be taken for another message with the same text whose answer never came.
 *
 * An edit, a reaction or a selection that names the id of the answer is not carried over to the listed id.
 */
import { isAddressable } from '../../protocol/fields.ts';
import { compareText, isSame } from '../../protocol/same-text.ts';
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { compareMessages } from '../../state/cache/thread-order.ts';
import { removeMessages, setEdited } from '../../state/cache/threads.ts';
import { isOwn } from '../../state/local/identity.ts';
import type { Transition } from '../../state/store.ts';
import { findMessage } from '../read/read-message.ts';
import { isWithinLagWindowOfSend } from '../read/within-lag-window.ts';
import { writeToDisk } from '../services/durable-write.ts';
import { type Alias, type Aliases, noAliases, type PageObserver } from '../services/page-observer.ts';
import { apiError } from '../services/request.ts';
import { type Services, stateOf } from '../services/services.ts';

/** Servers give both ids to one and the same moment, or nearly so. */
const apartMs = 60_000;

/** Finds messages known by another id in every newest page; certain ones take the place of what was known. */
export const resolveAliases: PageObserver = (context, id) => ({
  before: ({ rows, missing }) => findAliases(context, id, rows, missing),
  also: ({ aliases }) => applyAliases(context, id, aliases),
});

/**
 * Finds messages of `missing`, which an answer should have listed, in its `rows` by another id. That is believed when
 * the server no longer knows the message by the old id, or has listed only the new one for longer than its lists lag
 * behind.
 */
async function findAliases(
  context: Services,
  id: ConversationId,
  rows: readonly Message[],
  missing: readonly Message[],
): Promise<Aliases> {
  if (missing.length === 0) return noAliases;
  const pairs = pair(context, id, rows, missing);
  const certain: Alias[] = [];
  const possible = new Set<MessageId>();
  for (const { from, to } of pairs) {
    const isRenamed = await hasOtherId(context, from.id);
    if (isRenamed || (isRenamed !== null && !isWithinLagWindowOfSend(context, from)))
      certain.push({ from: from.id, to });
    else possible.add(to.id);
  }
  return { certain, possible };
}

/** Pairs the missing messages that answers have named with similar rows that no op has claimed, the earliest first. */
function pair(
  context: Services,
  id: ConversationId,
  rows: readonly Message[],
  missing: readonly Message[],
): readonly { readonly from: Message; readonly to: Message }[] {
  const state = stateOf(context);
  const claims = context.outbox.claims(id);
  const sent = missing.filter((message) => claims.has(message.id) && isAddressable(message.id));
  if (sent.length === 0) return [];
  const left = rows.filter((row) => !claims.has(row.id) && isOwn(row, state)).sort(compareMessages);
  return sent.flatMap((from) => {
    const at = left.findIndex((to) => isLike(from, to));
    const [to] = at < 0 ? [] : left.splice(at, 1);
    return to === undefined ? [] : [{ from, to }];
  });
}

const isLike = (from: Message, to: Message): boolean =>
  isSame(compareText(from.text, to.text)) && Math.abs((from.createdAt ?? 0) - (to.createdAt ?? 0)) <= apartMs;

/** Whether the server knows the message by another id only; null where the server could not be asked. */
async function hasOtherId(context: Services, id: MessageId): Promise<boolean | null> {
  try {
    return (await findMessage(context, id)) === null;
  } catch (error) {
    return apiError(error).isIdMismatch ? true : null;
  }
}

/** Claims the rows on disk; the returned transition, which takes the old ids away, enters the state with the rows. */
function applyAliases(context: Services, id: ConversationId, { certain }: Aliases): Transition {
  const taken = certain.filter(({ from, to }) =>
    // Were it not recorded, the row could be taken for another message: it is looked at again with the next page.
    writeToDisk(context, from, 'By which id a message is known was not recorded.', () =>
      context.outbox.claimAlso(from, to.id),
    ),
  );
  for (const { from, to } of taken) {
    context.unlisted.removeSend(from);
    context.cache.moveVersions(id, from, to.id);
    context.cache.removeMessages(id, [from]);
  }
  if (taken.length === 0) return (state) => state;
  const edited = setEdited(id, context.cache.editedMessages(id));
  return (state) => edited(taken.reduce((next, { from, to }) => removeMessages(id, [from], to)(next), state));
}
