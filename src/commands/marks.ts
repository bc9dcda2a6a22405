/**
 * Marks on messages, so that copying, deleting and forwarding take all of them; which of them can be deleted, and the
 * question.
 */
import { isAddressable } from '../protocol/fields.ts';
import { dropEditingOf } from '../state/composer/drafts.ts';
import { ownership } from '../state/local/identity.ts';
import type { AppState } from '../state/model/app-state.ts';
import { selectMarked } from '../state/select/marked.ts';
import { type MessageItem, selectPlace, selectSelectedItem } from '../state/select/selectors.ts';
import { canMark, leaveRemoved, toggleMark } from '../state/view/thread-place.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { withKey } from './key-advice.ts';
import { notify } from './notify.ts';
import { noMessageSelected, stepSelection } from './selection.ts';

function markReason(state: AppState): string | null {
  const item = selectSelectedItem(state);
  if (item === null) return noMessageSelected;
  return item.kind === 'pending' ? 'This message has not been sent yet' : null;
}

function mark(context: CommandContext): void {
  const state = context.get();
  const item = selectSelectedItem(state);
  const { openId } = state.view;
  if (item === null || openId === null) return;
  const place = selectPlace(state, openId);
  if (!canMark(place) && place.marked?.includes(item.id) !== true) {
    const advice = withKey(context, 'layer.back', (key) => `; ${key} takes the marks away`);
    notify(context, `No more messages can be marked${advice}`);
    return;
  }
  context.update(toggleMark(openId, item.id));
  stepSelection(context, 'next');
}

function markedHint(state: AppState): string {
  const { length } = selectMarked(state);
  return length === 0 ? '' : `${length} marked`;
}

/** A command that acts on one message leaves its place in the footer to those that act on all marked ones. */
export const unlessMarked =
  (hint: string) =>
  (state: AppState): string =>
    selectMarked(state).length === 0 ? hint : '';

export const markCommands: readonly Command[] = [
  {
    id: 'message.mark',
    group: 'Messages',
    where: ['messages'],
    title: 'Mark or unmark, and go to the next',
    hint: markedHint,
    isMove: true,
    keys: ['v', 'space'],
    disabled: markReason,
    run: mark,
  },
];

const canDelete = (state: AppState, { id, message }: MessageItem): boolean =>
  isAddressable(id) && ownership(message, state) !== 'other';

const deletable = (state: AppState): readonly MessageItem[] =>
  selectMarked(state).filter((item) => canDelete(state, item));

export const deleteMarkedReason = (state: AppState): string | null =>
  deletable(state).length === 0 ? 'None of the marked messages is yours; only your own can be deleted' : null;

/** The subject of the question: `2 of the 3 marked messages; not those of ann`. */
export function deleteMarkedSubject(state: AppState): string {
  const marked = selectMarked(state);
  const { length } = deletable(state);
  if (length === marked.length) return length === 1 ? 'The marked message' : `The ${length} marked messages`;
  const others = marked.filter((item) => !canDelete(state, item)).map(({ authorName }) => authorName);
  return `${length} of the ${marked.length} marked messages; not those of ${[...new Set(others)].join(', ')}`;
}

/** Ids and texts of the messages that the question is about; a yes does not count once this has changed. */
export const deleteMarkedText = (state: AppState): string =>
  JSON.stringify(deletable(state).map(({ id, message }) => [id, message.text]));

export function deleteMarked(context: CommandContext): void {
  const { openId } = context.get().view;
  if (openId === null) return;
  for (const { id } of deletable(context.get())) {
    if (!context.enqueue({ kind: 'message.delete', conversationId: openId, messageId: id })) return;
    context.update(leaveRemoved(openId, [id]));
    context.update(dropEditingOf(openId, id));
  }
}
