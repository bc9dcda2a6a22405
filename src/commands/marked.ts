/** Deletes the marked messages: which of them can be deleted, and the text of the question. */
import { isAddressable } from '../protocol/id.ts';
import { ownership } from '../state/local/own-messages.ts';
import type { AppState } from '../state/model/app-state.ts';
import { selectMarked } from '../state/select/marked.ts';
import type { MessageItem } from '../state/select/selectors.ts';
import { leaveRemoved } from '../state/view/thread-place.ts';
import type { CommandContext } from './context.ts';

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
  }
}
