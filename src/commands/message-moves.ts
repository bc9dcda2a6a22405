/** Commands that move the selection in the thread. */
import type { Command } from './command.ts';
import { goToFirst, goToNewest } from './jump-to.ts';
import { leaveNewest, stepSelection } from './selection.ts';

const inMessages = { group: 'Messages', where: ['messages'] } as const;

export const messageMoves: readonly Command[] = [
  {
    ...inMessages,
    id: 'message.next',
    isMove: true,
    title: 'Next message',
    keys: ['j'],
    run: (context) => stepSelection(context, 'next'),
  },
  {
    ...inMessages,
    id: 'message.down',
    title: 'Next message; from the newest, to the composer',
    isMove: true,
    keys: ['down'],
    run: (context) => {
      if (!leaveNewest(context)) stepSelection(context, 'next');
    },
  },
  {
    ...inMessages,
    id: 'message.previous',
    isMove: true,
    title: 'Previous message',
    keys: ['k', 'up'],
    run: (context) => stepSelection(context, 'previous'),
  },
  {
    ...inMessages,
    id: 'message.nextDay',
    isMove: true,
    title: 'First message of the next day',
    keys: ['J'],
    run: (context) => stepSelection(context, 'next-day'),
  },
  {
    ...inMessages,
    id: 'message.previousDay',
    isMove: true,
    title: 'First message of this day, then of the day before',
    keys: ['K'],
    run: (context) => stepSelection(context, 'previous-day'),
  },
  {
    ...inMessages,
    id: 'message.first',
    isMove: true,
    title: 'First message; Esc stops fetching it',
    keys: ['g', 'home'],
    run: goToFirst,
  },
  {
    ...inMessages,
    id: 'message.last',
    isMove: true,
    title: 'Newest message',
    keys: ['G', 'end'],
    run: (context) => {
      goToNewest(context);
      stepSelection(context, 'last');
    },
  },
];
