/** Prevents writes to the wrong person: a server that was set up anew may give a conversation's id to another conversation. */
import type { Conversation, ConversationId } from '../../protocol/types.ts';
import { conversationOf, removeConversation } from '../../state/cache/conversations.ts';
import { openThread } from '../../state/cache/threads.ts';
import { sameValue } from '../../state/collections/equal.ts';
import { emptyDraft } from '../../state/composer/draft.ts';
import { draftOf, leaveDraft } from '../../state/composer/drafts.ts';
import { addOp, opsOf, removeOp } from '../../state/local/outbox.ts';
import { noteRefusal } from '../../state/local/refusals.ts';
import { unsentTextOf } from '../../state/local/unsent-text.ts';
import type { AppState, Op, Recipient } from '../../state/model/app-state.ts';
import { createOp, transition } from '../../state/model/op-state.ts';
import { partnerName, selectConversationName } from '../../state/select/names.ts';
import type { Transition } from '../../state/store.ts';
import { setLoading } from '../../state/view/connection.ts';
import { markChangedByItself } from '../../state/view/view.ts';
import { applyEvent } from '../op/update-op.ts';
import { writeToDisk } from '../services/durable-write.ts';
import { notice } from '../services/notices.ts';
import { type Services, stateOf, update } from '../services/services.ts';

/** Whether both rows name the recipient of the conversation, and name different ones. */
function isReplaced(before: Conversation, now: Conversation): boolean {
  const [was, is] = [recipientOf(before), recipientOf(now)];
  return was !== null && is !== null && !sameValue(was, is);
}

/** The contact or the group of the conversation, also of one that is gone; null where the server names neither. */
function recipientOf(conversation: Conversation): Recipient | null {
  const { contactId, groupId } = conversation.formerPartner ?? conversation;
  if (contactId !== null && contactId !== '') return { contactId };
  return groupId === null || groupId === '' ? null : { groupId };
}

/** The part of a new op that records the present recipient of its conversation. */
export function recipientIn(state: AppState, id: ConversationId | null): Pick<Op, 'recipient'> {
  const conversation = id === null ? undefined : state.cache.conversations.get(id);
  const recipient = conversation === undefined ? null : recipientOf(conversation);
  return recipient === null ? {} : { recipient };
}

/**
 * What to tell the user before the op is sent: its conversation is with somebody else by now. Null where it is not.
 *
 * @param conversation as the server shows it; by default as the cache has it
 */
export function meantForAnother(
  state: AppState,
  op: Op,
  conversation = state.cache.conversations.get(conversationOf(op) ?? ''),
): string | null {
  const now = conversation === undefined ? null : recipientOf(conversation);
  if (conversation === undefined || now === null || op.recipient === undefined || sameValue(now, op.recipient))
    return null;
  return meantFor(partnerName(state, conversation.id, { contactId: null, groupId: null, ...op.recipient }));
}

const meantFor = (name: string): string => `Meant for ${name}, whose conversation the server has replaced by this one.`;

/** Holds the op back where its conversation is with somebody else by now, or removes it from the outbox. Returns whether it did. */
export function holdBackIfReplaced(context: Services, op: Op): boolean {
  const reason = meantForAnother(stateOf(context), op);
  const conversation = stateOf(context).cache.conversations.get(conversationOf(op) ?? '');
  if (reason !== null) holdBack(context, op, reason, conversation);
  return reason !== null;
}

/** Empties the conversation where `now` shows it with somebody else. To be called before the row enters the cache. */
export function resetReplaced(context: Services, now: Conversation): void {
  const { id } = now;
  const before = stateOf(context).cache.conversations.get(id);
  if (before === undefined || !isReplaced(before, now)) return;
  const name = selectConversationName(stateOf(context), id);
  holdBackDraft(context, now, name);
  if (context.isSender()) holdBackOps(context, now, name);
  context.cache.removeConversation(id);
  const noticed = notice(
    context,
    'warning',
    `replaced ${id}`,
    `The server has put another conversation in the place of the one with ${name}.`,
    { isLasting: true },
  );
  const isOpen = stateOf(context).view.openId === id;
  update(context, (state) => {
    const parted = noticed(removeConversation(id)(state));
    return isOpen ? reopened(context, id)(parted) : parted;
  });
}

/** Holds back what does not wait for the recipient that the conversation has now; `name`: the former one's. */
function holdBackOps(context: Services, now: Conversation, name: string): void {
  const state = stateOf(context);
  for (const op of opsOf(state, now.id)) {
    if (op.state !== 'queued' && op.state !== 'failed') continue;
    const reason = op.recipient === undefined ? meantFor(name) : meantForAnother(state, op, now);
    if (reason !== null) holdBack(context, op, reason, now);
  }
}

/** Opens the thread again, empty and marked as not opened by the user, so that an Enter typed just before sends nothing to it. */
function reopened(context: Services, id: ConversationId): Transition {
  const opened = openThread(id, { messages: [], hasMore: false }, context.cache.reach(id));
  const marked = markChangedByItself(context.clock.now());
  return (state) => marked(setLoading(id, true)(opened(state)));
}

/** What was being written to the former recipient becomes a failed op, so that no Enter sends it to the new one. */
function holdBackDraft(context: Services, now: Conversation, name: string): void {
  const { id } = now;
  // Another program of the profile may have done this already.
  context.reload();
  const draft = draftOf(stateOf(context), id);
  const { attachments = [] } = draft;
  const written = unsentTextOf(draft);
  if (written === '' && attachments.length === 0) return;
  const files = attachments.length === 0 ? {} : { attachments };
  const action = { kind: 'message.send', conversationId: id, text: written, ...files } as const;
  if (opsOf(stateOf(context), id).some((op) => op.state === 'failed' && sameValue(op.action, action))) {
    update(context, leaveDraft(id, emptyDraft));
    return;
  }
  const op = {
    ...createOp(context.newUuid(), action, { now: context.clock.now(), holdMs: 0 }),
    ...recipientIn(stateOf(context), id),
  };
  const placed: Op[] = [];
  writeToDisk(context, op.uuid, 'The draft could not be put aside:', () =>
    placed.push(context.outbox.enqueue(op, id, null)),
  );
  const [added] = placed;
  if (added === undefined) return;
  context.noteDraftOnDisk(id, null);
  update(context, (state) => addOp(added)(leaveDraft(id, emptyDraft)(state)));
  holdBack(context, added, meantFor(name), now);
}

/** Messages and edits stay as failed ops for the user to decide; anything else was about what no longer exists. */
function holdBack(context: Services, op: Op, reason: string, now: Conversation | undefined): void {
  const consequence = 'The outbox could not be written.';
  const warnedOf = now === undefined ? null : recipientOf(now);
  const event = { kind: 'held-back', reason, ...(warnedOf && { warnedOf }) } as const;
  if (transition(op, event) !== null) {
    applyEvent(context, op.uuid, consequence, event);
    return;
  }
  update(context, noteRefusal(op.uuid, { reason, evidence: event.kind, at: context.clock.now() }));
  if (writeToDisk(context, op.uuid, consequence, () => context.outbox.discard(op.uuid)))
    update(context, removeOp(op.uuid));
}
