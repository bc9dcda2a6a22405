/** Carries out the user's decisions about own writes that wait, failed or got no answer. */
import type { SentContent } from '../protocol/same-text.ts';
import { conversationOf } from '../state/cache/conversations.ts';
import { setText } from '../state/composer/draft.ts';
import { draftOf, startEditing, updateDraft, withKilledMessage } from '../state/composer/drafts.ts';
import { toWireText } from '../state/local/capabilities.ts';
import { isEditConflict, isEditOfDeleted, isHeldBack, opsOf, undoableSend } from '../state/local/outbox.ts';
import { isChecked } from '../state/local/resend-rule.ts';
import type { AppState, Op } from '../state/model/app-state.ts';
import { lacksToken } from '../state/model/connection.ts';
import { noticeNames } from '../state/model/screen-state.ts';
import { selectComposer, selectSelectedItem, type ThreadItem } from '../state/select/selectors.ts';
import { dropNotice } from '../state/view/notices.ts';
import { pushOverlay } from '../state/view/overlays.ts';
import { followPending, leaveRemoved } from '../state/view/thread-place.ts';
import { patchView, setFocus } from '../state/view/view.ts';
import type { CommandContext } from './context.ts';
import { asSent, asTyped } from './entered.ts';
import { withKey } from './key-advice.ts';
import { notify } from './notify.ts';

export const selectedOp = (state: AppState): Op | null => selectSelectedItem(state)?.op ?? null;

/** Why the write cannot be sent again now; null when it can. */
export function resendReason(op: Op | null): string | null {
  if (op === null) return 'Nothing to send again here';
  if (op.state === 'failed') return null;
  if (op.state !== 'unsure') return 'It is on its way already';
  return isChecked(op) ? null : 'Still checking whether it arrived; sending it again could post it twice';
}

/** Why later messages cannot be let go before the write; null when they can. */
export function passReason(op: Op | null): string | null {
  if (op?.state !== 'unsure') return 'Nothing holds later messages back here';
  return op.skippedInOrder === true ? 'Later messages go before it already' : null;
}

export function letPass(context: CommandContext, op: Op): void {
  if (context.letPass(op.uuid)) notify(context, 'Later messages go before it; it is still looked for');
}

/** Why the write cannot be taken back now; null when it can. */
export function discardReason(op: Op | null): string | null {
  if (op === null) return 'Nothing to discard here';
  return op.state === 'sending' ? 'It is being sent right now' : null;
}

/** An own message without an answer has a dialog that says what can be done about it. */
const hasDialog = (op: Op | null): boolean => op?.state === 'unsure' && op.action.kind === 'message.send';

export const retryReason = (state: AppState): string | null => {
  const op = selectedOp(state);
  if (op?.state === 'queued') return queuedReason(state, op);
  return hasDialog(op) ? null : resendReason(op);
};

/** Why a message that waits to be sent has not left. */
function queuedReason(state: AppState, op: Op): string {
  const id = conversationOf(op);
  if (id !== null && isHeldBack(op, opsOf(state, id)))
    return 'It waits for an earlier message that is unsure: decide about that one first';
  const { connection } = state.view;
  if (lacksToken(connection)) return 'It is sent once there is a new token';
  return connection.status === 'online' ? 'It is sent by itself' : 'It is sent as soon as the server answers';
}

/**
 * What `retrySelected` does with what is selected: an unsure message can be decided about before it can be sent again.
 */
export const retryHint = (state: AppState): string => {
  const op = selectedOp(state);
  return op !== null && hasDialog(op) && !isChecked(op) ? 'decide' : 'try again';
};

export function retrySelected(context: CommandContext): void {
  const op = selectedOp(context.get());
  if (op === null) return;
  if (hasDialog(op)) context.update(pushOverlay({ kind: 'unsure', uuid: op.uuid }));
  else context.retryOp(op.uuid);
}

/** What the user wrote and attached. */
function contentOf(op: Op | null): SentContent | null {
  if (op?.action.kind === 'message.send') return op.action;
  return op?.action.kind === 'message.edit' ? { text: op.action.text } : null;
}

/** Discards the write. Yanking brings its text and attachments back. */
export function discard(context: CommandContext, op: Op): void {
  const content = contentOf(op);
  const conversationId = conversationOf(op);
  if (!context.discardOp(op.uuid)) return;
  if (content === null || conversationId === null) {
    notify(context, 'Discarded');
    return;
  }
  context.update((state) =>
    patchView(updateDraft(conversationId, (draft) => withKilledMessage(draft, content))(state), {
      putAside: content,
      closedQuery: '',
    }),
  );
  context.update(leaveRemoved(conversationId, [`op:${op.uuid}`]));
  context.update(followPending(conversationId, op.uuid, null));
  const what = (content.attachments ?? []).length > 0 ? 'it' : 'the text';
  notify(context, `Discarded${withKey(context, 'text.yank', (key) => `; ${key} in a composer brings ${what} back`)}`);
}

/**
 * Puts the text back into the composer, below the text that is there already.
 * @param isAbove it was written before that text and comes above it
 */
export function editPending(context: CommandContext, op: Op, isAbove = false): void {
  const content = contentOf(op);
  const conversationId = conversationOf(op);
  if (content === null || conversationId === null) return;
  if (draftOf(context.get(), conversationId).editing !== null) {
    notify(context, 'Finish the edit first');
    return;
  }
  const held = draftOf(context.get(), conversationId);
  const parts = isAbove ? [content, held] : [held, content];
  const files = parts.flatMap(({ attachments = [] }) => attachments);
  const words = joined(content.text, held.text, isAbove);
  const draft = { ...setText(held, words), ...(files.length > 0 && { attachments: files }) };
  if (context.discardOp(op.uuid, { conversationId, draft }))
    context.update((state) => setFocus('composer')(followPending(conversationId, op.uuid, null)(state)));
}

function joined(text: string, held: string, isAbove: boolean): string {
  if (held === '') return asTyped(text);
  if (text === '') return held;
  return isAbove ? asTyped(`${text}\n${asSent(held)}`) : `${held}\n${text}`;
}

type Edit = Extract<Op['action'], { kind: 'message.edit' }>;

/** Edits the message again with the refused text, below the present text where somebody has changed it. */
function editRefused(context: CommandContext, op: Op, edit: Edit, shown: string): void {
  const { conversationId, messageId, text } = edit;
  const state = context.get();
  const held = draftOf(state, conversationId);
  if (held.editing !== null) {
    notify(context, 'Finish the edit first');
    return;
  }
  const words = isEditConflict(op) ? `${toWireText(state, shown)}\n${text}` : text;
  const draft = startEditing(held, messageId, shown, words);
  if (context.discardOp(op.uuid, { conversationId, draft })) context.update(setFocus('composer'));
}

/**
 * Puts the text of a write that was not carried out back into the composer; false: the message itself is to be edited.
 */
export function editUnsent(context: CommandContext, item: ThreadItem): boolean {
  if (item.kind === 'pending') {
    editPending(context, item.op);
    return true;
  }
  if (item.op?.state !== 'failed' || item.op.action.kind !== 'message.edit') return false;
  if (isEditOfDeleted(item.op)) editPending(context, item.op);
  else editRefused(context, item.op, item.op.action, item.message.text);
  return true;
}

/** The newest message of the open conversation that has not left and can still be taken back; null when there is none. */
export const heldHere = (context: CommandContext): Op | null => {
  const state = context.get();
  const { openId } = state.view;
  return openId === null ? null : undoableSend(state, openId, context.now());
};

/** What Esc does before anything else. The edit of another message ends first: its text has no room for a second one. */
export const takeBackByEscape = (context: CommandContext): boolean =>
  selectComposer(context.get()).editing === null && takeBackHeld(context);

/** Takes back the message that `heldHere` returns; false when there is none, or a dialog is open. */
export function takeBackHeld(context: CommandContext): boolean {
  const op = context.get().screen.overlays.length > 0 ? null : heldHere(context);
  if (op === null) return false;
  context.update(dropNotice(noticeNames.held));
  editPending(context, op, true);
  return true;
}

/** Takes back the selected message or, if that does not wait, the newest one here that does. False where none waits. */
export function takeBackMessage(context: CommandContext): boolean {
  if (takeBackHeld(context)) return true;
  const state = context.get();
  const isWaiting = (op: Op | null): boolean => op?.state === 'queued' && op.action.kind === 'message.send';
  const selected = selectedOp(state);
  const { openId } = state.view;
  const isNewest = !isWaiting(selected) && openId !== null;
  const op = isNewest ? (opsOf(state, openId).findLast(isWaiting) ?? null) : selected;
  if (op === null || !isWaiting(op)) return false;
  editPending(context, op, isNewest);
  return true;
}
