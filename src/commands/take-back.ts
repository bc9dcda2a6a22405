/** Takes back what the first letters of a sentence did as commands, before anything of it has left this machine. */
import type { Millis } from '../protocol/types.ts';
import { setUnread } from '../state/cache/conversations.ts';
import { withEntry } from '../state/collections/sharded-map.ts';
import { updateDraft } from '../state/composer/drafts.ts';
import { setReadLine } from '../state/local/read-lines.ts';
import { patchLocal } from '../state/local/records.ts';
import type { AppState, OpAction } from '../state/model/app-state.ts';
import { selectComposer, selectConversation, selectPlace, selectUnread } from '../state/select/selectors.ts';
import { noJumps, placeNow, stopSeeking } from '../state/view/jumps.ts';
import { patchScreen, patchView, setFocus } from '../state/view/view.ts';
import type { CommandContext } from './context.ts';
import { enqueueChange } from './enqueue-change.ts';
import { bringBack } from './jumps.ts';

const none: ReadonlySet<string> = new Set();

/** What commands have done since a moment, in the form in which `takeBackLetters` undoes it. */
export interface Done {
  /** The state at that moment. */
  readonly before: AppState;
  /** For each write that was put into the outbox, in order, the write that takes it back. */
  readonly backs: OpAction[];
  /** Whether a message that had not been sent went back into the composer, whose text must stay therefore. */
  hasText: boolean;
}

export const nothingDone = (before: AppState): Done => ({ before, backs: [], hasText: false });

/**
 * A context for commands that may have to be taken back: it adds the writes that would do that to `done`.
 * @param holdMs how long a write stays on this machine at least
 */
export const noting = (context: CommandContext, done: Done, holdMs: number): CommandContext => ({
  ...context,
  enqueue(action, options) {
    const back = inverseOf(context.get(), action);
    if (!context.enqueue(action, { ...options, holdMs })) return false;
    if (back !== null) done.backs.push(back);
    return true;
  },
  discardOp(uuid, into) {
    if (into !== undefined) done.hasText = true;
    return context.discardOp(uuid, into);
  },
});

/** The write that takes the action back; null for actions that no letter alone asks for. */
export function inverseOf(state: AppState, action: OpAction): OpAction | null {
  if (action.kind === 'message.react') return { ...action, present: !action.present };
  const now = action.kind === 'conversation.create' ? null : selectConversation(state, action.conversationId);
  if (now === null) return null;
  if (action.kind === 'conversation.pin') return { ...action, value: now.isPinned };
  if (action.kind === 'conversation.mute') return { ...action, value: now.isMuted };
  if (action.kind === 'conversation.archive') return { ...action, at: now.archivedAt };
  if (action.kind === 'conversation.pinMessage') return { ...action, messageId: now.pinnedMessageId };
  return null;
}

/** When the mute of the action's conversation ends by itself; null: it does not. */
const mutedUntilIn = ({ local }: AppState, action: OpAction): Millis | null =>
  'conversationId' in action ? (local.mutedUntil.get(action.conversationId) ?? null) : null;

/** Undoes what was done, and closes all overlays. A text that went back into the composer stays there. */
export function takeBackLetters(context: CommandContext, { before, backs, hasText }: Done): void {
  for (const action of [...backs].reverse()) enqueueChange(context, action, mutedUntilIn(before, action));
  const { openId, isPeeking = false } = before.view;
  if (context.get().view.openId !== openId) {
    if (openId === null) context.closeConversation();
    else context.openConversation(openId, { isPeek: isPeeking });
  }
  context.update(before.view.seeking ? (state) => state : stopSeeking);
  const jumpedFrom = before.view.jumps === context.get().view.jumps ? null : placeNow(before);
  if (jumpedFrom !== null) bringBack(context, jumpedFrom);
  context.update((state) => withView(before, withReading(before, state)));
  context.update((state) => patchLocal(state, { detours: before.local.detours }));
  if (openId === null || hasText) return;
  const draft = selectComposer(before);
  context.update(updateDraft(openId, () => draft));
}

/** Restores the selection, the list's view, the place in the thread and what undo undoes; closes overlays and answers. */
function withView({ view, screen }: AppState, state: AppState): AppState {
  const { openId, list, undoable = [], redoable = [], lastAction = null, jumps = noJumps } = view;
  const { usedKeys = none } = screen;
  const notices = state.screen.notices.filter((one) => one.about !== 'command' || screen.notices.includes(one));
  const places =
    openId === null || !view.places.has(openId)
      ? state.view.places
      : withEntry(state.view.places, openId, selectPlace({ ...state, view }, openId));
  const back = patchView(state, { list, undoable, redoable, lastAction, places, jumps });
  return patchScreen(setFocus('composer')(back), { overlays: [], notices, usedKeys });
}

/** Restores how far a conversation is read that a letter has marked read or unread. */
function withReading(before: AppState, state: AppState): AppState {
  const changes = [state.view.undoable?.at(-1), before.view.undoable?.at(-1)];
  if (changes[0] === changes[1]) return state;
  let next = state;
  for (const change of changes) {
    if (change?.back.kind !== 'read') continue;
    const id = change.conversationId;
    const line = before.local.readLines.get(id) ?? { messageId: null, at: 0 };
    next = setUnread(id, selectUnread(before, id))(setReadLine(id, line)(next));
  }
  return next;
}
