/** Puts a change into the outbox: on disk first, then in the state, without the queued changes that it replaces. */
import type { ConversationId } from '../../protocol/types.ts';
import { emptyDraft, holdsNothing } from '../../state/composer/draft.ts';
import { leaveDraft } from '../../state/composer/drafts.ts';
import { ownReactionIds } from '../../state/local/identity.ts';
import { addOp, removeOp } from '../../state/local/outbox.ts';
import type { Draft, Op, OpAction } from '../../state/model/app-state.ts';
import type { EnqueueOptions } from '../../state/model/op.ts';
import { createOp } from '../../state/model/op-state.ts';
import { noticeNames } from '../../state/model/screen-state.ts';
import type { Transition } from '../../state/store.ts';
import { addNotice, dropNotice } from '../../state/view/notices.ts';
import { isAmbiguous } from '../op/outcome.ts';
import { freshest } from '../op/update-op.ts';
import { recipientIn } from '../quirks/recipient-guard.ts';
import { writeToDisk } from '../services/durable-write.ts';
import { type Services, stateOf, update } from '../services/services.ts';
import { hasMine } from './safe-put/message-diff.ts';

/** Returns false when the disk refused. Then a notice says so and nothing was changed. */
export function enqueue(context: Services, action: OpAction, options: EnqueueOptions = {}): boolean {
  const { draftOf, holdMs = 0, left = emptyDraft } = options;
  const { drop, isMoot } = coalesce(context, action);
  const op = newOp(context, action, holdMs);
  let placed: Op | null = null;
  const isSaved = writeToDisk(context, noticeNames.notSent, 'Not saved, nothing sent:', () => {
    const isDone = isMoot && withdrawAll(context, drop);
    if (!isDone) placed = place(context, op, draftOf ?? null, holdsNothing(left) ? null : left);
    if (!isMoot) withdrawAll(context, drop);
  });
  const added: Op | null = placed;
  if (!isSaved && added === null) return false;
  context.noteActivity();
  update(context, (state) => {
    const cleared = drop.reduce((next, old) => removeOp(old.uuid)(next), leaveDraft(draftOf, left)(state));
    const next = dropNotice(noticeNames.notSent)(added === null ? cleared : addOp(added)(cleared));
    // Esc takes back what was written in the open conversation, and nothing of what is forwarded to others.
    const isHere = action.kind === 'message.send' && action.conversationId === state.view.openId;
    return isHere && op.notBefore > 0 ? undoNotice(op)(next) : next;
  });
  context.wake();
  return true;
}

function place(context: Services, op: Omit<Op, 'seq'>, draftOf: ConversationId | null, left: Draft | null): Op {
  const placed = context.outbox.enqueue(op, draftOf, left);
  if (draftOf !== null) context.noteDraftOnDisk(draftOf, left);
  return placed;
}

function newOp(context: Services, action: OpAction, leastMs: number): Omit<Op, 'seq'> {
  const state = stateOf(context);
  const undoMs = action.kind === 'message.send' ? state.settings.undoSendSeconds * 1000 : 0;
  return {
    ...createOp(context.newUuid(), dated(context, action), {
      now: context.clock.now(),
      holdMs: Math.max(undoMs, leastMs),
    }),
    ...recipientIn(state, action.kind === 'conversation.create' ? null : action.conversationId),
  };
}

/** The action, with the time of the message that it deletes or reacts to. */
function dated(context: Services, action: OpAction): OpAction {
  if (action.kind !== 'message.delete' && action.kind !== 'message.react') return action;
  const createdAt = context.cache.message(action.conversationId, action.messageId)?.createdAt ?? null;
  return createdAt === null ? action : { ...action, createdAt };
}

/** Takes the ops off the disk; false where another process has begun to send one of them, or has sent it, meanwhile. */
function withdrawAll(context: Services, ops: readonly Op[]): boolean {
  const isAsKnown = (old: Op, now: Op): boolean =>
    isReplaceable(now) && isAmbiguous(now.attempts) === isAmbiguous(old.attempts);
  const withdrawn = ops.map((old) =>
    context.outbox.withdraw(old.uuid, null, (held) => isAsKnown(old, freshest(context, held))),
  );
  return !withdrawn.includes(false);
}

/** Says how long a message can still be taken back, and when it leaves where that is known. */
const undoNotice =
  ({ created: at, notBefore: until }: Omit<Op, 'seq'>): Transition =>
  (state) => {
    const inSeconds = `${Math.round((until - at) / 1000)} s`;
    const isOnline = state.view.connection.status === 'online';
    const text = isOnline
      ? `Is sent in ${inSeconds}; Esc brings it back`
      : `Waits to be sent; Esc brings it back within ${inSeconds}`;
    return addNotice({ tone: 'info', about: noticeNames.held, text, at, until })(state);
  };

interface Coalesced {
  /** The ops that the new one makes pointless. */
  readonly drop: readonly Op[];
  /** Once those are gone, the server already has what the new one asks for: it need not be sent either. */
  readonly isMoot: boolean;
}

/** Drops only ops not under way. Where one may have been applied, the new one is sent, so that it undoes that. */
function coalesce(context: Services, action: OpAction): Coalesced {
  const key = coalesceKey(action);
  if (key === null) return { drop: [], isMoot: false };
  const same = stateOf(context).local.outbox.filter((op) => coalesceKey(op.action) === key);
  const drop = same.filter(isReplaceable);
  const isAll = drop.length > 0 && drop.length === same.length && !drop.some((op) => isAmbiguous(op.attempts));
  return { drop, isMoot: isAll && isAlreadySo(context, action) };
}

/** An op that still has to repair a message is carried out as well. */
const isReplaceable = ({ state, pendingRepair }: Op): boolean =>
  (state === 'queued' || state === 'failed') && pendingRepair === undefined;

function coalesceKey(action: OpAction): string | null {
  switch (action.kind) {
    case 'conversation.pin':
    case 'conversation.mute':
    case 'conversation.archive':
    case 'conversation.pinMessage':
      return `${action.kind} ${action.conversationId}`;
    case 'message.react':
      return `${action.kind} ${action.messageId} ${action.name}`;
    case 'message.send':
    case 'message.edit':
    case 'message.delete':
    case 'conversation.delete':
    case 'conversation.create':
      return null;
  }
}

/** Whether the last known state of the server is what the action wants. */
function isAlreadySo(context: Services, action: OpAction): boolean {
  if (action.kind === 'conversation.create') return false;
  const conversation = stateOf(context).cache.conversations.get(action.conversationId);
  if (action.kind === 'message.react') return hasReaction(context, action) === action.present;
  if (conversation === undefined) return false;
  if (action.kind === 'conversation.pin') return conversation.isPinned === action.value;
  if (action.kind === 'conversation.mute') return conversation.isMuted === action.value;
  if (action.kind === 'conversation.archive') return (conversation.archivedAt === null) === (action.at === null);
  if (action.kind === 'conversation.pinMessage') return conversation.pinnedMessageId === action.messageId;
  return false;
}

/** Null where the message is not known. */
function hasReaction(context: Services, action: Extract<OpAction, { kind: 'message.react' }>): boolean | null {
  const { conversationId, messageId, name } = action;
  const message = context.cache.message(conversationId, messageId);
  return message === null
    ? null
    : hasMine(message.reactions, { name, mine: ownReactionIds(stateOf(context), conversationId) });
}
