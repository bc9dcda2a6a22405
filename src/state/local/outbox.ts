/** The outbox in the state: its transitions, and the overlay that shows pending writes over the cache. */
import { countOf } from '../../protocol/reactions.ts';
import type { Conversation, ConversationId, Message, MessageId, Reaction } from '../../protocol/types.ts';
import { conversationOf } from '../cache/conversations.ts';
import type { AppState, Op } from '../model/app-state.ts';
import { mayHaveArrived } from '../model/op-state.ts';
import type { Transition } from '../store.ts';

/** What is pending on a message. Failed ops are among it, though their effect is not shown. */
export interface MessageMarks {
  readonly edit: Op | null;
  readonly deletion: Op | null;
  readonly reactions: readonly Op[];
  /** A deletion is on its way: the message is not to be shown. */
  readonly isHidden: boolean;
}

/** A message as the user should see it; without `marks` it is the cached object itself. */
export type ShownMessage = Message & { readonly marks?: MessageMarks };

const none: readonly Op[] = [];
const byConversation = new WeakMap<readonly Op[], ReadonlyMap<ConversationId | null, readonly Op[]>>();

/** The ops of one conversation in order; the same array while the outbox does not change. */
export function opsOf(state: AppState, id: ConversationId): readonly Op[] {
  const outbox = state.local.outbox;
  if (outbox.length === 0) return none;
  let index = byConversation.get(outbox);
  if (index === undefined) {
    const made = new Map<ConversationId | null, Op[]>();
    for (const op of outbox) {
      const list = made.get(conversationOf(op));
      if (list === undefined) made.set(conversationOf(op), [op]);
      else list.push(op);
    }
    index = made;
    byConversation.set(outbox, index);
  }
  return index.get(id) ?? none;
}

/** The messages of the user that are not known to be on the server, in the order entered. */
function pendingSends(ops: readonly Op[], conversationId: ConversationId): readonly Op[] {
  const sends = ops.filter(({ action }) => action.kind === 'message.send' && action.conversationId === conversationId);
  return sends.length === 0 ? none : sends;
}

/** No setting of the time for taking back is longer; another process of this profile may have another one. */
const longestHoldMs = 10_000;

/** Until when the op waits so that its author can take it back; 0 for one that waits after a failed attempt. */
export const undoDeadline = ({ attempts, reason, notBefore, created }: Op): number =>
  attempts.length === 0 && reason === null ? Math.min(notBefore, created + longestHoldMs) : 0;

/** The newest message of the conversation that its author can still take back; null when there is none. */
export const undoableSend = (state: AppState, id: ConversationId, now: number): Op | null =>
  pendingSends(opsOf(state, id), id).findLast((op) => op.state === 'queued' && undoDeadline(op) > now) ?? null;

/** Whether a message waits for an earlier one of its conversation, of which it is not known whether it arrived. */
export const isHeldBack = (op: Op, ops: readonly Op[]): boolean =>
  op.state === 'queued' &&
  op.action.kind === 'message.send' &&
  ops.some((other) => other.seq < op.seq && isUnsureSend(other) && holdsBack(other));

const isUnsureSend = ({ state, action }: Op): boolean => state === 'unsure' && action.kind === 'message.send';

const isEffective = (op: Op): boolean => op.state !== 'failed';

/** The conversation with pending pins, mutes and archivings in place; null when its deletion is pending. */
export function shownConversation(conversation: Conversation, ops: readonly Op[]): Conversation | null {
  let shown: Conversation = conversation;
  for (const op of ops) {
    const { action } = op;
    if (!isEffective(op) || conversationOf(op) !== conversation.id) continue;
    if (action.kind === 'conversation.delete') return null;
    if (action.kind === 'conversation.pin') shown = { ...shown, isPinned: action.value };
    if (action.kind === 'conversation.mute') shown = { ...shown, isMuted: action.value };
    if (action.kind === 'conversation.archive') shown = { ...shown, archivedAt: action.at };
    if (action.kind === 'conversation.pinMessage') shown = { ...shown, pinnedMessageId: action.messageId };
  }
  return shown;
}

/**
 * The message with pending edits, reactions and deletion in place; the same object when none is pending.
 * `mine`: the strings that name the user in reactions (`ownStrings`), the first one is added.
 */
export function shownMessage(message: Message, ops: readonly Op[], mine: readonly string[] = []): ShownMessage {
  let edit: Op | null = null;
  let deletion: Op | null = null;
  const reactions: Op[] = [];
  let text = message.text;
  let shownReactions = message.reactions;
  for (const op of ops) {
    const { action } = op;
    if (messageOf(op) !== message.id) continue;
    if (action.kind === 'message.edit') {
      edit = op;
      if (isEffective(op)) text = action.text;
    } else if (action.kind === 'message.delete') {
      deletion = op;
    } else if (action.kind === 'message.react') {
      reactions.push(op);
      if (isEffective(op)) shownReactions = react(shownReactions, action.name, action.present, mine);
    }
  }
  if (edit === null && deletion === null && reactions.length === 0) return message;
  const marks = { edit, deletion, reactions, isHidden: deletion !== null && isEffective(deletion) };
  return { ...message, text, reactions: shownReactions, marks };
}

function messageOf({ action }: Op): MessageId | null {
  if (action.kind === 'message.edit' || action.kind === 'message.delete' || action.kind === 'message.react')
    return action.messageId;
  return null;
}

function react(
  reactions: readonly Reaction[],
  name: string,
  present: boolean,
  mine: readonly string[],
): readonly Reaction[] {
  const isMine = (by: string): boolean => by === '' || mine.includes(by);
  const held = reactions.find((reaction) => reaction.name === name);
  if (!present) {
    return reactions
      .map((reaction) =>
        reaction.name === name ? { ...reaction, by: reaction.by.filter((by) => !isMine(by)) } : reaction,
      )
      .filter((reaction) => countOf(reaction) > 0);
  }
  if (held?.by.some(isMine)) return reactions;
  const own = mine[0] ?? '';
  if (held === undefined) return [...reactions, { name, by: [own] }];
  return reactions.map((reaction) => (reaction === held ? { ...held, by: [...held.by, own] } : reaction));
}

const withOutbox = (state: AppState, outbox: readonly Op[]): AppState => ({
  ...state,
  local: { ...state.local, outbox },
});

/** Adds an op that is on disk already. */
export const enqueue =
  (op: Op): Transition =>
  (state) =>
    state.local.outbox.some((held) => held.uuid === op.uuid)
      ? state
      : withOutbox(
          state,
          [...state.local.outbox, op].sort((a, b) => a.seq - b.seq),
        );

/** Replaces the op of the same uuid; does nothing when there is none. */
export const updateOp =
  (op: Op): Transition =>
  (state) =>
    state.local.outbox.some((held) => held.uuid === op.uuid && held !== op)
      ? withOutbox(
          state,
          state.local.outbox.map((held) => (held.uuid === op.uuid ? op : held)),
        )
      : state;

export const discard =
  (uuid: string): Transition =>
  (state) =>
    state.local.outbox.some((op) => op.uuid === uuid)
      ? withOutbox(
          state,
          state.local.outbox.filter((op) => op.uuid !== uuid),
        )
      : state;

/** The form in which texts are compared. */
export { normaliseText as norm } from '../../protocol/same-text.ts';

/** The evidence of an edit that met another text than the one that was opened. */
export const changedMeanwhile = 'changed meanwhile';

/** Whether an edit met a text that somebody else has changed: the user chooses one of the texts, or both (R-PUT-1). */
export const isConflict = ({ state, attempts }: Op): boolean =>
  state === 'failed' && attempts.at(-1)?.evidence === changedMeanwhile;

/** Whether later writes to the same target wait for the op. */
export const holdsBack = (op: Op): boolean =>
  op.state !== 'failed' && !(op.state === 'unsure' && op.skippedInOrder === true);

/** The statuses of complete answers that say that the server failed to carry the request out. */
const failures: ReadonlySet<string> = new Set(['500', '503']);

/**
 * Whether a message may be sent again once without the user (`resend = "auto-after-check"`): the user could have it
 * sent again, and the server has answered every attempt that may have arrived with a failure.
 */
export function mayRepeatByItself(op: Op, now: number): boolean {
  const inDoubt = op.attempts.filter(mayHaveArrived);
  const isRefuted = inDoubt.length > 0 && inDoubt.every(({ evidence }) => failures.has(evidence));
  return op.autoResent === undefined && op.action.kind === 'message.send' && isRefuted && canResend(op, now);
}

/** How often the history is read, and how long after the attempt at last, before a message may be sent again. */
const complete = { scans: 2, afterMs: 30_000 } as const;

/** Whether the user may have an unsure message sent again: the history was read often and late enough. */
export function canResend(op: Op, now: number): boolean {
  const ended = op.attempts.at(-1)?.ended ?? null;
  if (op.state !== 'unsure' || op.scans < complete.scans || op.lastScan === null || ended === null) return false;
  return op.lastScan - ended >= complete.afterMs && now >= op.lastScan;
}

/** As `canResend`, at the time of the last scan: for what is shown, which does not change by time alone. */
export const isChecked = (op: Op): boolean => canResend(op, op.lastScan ?? 0);
