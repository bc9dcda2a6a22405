/** Commands that move the selection in the thread. */
import type { Command } from './command.ts';
import { goToFirst, goToNewest } from './jump-to.ts';
import { leaveNewest, selectionMoves, selectNthNewest, stepSelection } from './selection.ts';

const move = selectionMoves({ group: 'Messages', where: ['messages'] });

export const messageMoves: readonly Command[] = [
  move('message.next', 'Next message', ['j'], (context) => stepSelection(context, 'next')),
  move('message.down', 'Next message; from the newest, to the composer', ['down'], (context) => {
    if (!leaveNewest(context)) stepSelection(context, 'next');
  }),
  move('message.previous', 'Previous message', ['k', 'up'], (context) => stepSelection(context, 'previous')),
  move('message.nextDay', 'First message of the next day', ['J'], (context) => stepSelection(context, 'next-day')),
  move('message.previousDay', 'First message of this day, then of the day before', ['K'], (context) =>
    stepSelection(context, 'previous-day'),
  ),
  {
    ...move('message.first', 'First message; Esc stops fetching it', ['g', 'home'], goToFirst),
    brief: 'first',
    runNth: selectNthNewest,
  },
  {
    ...move('message.last', 'Newest message', ['G', 'end'], (context) => {
      goToNewest(context);
      stepSelection(context, 'last');
    }),
    runNth: selectNthNewest,
  },
];
