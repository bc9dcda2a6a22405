/** Takes the last change made in the list back: pinned, muted, archived, read (undo). */
import type { ConversationId } from '../protocol/types.ts';
import { setUnread } from '../state/cache/conversations.ts';
import { setReadLine } from '../state/local/read-lines.ts';
import type { AppState, Undoable } from '../state/model/app-state.ts';
import { selectListOrder, selectUnread } from '../state/select/selectors.ts';
import { selectInList } from '../state/view/list-place.ts';
import { patchView } from '../state/view/view.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { heldHere, takeBackHeld } from './pending.ts';

/** How long a change can be taken back. */
const undoMs = 10_000;

const done: Readonly<Partial<Record<Undoable['back']['kind'], string>>> = {
  'conversation.pin': 'The pin is as it was',
  'conversation.mute': 'The mute is as it was',
  'conversation.archive': 'The conversation is where it was',
  read: 'Read and unread are as they were',
};

/** Remembers `back` as what `undo` will do. */
export function canUndo(context: CommandContext, conversationId: ConversationId, back: Undoable['back']): void {
  const undoable = { at: context.now(), conversationId, back };
  context.update((state) => patchView(state, { undoable }));
}

/** Sets back how far a conversation is read. */
export function readingOf(state: AppState, id: ConversationId): Undoable['back'] {
  const line = state.local.readLines.get(id) ?? { messageId: null, at: 0 };
  return { kind: 'read', line, unread: selectUnread(state, id) };
}

/** Takes back what came last: a message that has not left yet, or a change of the list. */
export function undo(context: CommandContext): void {
  const last = context.get().view.undoable ?? null;
  const isOpen = last !== null && context.now() - last.at <= undoMs;
  const held = heldHere(context);
  if (held !== null && (!isOpen || held.created >= last.at) && takeBackHeld(context)) return;
  if (!isOpen) {
    notify(context, last === null ? 'Nothing to undo' : 'The last change is more than 10 s ago');
    return;
  }
  if (setBack(context, last)) context.update((state) => patchView(state, { undoable: null }));
}

function setBack(context: CommandContext, { conversationId, back }: Undoable): boolean {
  if (back.kind === 'read')
    context.update((state) => setUnread(conversationId, back.unread)(setReadLine(conversationId, back.line)(state)));
  else if (!context.enqueue(back)) return false;
  if (selectListOrder(context.get()).includes(conversationId)) context.update(selectInList(conversationId));
  notify(context, done[back.kind] ?? 'Undone');
  return true;
}
