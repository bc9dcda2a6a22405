/** Removes conversations that a list does not show any more, once the server says of each one that it is gone. */
import { isAddressable } from '../../../protocol/fields.ts';
import type { ConversationId } from '../../../protocol/types.ts';
import { vanished } from '../../../state/cache/conversations.ts';
import { conversationsWithUnsentText, countUnsent, removeUnlessUnsent } from '../../../state/local/unsent-text.ts';
import { takeConversation } from '../../merge/take-conversation.ts';
import { resetReplaced } from '../../quirks/recipient-guard.ts';
import { askedAtOnce, isConfirmed, isGone } from '../../read/absent-items.ts';
import { findConversation, isYoungConversation } from '../../read/read-conversation.ts';
import { type Services, stateOf, update } from '../../services/services.ts';
import { dropUnsentTextNotice, unsentTextNotice } from '../../services/unsent-text-notice.ts';
import type { ListPollState, ListSeen } from './poll-state.ts';

/**
 * Asks about conversations that a list lacks, which may be archived ones that it leaves out, or have moved between its pages
 * while it was read. Rejects with ApiError.
 */
export async function detectRemoved(
  context: Services,
  memory: ListPollState,
  { ids: present, includesArchived, isComplete }: Pick<ListSeen, 'ids' | 'includesArchived' | 'isComplete'>,
): Promise<void> {
  for (const id of [...memory.notifiedOfUnsentText].filter((known) => present.has(known)))
    endNotice(context, memory, id);
  const now = context.clock.monotonic();
  const { conversations } = stateOf(context).cache;
  const withUnsentText = [...conversationsWithUnsentText(stateOf(context))].filter((id) => !present.has(id));
  const absent = [...new Set([...withUnsentText, ...vanished(stateOf(context), present)])];
  const isArchived = (id: ConversationId): boolean => (conversations.get(id)?.archivedAt ?? null) !== null;
  // The first page of the plain list says nothing about archived conversations; a reading of the whole list has them too.
  if (absent.some(isArchived)) memory.leavesOutArchived = true;
  const suspects = absent.filter(
    (id) => (includesArchived || !isArchived(id)) && !isConfirmed(memory.confirmed, id, now),
  );
  for (const id of suspects.slice(0, askedAtOnce)) {
    const isYoung = (): boolean => isYoungConversation(context, id);
    // Nothing can be asked about an id that cannot be put into an address: it is gone once a complete list lacks it.
    const isRemoved = isAddressable(id) ? await isGone(() => isStillThere(context, id), isYoung) : isComplete;
    if (isRemoved) removeGoneConversation(context, memory, id);
    else memory.confirmed.set(id, now);
  }
}

/** Asks for the conversation, and takes over what the answer says of it. Rejects with ApiError. */
async function isStillThere(context: Services, id: ConversationId): Promise<boolean> {
  const mark = context.writes.mark();
  const found = await findConversation(context, id);
  const isOverlapped =
    context.writes.overlapsSince(mark, `conversation ${id}`) || context.writes.tombstones.conversations.has(id);
  if (found === null || found === 'there' || isOverlapped) return found !== null;
  const conversation = context.writes.conversations.overRead(found);
  resetReplaced(context, conversation);
  update(context, takeConversation(context, conversation));
  return true;
}

/** Removes a conversation that is gone; one with unsent text stays in the list, and a notice says so once in a run. */
export function removeGoneConversation(context: Services, memory: ListPollState, id: ConversationId): void {
  context.cache.removeConversation(id);
  update(context, removeUnlessUnsent(id));
  if (stateOf(context).cache.conversations.has(id)) memory.confirmed.set(id, context.clock.monotonic());
  const count = countUnsent(stateOf(context), id);
  if (count === 0) endNotice(context, memory, id);
  if (count === 0 || memory.notifiedOfUnsentText.has(id)) return;
  memory.notifiedOfUnsentText.add(id);
  update(context, unsentTextNotice(context, count));
}

/**
 * Removes the conversations whose unsent text kept them in the list, once nothing of it is left. The open one stays, and so does
 * one that a list has shown again.
 */
export function removeEmptied(context: Services, memory: ListPollState): void {
  for (const id of memory.notifiedOfUnsentText) {
    const state = stateOf(context);
    const held = state.cache.conversations.get(id);
    const isGone = held === undefined || held.formerPartner !== undefined;
    if (isGone && id !== state.view.openId && countUnsent(state, id) === 0) removeGoneConversation(context, memory, id);
  }
}

/** Takes the notice away with the last conversation that it is about. A deletion by the user raises it too. */
function endNotice(context: Services, { notifiedOfUnsentText }: ListPollState, id: ConversationId): void {
  notifiedOfUnsentText.delete(id);
  if (notifiedOfUnsentText.size === 0) update(context, dropUnsentTextNotice);
}
