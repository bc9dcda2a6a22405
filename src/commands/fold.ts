/** Shows more or less of the selected message: folded, whole, and for a very long one part after part. */
import type { AppState } from '../state/model/app-state.ts';
import { isFolded, isLong, selectBodyColumns } from '../state/select/folded-messages.ts';
import { selectPlace, selectSelectedItem, type ThreadItem } from '../state/select/selectors.ts';
import { textOf } from '../state/select/thread-items.ts';
import { isInParts, partEnd, partStart, setFolded, turnPart } from '../state/view/thread-place.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { noMessageSelected } from './selection.ts';

const inMessages = { group: 'Messages', where: ['messages'] } as const;

const isFoldedNow = (state: AppState, openId: string, item: ThreadItem): boolean =>
  isFolded(selectPlace(state, openId), item, selectBodyColumns(state));

function moreReason(state: AppState): string | null {
  const item = selectSelectedItem(state);
  const { openId } = state.view;
  if (item === null || openId === null) return noMessageSelected;
  if (isFoldedNow(state, openId, item)) return null;
  const text = textOf(item);
  if (!isInParts(text)) return 'All of this message is shown';
  const start = partStart(selectPlace(state, openId), item);
  return partEnd(text, start) < text.length ? null : 'This is the last part of the message';
}

function lessReason(state: AppState): string | null {
  const item = selectSelectedItem(state);
  const { openId } = state.view;
  if (item === null || openId === null) return noMessageSelected;
  if (partStart(selectPlace(state, openId), item) > 0) return null;
  if (!isLong(item, selectBodyColumns(state))) return 'This message is too short to be folded';
  return isFoldedNow(state, openId, item) ? 'This message is folded already' : null;
}

/** The row at the top of the pane stays where it is. */
function more(context: CommandContext): void {
  const state = context.get();
  const item = selectSelectedItem(state);
  const { openId } = state.view;
  if (item === null || openId === null) return;
  if (isFoldedNow(state, openId, item)) {
    context.scrollThread('hold');
    context.update(setFolded(openId, item.id, false));
  } else context.update(turnPart(openId, item, 1));
  // Asks for history where the part is the last of what is held.
  context.scrollThread({ rows: 0 });
}

function less(context: CommandContext): void {
  const state = context.get();
  const item = selectSelectedItem(state);
  const { openId } = state.view;
  if (item === null || openId === null) return;
  if (partStart(selectPlace(state, openId), item) > 0) {
    context.update(turnPart(openId, item, -1));
    context.scrollThread({ rows: 0 });
    return;
  }
  context.update(setFolded(openId, item.id, true));
  context.revealMessage(item.id);
  context.scrollThread('release');
}

export const foldCommands: readonly Command[] = [
  {
    ...inMessages,
    id: 'message.more',
    brief: 'unfold',
    title: 'Unfold a long message; show its next part',
    hint: 'more',
    keys: ['m'],
    disabled: moreReason,
    run: more,
  },
  {
    ...inMessages,
    id: 'message.less',
    brief: 'fold',
    title: 'Show the previous part; fold a long message',
    keys: ['M'],
    disabled: lessReason,
    run: less,
  },
];
