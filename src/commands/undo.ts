/**
 * Takes changes of a conversation back, the last one first, and does them again: pin, mute, archive, read, pinned
 * message.
 */

import type { ConversationId, MessageId } from '../protocol/types.ts';
import { setUnread } from '../state/cache/conversations.ts';
import { setReadLine } from '../state/local/read-lines.ts';
import type { AppState, Undoable } from '../state/model/app-state.ts';
import { selectConversationName } from '../state/select/names.ts';
import { selectConversation, selectListOrder, selectUnread } from '../state/select/selectors.ts';
import { selectInList } from '../state/view/list-place.ts';
import { patchView } from '../state/view/view.ts';
import type { CommandContext } from './context.ts';
import { enqueueChange } from './enqueue-change.ts';
import { redoAdvice, undoAdvice } from './key-advice.ts';
import { notify } from './notify.ts';
import { heldHere, takeBackHeld } from './pending.ts';
import { leaveConversation } from './selection.ts';
import { inverseOf } from './take-back.ts';

/** How many changes are remembered. */
export const undoLimit = 20;
const none: readonly Undoable[] = [];

/** What a conversation is again after a change, such as `muted again`. */
function isAgain(back: Undoable['back']): string {
  switch (back.kind) {
    case 'conversation.pin':
      return back.value ? 'pinned again' : 'no longer pinned';
    case 'conversation.mute':
      return back.value ? 'muted again' : 'no longer muted';
    case 'conversation.archive':
      return back.at === null ? 'no longer archived' : 'archived again';
    case 'conversation.pinMessage':
      return back.messageId === null ? 'no message is pinned any more' : 'the message is pinned again';
    case 'read':
      return back.unread > 0 ? 'unread again' : 'read again';
    default:
      return 'as it was';
  }
}

/** Remembers `back` as what `undo` will do; `before` is the state before the change. */
export function rememberUndo(
  context: CommandContext,
  conversationId: ConversationId,
  back: Undoable['back'],
  before: AppState,
): void {
  const change = changeOf(before, conversationId, back, context);
  context.update((state) => patchView(state, { undoable: added(state.view.undoable, change), redoable: none }));
}

/** To be called after the change, with the state before it. */
function changeOf(before: AppState, id: ConversationId, back: Undoable['back'], context: CommandContext): Undoable {
  const mutedUntil = before.local.mutedUntil.get(id) ?? null;
  const change = { at: context.now(), conversationId: id, back, mutedUntil };
  return back.kind === 'conversation.pinMessage' ? { ...change, pinned: pinnedIn(context.get(), id) } : change;
}

const pinnedIn = (state: AppState, id: ConversationId): MessageId | null =>
  selectConversation(state, id)?.pinnedMessageId ?? null;

/** Whether others have pinned another message since, which must stay. */
const isOverridden = (state: AppState, { conversationId, pinned }: Undoable): boolean =>
  pinned !== undefined && pinned !== pinnedIn(state, conversationId);

const overridden = 'The pinned message has been changed since, and stays as it is';

const added = (changes: readonly Undoable[] = none, change: Undoable): readonly Undoable[] =>
  [...changes, change].slice(-undoLimit);

/** The change that restores how far the conversation is read now. */
export function readingOf(state: AppState, id: ConversationId): Undoable['back'] {
  const line = state.local.readLines.get(id) ?? { messageId: null, at: 0 };
  return { kind: 'read', line, unread: selectUnread(state, id) };
}

/** Takes back what was done last: a message that has not been sent yet, or a change of a conversation. */
export function undo(context: CommandContext): void {
  const last = context.get().view.undoable?.at(-1);
  const held = heldHere(context);
  if (held !== null && (last === undefined || held.created >= last.at) && takeBackHeld(context)) return;
  setLastBack(context, 'undoable', { nothing: 'Nothing to undo', toDo: 'undo', advice: redoAdvice });
}

export const redo = (context: CommandContext): void =>
  setLastBack(context, 'redoable', { nothing: 'Nothing to redo', toDo: 'do again', advice: undoAdvice });

/** The changes that can be undone, and those that were undone and can be done again; the last one is at the end. */
type Changes = Required<Pick<AppState['view'], 'undoable' | 'redoable'>>;

interface Wording {
  readonly nothing: string;
  readonly toDo: string;
  readonly advice: (context: CommandContext) => string;
}

/** Sets the last of these changes back, and puts what sets it back again to the other changes. */
function setLastBack(context: CommandContext, which: keyof Changes, { nothing, toDo, advice }: Wording): void {
  const state = context.get();
  const { undoable = none, redoable = none } = state.view;
  const changes: Changes = { undoable, redoable };
  const last = changes[which].at(-1);
  if (last === undefined) {
    notify(context, nothing, { isRefusal: true });
    return;
  }
  const rest: Changes = { ...changes, [which]: changes[which].slice(0, -1) };
  const isGone = selectConversation(state, last.conversationId) === null;
  if (isGone || isOverridden(state, last)) {
    context.update((now) => patchView(now, rest));
    notify(context, isGone ? `The conversation is gone; there is nothing to ${toDo} in it` : overridden);
    return;
  }
  const inverse = setBack(context, last, advice(context));
  if (inverse === null) return;
  const other = which === 'undoable' ? 'redoable' : 'undoable';
  context.update((now) => patchView(now, { ...rest, [other]: added(rest[other], inverse) }));
}

/** @returns the change that would do it again; null when the disk refused */
function setBack(context: CommandContext, change: Undoable, advice: string): Undoable | null {
  const { conversationId, back, mutedUntil } = change;
  const before = context.get();
  const inverse = back.kind === 'read' ? readingOf(before, conversationId) : inverseOf(before, back);
  if (back.kind === 'read')
    context.update((state) => setUnread(conversationId, back.unread)(setReadLine(conversationId, back.line)(state)));
  else if (!enqueueChange(context, back, mutedUntil)) return null;
  if (selectListOrder(context.get()).includes(conversationId)) context.update(selectInList(conversationId));
  else if (before.view.list.selectedId === conversationId)
    leaveConversation(context, selectListOrder(before), conversationId);
  notify(context, `${selectConversationName(context.get(), conversationId)}: ${isAgain(back)}; ${advice}`);
  return changeOf(before, conversationId, inverse ?? back, context);
}
