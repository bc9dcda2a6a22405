/** Commands that move the selection in the conversation list. */
import { selectListOrder } from '../state/select/selectors.ts';
import { type ListStep, stepInList } from '../state/view/list-place.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { selectionMoves } from './selection.ts';

export function stepList(context: CommandContext, by: ListStep): void {
  context.update((state) => stepInList(selectListOrder(state), by)(state));
}

const move = selectionMoves({ group: 'Conversations', where: ['list'] });

export const listMoves: readonly Command[] = [
  move('list.next', 'Next conversation', ['j', 'down'], (context) => stepList(context, 'next')),
  move('list.previous', 'Previous conversation', ['k', 'up'], (context) => stepList(context, 'previous')),
  move('list.first', 'First conversation', ['g', 'home'], (context) => stepList(context, 'first')),
  move('list.last', 'Last conversation', ['G', 'end'], (context) => stepList(context, 'last')),
];
