/** Commands that move the selection in the conversation list. */
import { selectListOrder } from '../state/select/selectors.ts';
import { type ListStep, selectInList, stepInList } from '../state/view/list-place.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { selectionMoves } from './selection.ts';

export function stepList(context: CommandContext, by: ListStep): void {
  context.update((state) => stepInList(selectListOrder(state), by)(state));
}

/** Selects the conversation at this place of the list, from 1, or the last one. */
function selectNth(context: CommandContext, nth: number): void {
  const order = selectListOrder(context.get());
  const id = order[nth - 1] ?? order.at(-1);
  if (id !== undefined) context.update(selectInList(id));
}

const move = selectionMoves({ group: 'Conversations', where: ['list'] });

export const listMoves: readonly Command[] = [
  move('list.next', 'Next conversation', ['j', 'down'], (context) => stepList(context, 'next')),
  move('list.previous', 'Previous conversation', ['k', 'up'], (context) => stepList(context, 'previous')),
  {
    ...move('list.first', 'First conversation', ['g', 'home'], (context) => stepList(context, 'first')),
    brief: 'first',
    runNth: selectNth,
  },
  {
    ...move('list.last', 'Last conversation', ['G', 'end'], (context) => stepList(context, 'last')),
    runNth: selectNth,
  },
];
