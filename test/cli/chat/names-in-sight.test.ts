import { expect, test } from 'vitest';
import { followNamesInSight } from '../../../src/cli/chat/names-in-sight.ts';
import { createAppStore } from '../../../src/state/store.ts';
import { selectInList } from '../../../src/state/view/list-place.ts';
import { patchScreen } from '../../../src/state/view/view.ts';
import * as eg from '../../support/builders/eg.ts';

/** A list of four conversations, of which one has messages and one is empty. */
function stage(shown: string[]) {
  const conversations = ['known', 'empty', 'c1', 'c2'].map((id) => eg.conversation({ id }));
  const cache = {
    lastMessages: new Map([['known', eg.message()]]),
    foundEmpty: new Map([['empty', true as const]]),
  };
  const store = createAppStore(eg.state({ conversations, cache }));
  const timers: (() => void)[] = [];
  const asked: string[][] = [];
  let now = 0;
  followNamesInSight({
    store,
    engine: { needFirstPages: (ids) => void asked.push([...ids]) },
    panes: () => ({ layout: () => ({}) as never, conversationsInSight: () => shown }),
    now: () => now,
    after: (_, callback) => void timers.push(callback),
  });
  let moves = 0;
  return {
    asked,
    focus: (focus: 'list' | 'composer') => store.setState((state) => patchScreen(state, { focus })),
    move: () => store.setState(selectInList(moves++ % 2 === 0 ? 'c1' : 'c2')),
    rest(ms = 0) {
      now += ms;
      for (const timer of timers.splice(0)) timer();
    },
  };
}

test('conversations in sight of which no message is known are asked for, once the list rests', () => {
  const shown = ['known', 'empty', 'c1'];
  const s = stage(shown);
  s.rest();
  expect(s.asked).toEqual([['c1']]);
  shown.push('c2');
  s.move();
  s.move();
  s.rest();
  expect(s.asked.slice(1)).toEqual([['c2']]);
});

test('they are asked for when a narrow screen shows the list again, where nothing else has changed', () => {
  const shown: string[] = [];
  const s = stage(shown);
  s.focus('composer');
  s.rest();
  shown.push('c1');
  s.focus('list');
  s.rest();
  expect(s.asked).toEqual([['c1']]);
});

test('what has not come is asked for again after a minute, and only when the list has changed', () => {
  const s = stage(['c1']);
  s.rest();
  s.move();
  s.rest(30_000);
  s.rest(60_000);
  expect(s.asked).toHaveLength(1);
  s.move();
  s.rest();
  expect(s.asked).toHaveLength(2);
});
