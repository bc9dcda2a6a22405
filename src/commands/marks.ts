/** Marks on messages, so that copying, deleting and forwarding take all of them. */
import type { AppState } from '../state/model/app-state.ts';
import { selectMarked } from '../state/select/marked.ts';
import { selectPlace, selectSelectedItem } from '../state/select/selectors.ts';
import { canMark, toggleMark } from '../state/view/thread-place.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { withKey } from './key-advice.ts';
import { notify } from './notify.ts';
import { stepSelection } from './selection.ts';

function markReason(state: AppState): string | null {
  const item = selectSelectedItem(state);
  if (item === null) return 'Select a message first';
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
